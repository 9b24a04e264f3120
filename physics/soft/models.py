"""Springs that hold nodes to the world; plain data, so that levels can plan them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spring:
    """From a node to a point of the world; in stiffness form, pulls and pushes."""

    node: int
    to: Sequence[float]  # m
    stiffness: float  # N/m
    length: float | None = None  # m at rest; as placed if not given
