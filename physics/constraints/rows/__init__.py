"""The row primitives every joint is made of, one file each: φ, J and K̃, and what a row is.

A row file declares its traits (`PRIMITIVE`) and the kernels

    fill               φ, measured value and J
    stiffness          K̃ = ∂(Jᵀλ)/∂x
    pairs              the same K̃ as products a bᵀ
    stiffen            levers: what the "adaptive" stabilization adds to single bodies, if anything
    add_pair_inertia   … and between the two bodies, if anything but what its λ asks for
    disable_singular   which rows mean nothing at this pose, if there can be any

This file numbers them and is the only one that calls them by name: a new primitive needs its own
file and a line in each list here. Kernels elsewhere ask elements.traits.
"""

from physics.constraints.rows import (
    angle,
    distance,
    dot1,
    dot2,
    gear,
    point,
    pulley,
    rotation,
    screw,
    teeth,
    winding,
)
from physics.constraints.rows.inertia import resist_turning_of
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.state import BILATERAL, NO_ROW
from physics.state import PRIMITIVES as ROOM

(POINT, DOT1, DOT2, ANGLE, DISTANCE, PULLEY, SCREW, GEAR, TEETH, ROTATION, WINDING) = range(1, 12)

PRIMITIVES: dict[int, Primitive] = {
    NO_ROW: Primitive("none"),
    POINT: point.PRIMITIVE,
    DOT1: dot1.PRIMITIVE,
    DOT2: dot2.PRIMITIVE,
    ANGLE: angle.PRIMITIVE,
    DISTANCE: distance.PRIMITIVE,
    PULLEY: pulley.PRIMITIVE,
    SCREW: screw.PRIMITIVE,
    GEAR: gear.PRIMITIVE,
    TEETH: teeth.PRIMITIVE,
    ROTATION: rotation.PRIMITIVE,
    WINDING: winding.PRIMITIVE,
}
assert max(PRIMITIVES) < ROOM
TRAITS = {number: primitive.bits for number, primitive in PRIMITIVES.items()}


@kernel
def fill_rows(bodies, elements, list_start, list_rows, J):
    """φ, measured value and Jacobian of every row at the current positions.

    Writes elements.phi, elements.value, elements.turn and J (elements.J or elements.J_start).
    """
    at, rows = list_start, list_rows
    point.fill(rows, at[POINT], at[POINT + 1], bodies, elements, J)
    dot1.fill(rows, at[DOT1], at[DOT1 + 1], bodies, elements, J)
    dot2.fill(rows, at[DOT2], at[DOT2 + 1], bodies, elements, J)
    angle.fill(rows, at[ANGLE], at[ANGLE + 1], bodies, elements, J)
    distance.fill(rows, at[DISTANCE], at[DISTANCE + 1], bodies, elements, J)
    pulley.fill(rows, at[PULLEY], at[PULLEY + 1], bodies, elements, J)
    screw.fill(rows, at[SCREW], at[SCREW + 1], bodies, elements, J)
    gear.fill(rows, at[GEAR], at[GEAR + 1], bodies, elements, J)
    teeth.fill(rows, at[TEETH], at[TEETH + 1], bodies, elements, J)
    rotation.fill(rows, at[ROTATION], at[ROTATION + 1], bodies, elements, J)
    winding.fill(rows, at[WINDING], at[WINDING + 1], bodies, elements, J)


@kernel
def disable_singular_rows(bodies, elements, list_start, list_rows):
    """Rows that mean nothing where the bodies are hold nothing in the coming step; writes idle."""
    at = list_start
    angle.disable_singular(list_rows, at[ANGLE], at[ANGLE + 1], bodies, elements)
    gear.disable_singular(list_rows, at[GEAR], at[GEAR + 1], bodies, elements)
    teeth.disable_singular(list_rows, at[TEETH], at[TEETH + 1], bodies, elements)


@kernel
def add_stiffness(bodies, elements, list_start, list_rows, lam, K):
    """K[e] += K̃ = ∂(Jᵀλ)/∂x of every row for the forces `lam`; writes K."""
    at, rows = list_start, list_rows
    point.stiffness(rows, at[POINT], at[POINT + 1], bodies, elements, lam, K)
    dot1.stiffness(rows, at[DOT1], at[DOT1 + 1], bodies, elements, lam, K)
    dot2.stiffness(rows, at[DOT2], at[DOT2 + 1], bodies, elements, lam, K)
    angle.stiffness(rows, at[ANGLE], at[ANGLE + 1], bodies, elements, lam, K)
    distance.stiffness(rows, at[DISTANCE], at[DISTANCE + 1], bodies, elements, lam, K)
    pulley.stiffness(rows, at[PULLEY], at[PULLEY + 1], bodies, elements, lam, K)
    screw.stiffness(rows, at[SCREW], at[SCREW + 1], bodies, elements, lam, K)
    gear.stiffness(rows, at[GEAR], at[GEAR + 1], bodies, elements, lam, K)
    teeth.stiffness(rows, at[TEETH], at[TEETH + 1], bodies, elements, lam, K)
    rotation.stiffness(rows, at[ROTATION], at[ROTATION + 1], bodies, elements, lam, K)
    winding.stiffness(rows, at[WINDING], at[WINDING + 1], bodies, elements, lam, K)


