"""Gear: the turns of two bodies, each about its own axis in the world, keep a ratio.

    φ = θ_b - ratio·θ_a          See rows/gear.py for J and K̃.

Bearings are joints of their own: hinges to the world, or to a frame that stands still. Torques go
with 1/ratio, so the power that one wheel gives the other takes.
"""

import numpy as np

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
    perpendicular,
    soft,
)
from physics.constraints.rows import GEAR


@joint_kind(
    "gear",
    Parameter(
        "ratio",
        "The second body turns this often for one turn of the first; it is negative for wheels "
        "that mesh outside.",
        "",
        -1.0,
        -1e3,
        1e3,
        fixed=True,
    ),
    Parameter(
        "second_axis",
        "The second body turns about this axis; left out, about that of the first.",
        default=None,
        kind="direction",
        fixed=True,
    ),
    anchors="any",
    needs_axis=True,
    flat_axis=True,
    directed=False,
)
def gear(frame: Frame, parameters: Parameters) -> list[Element]:
    """Keeps the turns of two bodies about axes of the world in a ratio; each needs a bearing."""
    u, _, n = frame.axes
    second = n if parameters["second_axis"] is None else parameters["second_axis"]
    across = u if parameters["second_axis"] is None else perpendicular(second)[0]
    row = Row(
        GEAR,
        axis_a=frame.n_a,
        axis_c=frame.u_a,
        axis_d=frame.on_b(second),
        axis_b=frame.on_b(across),
        ground=np.array([[n, u], [second, across]]),
        ratio=parameters["ratio"],
        **soft(parameters),
    )
    return [Element((row,))]
