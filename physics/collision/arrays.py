"""The flat arrays of collision detection.

Shapes and working room are records: one pointer each for compiled code, where a tuple of thirty
arrays would be some two hundred arguments for every function (measured: twice the compile time and
3.4 times the run time). Capacities grow on the Python side only (`store.py`), so in the
steady state nothing is allocated.
"""

from typing import Annotated as Array
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.schema import Floats as Floats
from physics.schema import Ints as Ints
from physics.schema import allocate, compiled_group

Flags = NDArray[np.bool_]
Keys = NDArray[np.uint64]
Records = NDArray[np.void]

# Shape kinds in the order in which pair functions take their arguments.
DEAD, SPHERE, CAPSULE, BOX, HULL, ROUND, PLANE, MESH = -1, 0, 1, 2, 3, 4, 5, 6

FEATURE_BITS = 24  # low bits of a contact's feature id; above them 20 bits each for both shapes
SLOT_BITS = 20

OK, GROW_PAIRS, GROW_CONTACTS = 0, 1, 2  # what `detect` may answer

# SHAPE.movable: what decides who has to be tried against whom
UNMOVED, MOVING, ASLEEP, DRIVEN = range(4)


# One record per shape slot, so that kernels take a shape as one argument.
# What the narrow phase reads of most shapes comes first, side by side.
SHAPE = np.dtype(
    [
        ("kind", np.int64),  # DEAD … MESH
        ("radius", np.float64),  # rounding radius of the core [m]
        ("reach", np.float64),  # farthest core point from the shape's origin [m]
        ("turn", np.float64),  # how far turning moves the core's points at most [m]; each step
        ("position", np.float64, 3),  # shape origin, world [m]; written by every step
        ("body", np.int64),  # row of the body's position, orientation, velocity
        ("motion", np.float64, 3),  # displacement of the origin within the step [m]; each step
        ("extent", np.float64, 3),  # half sizes of the core's box [m]; plane: outward normal
        ("friction", np.float64),
        ("restitution", np.float64),
        ("matrix", np.float64, (3, 3)),  # x_world = matrix x_shape + position; each step
        ("rolling", np.float64),  # rolling friction: torque per normal force [m]
        ("box", np.float64, 6),  # swept and enlarged bounds: lower, upper [m]; each step
        ("movable", np.int64),  # UNMOVED … DRIVEN: one must be MOVING, or one DRIVEN, one ASLEEP
        ("group", np.int64),  # bits this shape belongs to
        ("mask", np.int64),  # bits it collides with; both sides must agree
        ("solid", np.int64),  # height fields: everything below is inside
        ("inset", np.float64),  # round: how far inside the surface its inner solid lies [m]
        ("blunt", np.float64),  # round: how far its rims are from it beyond that [m]
        ("inner", np.float64, 4),  # round: that solid's low, high, bottom, top (`shapes/revolved`)
        ("rims", np.float64, 4),  # round: low, high, bottom, top of the solid itself
        ("belt", np.float64, 3),  # velocity of its surface against the body [m/s]
        ("mechanism", np.int64),  # lowest body of all it hangs together with: `mechanisms.py`
        ("passes", np.int64),  # whether it is a one-way platform
        ("one_way", np.float64, 3),  # it is touched only from where this unit vector points
        ("two_sided", np.int64),  # meshes: triangles act from both sides
        ("part", np.int64),  # which of its body's shapes it is
        ("vertex", np.int64),  # first row in Pool.vertices
        ("vertices", np.int64),  # how many
        ("face", np.int64),  # first row in Pool.normals and Pool.faces; meshes: Pool.triangles
        ("faces", np.int64),
        ("edge", np.int64),  # first row in Pool.edges
        ("edges", np.int64),
        ("tree", np.int64),  # meshes: first row in Pool.tree_box
        ("leaves", np.int64),  # meshes: leaves of that tree, a power of two
        ("offset", np.float64, 3),  # shape origin from the centre of mass, body axes [m]
        ("turned", np.float64, 4),  # shape axes in body axes (w,x,y,z)
    ]
)

