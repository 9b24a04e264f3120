"""Pulley: φ = l_a + ρ l_b - L over two fixed wheels. See rows/pulley.py for J and K̃.

A rope that runs ρ times between the second wheel and its load (a tackle) gives way ρ metres at the
first end for one metre of the load, and pulls ρ times as hard there. With slack it only pulls:
λ ≤ 0, a unilateral row. A winch changes the length while running.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from physics.constraints.registry import (
    BILATERAL,
    PULLEY,
    UNILATERAL,
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
    soft,
)


@joint_kind(
    "pulley",
    Parameter("wheel_a", "where the rope from the first body runs over", "m", kind="point"),
    Parameter("wheel_b", "and that from the second; the same if left out", "m", None, kind="point"),
    Parameter("ratio", "strands to the second body: 2 for a loose pulley", "", 1.0, 1e-3, 1e3),
    Parameter("length", "l_a + ratio·l_b; the present one if not given", "m", None, 0.0),
    Parameter("slack", "a rope: pulls, never pushes", "", True, kind="flag"),
    anchors="separate",
)
def pulley(frame: Frame, parameters: Mapping[str, Any]) -> list[Element]:
    """A rope from one body over fixed wheels to another; with a ratio, a tackle."""
    first, ratio, slack = parameters["wheel_a"], parameters["ratio"], parameters["slack"]
    second = first if parameters["wheel_b"] is None else parameters["wheel_b"]
    length = parameters["length"]
    if length is None:
        length = math.dist(frame.point_a, first) + ratio * math.dist(frame.point_b, second)
    row = Row(
        PULLEY,
        axis_a=first,
        axis_b=second,
        axis_c=np.array([ratio, 0.0, 0.0]),
        rest=length,
        upper=0.0 if slack else math.inf,
        **soft(parameters),
    )
    return [Element((row,), UNILATERAL if slack else BILATERAL)]
