"""Flexible cable joint: the rigid joint with a compliance and a damping of its own for each row.

    d·n_a: axial,  d·u_a, d·v_a: shear,  n_a·u_b, n_a·v_b: bending  [Andrews17];  winding: twist

The axis runs along the cable. Stiffness rather than compliance is what a cable's data sheet gives.
For small angles twist is the paper's u_a·v_b, which lets go of a cable that is wound by more than
45° from piece to piece (rows/winding.py).
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
    turn_axes,
)
from physics.constraints.rows import DOT1, DOT2, WINDING

_MOTIONS = {
    "axial": "Stretching",
    "shear": "Moving sideways",
    "bend": "Bending",
    "twist": "Twisting",
}


def _stiffness(name: str, unit: str, default: float) -> Parameter:
    mode = name.split("_")[0]
    doc = f"{_MOTIONS[mode]} meets this stiffness, in {unit}; at inf it does not give way at all."
    return Parameter(name, doc, unit, default, 1e-9, infinite=True)


def _damper(name: str, unit: str) -> Parameter:
    mode = name.split("_")[0]
    doc = f"{_MOTIONS[mode]} is damped by this much, in {unit}; at 0 it is not."
    return Parameter(name, doc, unit, 0.0, 0.0)


@joint_kind(
    "cable",
    _stiffness("axial_stiffness", "N/m", math.inf),
    _stiffness("shear_stiffness", "N/m", math.inf),
    _stiffness("bend_stiffness", "N m/rad", 10.0),
    _stiffness("twist_stiffness", "N m/rad", 10.0),
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

    def soft(mode: str) -> dict[str, Any]:
        return {
            "compliance": 1.0 / parameters[f"{mode}_stiffness"],
            "damping": parameters[f"{mode}_damping"],
        }

    turning = (
        Row(DOT1, axis_a=frame.n_a, axis_b=frame.u_b, **soft("bend")),
        Row(DOT1, axis_a=frame.n_a, axis_b=frame.v_b, **soft("bend")),
        Row(WINDING, **turn_axes(frame), **soft("twist")),
    )
    offset = (
        Row(DOT2, axis_a=frame.n_a, **soft("axial")),
        Row(DOT2, axis_a=frame.u_a, **soft("shear")),
        Row(DOT2, axis_a=frame.v_a, **soft("shear")),
    )
    return [Element(turning), Element(offset)]