MAX_POINTS = 256  # vertices or faces of one hull
_CORNERS = 2 * MAX_POINTS + 8
_CANDIDATES = 1024  # points of one pair before reduction; beyond it a dense mesh loses some

# Narrow-phase working room; one record, contents mean nothing between pairs.
WORK = np.dtype(
    [
        ("points_a", np.float64, (MAX_POINTS, 3)),  # core points, world
        ("points_b", np.float64, (MAX_POINTS, 3)),
        ("normals_a", np.float64, (MAX_POINTS, 3)),  # face normals, world
        ("normals_b", np.float64, (MAX_POINTS, 3)),
        ("simplex", np.float64, (4, 3)),  # points of the Minkowski difference a - b
        ("simplex_a", np.float64, (4, 3)),  # the points of a that they came from
        ("chosen", np.int64, (4, 2)),  # their numbers in a and b, -1 on a rim
        ("weight", np.float64, 4),  # barycentric weights of the closest point
        ("clip", np.float64, (2, _CORNERS, 3)),  # polygon being clipped, ping-pong
        ("clip_id", np.int64, (2, _CORNERS)),
        ("on_a", np.float64, (_CANDIDATES, 3)),  # candidate contacts: point on a, world
        ("on_b", np.float64, (_CANDIDATES, 3)),
        ("normal", np.float64, (_CANDIDATES, 3)),  # from b to a
        ("gap", np.float64, _CANDIDATES),
        ("id", np.int64, _CANDIDATES),
        ("state", np.int64, _CANDIDATES),  # 0 free, 1 in the group at hand, 2 done
        ("box", np.float64, 6),  # of a path, while impacts are looked for
        ("count", np.int64),
        ("picked", np.int64, 4),  # candidates kept for the manifold at hand
    ]
)


# Rows of the pools that every world starts with (`make_pool`).
SEGMENT_EDGE, TRIANGLE_EDGE, TRIANGLE_FACE = 0, 1, 0
POOL_START = {"faces": 1, "normals": 1, "loop": 3, "edges": 4}


class Pool(NamedTuple):
    """Vertices, faces, edges and triangle trees of all shapes; a shape owns ranges of rows."""

    vertices: Array[Floats, "V 3"]  # shape axes [m]
    normals: Array[Floats, "F 3"]  # outward unit, shape axes
    faces: Array[Ints, "F 2"]  # start, count in loop
    loop: Array[Ints, "L"]  # vertex of the shape, counter-clockwise from outside
    edges: Array[Ints, "E 4"]  # two vertices of the shape and the two faces beside them
    triangles: Array[Ints, "T 4"]  # three vertices of the mesh; bit k set: edge k → k+1 can be felt
    tree_box: Array[Floats, "N 6"]  # lower and upper corners, heap order
    tree_leaf: Array[Ints, "N"]  # triangle of the mesh at the heap's leaves, -1 elsewhere


class Space(NamedTuple):
    """The tree over the shapes' boxes, and the pairs it finds (broad phase)."""

    span: Array[Ints, "1"]  # shape slots in use: 0 … span-1
    code: Array[Ints, "S"]  # Morton code of the box's centre
    order: Array[Ints, "2 S"]  # slots along the Morton curve (two rows: radix sort ping-pong)
    bucket: Array[Ints, "2048"]  # radix sort counters
    leaves: Array[Ints, "2"]  # power-of-two leaf count of the tree in use, shapes in it
    tree_box: Array[Floats, "2P 6"]  # heap order: children of i are 2i and 2i+1
    tree_moves: Array[Flags, "2P"]  # subtree holds a shape that moves
    planes: Array[Ints, "S+1"]  # count, then the slots of the planes
    pair_count: Array[Ints, "1"]
    pairs: Array[Ints, "2 C 2"]  # shape slots a < b; [0] sorted by a, then b ([1] is sorting room)
    pair_row: Array[Ints, "S+1"]  # sorting counters


