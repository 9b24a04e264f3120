"""Universal (Hooke) joint: a ball joint and n_a·u_b = 0 [Andrews17, App. A]."""

from collections.abc import Mapping
from typing import Any

from physics.constraints.registry import (
    Element,
    Frame,
    alignment_rows,
    joint_kind,
    point_rows,
)


@joint_kind("universal", needs_axis=True)
def universal(frame: Frame, parameters: Mapping[str, Any]) -> list[Element]:
    """A ball joint that cannot twist: an axis of a stays perpendicular to an axis of b."""
    return [Element(point_rows(parameters)), Element(alignment_rows(frame, parameters, 1))]
