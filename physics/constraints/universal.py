"""Universal (Hooke) joint: a ball joint and n_a·w_b = 0, w the second axis [Andrews17, App. A].

Its pose is a turn α about n_a, then a turn β about w_b. With half angles as quaternions,
q = q_n(α) q_w(β) has the parts cos α/2 cos β/2, and sin α/2 cos β/2 along n, cos α/2 sin β/2
along w: the twist of q about n is α itself, and that about w is β. So the angle row
(rows/angle.py) measures both, and both take limits, a motor and a servo.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    Parameter,
    Row,
    angle_row,
    drive_elements,
    joint_kind,
    point_rows,
    soft,
)
from physics.constraints.rows import ANGLE, DOT1
from physics.portable import dot, norm
from physics.state import Floats

_PARALLEL = 1e-3  # sine of the angle below which the second axis is the first


@joint_kind(
    "universal",
    Parameter(
        "second_axis",
        "The second axis, on the second body and across the first, points in this direction of "
        "the world; left out, any that fits is taken.",
        default=None,
        kind="direction",
        fixed=True,
    ),
    LIMITS,
    MOTOR,
    SERVO,
    *(
        replace(part, name=f"second_{part.name}", doc=doc, unit=unit)
        for part, doc, unit in (
            (
                LIMITS,
                "The turn about the second axis stays between these two angles, in rad.",
                "rad",
            ),
            (MOTOR, "This motor drives the turn about the second axis at a speed.", ""),
            (SERVO, "This servo pulls the turn about the second axis to a target.", ""),
        )
    ),
    needs_axis=True,
)
def universal(frame: Frame, parameters: Parameters) -> list[Element]:
    """A ball joint that cannot twist: an axis of a stays perpendicular to an axis of b."""
    w = _across(frame, parameters["second_axis"])
    third = np.cross(frame.axes[2], w)
    second = partial(
        Row,
        ANGLE,
        axis_a=frame.on_a(w),
        axis_b=frame.on_b(third),
        axis_c=frame.on_a(third),
        axis_d=frame.on_b(w),
    )
    return [
        Element(point_rows(parameters)),
        Element((Row(DOT1, axis_a=frame.n_a, axis_b=frame.on_b(w), **soft(parameters)),)),
        *drive_elements(partial(angle_row, frame), parameters),
        *drive_elements(second, parameters, "second_"),
    ]


def _across(frame: Frame, given: Floats | None) -> Floats:
    """The second axis in the world, then, as far as it is perpendicular to the first."""
    u, _, n = frame.axes
    if given is None:
        return u
    across = given - dot(given, n) * n
    if norm(across) < _PARALLEL:
        raise ValueError(
            "the second axis of a universal joint must not lie along its axis; give one across "
            "it, or leave it out"
        )
    return across / norm(across)
