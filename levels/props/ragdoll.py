"""A person of fifteen rigid bodies [Tournier15, §4.3 uses twelve] with limited joints.

The figure faces +z, its own left is +x, and the prop's position is the middle of the pelvis. All
lengths are for a height of 1.86 m and are scaled; masses are rounded shares of a grown person.
"""

import math
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from levels.frames import IDENTITY, Quat, Vec, about, add, added, along, cross, multiply, scale
from levels.materials import MATERIALS
from levels.plan import Collision
from levels.props.postures import (
    BALLS,
    HINGES,
    POSES,
    Chain,
    Pose,
    angle_of,
    angles_of,
    swing,
)
from levels.props.prop import PlacedProp, Site, prop
from levels.values import NotNegative, Number, Positive, one_of
from physics import Box, Capsule, Sphere
from physics.shapes.base import Shape

_FLESH = MATERIALS["flesh"].model_dump()
_HEIGHT = 1.86  # m, of the figure as tabled here
_DOWN: Vec = (0.0, -1.0, 0.0)
_FORWARD: Vec = (0.0, 0.0, 1.0)
_SHARES = {
    "pelvis": 0.14, "chest": 0.35, "head": 0.07, "upper_arm": 0.03, "forearm": 0.016,
    "hand": 0.006, "thigh": 0.1, "shin": 0.05, "foot": 0.018,
}  # fmt: skip
_ARMS: dict[str, Vec] = {"down": _DOWN, "up": (0.0, 1.0, 0.0), "out": (1.0, 0.0, 0.0)}


@prop("ragdoll")
class Ragdoll(PlacedProp):
    """A limp person. Parts: pelvis, chest, head, and upper_arm, forearm, hand, thigh, shin, foot
    each with _left and _right; "doll.hand_left" can be held, tied and pushed."""

    height: Positive = Field(default=1.75, description="The person is this tall, in m.")
    mass: Positive = Field(default=75.0, description="The person has this mass, in kg.")
    arms: Annotated[str, one_of("way to hold the arms", ("down", "up", "out"))] = Field(
        default="down", description="The arms point down, up or out at the start."
    )
    pose: Pose | None = Field(
        default=None,
        description="At the start it has this pose: "
        + ", ".join(POSES)
        + ", or angles in degrees: { knee = 90, shoulder_left = [120, 30] } (forward, to the "
        "side). Joints: "
        + ", ".join((*BALLS, *HINGES))
        + ", those of limbs with _left or _right or for both.",
    )
    facing: Number = Field(
        default=0.0,
        description="The person is turned about the vertical by this angle, in degrees; at 0 it "
        "looks along z.",
    )
    stiffness: NotNegative = Field(
        default=0.0,
        description="The limbs are pulled back to the starting pose with this stiffness, in N "
        "m/rad; at 0 they are limp.",
    )
    friction: NotNegative = Field(
        default=0.6,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )

    def build(self, site: Site) -> None:
        _Figure(self, site).build()


