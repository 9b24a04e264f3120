"""The flat arrays every kernel works on, and what each holds.

A body occupies one *slot* and two *nodes* of three degrees of freedom: node 2b moves its centre of
mass, node 2b+1 turns it. A particle has the first only. Slot 0 is the world, which never moves.

An *element* is up to three constraint rows over at most four nodes (for two bodies a, b: 2a, 2a+1,
2b, 2b+1). Every joint is made of elements; the solver knows nodes and elements and nothing else.
"""

from typing import Annotated as Array
from typing import NamedTuple

from physics.schema import SCRATCH, compiled_group
from physics.schema import Bytes as Bytes
from physics.schema import Floats as Floats
from physics.schema import Ints as Ints
from physics.schema import RowsLike as RowsLike
from physics.schema import VectorLike as VectorLike

WORLD = 0

# Body.kind
FREE_SLOT, STATIC, KEYFRAMED, DYNAMIC, PARTICLE = range(5)

# Primitive of a row (Elements.primitive): constraints/rows numbers and describes them
NO_ROW = 0
PRIMITIVES = 16  # room for their numbers

# Elements.traits: what the solver may ask about a row; see constraints/rows/primitive.py
(
    TRANSLATES,  # J in the linear nodes; φ in m
    TURNS,  # J in the angular nodes wherever the anchors are
    VECTOR,  # three rows at once, K̃ couples no two nodes
    LENGTH,  # one-sided it is a rope
    TIES,  # K̃ couples the bodies also while it is a rope
    COSINE,  # of an angle
    TWIST,  # singular at half a turn of swing
    DRAGS,  # K̃ in translation must not be damped
    KEEPS_TURN,  # in Elements.turn
    ROLLS,  # in m, and yet turning a body is what it rests on
) = (1 << k for k in range(10))

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
    RETRIED,  # steps solved again with corrected targets of limits and contacts
    SUBSTEPS,  # taken because something moves too fast for a whole step
    HALVED,  # recovery: substeps repeated as shorter ones
    IMPLICIT,  # recovery: substeps taken by backward Euler
    DRAINED,  # recovery: substeps that gave up speed: it was gained from nothing, or too fast
    FROZEN,  # recovery: islands that stood still, as no step of theirs had a solution
    BROKEN,  # elements past their breaking force in the last step
    DIVERGED,  # not finite, without recovery
    WRONG_PIVOTS,  # signature errors of the last factorisation
    REDETECTED,  # steps solved again with contacts along the velocities they gave
    REFUSED_BY,  # why substeps were not accepted: + one of the reasons of acceptance.py
) = range(15)
COUNTERS = REFUSED_BY + 5

# Scene.addresses
SOLVE_GROUP, SOLVE_IMPULSES, SOLVE_SUBSTEP = range(3)
FIND_FORCES, IMPLICIT_STEP, STEP_PILE, ADDRESSES = range(3, 7)

# ContactRows.status, written by the loop over steps; MAY_TOUCH by the contact store
EXIT, BEGUN, ENDED, ISLANDS, MAY_TOUCH = range(5)

# status[EXIT]: why the loop returned, beyond what `detect` answers (OK, GROW_PAIRS, GROW_CONTACTS)
GROW_RESPONSE, WAKE, SLEEP, TOUCH_CHANGED = range(3, 7)

# Islands.state
SOLVED, RECOVERED, STANDS, DIVERGED_ISLAND = range(4)

# Islands.regime: how each is stepped, and why
PILED, JOINTED, HEAVY_ON_LIGHT, PRESSED, ON_RIM, BY_SETTINGS = range(6)
REGIMES = ("piles", "jointed", "heavy_on_light", "pressed", "on_rim", "by_settings")

# Scene.measures: of the last step
RESIDUAL, ERROR, GAIN, EXCESS, KINETIC, UNENDED, WORK, CUT, WAITS, READY, MEASURES = range(11)

# Scene.clock: processor cycles per stage
CLOCK_ROWS, CLOCK_STABILIZATION, CLOCK_FACTOR, CLOCK_SOLVE = range(4)
CLOCK_PROJECT, CLOCK_GUARD, CLOCK_DETECT, STAGES = range(4, 8)

