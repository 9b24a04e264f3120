"""Point on line: the anchor of b stays on the axis of a, all rotations free: two dot-2 rows."""

from functools import partial

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    across_rows,
    drive_elements,
    joint_kind,
    slide,
    slide_row,
)


@joint_kind(
    "point_on_line", LIMITS, MOTOR, SERVO, needs_axis=True, particles=True, coordinate=slide
)
def point_on_line(frame: Frame, parameters: Parameters) -> list[Element]:
    """A bead on a wire: b's point slides along an axis of a and may turn freely."""
    rows = across_rows(frame, parameters)
    return [Element(rows), *drive_elements(partial(slide_row, frame), parameters)]
