"""The flat arrays every kernel works on, and what each holds.

A body occupies one *slot* and two *nodes* of three degrees of freedom: node 2b moves its centre of
mass, node 2b+1 turns it. A particle has the first only. Slot 0 is the world, which never moves.

An *element* is up to three constraint rows over at most four nodes (for two bodies a, b: 2a, 2a+1,
2b, 2b+1). Every joint is made of elements; the solver knows nodes and elements and nothing else.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

WORLD = 0

# Body.kind
FREE_SLOT, STATIC, KEYFRAMED, DYNAMIC, PARTICLE = range(5)

# Primitive of a row (Element.primitive); a POINT fills all three rows of its element
NO_ROW, POINT, DOT1, DOT2, ANGLE, DISTANCE, PULLEY = range(7)
PRIMITIVES = 7

# Element.role
DEAD, BILATERAL, UNILATERAL, STIFFNESS = range(4)

# Element.mode: what a row drives to zero; GRAB is a spring scaled by the effective mass it meets
POSITION, VELOCITY, GRAB = range(3)

# Scene.counters: what happened since the world was made
(
    STEPS,
    FACTORISATIONS,
    NEWTON,
    SWEEPS,
    RETAKEN,  # steps taken again with better aims at limits and contacts
    HALVED,  # guard: steps repeated as shorter ones
    IMPLICIT,  # guard: steps taken by backward Euler
    IMPACT,  # guard: steps taken after stopping at the joints, a plastic impact
    FROZEN,  # guard: steps in which what could not be solved was held still
    BROKEN,  # elements past their breaking force in the last step
    REJECTED,  # the last step could not be believed and was undone
    DIVERGED,  # not finite, without the guard's help
    WRONG_PIVOTS,  # signature errors of the last factorisation
    SPENT,  # guard: parts tried, less what earlier steps have earned back
    RESCUED_AT,  # guard: step of the last rescue
    LENIENT_UNTIL,  # guard: step up to which joints need not close as well
    FROZEN_AT,  # guard: step of the last standstill
    STUCK,  # guard: standstills in a row
    COUNTERS,
) = range(19)

SWEEP, SWEEP_GROUP = range(2)  # Scene.addresses
MAY_TOUCH = 4  # ContactRows.news

# Scene.measures: of the last step
RESIDUAL, ERROR, ENERGY_GAIN, CONTACT_WORK, MEASURES = range(5)

# Scene.clock: processor cycles per stage
(
    CLOCK_ROWS,
    CLOCK_TREATMENT,
    CLOCK_FACTOR,
    CLOCK_SOLVE,
    CLOCK_PROJECT,
    CLOCK_GUARD,
    CLOCK_DETECT,
    STAGES,
) = range(8)


class Bodies(NamedTuple):
    kind: Bytes  # (n,)
    position: Floats  # (n, 3) m, centre of mass
    orientation: Floats  # (n, 4) unit quaternion
    rotation: Floats  # (n, 3, 3) matrix of `orientation`, kept by the step
    mass: Floats  # (n,) kg
    inertia: Floats  # (n, 3, 3) kg m², body axes
    inertia_max: Floats  # (n,) kg m², largest principal value
    spherical: Bytes  # (n,) inertia is a multiple of 1: no gyroscopic torque
    gravity_scale: Floats  # (n,)
    velocity: Floats  # (2n, 3) per node: m/s, rad/s, world axes
    mean_velocity: Floats  # (2n, 3) running average of `velocity`
    free: Floats  # (2n, 3) 1 where the degree of freedom may move, else 0
    masked: Bytes  # (n,) some degree of freedom is locked
    solved: Bytes  # (2n,) the node is an unknown
    force: Floats  # (2n, 3) external N, N m during the next call of step
    start_position: Floats  # (n, 3) at the start of the step
    start_orientation: Floats  # (n, 4)
    start_velocity: Floats  # (2n, 3)
    start_mean: Floats  # (2n, 3)
    change: Floats  # (2n, 3) scratch: a correction of the velocities


class Elements(NamedTuple):
    role: Bytes  # (m,)
    joint: Ints  # (m,) slot of the joint it belongs to
    body: Ints  # (m, 2) slots a, b
    node: Ints  # (m, 4) nodes 2a, 2a + 1, 2b, 2b + 1
    primitive: Bytes  # (m, 3)
    anchor: Floats  # (m, 2, 3) local points on a and b, m
    axis_a: Floats  # (m, 3, 3) per row: unit vector on a
    axis_b: Floats  # (m, 3, 3) per row: unit vector on b
    axis_c: Floats  # (m, 3, 3) per row: second unit vector on a (ANGLE)
    axis_d: Floats  # (m, 3, 3) per row: second unit vector on b (ANGLE)
    rest: Floats  # (m, 3) value at which φ = 0, m or rad
    mode: Bytes  # (m, 3)
    target: Floats  # (m, 3) speed of a VELOCITY row, m/s or rad/s
    compliance: Floats  # (m, 3) C, m/N or rad/(N m)
    damping: Floats  # (m, 3) B', N s/m or N m s/rad
    added_damping: Floats  # (m, 3) what the "constraint" treatment adds to B'
    lower: Floats  # (m, 3) least λ, N or N m
    upper: Floats  # (m, 3) greatest λ
    stiffness: Floats  # (m,) k of a STIFFNESS element, N/m or N m/rad
    damper: Floats  # (m,) c of a STIFFNESS element
    breaks_at: Floats  # (m,) |force| at which its joint breaks, N
    drives: Bytes  # (m,) it may do work: a motor, servo or grab, or its rest length changes
    tension_only: Bytes  # (m,) STIFFNESS element that pulls but never pushes
    broken: Bytes  # (m,) it did, in the last step
    lam: Floats  # (m, 3) λ of the last step, world axes for POINT
    mu: Floats  # (m, 3) impulse hλ being solved for
    value: Floats  # (m, 3) measured coordinate (φ + rest), angles unwrapped
    start_value: Floats  # (m, 3) at the start of the step
    phi: Floats  # (m, 3)
    sigma: Floats  # (m, 3) Σ
    gamma: Floats  # (m, 3) Γ
    mobility: Floats  # (m, 3) J M̃⁻¹ Jᵀ, used by solver "pgs"
    idle: Bytes  # (m, 3) row without effect: padding, or all its freedoms locked
    J_start: Floats  # (m, 4, 3, 3) J at the start of the step: directions of the forces
    J: Floats  # (m, 4, 3, 3) J at the newest positions
    K: Floats  # (m, 4, 4, 3, 3) what the element adds to the mass matrix
    bootstrap: Bytes  # (m,) λ is not known yet


class System(NamedTuple):
    """Linear system over active nodes and bilateral elements, in elimination order."""

    size: Ints  # [unknown blocks N, off-diagonal blocks P]
    position_of: Ints  # (2n,) node → place in the order, or -1
    row_of: Ints  # (m,) element → place in the order, or -1
    unknown: Ints  # (N,) place → node (≥ 0) or -1 - element
    column_start: Ints  # (N + 1,)
    row_index: Ints  # (P,) place of each block below the diagonal
    pair_start: Ints  # (N + 1,) first update of a column in `pair_target`
    pair_target: Ints  # (Q,) block that the pair (p, q) of a column updates
    j_block: Ints  # (m, 4) block that holds J of the slot, or -1
    j_below: Bytes  # (m, 4) 1: element after node in the order
    k_block: Ints  # (m, 4, 4) block for K of a pair of slots, -1 none, -2 diagonal
    k_below: Bytes  # (m, 4, 4) 1: first slot after second in the order
    list_start: Ints  # (PRIMITIVES + 1,) ranges of `list_rows`
    list_rows: Ints  # rows (3·element + row) sorted by primitive
    bilateral: Ints  # elements with row blocks
    unilateral: Ints  # elements solved by projection
    stiffness: Ints  # elements in stiffness form
    masked: Ints  # elements of bodies with locked degrees of freedom
    keyed: Bytes  # (m,) one of the element's bodies is keyframed
    driven: Ints  # elements whose rows do work: motors, servos, grabs, joints of keyframed bodies
    breakable: Ints  # elements with a breaking force
    coupled: Ints  # elements whose M̃ contribution couples nodes: not POINT, limits or motors
    links: Floats  # (n,) distance rows on each body
    loops: Bytes  # (m,) element lies in a component with a closed loop
    component: Ints  # (n,) body → component, -1 for what does not move
    span: Ints  # (n, 2) body → range of places of its component
    mass: Floats  # (2n, 3, 3) M per node
    added: Floats  # (2n, 3, 3) M̃ - M, block diagonal part
    diagonal: Floats  # (N, 3, 3)
    inverse: Floats  # (N, 3, 3) of the pivots
    below: Floats  # (P, 3, 3) L, or A before factorisation
    above: Floats  # (P, 3, 3) U
    x: Floats  # (N, 3) right side and solution
    residual: Floats  # (N, 3)
    momentum: Floats  # (2n, 3)
    scratch: Floats  # (4, 16, 16)


class Unilateral(NamedTuple):
    """Rows with bounds, solved by projection; up to `capacity` at a time."""

    count: Ints  # type: ignore[assignment]  # (1,); hides tuple.count
    element: Ints  # (u,)
    row: Ints  # (u,)
    source: Ints  # (u,) where its `goal` and `aim` are
    span: Ints  # (u, 4) places the row acts on: [first, stop) of a's and of b's component
    offset: Ints  # (u,) where its response starts in `response`
    diagonal: Floats  # (u,) J A⁻¹ Jᵀ + Σ
    bias: Floats  # (u,) speed at which the row would close without impulse
    change: Floats  # (u,) impulse found in this call
    phase: Bytes  # (u,) OPEN or STICKS while a group is solved directly
    response: Floats  # (r, 3) A⁻¹ Jᵀ of every row, one after the other
    goal: (
        Floats  # (3 elements,) excess of a limit that may be left at the end of the step, m or rad
    )
    aim: Floats  # (3 elements,) how far inside a limit to aim, by what an earlier try missed


class ContactRows(NamedTuple):
    """Three rows (normal, two tangents) per contact of the step, solved by projection.

    The first group are the arrays of `collision.Contacts` themselves (mu is its impulse), so
    solved impulses are in place for the next step's matching.
    """

    count: Ints  # type: ignore[assignment]  # (1,)
    body_a: Ints  # (c,)
    body_b: Ints  # (c,)
    shape_a: Ints  # (c,)
    shape_b: Ints  # (c,)
    normal: Floats  # (c, 3) from b to a
    tangent1: Floats  # (c, 3)
    tangent2: Floats  # (c, 3)
    anchor_a: Floats  # (c, 3) from body a's centre, world axes, m
    anchor_b: Floats  # (c, 3)
    gap: Floats  # (c,) m at the start of the step
    friction: Floats  # (c,)
    restitution: Floats  # (c,)
    rolling: Floats  # (c,) m: rolling friction, torque per normal force
    mu: Floats  # (c, 3) impulse along n, t1, t2, N s

    warm: Floats  # (c, 3) impulse it began the step with
    place: Ints  # (c, 4) of the nodes 2a, 2a+1, 2b, 2b+1, or -1
    span: Ints  # (c, 4) places it acts on: [first, stop) of a's and of b's component
    offset: Ints  # (c,) where its response starts in `response`
    linked: Bytes  # (c,) one of the bodies hangs on joints
    J: Floats  # (c, 4, 3, 3) per node: row, component
    block: Floats  # (c, 3, 3) J A⁻¹ Jᵀ
    moved: Floats  # (c, 3) J v of keyframed bodies, m/s
    turned: Floats  # (c, 3) their relative angular velocity, rad/s
    target: Floats  # (c,) m/s: gap/h that may be used up, or minus the speed of pushing out
    approach: Floats  # (c,) normal speed at the start of the step, m/s
    falling: Floats  # (c,) normal speed at its end if there were no contacts, m/s
    bias: Floats  # (c, 3) what w = J x + bias wants to be: w_n ≥ 0, w_t = 0
    inverse: Floats  # (n, 3, 3) inverse blocks of bodies without joints: those of the system
    response: Floats  # (r, 3, 3) A⁻¹ Jᵀ of contacts that are not simple, one block per place
    last_h: Floats  # (1,) step that the impulses belong to, s
    strictness: Floats  # (1,) factor on the tolerances of the sweeps; 1 but for tests of the limit

    simple: Bytes  # (c,) two bodies without joints or locks: `packed` holds all there is
    roll: Floats  # (c, 3) impulse of rolling friction on a's turn, world axes, N m s
    packed: Floats  # (c, 64) what visits need, side by side: `contact/visit.py`
    phase: Bytes  # (c,) OPEN, SLIDES or STICKS while a group is solved directly
    order: Ints  # (c,) contacts sorted by group
    member: Ints  # (c,) group of each contact
    group: Ints  # (c + 3,) where each group starts in `order`, and one past the last
    groups: Ints  # (1,) how many; the first takes the bounded rows of joints along
    scale: Floats  # (c + 2,) fastest normal speed in each group, met or wanted, m/s
    unsettled: Bytes  # (c + 2,) groups whose velocities are not yet what they shall be
    swept: Ints  # (c + 2,) sweeps that each group took
    left: Floats  # (c + 2,) change of speed in its last sweep, m/s
    job: Floats  # (2,) step and most sweeps of the groups that are being solved
    board: Ints  # where groups are offered to a second thread: `physics/jit/threads.py`
    mix: Floats  # (2 MIX_DEPTH + 4, 3c + bounded rows) impulses of earlier sweeps
    gram: Floats  # (LANES, MIX_DEPTH, MIX_DEPTH + 1)
    dense: Floats  # (LANES, 6 DIRECT_CONTACTS + 1, 3 DIRECT_CONTACTS) S, factor, right side
    listed: Ints  # (LANES, 6 DIRECT_CONTACTS) rows 3c + r in `dense`, then which of them hold

    touching: Ints  # (2, c + 1) count and pairs that touch, of this and of the previous step
    begun: Ints  # (c,) contacts of pairs that began to touch
    ended: Ints  # (c,) pairs that parted
    news: Ints  # (5,) why the loop came back, begun, ended, islands, whether anything may touch


class Settings(NamedTuple):
    """What the user may change between steps."""

    h: float
    gravity: Floats  # (3,)
    treatment: int
    solver: int
    sweeps: int


class Scene(NamedTuple):
    """Everything a step reads and writes."""

    bodies: Bodies
    elements: Elements
    system: System
    unilateral: Unilateral
    contacts: ContactRows
    reach: Floats  # (n,) size of each body's component, m
    label: Ints  # (2, n) scratch: union-find over bodies, numbers of its roots
    addresses: Ints  # (2,) of compiled code that several kernels share: SWEEP, SWEEP_GROUP
    dense: Floats  # M̃⁻¹ over all nodes for solver "pgs" where it is not block diagonal, else (0, 0)
    counters: Ints
    measures: Floats
    clock: Ints


Arrays = TypeVar("Arrays", bound=tuple[Any, ...])

_BODY_SHAPES: dict[str, tuple[tuple[int, ...], type, int]] = {
    # name: (trailing shape, dtype, entries per slot)
    "kind": ((), np.uint8, 1),
    "position": ((3,), np.float64, 1),
    "orientation": ((4,), np.float64, 1),
    "rotation": ((3, 3), np.float64, 1),
    "mass": ((), np.float64, 1),
    "inertia": ((3, 3), np.float64, 1),
    "inertia_max": ((), np.float64, 1),
    "spherical": ((), np.uint8, 1),
    "gravity_scale": ((), np.float64, 1),
    "velocity": ((3,), np.float64, 2),
    "mean_velocity": ((3,), np.float64, 2),
    "free": ((3,), np.float64, 2),
    "masked": ((), np.uint8, 1),
    "solved": ((), np.uint8, 2),
    "force": ((3,), np.float64, 2),
    "start_position": ((3,), np.float64, 1),
    "start_orientation": ((4,), np.float64, 1),
    "start_velocity": ((3,), np.float64, 2),
    "start_mean": ((3,), np.float64, 2),
    "change": ((3,), np.float64, 2),
}

_ELEMENT_SHAPES: dict[str, tuple[tuple[int, ...], type, int]] = {
    "role": ((), np.uint8, 1),
    "joint": ((), np.int64, 1),
    "body": ((2,), np.int64, 1),
    "node": ((4,), np.int64, 1),
    "primitive": ((3,), np.uint8, 1),
    "anchor": ((2, 3), np.float64, 1),
    "axis_a": ((3, 3), np.float64, 1),
    "axis_b": ((3, 3), np.float64, 1),
    "axis_c": ((3, 3), np.float64, 1),
    "axis_d": ((3, 3), np.float64, 1),
    "rest": ((3,), np.float64, 1),
    "mode": ((3,), np.uint8, 1),
    "target": ((3,), np.float64, 1),
    "compliance": ((3,), np.float64, 1),
    "damping": ((3,), np.float64, 1),
    "added_damping": ((3,), np.float64, 1),
    "lower": ((3,), np.float64, 1),
    "upper": ((3,), np.float64, 1),
    "stiffness": ((), np.float64, 1),
    "damper": ((), np.float64, 1),
    "breaks_at": ((), np.float64, 1),
    "drives": ((), np.uint8, 1),
    "tension_only": ((), np.uint8, 1),
    "broken": ((), np.uint8, 1),
    "lam": ((3,), np.float64, 1),
    "mu": ((3,), np.float64, 1),
    "value": ((3,), np.float64, 1),
    "start_value": ((3,), np.float64, 1),
    "phi": ((3,), np.float64, 1),
    "sigma": ((3,), np.float64, 1),
    "gamma": ((3,), np.float64, 1),
    "mobility": ((3,), np.float64, 1),
    "idle": ((3,), np.uint8, 1),
    "J_start": ((4, 3, 3), np.float64, 1),
    "J": ((4, 3, 3), np.float64, 1),
    "K": ((4, 4, 3, 3), np.float64, 1),
    "bootstrap": ((), np.uint8, 1),
}


def _allocate(cls: Any, shapes: dict[str, tuple[tuple[int, ...], type, int]], capacity: int) -> Any:
    return cls(
        **{
            name: np.zeros((capacity * per_slot, *tail), dtype)
            for name, (tail, dtype, per_slot) in shapes.items()
        }
    )


def make_bodies(capacity: int) -> Bodies:
    return _allocate(Bodies, _BODY_SHAPES, capacity)


def make_elements(capacity: int) -> Elements:
    return _allocate(Elements, _ELEMENT_SHAPES, capacity)


def grown(arrays: Arrays, larger: Arrays) -> Arrays:
    """`larger`, with everything `arrays` holds copied to its front."""
    for old, new in zip(arrays, larger, strict=True):
        new[: len(old)] = old
    return larger