# Bodies.conserved: energy may have been taken in the last substep; only added inertia took any,
# which is remembered; nothing took any, and what has been lost is given back
TAKEN, CARRIED, PAID = range(3)


class Bodies(NamedTuple):
    kind: Array[Bytes, "n"]
    position: Array[Floats, "n 3"]  # m, centre of mass
    orientation: Array[Floats, "n 4"]  # unit quaternion
    rotation: Array[Floats, "n 3 3"]  # matrix of `orientation`, kept by the step
    mass: Array[Floats, "n"]  # kg
    inertia: Array[Floats, "n 3 3"]  # kg m², body axes
    inertia_max: Array[Floats, "n"]  # kg m², largest principal value
    spherical: Array[Bytes, "n"]  # inertia is a multiple of 1: no gyroscopic torque
    gravity_scale: Array[Floats, "n"]  # share of gravity that acts
    velocity: Array[Floats, "2n 3"]  # per node: m/s, rad/s, world axes; `lag` before `position`
    lag: Array[Floats, "n"]  # s by which `velocity` is older than `position`: half a step
    late: Array[Floats, "2n 3"]  # N s, N m s of external forces in the last `lag` seconds
    mean_velocity: Array[Floats, "2n 3"]  # running average of `velocity`
    mean_excess: Array[Floats, "2n 3"]  # … and of what `velocity` is above that
    acceleration: Array[Floats, "2n 3"]  # m/s², rad/s² of the last substep, 0 after an impact
    free: Array[Floats, "2n 3"]  # 1 where the degree of freedom may move, else 0
    masked: Array[Bytes, "n"]  # some degree of freedom is locked
    solved: Array[Bytes, "2n"]  # the node is an unknown
    force: Array[Floats, "2n 3"]  # external N, N m during the next call of step
    soft_force: Array[Floats, "2n 3"]  # N, N m of soft bodies in this step: they act for a kick
    contact_force: Array[Floats, "2n 3"]  # N, N m of the contacts in the last step, but impacts
    debt: Array[Floats, "n"]  # J: its share of what its island gained from nothing: see energy.py
    peak: Array[Floats, "n"]  # J: kinetic energy it has had of late
    rate: Array[Floats, "n"]  # rad/s: how fast joints of its island turned when the step began
    conserved: Array[Bytes, "n"]  # what its island loses comes back: TAKEN, CARRIED or PAID
    frozen: Array[Bytes, "n"]  # it stood still in the last step, which had no solution
    was_frozen: Array[Bytes, "n"]  # … and in the step before
    kick: Array[Floats, "n", SCRATCH]  # s for which forces act in this step: lag + h/2, or h
    fastest: Array[Floats, "n", SCRATCH]  # (rad/s)² of its lever that turns fastest
    pivot: Array[Floats, "n 3", SCRATCH]  # m: lever to where a joint holds it in space, or 0
    line: Array[Floats, "n 3", SCRATCH]  # body axes: line of all its joints, or 0
    lined: Array[Bytes, "n", SCRATCH]  # whether there is one
    swirl: Array[Floats, "n 3", SCRATCH]  # kg m²/s: what turning within the step adds to I ω
    spin_last: Array[Floats, "n 3", SCRATCH]  # rad/s: ω that `swirl` belongs to
    spin_matrix: Array[Floats, "n 3", SCRATCH]  # rad/s: ω that the factor belongs to
    reported: Array[Floats, "2n 3", SCRATCH]  # the velocity of the moment of `position`
    ahead: Array[Floats, "2n 3", SCRATCH]  # the velocity that detection sweeps along
    frame_position: Array[Floats, "n 3", SCRATCH]  # when contacts were detected
    frame_orientation: Array[Floats, "n 4", SCRATCH]
    frame_velocity: Array[Floats, "2n 3", SCRATCH]
    frame_mean: Array[Floats, "2n 3", SCRATCH]
    frame_excess: Array[Floats, "2n 3", SCRATCH]
    frame_lag: Array[Floats, "n", SCRATCH]
    frame_late: Array[Floats, "2n 3", SCRATCH]
    frame_debt: Array[Floats, "n", SCRATCH]
    key_position: Array[Floats, "n 3", SCRATCH]  # of keyframed bodies when the step begins
    key_orientation: Array[Floats, "n 4", SCRATCH]
    pile: Array[Floats, "n 40", SCRATCH]  # what sweeps over a pile read: `contact/pile`
    start_position: Array[Floats, "n 3", SCRATCH]  # at the start of the step
    start_orientation: Array[Floats, "n 4", SCRATCH]
    start_velocity: Array[Floats, "2n 3", SCRATCH]
    start_mean: Array[Floats, "2n 3", SCRATCH]
    start_excess: Array[Floats, "2n 3", SCRATCH]
    start_lag: Array[Floats, "n", SCRATCH]
    start_late: Array[Floats, "2n 3", SCRATCH]
    scratch: Array[Floats, "2n 3", SCRATCH]  # of the kernel at work: it says what it writes


