"""Spring in stiffness form: force -k (l - L) u - c l̇ u, its stiffness in M̃ [Tournier15, §3.2].

For soft springs; a stiff one is better as a distance joint with compliance 1/k.
"""

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    STIFFNESS,
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
    span,
)
from physics.constraints.rows import DISTANCE


@joint_kind(
    "spring",
    Parameter(
        "stiffness",
        "The spring pulls or pushes with this force per change of length, in N/m; at 0 it only "
        "damps.",
        "N/m",
        minimum=0.0,
    ),
    Parameter(
        "damper",
        "The damper resists a change of length with this force per speed, in N s/m; at 0 the "
        "spring goes on swinging.",
        "N s/m",
        0.0,
        0.0,
    ),
    Parameter(
        "length",
        "The spring is at rest at this length, in m; left out, at the one it has at the start.",
        "m",
        None,
        0.0,
    ),
    Parameter(
        "tension_only",
        "If true, it is an elastic band: it pulls but never pushes.",
        "",
        False,
        kind="flag",
    ),
    common=False,
    anchors="separate",
    particles=True,
    directed=False,
    coordinate=span,
    drawn="coil",
)
def spring(frame: Frame, parameters: Parameters) -> list[Element]:
    """Pulls two points together, or apart, in proportion to their distance from a rest length."""
    length = frame.length if parameters["length"] is None else parameters["length"]
    return [
        Element(
            (Row(DISTANCE, rest=length),),
            STIFFNESS,
            stiffness=parameters["stiffness"],
            damper=parameters["damper"],
            tension_only=parameters["tension_only"],
        )
    ]
