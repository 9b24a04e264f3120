"""A trampoline [Tournier15, §4.3]: an almost inextensible mat hung on soft springs in a frame.

The mat is a cloth lying flat; from each particle of its edge a spring in stiffness form pulls
outwards to the frame. The prop's position is the middle of the mat.
"""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from levels.frames import Frame, add, from_degrees, scale, unit
from levels.props.base import PlacedProp, Site, prop
from levels.props.cloth import Cloth
from levels.values import NotNegative, Positive

_PRETENSION = 0.85  # rest length of a spring as a share of the gap it spans


@prop("trampoline")
class Trampoline(PlacedProp):
    """A square mat on springs. Parts: the particles of the mat, row.column."""

    size: Positive = Field(default=3.0, description="Edge of the mat, m.")
    nodes: Annotated[int, Field(ge=3, le=60)] = Field(
        default=11, description="Particles along an edge."
    )
    mass: Positive = Field(default=8.0, description="kg, of the mat.")
    gap: Positive = Field(default=0.4, description="m between mat and frame.")
    stiffness: Positive = Field(default=5e3, description="N/m of one spring.")
    damping: NotNegative = Field(default=5.0, description="N s/m of one spring.")
    stretch: NotNegative = Field(default=1e-10, description="m/N along the mat's threads.")
    friction: NotNegative = Field(default=0.7, description="Coulomb coefficient.")

    def build(self, site: Site) -> None:
        mat = Cloth(
            kind="cloth",
            size=[self.size, self.size],
            rows=self.nodes,
            columns=self.nodes,
            mass=self.mass,
            stretch=self.stretch,
            shear=1e-4,
            bend=None,
            friction=self.friction,
        )
        flat = Frame(orientation=from_degrees((90.0, 0.0, 0.0))).within(site.frame)
        laid = replace(site, frame=flat)
        laid.group = site.group
        mat.build(laid)
        for name in list(site.group.members):
            self._spring(site, name)

    def _spring(self, site: Site, name: str) -> None:
        row, column = (int(part) for part in name.rsplit(".", 2)[1:])
        last = self.nodes - 1
        # laid flat, the cloth's top row lies towards +z
        across = float(column == last) - float(column == 0)
        along = float(row == 0) - float(row == last)
        outwards = (across, 0.0, along)
        if outwards == (0.0, 0.0, 0.0):
            return
        start = site.plan.center(name)
        direction = site.frame.direction(unit(outwards))
        site.joint(
            f"spring.{row}.{column}",
            "spring",
            name,
            None,
            at_a=start,
            at_b=add(start, scale(direction, self.gap)),
            stiffness=self.stiffness,
            damper=self.damping,
            length=self.gap * _PRETENSION,
        )
