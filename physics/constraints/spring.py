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
    Parameter("stiffness", "spring constant", "N/m", minimum=0.0),
    Parameter("damper", "damper constant", "N s/m", 0.0, 0.0),
    Parameter("length", "rest length; the present one if not given", "m", None, 0.0),
    Parameter("tension_only", "an elastic band: pulls, never pushes", "", False, kind="flag"),
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