class _Figure:
    def __init__(self, doll: Ragdoll, site: Site) -> None:
        self.doll, self.site = doll, site
        self.size = doll.height / _HEIGHT
        self.angles = angles_of(doll.pose)
        single = ("pelvis", "chest", "head")
        total = added(s * (1 if k in single else 2) for k, s in _SHARES.items())
        self.mass = {part: doll.mass * share / total for part, share in _SHARES.items()}
        # the parts of one person overlap at the joints and must not push each other apart
        self.collision = Collision("people", ("people",))
        if doll.facing:
            turned = about((0.0, 1.0, 0.0), math.radians(doll.facing))
            own = multiply(site.frame.orientation, turned)
            site.frame = replace(site.frame, orientation=own)

    def build(self) -> None:
        still, waist, nape = Chain(), (0.0, 0.1, 0.0), (0.0, 0.6, 0.0)
        bent = still.then(waist, swing(self.angle("spine"), 1.0, hangs=False))
        nodding = bent.then(nape, swing(self.angle("neck"), 1.0, hangs=False))
        pelvis = self.part("pelvis", Box((0.3, 0.18, 0.18)), (0, 0, 0), still)
        chest = self.part("chest", Box((0.36, 0.42, 0.2)), (0, 0.33, 0), bent)
        head = self.part("head", Sphere(0.12), (0, 0.74, 0), nodding)
        self.ball("spine", pelvis, chest, waist, (0, 1, 0), 0.6, bent)
        self.ball("neck", chest, head, nape, (0, 1, 0), 0.7, nodding)
        for side, sign in (("left", 1.0), ("right", -1.0)):
            self.arm(chest, side, sign, bent)
            self.leg(pelvis, side, sign)
        self.site.group.root = pelvis

    def angle(self, name: str) -> Any:
        return angle_of(self.angles, name)

    def arm(self, chest: str, side: str, sign: float, body: Chain) -> None:
        x, y, z = _ARMS[self.doll.arms]
        along_arm: Vec = (sign * x, y, z)
        shoulder: Vec = (sign * 0.23, 0.5, 0.0)
        elbow = add(shoulder, scale(along_arm, 0.33))
        wrist = add(elbow, scale(along_arm, 0.3))
        axis = cross(along_arm, _FORWARD)
        upper_turn = body.then(shoulder, swing(self.angle(f"shoulder_{side}"), sign, hangs=True))
        bend = self.bend(f"elbow_{side}")
        lower_turn = upper_turn.then(elbow, about(axis, bend) if bend else IDENTITY)
        hand_turn = lower_turn.then(wrist, swing(self.angle(f"wrist_{side}"), sign, hangs=True))
        upper = self.limb(f"upper_arm_{side}", 0.05, shoulder, elbow, upper_turn)
        lower = self.limb(f"forearm_{side}", 0.045, elbow, wrist, lower_turn)
        hand = self.part(
            f"hand_{side}", Sphere(0.06), add(wrist, scale(along_arm, 0.05)), hand_turn
        )
        self.ball(f"shoulder_{side}", chest, upper, shoulder, along_arm, 1.7, upper_turn)
        self.hinge(f"elbow_{side}", upper, lower, elbow, axis, upper_turn)
        self.ball(f"wrist_{side}", lower, hand, wrist, along_arm, 0.8, hand_turn)

    def leg(self, pelvis: str, side: str, sign: float) -> None:
        hip: Vec = (sign * 0.09, -0.08, 0.0)
        knee, ankle = add(hip, (0, -0.42, 0)), add(hip, (0, -0.84, 0))
        across: Vec = (1.0, 0.0, 0.0)
        thigh_turn = Chain().then(hip, swing(self.angle(f"hip_{side}"), sign, hangs=True))
        bent, lifted = self.bend(f"knee_{side}"), self.bend(f"ankle_{side}")
        shin_turn = thigh_turn.then(knee, about(across, bent) if bent else IDENTITY)
        foot_turn = shin_turn.then(ankle, about(across, lifted) if lifted else IDENTITY)
        thigh = self.limb(f"thigh_{side}", 0.07, hip, knee, thigh_turn)
        shin = self.limb(f"shin_{side}", 0.055, knee, ankle, shin_turn)
        foot = self.part(
            f"foot_{side}", Box((0.1, 0.08, 0.26)), add(ankle, (0, -0.04, 0.07)), foot_turn
        )
        self.ball(f"hip_{side}", pelvis, thigh, hip, _DOWN, 1.2, thigh_turn)
        self.hinge(f"knee_{side}", thigh, shin, knee, across, thigh_turn)
        self.hinge(f"ankle_{side}", shin, foot, ankle, across, shin_turn)

    def bend(self, name: str) -> float:
        """Of a hinge at the start, rad."""
        return math.radians(self.angle(name) or 0.0)

    def part(
        self,
        name: str,
        shape: Box | Sphere | Capsule,
        at: Vec,
        turn: Chain,
        orientation: Quat = IDENTITY,
    ) -> str:
        kind = name.removesuffix("_left").removesuffix("_right")
        return self.site.body(
            name,
            _scaled(shape, self.size),
            scale(turn.point(at), self.size),
            mass=self.mass[kind],
            friction=self.doll.friction,
            rolling_friction=_FLESH["rolling_friction"],
            collision=self.collision,
            local=True,
            orientation=turn.orientation(orientation),
        )

    def limb(self, name: str, radius: float, start: Vec, end: Vec, turn: Chain) -> str:
        direction = add(end, scale(start, -1.0))
        length = math.dist(start, end) - radius  # the caps reach a little into the joints
        shape = Capsule(radius=radius, length=length)
        middle = scale(add(start, end), 0.5)
        return self.part(name, shape, middle, turn, along(direction))

    def ball(
        self, name: str, a: str, b: str, at: Vec, axis: Vec, swing_limit: float, turn: Chain
    ) -> None:
        """Its limb swings so far from where it is at the start."""
        point, direction = self.placed(at, axis, turn)
        self.site.joint(name, "ball", a, b, at=point, axis=direction, swing_limit=swing_limit)
        if self.doll.stiffness:
            self.site.joint(
                f"{name}_muscle", "pose_spring", a, b, at=point, axis=direction,
                stiffness=self.doll.stiffness, damper=0.1 * self.doll.stiffness,
            )  # fmt: skip

    def hinge(self, name: str, a: str, b: str, at: Vec, axis: Vec, turn: Chain) -> None:
        """Its angle counts from the start, so what it is bent by already is taken off."""
        point, direction = self.placed(at, axis, turn)
        low, high = HINGES[name.removesuffix("_left").removesuffix("_right")]
        bent = self.bend(name)
        limits = (min(low - bent, 0.0), max(high - bent, 0.0)) if bent else (low, high)
        k = self.doll.stiffness
        servo = {"target": 0.0, "stiffness": k, "damping": 0.1 * k} if k else None
        self.site.joint(name, "hinge", a, b, at=point, axis=direction, limits=limits, servo=servo)

    def placed(self, at: Vec, axis: Vec, turn: Chain) -> tuple[Vec, Vec]:
        frame = self.site.frame
        point = frame.point(scale(turn.point(at), self.size))
        return point, frame.direction(turn.direction(axis))


def _scaled(shape: Box | Sphere | Capsule, factor: float) -> Shape:
    if isinstance(shape, Box):
        return Box(scale(shape.size, factor))
    if isinstance(shape, Sphere):
        return Sphere(shape.radius * factor)
    return Capsule(radius=shape.radius * factor, length=shape.length * factor)
