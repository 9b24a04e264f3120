"""Distance: φ = l - L between two anchors. See rows/distance.py for J and K̃.

With slack it only pulls, λ ≤ 0: a rope, which holds in the steps in which it is taut.
"""

import math

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
    soft,
    span,
)
from physics.constraints.rows import DISTANCE


@joint_kind(
    "distance",
    Parameter(
        "length",
        "The two points keep this distance, in m; left out, the one they have at the start.",
        "m",
        None,
        0.0,
    ),
    Parameter("slack", "If true, it is a rope: it pulls but never pushes.", "", False, kind="flag"),
    anchors="separate",
    particles=True,
    directed=False,
    coordinate=span,
    inextensible=True,
    drawn="line",
)
def distance(frame: Frame, parameters: Parameters) -> list[Element]:
    """Keeps two points at a distance, like a massless rod or, with slack, a rope."""
    length = frame.length if parameters["length"] is None else parameters["length"]
    slack = parameters["slack"]
    row = Row(DISTANCE, rest=length, upper=0.0 if slack else math.inf, **soft(parameters))
    return [Element((row,))]
