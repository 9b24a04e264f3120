"""Point on line: the anchor of b stays on the axis of a, all rotations free: two dot-2 rows."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from physics.constraints.registry import (
    DOT2,
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    Row,
    drive_elements,
    joint_kind,
    slide_row,
    soft,
)


@joint_kind("point_on_line", LIMITS, MOTOR, SERVO, needs_axis=True)
def point_on_line(frame: Frame, parameters: Mapping[str, Any]) -> list[Element]:
    """A bead on a wire: b's point slides along an axis of a and may turn freely."""
    rows = tuple(Row(DOT2, axis_a=axis, **soft(parameters)) for axis in (frame.u_a, frame.v_a))
    return [Element(rows), *drive_elements(partial(slide_row, frame), parameters)]
