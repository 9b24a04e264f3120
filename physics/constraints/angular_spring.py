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
    Parameter("stiffness", "spring constant", "N m/rad", minimum=0.0),
    Parameter("damper", "damper constant", "N m s/rad", 0.0, 0.0),
    Parameter("angle", "rest angle", "rad", 0.0),
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