class Elements(NamedTuple):
    role: Array[Bytes, "m"]
    joint: Array[Ints, "m"]  # slot of the joint it belongs to
    body: Array[Ints, "m 2"]  # slots a, b
    node: Array[Ints, "m 4"]  # nodes 2a, 2a + 1, 2b, 2b + 1
    primitive: Array[Bytes, "m 3"]
    traits: Array[Ints, "m 3"]  # of its primitive: TRANSLATES …
    anchor: Array[Floats, "m 2 3"]  # local points on a and b, m
    axis_a: Array[Floats, "m 3 3"]  # per row: unit vector on a
    axis_b: Array[Floats, "m 3 3"]  # per row: unit vector on b
    axis_c: Array[Floats, "m 3 3"]  # per row: second unit vector on a
    axis_d: Array[Floats, "m 3 3"]  # per row: second unit vector on b
    lever: Array[Floats, "m 3 3"]  # per row: from the anchor on b to where it touches, m, on b
    ground: Array[Floats, "m 3 2 2 3"]  # per row and side: two unit vectors of the world
    wheel: Array[Floats, "m 3 2 3"]  # per row and side: the world point a rope runs over, m
    ratio: Array[Floats, "m 3"]  # what its second measure counts against the first, 1 or m/rad
    rest: Array[Floats, "m 3"]  # value at which φ = 0, m or rad
    rest_before: Array[Floats, "m 3"]  # the same before the step, where a winch or servo moves it
    rest_after: Array[Floats, "m 3", SCRATCH]  # … and at its end
    mode: Array[Bytes, "m 3"]
    target: Array[Floats, "m 3"]  # speed of a VELOCITY row, m/s or rad/s
    compliance: Array[Floats, "m 3"]  # C, m/N or rad/(N m)
    damping: Array[Floats, "m 3"]  # B', N s/m or N m s/rad
    added_damping: Array[Floats, "m 3", SCRATCH]  # what stabilization "constraint" adds to B'
    lower: Array[Floats, "m 3"]  # least λ, N or N m
    upper: Array[Floats, "m 3"]  # greatest λ
    grab_frequency: Array[Floats, "m"]  # of the spring of GRAB rows, rad/s
    grab_acceleration: Array[Floats, "m"]  # largest force of GRAB rows per mass, m/s²
    stiffness: Array[Floats, "m"]  # k of a STIFFNESS element, N/m or N m/rad
    damper: Array[Floats, "m"]  # c of a STIFFNESS element
    breaks_at: Array[Floats, "m"]  # |force| at which its joint breaks, N
    drives: Array[Bytes, "m"]  # it may do work: a motor, servo or grab, or its rest length changes
    tension_only: Array[Bytes, "m"]  # STIFFNESS element that pulls but never pushes
    broken: Array[Bytes, "m"]  # it did, in the last step
    lam: Array[Floats, "m 3"]  # λ of the last step, world axes for VECTOR rows
    mu: Array[Floats, "m 3"]  # impulse hλ being solved for
    value: Array[Floats, "m 3"]  # measured coordinate (φ + rest), angles unwrapped
    start_value: Array[Floats, "m 3", SCRATCH]  # at the start of the step
    start_phi: Array[Floats, "m 3", SCRATCH]
    start_lam: Array[Floats, "m 3", SCRATCH]  # λ before inertia was added because Newton stalled
    turn: Array[Floats, "m 2"]  # unwrapped angles in the value of its KEEPS_TURN row, rad
    start_turn: Array[Floats, "m 2", SCRATCH]  # at the start of the step
    phi: Array[Floats, "m 3"]
    sigma: Array[Floats, "m 3", SCRATCH]  # Σ
    gamma: Array[Floats, "m 3", SCRATCH]  # Γ
    mobility: Array[Floats, "m 3", SCRATCH]  # J M̃⁻¹ Jᵀ, used by solver "pgs"
    idle: Array[Bytes, "m 3"]  # row without effect: padding, or all its freedoms locked
    J_start: Array[Floats, "m 4 3 3", SCRATCH]  # J at the start: directions of the forces
    J: Array[Floats, "m 4 3 3", SCRATCH]  # J at the newest positions
    K: Array[Floats, "m 4 4 3 3", SCRATCH]  # what the element adds to the mass matrix
    bootstrap: Array[Bytes, "m"]  # λ is not known yet
    rope: Array[Bytes, "m"]  # BILATERAL element that pulls but never pushes
    taut: Array[Bytes, "m"]  # such an element holds in this step
    was_taut: Array[Bytes, "m", SCRATCH]  # it held in the substep before
    elastic: Array[Bytes, "m 3", SCRATCH]  # row of a spring that rings: see rows_elastic
    wanted: Array[Floats, "m 3", SCRATCH]  # of an elastic row: J v + Σ μ = -wanted
    leave: Array[Floats, "m 3", SCRATCH]  # φ that may be left: too wide a gap closes gently
    kick: Array[Floats, "m", SCRATCH]  # s for which its forces act in this step
    frame_lam: Array[Floats, "m 3"]  # λ of the step before the last, when contacts were detected
    frame_value: Array[Floats, "m 3", SCRATCH]
    frame_turn: Array[Floats, "m 2", SCRATCH]


