"""Spring that turns b back to the pose it had against a, about every axis and without a pole.

With R_ij = i_a·j_b for the joint's axes u, v, n on both bodies, R = 1 in the rest pose. The six
products off the diagonal are dot-1 rows (see rows/dot1.py) of compliance 2/k:

    V = ¼ k Σ_{i≠j} R_ij² = ¼ k (3 - Σ R_ii²)

Turned by θ about one of the axes that is ½ k sin²θ, so for small angles ½ k θ². Unlike an angle
about an axis, V is smooth at every pose: what swings past the axis feels nothing sudden.
"""

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
)
from physics.constraints.rows import DOT1


@joint_kind(
    "pose_spring",
    Parameter("stiffness", "spring constant", "N m/rad", minimum=1e-12),
    Parameter("damper", "damper constant", "N m s/rad", 0.0, 0.0),
    common=False,
    anchors="any",
)
def pose_spring(frame: Frame, parameters: Parameters) -> list[Element]:
    """Turns b back to the pose it was made in, whatever the axis; a muscle beside a ball joint."""
    soft = {"compliance": 2.0 / parameters["stiffness"], "damping": 0.5 * parameters["damper"]}
    on_a, on_b = (frame.u_a, frame.v_a, frame.n_a), (frame.u_b, frame.v_b, frame.n_b)
    return [
        Element(
            tuple(Row(DOT1, axis_a=on_a[i], axis_b=on_b[(i + k) % 3], **soft) for i in range(3))
        )
        for k in (1, 2)
    ]
