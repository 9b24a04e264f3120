"""What cloths and solids have in common: what the game writes when a level is saved."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from levels.frames import Frame, Vec
from levels.plain_data import TomlTable
from levels.props.prop import PlacedProp, Site
from levels.values import Vector

Node = Annotated[int, Field(ge=0)]
Pair = Annotated[list[Node], Field(min_length=2, max_length=2)]
_MOST = 20_000


class SoftTable(PlacedProp):
    """A prop that is one cloth or solid."""

    held: dict[str, list[Vector]] = Field(
        default={},
        description="A body holds these of its points, as they are placed: { hook = [[0, 0.4, 0]] "
        "}.",
    )
    moved: Annotated[list[Vector], Field(max_length=_MOST)] = Field(
        default=[],
        description="Each node is here at first, in its own axes and m; the game writes this.",
    )
    pinned: Annotated[list[Node], Field(max_length=_MOST)] | None = Field(
        default=None,
        description="The nodes with these numbers are held in place, instead of `pins`; the game "
        "writes this.",
    )
    cut: Annotated[list[Pair], Field(max_length=_MOST)] = Field(
        default=[],
        description="The threads between these pairs of nodes are cut; the game writes this.",
    )
    cut_out: Annotated[list[Node], Field(max_length=_MOST)] = Field(
        default=[],
        description="The elements of a membrane or solid with these numbers are cut out; the game "
        "writes this.",
    )

    def edits(self) -> TomlTable:
        """What differs from the thing as it was made."""
        return {key: getattr(self, key) for key in ("moved", "pinned", "cut", "cut_out")}

    def held_points(
        self, site: Site, frame: Frame | None = None
    ) -> list[tuple[Sequence[Vec], str]]:
        """World points and the bodies that hold them."""
        frame = frame or site.frame
        return [
            ([frame.point(point) for point in points], site.body_named("held", body))
            for body, points in self.held.items()
        ]