class System(NamedTuple):
    """Linear system of N nodes and elements in elimination order, with P blocks and Q updates."""

    size: Array[Ints, "2"]  # [unknown blocks N, off-diagonal blocks P]
    position_of: Array[Ints, "2n"]  # node → place in the order, or -1
    row_of: Array[Ints, "m"]  # element → place in the order, or -1
    unknown: Array[Ints, "N"]  # place → node (≥ 0) or -1 - element
    lone: Array[Bytes, "N"]  # an element with one row: only the first of three numbers is used
    column_start: Array[Ints, "N+1"]
    row_index: Array[Ints, "P"]  # place of each block below the diagonal
    narrow: Array[Bytes, "P"]  # that place is a lone row's
    pair_start: Array[Ints, "N+1"]  # first update of a column in `pair_target`
    pair_target: Array[Ints, "Q"]  # block that the pair (p, q) of a column updates
    j_block: Array[Ints, "m 4"]  # block that holds J of the slot, or -1
    j_below: Array[Bytes, "m 4"]  # 1: element after node in the order
    k_block: Array[Ints, "m 4 4"]  # block for K of a pair of slots, -1 none, -2 diagonal
    k_below: Array[Bytes, "m 4 4"]  # 1: first slot after second in the order
    list_start: Array[Ints, "t+1"]  # ranges of `list_rows`, one for each of the t primitives
    list_rows: Array[Ints, "3m"]  # rows (3·element + row) sorted by primitive
    # lists of elements, each of its own length
    bilateral: Array[Ints, "a"]  # elements with row blocks
    unilateral: Array[Ints, "b"]  # elements solved by projection
    stiffness: Array[Ints, "c"]  # elements in stiffness form
    masked: Array[Ints, "d"]  # elements of bodies with locked degrees of freedom
    driven: Array[Ints, "e"]  # rows do work: motors, servos, grabs, joints of keyframed bodies
    breakable: Array[Ints, "f"]  # elements with a breaking force
    coupled: Array[Ints, "g"]  # M̃ contribution couples nodes: not VECTOR rows, limits or motors
    ropes: Array[Ints, "h"]  # BILATERAL elements that may go slack
    keyframed: Array[Ints, "y"]  # slots of what moves as it is told, whatever the island
    bodies: Array[Ints, "i"]  # slots of what moves freely
    ranges: Array[Ints, "j"]  # first and one past the last place of every component, in turn
    contacts: Array[Ints, "k"]  # contacts of the step
    keyed: Array[Bytes, "m"]  # one of the element's bodies is keyframed
    reads: Array[Ints, "2 N"]  # places of components, those rows read first; where others begin
    links: Array[Floats, "n"]  # distance rows on each body
    loops: Array[Bytes, "m"]  # element lies in a component with a closed loop
    component: Array[Ints, "n"]  # body → component, -1 for what does not move
    span: Array[Ints, "n 2"]  # body → range of places of its component
    mass: Array[Floats, "2n 3 3"]  # M per node
    added: Array[Floats, "2n 3 3"]  # M̃ - M, block diagonal part
    diagonal: Array[Floats, "N 3 3"]
    inverse: Array[Floats, "N 3 3"]  # of the pivots
    below: Array[Floats, "P 3 3"]  # L, or A before factorisation
    above: Array[Floats, "P 3 3"]  # U
    x: Array[Floats, "N 3"]  # right side and solution
    residual: Array[Floats, "N 3"]
    momentum: Array[Floats, "2n 3"]
    scratch: Array[Floats, "4 16 16"]


