"""What other programs call the things of a level: nearer than any spelling is what was meant."""

from collections.abc import Iterable

_OURS: dict[str, tuple[str, ...]] = {
    # shapes
    "sphere": ("ball", "circle", "disk"),
    "box": ("cube", "block", "cuboid", "rectangle", "rect", "square", "beam"),
    "capsule": ("pill", "stadium"),
    "cylinder": ("wheel", "disc", "tube", "barrel"),
    "plane": ("ground", "floor", "halfspace"),
    "hull": ("polygon", "convex", "polyhedron", "wedge"),
    "triangle_mesh": ("mesh", "trimesh"),
    "height_field": ("terrain", "heightmap"),
    # props
    "rope": ("string", "line", "cord"),
    "ragdoll": ("person", "human", "man", "doll"),
    "wall": ("bricks",),
    "solid": ("jelly", "soft", "softbody"),
    # joints
    "hinge": ("revolute", "axle", "pivot", "door"),
    "fixed": ("weld", "rigid", "glue", "static"),
    "prismatic": ("slider", "slide", "piston", "linear"),
    "ball": ("spherical", "socket", "ball_joint", "point"),
    "distance": ("rod", "dist", "stick"),
    "universal": ("cardan",),
    # keys
    "radius": ("diameter", "thickness"),
    "mass": ("weight", "kg"),
    "position": ("pos", "place", "location", "eye"),
    "size": ("width", "height", "dimensions", "extents"),
    "color": ("colour",),
    "restitution": ("bounce", "bounciness", "elasticity"),
    "keyframed": ("kinematic",),
    "rotation": ("angle", "angles", "euler"),
    "orientation": ("quaternion",),
    "angular_velocity": ("spin", "omega"),
    "bodies": ("body_a", "body_b", "body1", "body2", "parent", "child", "connects"),
    "at": ("anchor", "pivot", "point"),
    "axis": ("direction",),
    "target": ("look_at", "lookat"),
    "rate": ("fps", "hz", "dt", "timestep", "step"),
    "title": ("name",),
    "limits": ("limit", "min", "max", "range"),
    "then": ("do", "action", "actions"),
    "when": ("if", "condition"),
    "for": ("duration", "seconds"),
    "times": ("duration", "seconds"),
    "max_force": ("force", "torque", "max_torque", "strength"),
    "breaks_at": ("break_force", "breaking_force", "strength"),
    # functions of conditions
    "y": ("height", "altitude", "position"),
    "speed": ("velocity", "vel"),
    "time": ("t", "seconds", "now"),
    "touching": ("contact", "touches", "touch", "collides", "collision"),
    "inside": ("within", "contains", "in_zone", "in"),
    "tilt": ("orientation",),
    # actions
    "count": ("add", "increment"),
    "remove": ("delete", "destroy", "kill"),
    "say": ("message", "print", "show", "text"),
    "spawn": ("create", "make", "add_body"),
    "drive": ("motor", "set_motor"),
    "pin": ("fix", "freeze"),
    "unpin": ("unfix", "unfreeze", "free"),
    "weld": ("join", "attach", "glue"),
    "push": ("impulse", "kick", "explode"),
    "release": ("break", "cut", "detach", "open"),
    "look": ("camera",),
    "sound": ("play",),
    "set": ("set_parameter",),
}


def our_word(word: str, known: Iterable[str]) -> str | None:
    """The known word for something that has another name elsewhere."""
    wanted = {ours for ours, others in _OURS.items() if word.lower() in others}
    return next((name for name in known if name in wanted), None) if wanted else None
