"""The six row primitives every joint is made of, one file each: φ, J and K̃."""

from physics.constraints.rows import angle, distance, dot1, dot2, point, pulley
from physics.jit import kernel
from physics.state import ANGLE, DISTANCE, DOT1, DOT2, POINT, PULLEY


@kernel
def fill_rows(bodies, elements, list_start, list_rows, J):
    """φ, measured value and Jacobian of every row at the current positions.

    Writes elements.phi, elements.value and J (elements.J or elements.J_start).
    """
    point.fill(list_rows, list_start[POINT], list_start[POINT + 1], bodies, elements, J)
    dot1.fill(list_rows, list_start[DOT1], list_start[DOT1 + 1], bodies, elements, J)
    dot2.fill(list_rows, list_start[DOT2], list_start[DOT2 + 1], bodies, elements, J)
    angle.fill(list_rows, list_start[ANGLE], list_start[ANGLE + 1], bodies, elements, J)
    distance.fill(list_rows, list_start[DISTANCE], list_start[DISTANCE + 1], bodies, elements, J)
    pulley.fill(list_rows, list_start[PULLEY], list_start[PULLEY + 1], bodies, elements, J)


@kernel
def let_go_at_poles(bodies, elements, list_start, list_rows):
    """Rows that mean nothing where the bodies are hold nothing in the coming step; writes idle."""
    angle.let_go(list_rows, list_start[ANGLE], list_start[ANGLE + 1], bodies, elements)


@kernel
def add_stiffness(bodies, elements, list_start, list_rows, lam, K):
    """K[e] += K̃ = ∂(Jᵀλ)/∂x of every row for the forces `lam`; writes K."""
    point.stiffness(list_rows, list_start[POINT], list_start[POINT + 1], bodies, elements, lam, K)
    dot1.stiffness(list_rows, list_start[DOT1], list_start[DOT1 + 1], bodies, elements, lam, K)
    dot2.stiffness(list_rows, list_start[DOT2], list_start[DOT2 + 1], bodies, elements, lam, K)
    angle.stiffness(list_rows, list_start[ANGLE], list_start[ANGLE + 1], bodies, elements, lam, K)
    distance.stiffness(
        list_rows, list_start[DISTANCE], list_start[DISTANCE + 1], bodies, elements, lam, K
    )
    pulley.stiffness(
        list_rows, list_start[PULLEY], list_start[PULLEY + 1], bodies, elements, lam, K
    )
