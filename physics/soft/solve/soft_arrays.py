"""The arrays of a soft body, each declared once (physics/schema.py says how).

`Model` is constant, `State` changes, `Work` is written on the way through a step, `Rows` are the
contacts and attachments, `Skin` is what of the body can touch. Capacities:

    n nodes      e edges of the matrix      l links      s triangles      b hinges
    t tetrahedra      c hexahedra      q points of quads      a, u rows of areas and volumes
    r rows       p points of a shape        f, w, v numbers of the factor, its fronts, a solve
"""

from typing import Annotated as Array
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.schema import SCRATCH, Floats, Ints

Bools = NDArray[np.bool_]


class Model(NamedTuple):
    """What does not change while stepping (except by cutting: stiffness set to zero).

    Elements of all kinds share one node graph; `*_slot` says which edge block of the matrix belongs
    to each node pair of an element, pairs in the order (0,1), (0,2), …, (1,2), ….
    """

    mass: Array[Floats, "n"]  # kg
    edges: Array[Ints, "e 2"]  # node pairs with a matrix block, smaller node first
    link_nodes: Array[Ints, "l 2"]
    link_length: Array[Floats, "l"]  # m
    link_stiffness: Array[Floats, "l"]  # N/m: k of the matrix, 1/C unless that is too stiff, ...
    link_memory: Array[Floats, "l"]  # 1: ... and 1 - kC, what λ keeps of its last value
    link_slot: Array[Ints, "l"]  # -1: too weak for the matrix, physics/soft/solve/weak_links.py
    link_count: Array[Floats, "n"]  # links on each node
    tet_nodes: Array[Ints, "t 4"]
    tet_gradient: Array[Floats, "t 4 3"]  # 1/m
    tet_volume: Array[Floats, "t"]  # m³
    tet_lame: Array[Floats, "t 2"]  # Pa
    tet_kind: Array[Ints, "t"]  # code of the material, physics/soft/models.py
    tet_slot: Array[Ints, "t 6"]
    hex_nodes: Array[Ints, "c 8"]  # corners 4x + 2y + z
    hex_gradient: Array[Floats, "c 8 3"]  # 1/m, in the cell's own axes as ...
    hex_gamma: Array[Floats, "c 8 4"]  # 1/m², 1/m³: hourglass modes
    hex_length: Array[Floats, "c 3"]  # m
    hex_volume: Array[Floats, "c"]  # m³
    hex_lame: Array[Floats, "c 2"]  # Pa
    hex_young: Array[Floats, "c 2"]  # Pa, 1: Young's modulus, Poisson's ratio
    hex_kind: Array[Ints, "c"]
    hex_slot: Array[Ints, "c 28"]
    tri_nodes: Array[Ints, "s 3"]
    tri_gradient: Array[Floats, "s 3 2"]  # 1/m
    tri_area: Array[Floats, "s"]  # m²
    tri_stiffness: Array[Floats, "s 3 3"]  # N/m
    tri_slot: Array[Ints, "s 3"]
    quad_nodes: Array[Ints, "q 4"]  # every Gauss point of a quad by itself, as ...
    quad_gradient: Array[Floats, "q 4 2"]  # 1/m
    quad_area: Array[Floats, "q"]  # m²: ... its share of the area
    quad_stiffness: Array[Floats, "q 3 3"]  # N/m
    quad_slot: Array[Ints, "q 6"]
    area_nodes: Array[Ints, "a 3"]
    area_rest: Array[Floats, "a"]  # m²
    area_stiffness: Array[Floats, "a"]  # N/m³: 1/C
    area_slot: Array[Ints, "a 3"]
    volume_nodes: Array[Ints, "u 4"]
    volume_rest: Array[Floats, "u"]  # m³
    volume_stiffness: Array[Floats, "u"]  # Pa/m³: 1/C
    volume_slot: Array[Ints, "u 6"]
    hinge_nodes: Array[Ints, "b 4"]
    hinge_rest: Array[Floats, "b"]  # rad
    hinge_stiffness: Array[Floats, "b"]  # N m/rad
    hinge_slot: Array[Ints, "b 6"]


class State(NamedTuple):
    """What a step changes, and what the caller sets between steps."""

    x: Array[Floats, "n 3"]  # m
    v: Array[Floats, "n 3"]  # m/s
    lam: Array[Floats, "l"]  # N, negative in tension
    link_mean: Array[Floats, "l 3"]  # m/s: running average across a link, turned along with it
    elastic: Array[Floats, "n 3"]  # N: force of the elements over the last step
    ahead: Array[Floats, "n 3"]  # m/s: from v, of half a step ago, to the velocity now
    force: Array[Floats, "n 3"]  # N, external; the caller clears it
    pinned: Array[Bools, "n"]  # nodes with prescribed velocity
    pin_velocity: Array[Floats, "n 3"]  # m/s, used where pinned


