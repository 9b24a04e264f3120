"""The level file of an articulation. (x, y, z) of the robot becomes (x, z, -y) of the level.

Every body gets the axes in which its inertia is diagonal, with the origin at its centre of mass;
its shapes are parts of a compound, placed in those axes.
"""

import math
from collections.abc import Iterable

from levels.frames import IDENTITY, Quat, Vec, add, multiply, rotate, subtract
from levels.importers.couplings import followers, geared, servo_of
from levels.importers.model_bodies import (
    WORLD,
    Articulation,
    Connection,
    Coupling,
    Geometry,
    Link,
    Pose,
    Rope,
)
from levels.importers.moments import is_possible, principal

_Y_UP: Quat = (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0)  # a quarter turn about x
_BASE = "the_world"
_GHOST, _GHOST_SIZE = "ghosts", 0.01  # group and radius, m, of links without a shape
_SLACK_SPRING = 1e-6  # N m/rad or N/m: a damper needs a spring beside it
_NOTHING = 1e-18
_JOINTS = {"turn": "hinge", "slide": "prismatic", "point": "ball", "weld": "fixed"}


def level_text(model: Articulation, source: str) -> str:
    """All of the file."""
    lines = [
        f"# Made from {source} by `sandbox convert`.",
        *(f"# not taken over: {what}" for what in model.unsupported),
        "format = 1",
        f"title = {_text(model.name)}",
        "",
        "[simulation]",
        "rate = 240",
        f"gravity = {_list(_up(model.gravity))}",
    ]
    groups = _Groups(model)
    for link in model.links.values():
        lines += ["", *_body(model, link, groups)]
    held = [joint for joint in model.joints if joint.freedom != "free"]
    if any(joint.parent == WORLD for joint in held):
        lines += ["", *_base()]
    for joint in held:
        lines += ["", *_joint(model, joint)]
    for rope in model.ropes:
        lines += ["", *_rope(rope)]
    for pair in model.couplings:
        if geared(model, pair):
            lines += ["", *_gear(model, pair)]
    return "\n".join(lines) + "\n"


class _Groups:
    """Collision groups by the bits of the shapes of a link."""

    def __init__(self, model: Articulation) -> None:
        self._bits = {link.name: _bits(link) for link in model.links.values()}
        kinds = dict.fromkeys(bits for bits in self._bits.values() if bits != (0, 0))
        self._names = {bits: f"bits_{bits[0]}_{bits[1]}" for bits in kinds}
        if len(self._names) == 1:
            self._names = dict.fromkeys(self._names, "default")

    def of(self, link: str) -> tuple[str, list[str]]:
        """Its group, and those it passes through."""
        mine = self._bits[link]
        if mine not in self._names:
            return _GHOST, ["default", _GHOST, *sorted(set(self._names.values()) - {"default"})]
        through = [
            name
            for bits, name in self._names.items()
            if not (mine[0] & bits[1] or bits[0] & mine[1])
        ]
        return self._names[mine], through


def _bits(link: Link) -> tuple[int, int]:
    first = second = 0
    for shape in link.geometries:
        first, second = first | shape.bits[0], second | shape.bits[1]
    return first, second


def _touching(shapes: list[Geometry]) -> list[Geometry]:
    """Without those that are only looked at, where others touch: a body of a level is one thing."""
    return [shape for shape in shapes if shape.bits != (0, 0)] or shapes


def _body(model: Articulation, link: Link, groups: _Groups) -> Iterable[str]:
    yield f"[bodies.{_key(link.name)}]"
    group, through = groups.of(link.name)
    if group != "default":
        yield f"group = {_text(group)}"
    if through:
        yield f"ignores = [{', '.join(map(_text, through))}]"
    if len({shape.bits for shape in _touching(list(link.geometries))}) > 1:
        model.lacks(f'body "{link.name}": shapes with different contype (they count together)')
    apart = [b for a, b in model.apart if a == link.name]
    if apart:
        yield f"never_touches = [{', '.join(map(_text, apart))}]"
    if link.fixed and any(shape.kind == "plane" for shape in link.geometries):
        yield from _plane(link)
        return
    if link.locked:
        yield f"locked = {_text(link.locked)}"
    yield from _placed(model, link)


