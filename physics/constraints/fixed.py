"""Rigid joint: three dot-1 and three dot-2 rows [Andrews17, App. A]."""

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    Element,
    Frame,
    Row,
    alignment_rows,
    joint_kind,
    soft,
)
from physics.constraints.rows import DOT2


@joint_kind("fixed")
def fixed(frame: Frame, parameters: Parameters) -> list[Element]:
    """Welds two bodies together."""
    offset = tuple(
        Row(DOT2, axis_a=axis, **soft(parameters)) for axis in (frame.u_a, frame.v_a, frame.n_a)
    )
    return [Element(alignment_rows(frame, parameters, 3)), Element(offset)]