# Islands.lists: lists of elements that follow the island being solved
(
    LIST_BILATERAL,
    LIST_UNILATERAL,
    LIST_STIFFNESS,
    LIST_MASKED,
    LIST_DRIVEN,
    LIST_BREAKABLE,
    LIST_COUPLED,
    LIST_ROPES,
    LISTS,
) = range(9)


class Islands(NamedTuple):
    """What hangs together by joints and contacts in this step, as lists sorted by island.

    The lists of `System` are parts of these while an island is solved. Islands with joints come
    first. Sizes: n bodies, m elements, l = LISTS, p = PRIMITIVES.
    """

    count: Array[Ints, "2"]  # type: ignore[assignment]  # islands, those of them with joints
    number: Array[Ints, "n"]  # body → its island, or -1
    parent: Array[Ints, "n"]  # union-find
    known: Array[Ints, "n"]  # root of every body when the lists were made, -2: never
    body_start: Array[Ints, "n+1"]
    bodies: Array[Ints, "n"]
    range_start: Array[Ints, "n+1"]
    ranges: Array[Ints, "2n"]
    list_start: Array[Ints, "l n+1"]
    lists: Array[Ints, "l m"]
    row_start: Array[Ints, "n p+1"]  # of the rows of each island with joints, by primitive
    rows: Array[Ints, "3m"]
    whole_start: Array[Ints, "p+1"]  # the same of everything
    whole_rows: Array[Ints, "3m"]
    all_lists: Array[Ints, "l m"]  # lists of everything, in the order of the elements
    all_start: Array[Ints, "l 2"]  # zero, and how many there are
    contact_start: Array[Ints, "n+1"]  # in ContactRows.order
    no_rows: Array[Ints, "p+1"]  # zeros
    state: Array[Ints, "n"]  # how the last step of each island went: SOLVED …
    substeps: Array[Ints, "n"]  # that each island took
    regime: Array[Ints, "n"]  # PILED … in the last step