def _base() -> Iterable[str]:
    """What holds joints to the world: angles then count as between two bodies."""
    yield f"[bodies.{_BASE}]"
    yield f'group = "{_GHOST}"'
    yield 'shape = "sphere"'
    yield f"radius = {_number(_GHOST_SIZE)}"
    yield "hidden = true"
    yield "fixed = true"


def _plane(link: Link) -> Iterable[str]:
    shape = next(shape for shape in link.geometries if shape.kind == "plane")
    pose = link.pose.then(shape.pose)
    normal, point = _up(rotate(pose.turn, (0.0, 0.0, 1.0))), _up(pose.position)
    yield 'shape = "plane"'
    yield f"normal = {_list(normal)}"
    yield f"offset = {_number(sum(n * p for n, p in zip(normal, point, strict=True)))}"
    yield f"friction = {_number(shape.friction)}"
    yield "fixed = true"


def _placed(model: Articulation, link: Link) -> Iterable[str]:
    moments = link.moments
    values, axes = _principal(model, link)
    body = Pose(link.pose.point(moments.center), multiply(link.pose.turn, axes))
    shapes = _touching([shape for shape in link.geometries if shape.kind != "plane"])
    w, x, y, z = axes
    inner = Pose((0.0, 0.0, 0.0), (w, -x, -y, -z))
    placed = [
        (shape, inner.then(Pose(subtract(shape.pose.position, moments.center), shape.pose.turn)))
        for shape in shapes
    ]
    if placed:
        yield 'shape = "compound"'
        yield "parts = ["
        for shape, pose in placed:
            yield from _part(shape, pose)
        yield "]"
        yield f"friction = {_number(shapes[0].friction)}"
    else:
        yield 'shape = "sphere"'
        yield f"radius = {_number(_GHOST_SIZE)}"
        yield "hidden = true"
    yield f"position = {_list(_up(body.position))}"
    yield f"orientation = {_list(multiply(_Y_UP, body.turn))}"
    if link.fixed:
        yield "fixed = true"
        return
    yield f"mass = {_number(moments.mass)}"
    yield "center_of_mass = [0, 0, 0]"
    yield f"inertia = {_list(values)}"


def _principal(model: Articulation, link: Link) -> tuple[Vec, Quat]:
    """Principal moments and axes; what no mass can have is mended, and said."""
    if link.fixed:
        return (0.0, 0.0, 0.0), IDENTITY
    values, axes = principal(link.moments.inertia)
    if link.moments.mass > 0.0 and not is_possible(link.moments.inertia):
        mean = sum(abs(value) for value in values) / 3.0 or 1e-6 * link.moments.mass
        model.lacks(f'body "{link.name}": no mass has its inertia; it got the mean, {mean:.3g}')
        return (mean, mean, mean), axes
    return values, axes


def _part(shape: Geometry, pose: Pose) -> Iterable[str]:
    keys = [f'shape = "{shape.kind}"']
    if shape.kind == "sphere":
        keys.append(f"radius = {_number(shape.size[0])}")
    elif shape.kind == "box":
        keys.append(f"size = {_list(shape.size)}")
    elif shape.kind in ("capsule", "cylinder"):
        keys += [f"radius = {_number(shape.size[0])}", f"length = {_number(shape.size[1])}"]
    keys.append(f"position = {_list(pose.position)}")
    keys.append(f"orientation = {_list(pose.turn)}")
    if shape.kind == "hull":
        yield f"  {{ {', '.join(keys)}, points = ["
        yield from (f"    {_list(point)}," for point in shape.points)
        yield "  ] },"
    else:
        yield f"  {{ {', '.join(keys)} }},"


