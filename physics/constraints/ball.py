"""Ball and socket: φ = p_a + s_a - p_b - s_b. See rows/point.py for J and K̃.

Limits are unilateral rows: the swing keeps n_a·n_b ≥ cos(swing), a dot-1 row; the twist is the
angle of b about n_a.
"""

import math

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    UNILATERAL,
    Element,
    Frame,
    Parameter,
    Row,
    angle_row,
    joint_kind,
    point_rows,
)
from physics.constraints.rows import DOT1


@joint_kind(
    "ball",
    Parameter(
        "swing_limit",
        "The axis of the second body swings at most this far from that of the first, in rad; at 0 "
        "it cannot swing, and left out it is free.",
        "rad",
        None,
        0.0,
        math.pi,
    ),
    Parameter(
        "twist_limits",
        "The turn about the axis stays between these two angles, in rad; left out, it is free.",
        "rad",
        None,
        kind="pair",
    ),
    particles=True,
)
def ball(frame: Frame, parameters: Parameters) -> list[Element]:
    """Holds two points together and leaves every rotation free; swing and twist can be limited."""
    elements = [Element(point_rows(parameters))]
    limits = []
    if parameters["swing_limit"] is not None:
        cosine = math.cos(parameters["swing_limit"])
        limits.append(Row(DOT1, axis_a=frame.n_a, axis_b=frame.n_b, rest=cosine, lower=0.0))
    if parameters["twist_limits"] is not None:
        low, high = parameters["twist_limits"]
        limits.append(angle_row(frame, rest=low, lower=0.0))
        limits.append(angle_row(frame, rest=high, upper=0.0))
    if limits:
        elements.append(Element(tuple(limits), UNILATERAL, part="limit"))
    return elements
