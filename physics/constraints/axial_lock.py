"""Axial lock: b may not turn about its axis against a; swinging is free. See rows/angle.py."""

from functools import partial

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    angle_row,
    drive_elements,
    joint_kind,
    soft,
)


@joint_kind("axial_lock", LIMITS, MOTOR, SERVO, anchors="any", needs_axis=True, flat_axis=True)
def axial_lock(frame: Frame, parameters: Parameters) -> list[Element]:
    """Locks the turn about one axis; with limits, motor or servo it guides that turn instead."""
    guided = any(parameters[name] is not None for name in ("limits", "motor", "servo"))
    lock = [] if guided else [Element((angle_row(frame, **soft(parameters)),))]
    return lock + drive_elements(partial(angle_row, frame), parameters)
