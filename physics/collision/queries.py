"""Questions to the world through the box tree: ray cast, cast of a convex shape, overlap of a ball.

`refresh` brings poses and tree up to date once; any number of questions may follow. `mask` selects
by group. Answers are deterministic: among equals the lowest slot wins.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from physics.collision.arrays import ASLEEP, MESH, MOVING, PLANE, ROUND, Floats, Ints
from physics.collision.broadphase import build_tree, plane_distance
from physics.collision.gjk import distance, support
from physics.collision.mesh import load_triangle, local_box, next_triangle
from physics.collision.polytope import Core, load_core, plain_core
from physics.collision.poses import update_poses
from physics.collision.rays import ray_meets_box, ray_shape
from physics.collision.revolved_pairs import nearest_on_round
from physics.collision.store import ShapeStore
from physics.collision.sweep import advance
from physics.collision.tree import overlap, skip
from physics.collision.vec import dot, load, scale, store, sub, to_local, to_world, vector
from physics.jit import kernel
from physics.portable import norm, transform
from physics.shapes import Shape
from physics.shapes.revolved import OfRevolution

_NONE = (0.0, 0.0, 0.0)
_ALL = 0xFFFFFFFF
_MOMENT = 1e-3  # s: nothing moves, so any step would do; a short one has a small margin


class Hit(NamedTuple):
    """The first shape met: its slot and body, the point, the outward normal, the distance [m].

    `part` is which of its body's shapes it is.
    """

    shape: int
    body: int
    point: Floats
    normal: Floats
    distance: float
    part: int = 0


@kernel
def ray_cast(pool, shapes, space, origin, direction, limit, mask):
    """(slot or -1, distance, normal) of the nearest shape on the ray."""
    best, slot, normal = limit, -1, _NONE
    for k in range(1, space.planes[0] + 1):
        s = space.planes[k]
        t, n = ray_shape(pool, shapes[s], origin, direction, best)
        if t < best and shapes[s].group & mask:
            best, slot, normal = t, s, n
    leaves, node = space.leaves[0], 1
    while True:
        if ray_meets_box(origin, direction, space.tree_box, node, best):
            if node < leaves:
                node *= 2
                continue
            s = space.order[0, node - leaves]
            t, n = ray_shape(pool, shapes[s], origin, direction, best)
            nearer = t < best or (t == best and s < slot)
            if nearer and shapes[s].group & mask:
                best, slot, normal = t, s, n
        node = skip(node)
        if node == 1:
            return slot, best, normal


@kernel
def _advance_against(pool, s, radius, motion, start, box, work):
    """(touch, share of the motion, normal) for the core `start` against shape s."""
    count = len(start.points)
    points = work.points_a[:count]
    core = Core(points, start.axis, start.rim_0, start.rim_1)
    for k in range(count):
        store(load(start.points, k), work.points_a, k)
    if s.kind == PLANE:
        n = to_world(s.matrix, vector(s.extent))
        down, _ = support(core, scale(n, -1.0))
        gap = dot(n, sub(down, vector(s.position))) - radius
        closing = -dot(n, motion)
        if gap <= 0.0 or closing >= gap:
            return True, max(gap, 0.0) / max(closing, 1e-300), n
        return False, 1.0, n
    if s.kind != MESH:
        others = load_core(pool, s, _NONE, work.points_b)
        touch, time, n, _ = advance(core, others, motion, radius + s.radius, work)
        return touch, time, n
    low, high = (box[0], box[1], box[2]), (box[3], box[4], box[5])
    c, half = local_box(s, low, high)
    best, found, normal = 1.0, False, _NONE
    triangle, node = next_triangle(pool, s, c, half, 0)
    while triangle >= 0:
        others = plain_core(load_triangle(pool, s, triangle, work).points)
        touch, time, n, _ = advance(core, others, motion, radius, work)
        if touch and (time < best or not found):
            best, found, normal = time, True, n
        for k in range(count):
            store(load(start.points, k), work.points_a, k)
        triangle, node = next_triangle(pool, s, c, half, node)
    return found, best, normal


@kernel
def shape_cast(pool, shapes, space, start, radius, motion, box, mask, work):
    """(slot or -1, share of the motion, normal): the first touch of a moving core with a radius.

    `start` is the core, `box` (6,) bounds the whole motion. Writes work.
    """
    best, slot, normal = 2.0, -1, _NONE
    leaves, node = space.leaves[0], 1
    planes = space.planes[0]
    k = 0
    while True:
        k += 1
        if k <= planes:
            s = space.planes[k]
        elif not overlap(box, space.tree_box, node):
            s = -1
        elif node < leaves:
            node *= 2
            continue
        else:
            s = space.order[0, node - leaves]
        if s >= 0 and shapes[s].group & mask:
            touch, time, n = _advance_against(pool, shapes[s], radius, motion, start, box, work)
            if touch and (time < best or (time == best and s < slot)):
                best, slot, normal = time, s, n
        if k > planes:
            node = skip(node)
            if node == 1:
                return slot, best, normal


@kernel
def _ball_meets(pool, s, center, radius, box, work):
    """Whether the ball overlaps shape s."""
    store(center, work.points_a, 0)
    ball = work.points_a[:1]
    if s.kind == ROUND:
        local = to_local(s.matrix, sub(center, vector(s.position)))
        return nearest_on_round(s.rims, local)[0] <= radius
    if s.kind != MESH:
        core = load_core(pool, s, _NONE, work.points_b)
        gap, _, _ = distance(plain_core(ball), core, work)
        return gap <= radius + s.radius
    c, half = local_box(s, (box[0], box[1], box[2]), (box[3], box[4], box[5]))
    triangle, node = next_triangle(pool, s, c, half, 0)
    while triangle >= 0:
        corners = load_triangle(pool, s, triangle, work).points
        gap, _, _ = distance(plain_core(ball), plain_core(corners), work)
        if gap <= radius:
            return True
        triangle, node = next_triangle(pool, s, c, half, node)
    return False


@kernel
def ball_overlap(pool, shapes, space, center, radius, box, mask, work, found):
    """Writes the slots of the shapes that meet the ball into found; returns how many."""
    count = 0
    for k in range(1, space.planes[0] + 1):
        s = space.planes[k]
        if plane_distance(shapes[s], (*center, *center)) <= radius and shapes[s].group & mask:
            found[count] = s
            count += 1
    leaves, node = space.leaves[0], 1
    while True:
        if overlap(box, space.tree_box, node):
            if node < leaves:
                node *= 2
                continue
            s = space.order[0, node - leaves]
            if shapes[s].group & mask and _ball_meets(pool, shapes[s], center, radius, box, work):
                found[count] = s
                count += 1
        node = skip(node)
        if node == 1:
            return count


def refresh(store: ShapeStore, position: Floats, orientation: Floats) -> None:
    """Brings the poses and the tree to the given state; nothing moves."""
    still = np.zeros((len(position), 6))
    span = int(store.space.span[0])
    update_poses(position, orientation, still, 0.0, store.pool, span, store.shapes)
    build_tree(store.shapes, store.space)


def raycast(
    store: ShapeStore,
    origin: ArrayLike,
    direction: ArrayLike,
    max_distance: float = 1e3,
    mask: int = _ALL,
) -> Hit | None:
    """The nearest shape on the ray, or None."""
    start, way = np.asarray(origin, dtype=float), np.asarray(direction, dtype=float)
    size = float(norm(way))
    if not (np.isfinite(size) and size > 0.0 and np.isfinite(start).all()):
        raise ValueError(
            f"a ray needs a finite origin and direction, not {origin!r}, {direction!r}"
        )
    way = way / size
    slot, t, n = ray_cast(
        store.pool, store.shapes, store.space, tuple(start), tuple(way), max_distance, mask
    )
    return _hit(store, slot, start + t * way, n, t)


def cast(
    store: ShapeStore,
    shape: Shape,
    position: ArrayLike,
    matrix: ArrayLike,
    motion: ArrayLike,
    mask: int = _ALL,
) -> Hit | None:
    """The first shape that a convex shape meets when moved by `motion`; point = its new origin."""
    origin, way = np.asarray(position, dtype=float), np.asarray(motion, dtype=float)
    core, radius = _core_at(shape, origin, np.asarray(matrix, dtype=float))
    ends = np.concatenate([core.points, core.points + way])
    wide = radius + max(core.rim_0, core.rim_1)
    box = np.concatenate([ends.min(axis=0) - wide, ends.max(axis=0) + wide])
    slot, time, n = shape_cast(
        store.pool, store.shapes, store.space, core, radius, tuple(way), box, mask, store.work[0]
    )
    return _hit(store, slot, origin + time * way, n, time * float(norm(way)))


def _core_at(shape: Any, origin: Floats, matrix: Floats) -> tuple[Core, float]:
    """The core of a convex shape at a place, and how far its surface is from it."""
    if isinstance(shape, OfRevolution):
        solid = shape.revolved()
        points, radius = np.array([(0.0, solid.low, 0.0), (0.0, solid.high, 0.0)]), 0.0
        axis, rims = tuple(matrix[:, 1].tolist()), (solid.bottom, solid.top)
    else:
        points, radius = shape.core()
        axis, rims = (0.0, 0.0, 0.0), (0.0, 0.0)
    placed = np.ascontiguousarray(transform(matrix, points) + origin)
    return Core(placed, axis, *rims), radius


def overlap_ball(store: ShapeStore, center: ArrayLike, radius: float, mask: int = _ALL) -> Ints:
    """Slots of the shapes that meet the ball, ascending."""
    middle = np.asarray(center, dtype=float)
    box = np.concatenate([middle - radius, middle + radius])
    found = np.zeros(len(store.shapes), dtype=np.int64)
    count = ball_overlap(
        store.pool, store.shapes, store.space, tuple(middle), radius, box, mask,
        store.work[0], found,
    )  # fmt: skip
    return np.sort(found[:count])


def overlaps(
    store: ShapeStore, position: Floats, orientation: Floats
) -> dict[tuple[int, int], float]:
    """Depth [m] of every two bodies that overlap and may touch, where they are now.

    Works on copies: the contacts of the last step and their impulses stay as they are.
    """
    shapes = store.shapes.copy()
    shapes["movable"][shapes["movable"] == ASLEEP] = MOVING
    span = int(store.space.span[0])
    trial = ShapeStore(max(len(shapes), 2))
    trial.shapes, trial.pool, trial.excluded = shapes, store.pool, store.excluded
    trial.space.span[0] = span
    found = trial.detect(position, orientation, np.zeros((len(position), 6)), _MOMENT)
    deepest: dict[tuple[int, int], float] = {}
    for c in range(int(found.count[0])):
        a, b = int(found.body_a[c]), int(found.body_b[c])
        pair = (min(a, b), max(a, b))
        deepest[pair] = max(deepest.get(pair, 0.0), -float(found.gap[c]))
    return {pair: depth for pair, depth in deepest.items() if depth > 0.0}


def _hit(store: ShapeStore, slot: int, point: Floats, n: tuple[float, ...], t: float) -> Hit | None:
    if slot < 0 or not math.isfinite(t):
        return None
    s = store.shapes[slot]
    return Hit(slot, int(s["body"]), point, np.array(n), float(t), int(s["part"]))
