"""A trampoline [Tournier15, §4.3]: an almost inextensible mat hung on soft springs in a frame.

The mat is a cloth lying flat; from each node of its edge a spring in stiffness form pulls outwards
to the frame. The prop's position is the middle of the mat.
"""

import math
from typing import Annotated

from pydantic import Field

from levels.frames import Frame, Vec, from_degrees
from levels.plan import Collision
from levels.props.cloth import edge_nodes
from levels.props.prop import Site, prop
from levels.props.soft import SoftTable
from levels.values import NotNegative, Positive
from physics import Capsule, Spring

_PRETENSION = 0.85  # rest length of a spring as a share of the gap it spans
_BAR = 0.06  # m, radius of the frame


@prop("trampoline")
class Trampoline(SoftTable):
    """A square mat on springs in a frame on four legs."""

    size: Positive = Field(default=3.0, description="The mat is a square with this edge, in m.")
    nodes: Annotated[int, Field(ge=3, le=60)] = Field(
        default=13, description="The mat has this many nodes along an edge."
    )
    mass: Positive = Field(default=8.0, description="The mat has this mass, in kg.")
    gap: Positive = Field(default=0.4, description="The frame is this far from the mat, in m.")
    height: NotNegative = Field(
        default=1.0, description="The legs are this high, in m; at 0 there is only the frame."
    )
    stiffness: Positive = Field(default=5e3, description="One spring has this stiffness, in N/m.")
    stretch: NotNegative = Field(
        default=1e-10,
        description="The threads of the mat stretch by this much, in m/N; at 0 they do not.",
    )
    drag: NotNegative = Field(
        default=1.2, description="Air drags the mat with this coefficient; at 0 it does not."
    )
    friction: NotNegative = Field(
        default=0.7,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )

    def build(self, site: Site) -> None:
        flat = Frame(orientation=from_degrees((90.0, 0.0, 0.0))).within(site.frame)
        site.soft(
            "cloth",
            frame=flat,
            held=self.held_points(site, flat),
            edits=self.edits(),
            collision=Collision("cloth", ("cloth",)),
            friction=self.friction,
            air={"wind": (0.0, 0.0, 0.0), "normal_drag": self.drag},
            size=(self.size, self.size),
            rows=self.nodes,
            columns=self.nodes,
            mass=self.mass,
            radius=0.02,
            stretch=self.stretch,
            shear=1e-4,
            springs=[self._spring(flat, node) for node in self._rim()],
        )
        self._frame(site)

    def _rim(self) -> list[int]:
        return list(edge_nodes(self.nodes, self.nodes, ["all_edges"]))

    def _spring(self, flat: Frame, node: int) -> Spring:
        row, column = divmod(node, self.nodes)
        last = self.nodes - 1
        across = float(column == last) - float(column == 0)
        down = float(row == 0) - float(row == last)
        reach = self.gap / math.hypot(across, down)
        x = (column / last - 0.5) * self.size + across * reach
        y = (0.5 - row / last) * self.size + down * reach
        return Spring(node, flat.point((x, y, 0.0)), self.stiffness, _PRETENSION * self.gap)

    def _frame(self, site: Site) -> None:
        """Four bars and four legs, just beyond the springs' ends."""
        half = self.size / 2 + self.gap + _BAR
        bar = Capsule(radius=_BAR, length=2 * half)
        for k, sign in enumerate((-1.0, 1.0)):
            for name, place, turn in (
                ("x", (0.0, 0.0, sign * half), (0.0, 0.0, 90.0)),
                ("z", (sign * half, 0.0, 0.0), (90.0, 0.0, 0.0)),
            ):
                self._bar(site, f"bar_{name}{k}", bar, place, turn)
            for m, other in enumerate((-1.0, 1.0)):
                leg = Capsule(radius=_BAR, length=self.height)
                place = (sign * half, -self.height / 2, other * half)
                if self.height > 0.0:
                    self._bar(site, f"leg_{k}{m}", leg, place, (0.0, 0.0, 0.0))

    def _bar(self, site: Site, part: str, shape: Capsule, at: Vec, turn: Vec) -> None:
        site.body(part, shape, at, from_degrees(turn), local=True, fixed=True, density=1000.0)
