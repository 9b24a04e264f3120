"""Hinge: a ball joint, n_a·u_b = 0 and n_a·v_b = 0 [Andrews17, App. A].

Its free coordinate, the angle of b about n_a (rows/angle.py), takes limits, a motor and a servo.
"""

from functools import partial

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    alignment_rows,
    angle_row,
    drive_elements,
    joint_kind,
    point_rows,
)


@joint_kind("hinge", LIMITS, MOTOR, SERVO, needs_axis=True, flat_axis=True, pivot=True)
def hinge(frame: Frame, parameters: Parameters) -> list[Element]:
    """Turns about one axis, like a door."""
    elements = [Element(point_rows(parameters)), Element(alignment_rows(frame, parameters, 2))]
    return elements + drive_elements(partial(angle_row, frame), parameters)