class Unilateral(NamedTuple):
    """Rows with bounds, solved by projection; up to u at a time, with r blocks of responses."""

    count: Array[Ints, "1"]  # type: ignore[assignment]  # hides tuple.count
    element: Array[Ints, "u"]
    row: Array[Ints, "u"]
    source: Array[Ints, "u"]  # where its `goal` and `aim` are
    span: Array[Ints, "u 4"]  # places the row acts on: [first, stop) of a's and of b's component
    offset: Array[Ints, "u"]  # where its response starts in `response`
    diagonal: Array[Floats, "u"]  # J A⁻¹ Jᵀ + Σ
    bias: Array[Floats, "u"]  # speed at which the row would close without impulse
    change: Array[Floats, "u"]  # impulse found in this call
    phase: Array[Bytes, "u"]  # OPEN or STICKS while a group is solved directly
    response: Array[Floats, "r 3"]  # A⁻¹ Jᵀ of every row, one after the other
    goal: Array[Floats, "u"]  # excess of a limit that may be left at the end of the step, m or rad
    aim: Array[Floats, "u"]  # how far inside a limit to aim, by what an earlier try missed


class ContactRows(NamedTuple):
    """Three rows (normal, two tangents) per contact of the step, solved by projection.

    The first group are the arrays of `collision.Contacts` themselves (mu is its impulse), so
    solved impulses are in place for the next step's matching. Sizes: c contacts, b bounded rows,
    d = ANDERSON_DEPTH, k = DIRECT_CONTACTS, l = LANES, p = PACKED.
    """

    count: Array[Ints, "1"]  # type: ignore[assignment]
    body_a: Array[Ints, "c"]
    body_b: Array[Ints, "c"]
    shape_a: Array[Ints, "c"]
    shape_b: Array[Ints, "c"]
    normal: Array[Floats, "c 3"]  # from b to a
    tangent1: Array[Floats, "c 3"]
    tangent2: Array[Floats, "c 3"]
    anchor_a: Array[Floats, "c 3"]  # from body a's centre, world axes, m
    anchor_b: Array[Floats, "c 3"]
    rounding: Array[Floats, "c 2"]  # m, of a and b: as much of the anchor stays along the normal
    axle_a: Array[Floats, "c 3"]  # axis about which a may turn unnoticed, or zero
    axle_b: Array[Floats, "c 3"]
    gap: Array[Floats, "c"]  # m at the start of the step
    friction: Array[Floats, "c"]
    restitution: Array[Floats, "c"]
    rolling: Array[Floats, "c"]  # m: rolling friction, torque per normal force
    belt: Array[Floats, "c 3"]  # velocity of a's surface against its body, less b's, m/s
    mu: Array[Floats, "c 3"]  # impulse along n, t1, t2, N s
    struck: Array[Floats, "c 3"]  # what it gave in the whole step, impacts too, N s
    warm: Array[Floats, "c 3"]  # impulse it began the step with
    lever_a: Array[Floats, "c 3"]  # anchors where the substep begins: they turn with the bodies
    lever_b: Array[Floats, "c 3"]
    distance: Array[Floats, "c"]  # m: the gap where the substep begins
    place: Array[Ints, "c 4"]  # of the nodes 2a, 2a+1, 2b, 2b+1, or -1
    span: Array[Ints, "c 4"]  # places it acts on: [first, stop) of a's and of b's component
    offset: Array[Ints, "c"]  # where its response starts in `response`
    jointed: Array[Bytes, "c"]  # one of the bodies hangs on joints
    passed: Array[Bytes, "c"]  # the substep took the centre of a (1) or b (2) beyond the surface
    J: Array[Floats, "c 4 3 3"]  # per node: row, component
    block: Array[Floats, "c 3 3"]  # J A⁻¹ Jᵀ
    moved: Array[Floats, "c 3"]  # J v of keyframed bodies, m/s
    turned: Array[Floats, "c 3"]  # their relative angular velocity, rad/s
    target: Array[Floats, "c"]  # m/s: gap/h that may be used up, or minus the speed of pushing out
    approach: Array[Floats, "c"]  # normal speed at the start of the step, m/s
    falling: Array[Floats, "c"]  # normal speed at its end if there were no contacts, m/s
    bias: Array[Floats, "c 3"]  # what w = J x + bias wants to be: w_n ≥ 0, w_t = 0
    inverse: Array[Floats, "n 3 3"]  # inverse blocks of bodies without joints: those of the system
    response: Array[Floats, "r 3 3"]  # A⁻¹ Jᵀ of contacts that are not simple, one block per place
    reads: Array[Ints, "2 n"]  # those of the system
    given: Array[Floats, "c 6"]  # impulses and torques that only places know of that rows read
    last_h: Array[Floats, "1"]  # step that the impulses belong to, s
    tolerance_scale: Array[Floats, "1"]  # factor on the tolerances of the sweeps; tests change it
    simple: Array[Bytes, "c"]  # two bodies without joints or locks: `packed` holds all there is
    roll: Array[Floats, "c 3"]  # impulse of rolling friction on a's turn, world axes, N m s
    packed: Array[Floats, "c p"]  # what row updates read, side by side: `contact/packed.py`
    pile: Array[Floats, "c 128"]  # what sweeps over a pile read: `contact/pile/pile_rows.py`
    pair: Array[Ints, "c 5"]  # rows of its bodies in `bodies.pile`, points of its patch, its first
    phase: Array[Bytes, "c"]  # OPEN, SLIDES or STICKS while a group is solved directly
    order: Array[Ints, "c"]  # contacts sorted by group
    member: Array[Ints, "c"]  # group of each contact
    group: Array[Ints, "c+3"]  # where each group starts in `order`, and one past the last
    groups: Array[Ints, "1"]  # how many; the first takes the bounded rows of joints along
    scale: Array[Floats, "c+2"]  # fastest normal speed in each group, met or wanted, m/s
    in_restitution: Array[Bytes, "c+2"]  # groups that the restitution pass solves once more
    swept: Array[Ints, "c+2"]  # sweeps that each group took
    residual: Array[Floats, "c+2"]  # change of speed in its last sweep, m/s
    job: Array[Floats, "2"]  # step and most sweeps of the groups that are being solved
    board: Array[Ints, "w"]  # where groups are offered to a second thread: `physics/jit/threads.py`
    history: Array[Floats, "2d+4 3c+b"]  # of Anderson acceleration: impulses of earlier sweeps
    gram: Array[Floats, "l d d+1"]  # products of their differences, per lane
    dense: Array[Floats, "l 6k+1 3k"]  # S, factor, right side
    listed: Array[Ints, "l 6k"]  # rows 3c + r in `dense`, then which of them hold

    touching: Array[Ints, "2 c+1"]  # count and pairs that touch, of this and of the previous step
    begun: Array[Ints, "c"]  # contacts of pairs that began to touch
    ended: Array[Ints, "c"]  # pairs that parted
    status: Array[Ints, "5"]  # EXIT, BEGUN, ENDED, ISLANDS, MAY_TOUCH


