"""Flexible cable joint: the rigid joint with a compliance and a damping of its own for each row.

    d·n_a: axial,  d·u_a, d·v_a: shear,  n_a·u_b, n_a·v_b: bending,  u_a·v_b: twist  [Andrews17]

The axis runs along the cable. Stiffness rather than compliance is what a cable's data sheet gives.
"""

import math
from typing import Any

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
)
from physics.constraints.rows import DOT1, DOT2


def _stiffness(name: str, doc: str, unit: str, default: float) -> Parameter:
    return Parameter(name, doc, unit, default, 1e-9, infinite=True)


def _damper(name: str, unit: str) -> Parameter:
    return Parameter(name, f"damping of the {name.split('_')[0]} rows", unit, 0.0, 0.0)


@joint_kind(
    "cable",
    _stiffness("axial_stiffness", "resistance to stretching; inf is inextensible", "N/m", math.inf),
    _stiffness("shear_stiffness", "resistance to sideways offset", "N/m", math.inf),
    _stiffness("bend_stiffness", "resistance to bending", "N m/rad", 10.0),
    _stiffness("twist_stiffness", "resistance to twisting", "N m/rad", 10.0),
    _damper("axial_damping", "N s/m"),
    _damper("shear_damping", "N s/m"),
    _damper("bend_damping", "N m s/rad"),
    _damper("twist_damping", "N m s/rad"),
    common=False,
    needs_axis=True,
    drawn="line",
)
def cable(frame: Frame, parameters: Parameters) -> list[Element]:
    """A piece of cable between two segments: stiff along its axis, soft in bending and twist."""

    def row(primitive: int, mode: str, **axes: Any) -> Row:
        return Row(
            primitive,
            compliance=1.0 / parameters[f"{mode}_stiffness"],
            damping=parameters[f"{mode}_damping"],
            **axes,
        )

    turning = (
        row(DOT1, "bend", axis_a=frame.n_a, axis_b=frame.u_b),
        row(DOT1, "bend", axis_a=frame.n_a, axis_b=frame.v_b),
        row(DOT1, "twist", axis_a=frame.u_a, axis_b=frame.v_b),
    )
    offset = (
        row(DOT2, "axial", axis_a=frame.n_a),
        row(DOT2, "shear", axis_a=frame.u_a),
        row(DOT2, "shear", axis_a=frame.v_a),
    )
    return [Element(turning), Element(offset)]
