"""Prismatic joint: three dot-1 rows keep the orientation, two dot-2 rows keep b on the axis of a.

    n_a·u_b = n_a·v_b = u_a·v_b = 0,   d·u_a = d·v_a = 0                 [Andrews17, App. A]

Its free coordinate, the offset along n_a, takes limits, a motor and a servo.
"""

from functools import partial

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    across_rows,
    alignment_rows,
    drive_elements,
    joint_kind,
    slide,
    slide_row,
)


@joint_kind("prismatic", LIMITS, MOTOR, SERVO, needs_axis=True, coordinate=slide)
def prismatic(frame: Frame, parameters: Parameters) -> list[Element]:
    """Slides along one axis without turning, like a drawer."""
    elements = [
        Element(alignment_rows(frame, parameters, 3)),
        Element(across_rows(frame, parameters)),
    ]
    return elements + drive_elements(partial(slide_row, frame), parameters)
