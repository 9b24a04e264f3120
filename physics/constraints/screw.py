"""Screw: a nut on a bolt, whose slide along the axis follows its turn. See rows/screw.py.

    n_a·u_b = n_a·v_b = 0,   d·u_a = d·v_a = 0,   d·n_a + θ pitch/2π = 0

Its free coordinate, the turn of b about n_a, takes limits, a motor and a servo; a torque τ about
the axis pushes with F = 2πτ/pitch along it.
"""

import math
from functools import partial

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    Parameter,
    Row,
    across_rows,
    alignment_rows,
    angle_row,
    drive_elements,
    joint_kind,
    soft,
    turn_axes,
)
from physics.constraints.rows import SCREW


@joint_kind(
    "screw",
    Parameter(
        "pitch",
        "One turn moves the second body this far along the axis, in m; a negative pitch is a "
        "left-hand thread.",
        "m",
        fixed=True,
    ),
    LIMITS,
    MOTOR,
    SERVO,
    needs_axis=True,
)
def screw(frame: Frame, parameters: Parameters) -> list[Element]:
    """Turns about one axis and moves along it by the pitch for every turn, like a nut on a bolt."""
    thread = Row(
        SCREW,
        **turn_axes(frame),
        ratio=parameters["pitch"] / (2.0 * math.pi),
        **soft(parameters),
    )
    held = Element(alignment_rows(frame, parameters, 2))
    led = Element((*across_rows(frame, parameters), thread))
    return [held, led, *drive_elements(partial(angle_row, frame), parameters)]