@kernel
def row_pairs(primitive, e, r, bodies, elements, work, a, b):
    """K̃ of a row (of a vector, all three) as products a[i] b[i]ᵀ; writes work, a and b.

    Returns how many pairs there are.
    """
    if primitive == POINT:
        return point.pairs(e, bodies, elements, work, a, b)
    if primitive == DOT1:
        return dot1.pairs(e, r, bodies, elements, a, b)
    if primitive == DOT2:
        return dot2.pairs(e, r, bodies, elements, work, a, b)
    if primitive == ANGLE:
        return angle.pairs(e, r, bodies, elements, work, a, b)
    if primitive == DISTANCE:
        return distance.pairs(e, r, bodies, elements, work, a, b)
    if primitive == PULLEY:
        return pulley.pairs(e, r, bodies, elements, work, a, b)
    if primitive == SCREW:
        return screw.pairs(e, r, bodies, elements, work, a, b)
    if primitive == GEAR:
        return gear.pairs(e, r, bodies, elements, work, a, b)
    if primitive == TEETH:
        return teeth.pairs(e, r, bodies, elements, work, a, b)
    if primitive == ROTATION:
        return rotation.pairs(e, r, bodies, elements, a, b)
    if primitive == WINDING:
        return winding.pairs(e, r, bodies, elements, a, b)
    return 0


@kernel
def add_lever_stiffness(bodies, elements, system, h):
    """sym(K̃) of forces on levers, for "adaptive"; writes system.added and elements.K."""
    at, rows = system.list_start, system.list_rows
    point.stiffen(rows, at[POINT], at[POINT + 1], bodies, elements, system, 1.0)
    dot2.stiffen(rows, at[DOT2], at[DOT2 + 1], bodies, elements, system)
    distance.stiffen(rows, at[DISTANCE], at[DISTANCE + 1], bodies, elements, system, h)
    pulley.stiffen(rows, at[PULLEY], at[PULLEY + 1], bodies, elements, system, h)
    dot2.stiffen(rows, at[SCREW], at[SCREW + 1], bodies, elements, system)
    teeth.stiffen(rows, at[TEETH], at[TEETH + 1], bodies, elements, system)


@kernel
def add_pair_inertia(bodies, elements, system, h):
    """Inertia against relative turning, for "adaptive"; writes elements.K."""
    at, rows = system.list_start, system.list_rows
    resist_turning_of(rows, at[DOT1], at[DOT1 + 1], bodies, elements, system, h)
    resist_turning_of(rows, at[ANGLE], at[ANGLE + 1], bodies, elements, system, h)
    screw.add_pair_inertia(rows, at[SCREW], at[SCREW + 1], bodies, elements, system, h)
    resist_turning_of(rows, at[ROTATION], at[ROTATION + 1], bodies, elements, system, h)
    resist_turning_of(rows, at[WINDING], at[WINDING + 1], bodies, elements, system, h)


@kernel
def fastest_way(bodies, elements, system):
    """(rad/s)² of the rod or taut rope whose line turns fastest."""
    at, rows, fastest = system.list_start, system.list_rows, 0.0
    for k in range(at[DISTANCE], at[DISTANCE + 1]):
        e = rows[k] // 3
        if elements.role[e] == BILATERAL and not elements.idle[e, 0]:
            fastest = max(fastest, distance.square_rate(e, bodies, elements))
    return fastest


@kernel
def added_to_whips(bodies, elements, system, least):
    """Largest inertia added to a rod or taut rope whose line turns by more than √least, as a share
    of the mass it acts on that needs no help; K of the elements must have it."""
    at, rows, most = system.list_start, system.list_rows, 0.0
    for k in range(at[DISTANCE], at[DISTANCE + 1]):
        e = rows[k] // 3
        if elements.role[e] != BILATERAL or elements.idle[e, 0]:
            continue
        if distance.square_rate(e, bodies, elements) > least:
            for side in range(2):
                b = elements.body[e, side]
                for c in range(3 if bodies.solved[2 * b] else 0):
                    added = elements.K[e, 2 * side, 2 * side, c, c]
                    most = max(most, added * system.links[b] / bodies.mass[b])
    return most


@kernel
def add_vector_stiffness(bodies, elements, system, scale):
    """system.added += scale · sym(K̃) of rows that hold points; writes system.added.

    It couples no nodes, so that all that acts on a body can be summed.
    """
    at, rows = system.list_start, system.list_rows
    point.stiffen(rows, at[POINT], at[POINT + 1], bodies, elements, system, scale)
    dot2.stiffen_points(rows, at[DOT2], at[DOT2 + 1], bodies, elements, system, scale)


@kernel
def is_summed(elements, e):
    """Whether `add_vector_stiffness` has all of the element's K̃."""
    return dot2.holds_point(elements, e)