class Contacts(NamedTuple):
    """The contact points of the step; n points from b to a, gap = n·(p_a - p_b)."""

    count: Array[Ints, "1"]  # type: ignore[assignment]  # rows in use; -1: must grow
    body_a: Array[Ints, "C"]
    body_b: Array[Ints, "C"]
    shape_a: Array[Ints, "C"]
    shape_b: Array[Ints, "C"]
    point: Array[Floats, "C 3"]  # midway between the surfaces, world [m]
    normal: Array[Floats, "C 3"]
    tangent1: Array[Floats, "C 3"]  # (n, t1, t2) is right-handed and orthonormal
    tangent2: Array[Floats, "C 3"]
    gap: Array[Floats, "C"]  # [m], negative when the shapes overlap
    anchor_a: Array[Floats, "C 3"]  # surface point of a from body a's position, world axes [m]
    anchor_b: Array[Floats, "C 3"]
    rounding: Array[
        Floats, "C 2"
    ]  # [m] of a and b: that much of the anchor follows n, not the turn
    axle_a: Array[Floats, "C 3"]  # axis about which turning leaves a's surface as it is, or zero
    axle_b: Array[Floats, "C 3"]
    feature: Array[Keys, "C"]  # shape pair and touching features, ascending by pair
    friction: Array[Floats, "C"]  # sqrt(μ_a μ_b)
    restitution: Array[Floats, "C"]  # max
    rolling: Array[Floats, "C"]  # [m] max
    belt: Array[Floats, "C 3"]  # velocity of a's surface against its body, less b's, world [m/s]
    impulse: Array[Floats, "C 3"]  # along n, t1, t2 [N s]: warm start, then the solver's result
    struck: Array[Floats, "C 3"]  # what the contact gave in the whole step, impacts too [N s]
    stays: Array[Flags, "C"]  # found along an earlier way of this step: it stays until its end
    old_kept: Array[Ints, "1"]  # such contacts that wait at the end of the arrays
    old_count: Array[Ints, "1"]  # the previous step's contacts, for matching
    old_feature: Array[Keys, "C"]
    old_anchor: Array[Floats, "C 3"]  # anchor_a of that step
    old_impulse: Array[Floats, "C 3"]  # as a world vector


def make_shapes(slots: int) -> Records:
    """Empty shape records."""
    shapes = np.zeros(slots, dtype=SHAPE)
    shapes["kind"] = DEAD
    shapes["turned"][:, 0] = 1.0
    return shapes


def make_pool() -> Pool:
    """Pools with the topology of a segment and of a triangle in front, for capsules and meshes."""
    segment, triangle = (0, 1, 0, 0), ((0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 0, 0))
    return Pool(
        vertices=np.zeros((1, 3)),
        normals=np.zeros((1, 3)),
        faces=np.array([(0, 3)], dtype=np.int64),
        loop=np.array([0, 1, 2], dtype=np.int64),
        edges=np.array([segment, *triangle], dtype=np.int64),
        triangles=np.zeros((1, 4), dtype=np.int64),
        tree_box=np.zeros((1, 6)),
        tree_leaf=np.zeros(1, dtype=np.int64),
    )


def make_space(slots: int, pairs: int) -> Space:
    leaves = 1 << max(slots - 1, 1).bit_length()
    return allocate(Space, S=slots, P=leaves, C=pairs)


def make_work() -> Records:
    """One record of working room."""
    return np.zeros(1, dtype=WORK)


def make_contacts(capacity: int) -> Contacts:
    return allocate(Contacts, C=capacity)


class Collider(NamedTuple):
    """Everything `detect` works on."""

    pool: Pool
    excluded: Array[Ints, "x"]  # keys of body pairs that never touch, ascending
    shapes: Array[Records, "S", SHAPE]
    space: Space
    work: Array[Records, "1", WORK]
    contacts: Contacts


ColliderRef = compiled_group(Collider, __name__)