# Settings.solver
SOLVERS = ("direct", "pgs")
DIRECT, PGS = range(2)


class Settings(NamedTuple):
    """What the user may change between steps."""

    h: float
    gravity: Array[Floats, "3"]  # m/s²
    stabilization: int
    solver: int
    sweeps: int
    alpha: float  # of [Andrews17, Eq. 10]


class Scene(NamedTuple):
    """Everything a step reads and writes."""

    bodies: Bodies
    elements: Elements
    system: System
    unilateral: Unilateral
    contacts: ContactRows
    islands: Islands
    reach: Array[Floats, "n"]  # size of each body's component, m
    label: Array[Ints, "2 n"]  # union-find over bodies, numbers of its roots
    addresses: Array[Ints, "a"]  # SOLVE_GROUPS …: compiled code that several kernels share
    dense: Array[Floats, "p q"]  # M̃⁻¹ for solver "pgs" where not block diagonal, else empty
    counters: Array[Ints, "k"]  # STEPS …
    measures: Array[Floats, "l"]  # RESIDUAL …
    clock: Array[Ints, "s"]  # CLOCK_ROWS …


BodiesRef = compiled_group(Bodies, __name__)
ElementsRef = compiled_group(Elements, __name__)
SystemRef = compiled_group(System, __name__)
UnilateralRef = compiled_group(Unilateral, __name__)
IslandsRef = compiled_group(Islands, __name__)
ContactRowsRef = compiled_group(ContactRows, __name__)
SceneRef = compiled_group(Scene, __name__)