def _joint(model: Articulation, joint: Connection) -> Iterable[str]:
    yield f"[joints.{_key(joint.name)}]"
    yield f'kind = "{_JOINTS[joint.freedom]}"'
    yield f"bodies = [{_text(joint.parent or _BASE)}, {_text(joint.child)}]"
    yield f"at = {_list(_up(joint.at))}"
    if joint.freedom in ("turn", "slide"):
        yield f"axis = {_list(_up(joint.axis))}"
        if joint.limits is not None:
            yield f"limits = {_list(joint.limits)}"
        yield from _drives(model, joint)


def _drives(model: Articulation, joint: Connection) -> Iterable[str]:
    """Springs, dampers and position actuators are servos; dry friction is a motor that stands, and
    an actuator of torques one that rests until it is told."""
    stiffness, damping, target, most = joint.stiffness, joint.damping, joint.rest, math.inf
    if joint.servo is not None:
        own, damper, most = joint.servo
        target = target * stiffness / (stiffness + own) if stiffness else 0.0
        stiffness, damping = stiffness + own, damping + damper
    pair = followers(model).get(joint.name)
    if pair is not None:
        yield servo_of(model, joint, pair)
    elif stiffness or damping:
        spring = max(stiffness, _SLACK_SPRING)
        bound = "" if math.isinf(most) else f", max_force = {_number(most)}"
        yield (
            f"servo = {{ target = {_number(target)}, stiffness = {_number(spring)}, "
            f"damping = {_number(damping)}{bound} }}"
        )
    if joint.dry:
        yield f"motor = {{ speed = 0, max_force = {_number(joint.dry)} }}"
    elif any(one.joint == joint.name for one in model.actuators.values()):
        yield "motor = { speed = 0, max_force = 0 }"


def _gear(model: Articulation, pair: Coupling) -> Iterable[str]:
    leader, follower = (
        next(joint for joint in model.joints if joint.name == name)
        for name in (pair.leader, pair.follower)
    )
    yield f"[joints.{_key(f'{pair.follower}_gear')}]"
    yield 'kind = "gear"'
    yield f"bodies = [{_text(leader.child)}, {_text(follower.child)}]"
    yield f"at = {_list(_up(leader.at))}"
    yield f"axis = {_list(_up(leader.axis))}"
    yield f"second_axis = {_list(_up(follower.axis))}"
    yield f"ratio = {_number(pair.ratio)}"
    yield "collide = true"


def _rope(rope: Rope) -> Iterable[str]:
    yield f"[joints.{_key(rope.name)}]"
    ends = [rope.a, rope.b] if rope.b != WORLD else [rope.a]
    yield f'kind = "{"distance" if rope.length is not None else "spring"}"'
    yield f"bodies = [{', '.join(map(_text, ends))}]"
    yield f"at_a = {_list(_up(rope.at_a))}"
    yield f"at_b = {_list(_up(rope.at_b))}"
    if rope.length is not None:
        yield f"length = {_number(rope.length)}"
        yield "slack = true"
    else:
        yield f"stiffness = {_number(rope.stiffness)}"
        yield f"damper = {_number(rope.damping)}"


def _up(point: Vec) -> Vec:
    """z up to y up; zeros have no sign."""
    x, y, z = point
    return add((x, z, -y), (0.0, 0.0, 0.0))


def _key(name: str) -> str:
    plain = name.replace("_", "a").replace("-", "a")
    return name if plain.isascii() and plain.isalnum() else _text(name)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _number(value: float) -> str:
    """Without what rounding has left of a zero; levels take no number as small as that."""
    return repr(float(f"{value:.15g}")) if abs(value) > _NOTHING else "0.0"


def _list(values: Iterable[float]) -> str:
    return f"[{', '.join(map(_number, values))}]"