class Work(NamedTuple):
    """What a step writes on its way; sized once per topology."""

    diagonal: Array[Floats, "n 3 3"]  # kg: the matrix, and ...
    off: Array[Floats, "e 3 3"]  # ... its blocks on edges
    rhs: Array[Floats, "n 3"]  # N s
    carried: Array[Floats, "n 3"]  # N s: momentum of the inertia that tension adds
    elastic: Array[Floats, "n 3"]  # N
    guess: Array[Floats, "n 3"]  # m/s: velocity at which the elements were linearised, with ...
    average: Array[Floats, "n 3"]  # N: ... their force over the step there, ...
    newest: Array[Floats, "n 3"]  # N: ... the same at the velocity found so far, ...
    product: Array[Floats, "n 3", SCRATCH]
    given: Array[Floats, "n 3"]  # N s: what corrections have made good, ...
    own_diagonal: Array[Floats, "n 3 3"]  # kg: ... and their part of the matrix
    own_off: Array[Floats, "e 3 3"]
    tet_way: Array[Ints, "t"]  # which tangent it has, physics/soft/elements/averaged.py
    tet_side: Array[Floats, "t 3 3"]  # F halfway at the guess, and ...
    tet_stress: Array[Floats, "t 3 3"]  # Pa: ... S of the newest velocity
    hex_way: Array[Ints, "c"]
    hex_side: Array[Floats, "c 3 3"]
    hex_stress: Array[Floats, "c 3 3"]  # Pa
    hex_tau: Array[Floats, "c 12"]  # of the hourglass strains
    tri_side: Array[Floats, "s 3 2"]
    tri_stress: Array[Floats, "s 3"]  # N/m
    quad_side: Array[Floats, "q 3 2"]
    quad_stress: Array[Floats, "q 3"]  # N/m
    delta: Array[Floats, "n 3", SCRATCH]  # m/s: the solution, or the change of it
    residual: Array[Floats, "n 3", SCRATCH]  # N s
    trial: Array[Floats, "n 3", SCRATCH]
    start_x: Array[Floats, "n 3"]  # m: at the beginning of the step, as ...
    start_v: Array[Floats, "n 3"]  # m/s
    start_lam: Array[Floats, "l"]  # N
    link_u: Array[Floats, "l 3"]  # directions at x_n
    link_phi: Array[Floats, "l"]  # m
    link_lam: Array[Floats, "l"]  # N: multiplier that balances the momentum
    link_trial: Array[Floats, "l", SCRATCH]
    link_rate: Array[Floats, "l", SCRATCH]  # m/s
    link_added: Array[Floats, "l"]  # kg: transverse inertia of the last step
    scratch_u: Array[Floats, "l 3", SCRATCH]
    factor: Array[Floats, "f"]
    fronts: Array[Floats, "w", SCRATCH]
    vector: Array[Floats, "v", SCRATCH]
    factor_x: Array[Floats, "n 3"]  # m: positions the factor was made for, and ...
    turn: Array[Floats, "n 3 3", SCRATCH]  # ... how far everything has turned since
    drag: Array[Floats, "n 3 3"]  # kg, and ...
    push: Array[Floats, "n 3"]  # N s: air and hands give every node the impulse push - drag v


class Rows(NamedTuple):
    """Contacts and attachments (physics/soft/contact/soft_rows.py): attachments first."""

    count: Array[Ints, "1"]  # type: ignore[assignment]  # rows in use; hides tuple.count
    held: Array[Ints, "1"]  # attachments among them
    kind: Array[Ints, "r"]  # HELD or PRESSED
    key: Array[Ints, "r"]  # what a contact is recognised by in the next step, ascending
    body: Array[Ints, "r"]  # slot of the rigid body; 0 is the world
    other: Array[Ints, "r"]  # slot of the rigid body on the other side, where no node takes part
    node: Array[Ints, "r 4"]
    weight: Array[Floats, "r 4"]  # zero for nodes that do not take part
    slot: Array[Ints, "r 6"]  # edges of the pairs of nodes, in the order of `pair_slots`
    normal: Array[Floats, "r 3"]  # from the rigid body to the soft one
    arm: Array[Floats, "r 3"]  # m: q from the rigid body's centre, world axes
    other_arm: Array[Floats, "r 3"]  # m: the same of the other one's
    gap: Array[Floats, "r"]  # m, contacts
    error: Array[
        Floats, "r 3"
    ]  # m: p - q, attachments, less what its body turns off a straight way
    start: Array[Floats, "r 3"]  # m: p - q where the step begins
    friction: Array[Floats, "r"]  # Coulomb coefficient
    state: Array[Ints, "r"]  # OPEN or ACTIVE
    stick: Array[Floats, "r"]  # kg: c, secant of friction
    memory: Array[Floats, "r 3"]  # N s: impulse of the last step
    speed: Array[Floats, "r 3"]  # m/s: u
    impulse: Array[Floats, "r 3"]  # N s: μ on the soft body
    old_count: Array[Ints, "1"]  # contacts of the last step, for matching
    old_key: Array[Ints, "r"]
    old_load: Array[Floats, "r"]  # N s: normal impulse
    old_stick: Array[Floats, "r"]  # kg


class Met(NamedTuple):
    """The rigid bodies that rows push, six columns each (see coupling/coupled_solve.py)."""

    column: Array[Ints, "b"]  # first column of every slot; -1: its motion is no unknown
    push: Array[Floats, "n 3 m"]  # kg: T
    response: Array[Floats, "n 3 m"]  # X = A⁻¹T
    gain: Array[Floats, "m m"]  # 1/kg: (1 + C S)⁻¹C, change of motion per impulse
    passed: Array[Floats, "m m"]  # (1 + S C)⁻¹: share of an impulse that is left when they do
    motion: Array[Floats, "m"]  # m/s, 1/s
    force: Array[Floats, "m"]  # N s: what corrections gave them
    velocity: Array[Floats, "k 3"]  # of all bodies, as `column` leaves them


class Skin(NamedTuple):
    """What of a soft body can touch."""

    triangles: Array[Ints, "s 3"]
    slot: Array[Ints, "s 3"]  # edges of the pairs (0,1), (0,2), (1,2)
    attached: Array[Ints, "n"]  # body a node is sewn to, which it does not touch; NOBODY, or NEVER
    close: Array[Ints, "s", SCRATCH]  # triangles near the shape at hand
    sample: Array[Floats, "p 3", SCRATCH]  # m: points of the shape at hand
