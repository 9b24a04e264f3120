"""Spring that turns b back to the pose it had against a, about every axis and without a pole.

Three rotation rows (rows/rotation.py) of compliance 1/k, (w, V) being the rotation between them:

    E = ½ k Σ (2 V_i)² = k (1 - cos θ)

θ is the angle of the rotation about whatever axis, so for small ones ½ k θ². Unlike an angle about
an axis it is smooth at every pose: what swings past the axis feels nothing sudden.
"""

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    Element,
    Frame,
    Parameter,
    joint_kind,
    rotation_rows,
)


@joint_kind(
    "pose_spring",
    Parameter(
        "stiffness",
        "The spring turns the bodies back to their pose with this torque per angle, in N m/rad.",
        "N m/rad",
        minimum=1e-12,
    ),
    Parameter(
        "damper",
        "The damper resists turning with this torque per angular speed, in N m s/rad; at 0 the "
        "bodies go on swinging.",
        "N m s/rad",
        0.0,
        0.0,
    ),
    common=False,
    anchors="any",
)
def pose_spring(frame: Frame, parameters: Parameters) -> list[Element]:
    """Turns b back to the pose it was made in, whatever the axis; a muscle beside a ball joint."""
    soft = {"compliance": 1.0 / parameters["stiffness"], "damping": parameters["damper"]}
    return [Element(rotation_rows(frame, soft, soft, soft))]
