"""Angular spring in stiffness form: torque -k (θ - θ₀) - c θ̇ about an axis of a."""

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    STIFFNESS,
    Element,
    Frame,
    Parameter,
    angle_row,
    joint_kind,
)


@joint_kind(
    "angular_spring",
    Parameter(
        "stiffness",
        "The spring turns the bodies back with this torque per angle, in N m/rad; at 0 it only "
        "damps.",
        "N m/rad",
        minimum=0.0,
    ),
    Parameter(
        "damper",
        "The damper resists turning with this torque per angular speed, in N m s/rad; at 0 the "
        "spring goes on swinging.",
        "N m s/rad",
        0.0,
        0.0,
    ),
    Parameter("angle", "The spring is at rest at this angle, in rad.", "rad", 0.0),
    common=False,
    anchors="any",
    needs_axis=True,
    flat_axis=True,
)
def angular_spring(frame: Frame, parameters: Parameters) -> list[Element]:
    """Turns b back to a rest angle about an axis of a; for a hinge (a ball wants a pose_spring)."""
    return [
        Element(
            (angle_row(frame, rest=parameters["angle"]),),
            STIFFNESS,
            stiffness=parameters["stiffness"],
            damper=parameters["damper"],
        )
    ]
