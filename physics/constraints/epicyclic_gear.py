"""Gear on a moving carrier: φ = r [(θ_b - ψ) - ratio·(θ_a - ψ)]. See rows/teeth.py for J and K̃.

ψ, the turn of the carrier, is read off the line between the two centres, so a planet on its arm,
the bevel wheels of a differential and the gearbox of a car that rolls over are one joint. Bearings
are joints of their own, hinges to the carrier.
"""

import numpy as np

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import Element, Frame, Parameter, Row, joint_kind, soft
from physics.constraints.rows import TEETH
from physics.portable import dot, norm
from physics.state import Floats

_ALONG = 0.02  # sine of the least angle between the line of centres and an axis


def _across(line: Floats, axis: Floats, which: str) -> Floats:
    """Unit vector from a centre to the mesh: the line of centres less its part along the axis."""
    across = line - dot(line, axis) * axis
    if norm(across) <= _ALONG * norm(line):
        raise ValueError(
            f"the line from at_a to at_b must not lie along the axis of the {which} wheel: "
            "wheels in mesh stand beside each other"
        )
    return across / norm(across)


@joint_kind(
    "epicyclic_gear",
    Parameter(
        "ratio",
        "The second wheel turns this often for one turn of the first, seen from what carries "
        "their bearings; it is negative for wheels that mesh outside.",
        "",
        -1.0,
        -1e3,
        1e3,
        fixed=True,
    ),
    Parameter(
        "second_axis",
        "The second wheel turns about this axis; left out, about that of the first.",
        default=None,
        kind="direction",
        fixed=True,
    ),
    anchors="separate",
    needs_axis=True,
    flat_axis=True,
    directed=False,
    carried=True,
)
def epicyclic_gear(frame: Frame, parameters: Parameters) -> list[Element]:
    """Meshes two wheels whose bearings may move; `at_a` and `at_b` are their centres."""
    first = frame.axes[2]
    second = first if parameters["second_axis"] is None else parameters["second_axis"]
    line = frame.point_b - frame.point_a
    to_mesh_a, to_mesh_b = _across(line, first, "first"), _across(line, second, "second")
    radius = norm(line) / (1.0 + abs(parameters["ratio"]))
    row = Row(
        TEETH,
        axis_a=frame.n_a,
        axis_c=frame.on_a(to_mesh_a),
        axis_d=frame.on_b(second),
        lever=radius * np.asarray(frame.on_b(to_mesh_b)),
        ratio=parameters["ratio"],
        **soft(parameters),
    )
    return [Element((row,))]
