"""A tower crane: a fixed tower, and a boom with counterweight that slews on top of it.

Hang a cable from "name.boom.tip" to lift things.
"""

from pydantic import Field

from levels.key_names import split_keys
from levels.plan import Drive
from levels.props.prop import PlacedProp, Site, prop
from levels.values import Positive
from physics import Box

_BOOM = 2 / 3  # thickness of the boom as a share of the tower's


@prop("crane")
class Crane(PlacedProp):
    """A tower crane whose boom points along +x. Parts: tower, boom (with the frame tip)."""

    height: Positive = Field(default=20.0, description="The tower is this high, in m.")
    reach: Positive = Field(
        default=14.0, description="The tip of the boom is this far from the tower's axis, in m."
    )
    tail: Positive = Field(
        default=4.0, description="The boom reaches this far behind the tower, in m."
    )
    thickness: Positive = Field(default=1.2, description="The tower is this thick, in m.")
    boom_mass: Positive = Field(
        default=100_000.0,
        description="The boom has this mass together with its counterweight, in kg.",
    )
    keys: str = Field(
        default="a/d",
        description="These keys slew the boom, the first to the left and the second to the right.",
    )
    speed: Positive = Field(
        default=0.3, description="The boom slews this fast while a key is held, in rad/s."
    )
    max_torque: Positive = Field(
        default=5e6, description="The motor that slews the boom has at most this torque, in N m."
    )

    def build(self, site: Site) -> None:
        tower = site.body(
            "tower",
            Box((self.thickness, self.height, self.thickness)),
            (0.0, self.height / 2, 0.0),
            fixed=True,
            local=True,
        )
        thick = _BOOM * self.thickness
        span = self.reach + self.tail
        middle = (self.reach - self.tail) / 2
        boom = site.body(
            "boom",
            Box((span, thick, thick)),
            (middle, self.height + thick / 2, 0.0),
            mass=self.boom_mass,
            frames={"tip": (span / 2, -thick / 2, 0.0), "tail": (-span / 2, 0.0, 0.0)},
            local=True,
        )
        motor = {"speed": 0.0, "max_force": self.max_torque}
        slew = site.joint(
            "slew",
            "hinge",
            tower,
            boom,
            at=site.frame.point((0.0, self.height, 0.0)),
            axis=site.frame.direction((0.0, 1.0, 0.0)),
            motor=motor,
        )
        forward, back = split_keys(self.keys, site.place.child("keys"))
        site.drive(
            Drive(slew, "motor", (slew,), forward, back, self.speed, settings=motor, table="motor")
        )
        site.group.root = boom
