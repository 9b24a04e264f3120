"""From pairs of shapes to contact points.

Slow pairs are looked at where they are. A fast pair that is not yet close is moved to the moment of
first touch (`sweep.py`), looked at there, and its points are moved back. Whatever the kinds, the
result is a list of candidates, reduced to manifolds and written as contacts.
"""

import math

import numpy as np

from physics.collision.arrays import (
    FEATURE_BITS,
    GROW_CONTACTS,
    MESH,
    OK,
    PLANE,
    ROUND,
    SLOT_BITS,
)
from physics.collision.convex import collide_convex
from physics.collision.manifold import (
    add_candidate,
    keep_one_way,
    lean,
    next_group,
    pick_four,
    round_off,
    shift_back,
    smallest_gap,
)
from physics.collision.mesh import collide_triangle, facing_triangle, local_box, next_triangle
from physics.collision.polytope import load_core, plain_core
from physics.collision.poses import rest_margin
from physics.collision.round_pairs import on_plane
from physics.collision.sweep import advance
from physics.collision.tolerances import COMMON_WAY
from physics.collision.vec import (
    add,
    along,
    cross,
    dot,
    length,
    load,
    quat_turn,
    scale,
    store,
    sub,
    tangent,
    to_world,
    vector,
)
from physics.collision.ways import room
from physics.jit import kernel
from physics.params import CONTACT_MISS

_STILL = (0.0, 0.0, 0.0)
_COAXIAL = 1e-6  # of its size that a shape's axis may pass its body's centre


@kernel
def _is_final(first, near, fast, work):
    """Whether the candidates since `first` are final; clears them where a sweep must decide."""
    if not fast or smallest_gap(first, work) <= near:
        return True
    work.count = first
    return False


@kernel
def _finish_sweep(first, shift, n, on_a, gap, radius_a, radius_b, work):
    """Moves the points found at the touch back; if none were found, makes one of the touch."""
    if work.count == first and dot(n, n) > 0.0:
        add_candidate(on_a, along(on_a, n, -gap), n, gap, 2, work)
        round_off(first, radius_a, radius_b, work)
    shift_back(first, shift, work)


@kernel
def _common_way(a, b):
    """How far each may come if the other is stopped within the step: both fall, one lands."""
    way = min(length(vector(a.motion)), length(vector(b.motion)))
    return min(way, COMMON_WAY * min(a.reach + a.radius, b.reach + b.radius))


@kernel
def convex_pair(pool, a, b, near, work):
    """Candidates of two convex shapes, kinds ascending."""
    motion = sub(vector(a.motion), vector(b.motion))
    reach = length(motion)
    near += a.turn + b.turn + _common_way(a, b)
    apart = sub(vector(a.position), vector(b.position))
    most = a.reach + a.radius + b.reach + b.radius + near + reach
    if dot(apart, apart) > most * most:
        return  # not even the balls around them meet
    collide_convex(pool, a, b, _STILL, near + reach, work)
    if _is_final(0, near, reach > near, work):
        return
    core_a = load_core(pool, a, _STILL, work.points_a)
    core_b = load_core(pool, b, _STILL, work.points_b)
    radii = a.radius + b.radius
    touch, time, n, on_a = advance(core_a, core_b, motion, radii, work)
    if touch:
        shift = scale(motion, time)
        collide_convex(pool, a, b, shift, near + (1.0 - time) * reach, work)
        _finish_sweep(0, shift, n, on_a, radii, a.radius, b.radius, work)


@kernel
def _triangle_sweep(pool, a, mesh, triangle, motion, near, work):
    """Candidates of a fast shape against one triangle that it meets from the front."""
    first = work.count
    tri, _ = facing_triangle(pool, mesh, triangle, vector(a.position), work)
    front = load(tri.normals, 0)
    ahead = dot(front, sub(vector(a.position), load(tri.points, 0)))
    if ahead < 0.0 or dot(front, motion) >= 0.0:
        return
    core = load_core(pool, a, _STILL, work.points_a)
    touch, time, n, on_a = advance(core, plain_core(tri.points), motion, a.radius, work)
    if touch:
        if dot(n, front) <= 0.0:  # met from behind, through a neighbour: not this one's business
            n = _STILL
        shift = scale(motion, time)
        margin = near + (1.0 - time) * length(motion)
        collide_triangle(pool, a, mesh, triangle, shift, margin, work)
        _finish_sweep(first, shift, n, on_a, a.radius, a.radius, 0.0, work)


@kernel
def mesh_pair(pool, a, mesh, near, work):
    """Candidates of a convex shape against every triangle near its swept box."""
    motion = sub(vector(a.motion), vector(mesh.motion))
    reach = length(motion)
    near += a.turn + mesh.turn
    own = length(vector(mesh.motion)) + mesh.turn
    low = (a.box[0] - own, a.box[1] - own, a.box[2] - own)
    high = (a.box[3] + own, a.box[4] + own, a.box[5] + own)
    c, half = local_box(mesh, low, high)
    triangle, node = next_triangle(pool, mesh, c, half, 0)
    while triangle >= 0:
        first = work.count
        collide_triangle(pool, a, mesh, triangle, _STILL, near + reach, work)
        if not _is_final(first, near, reach > near, work):
            _triangle_sweep(pool, a, mesh, triangle, motion, near, work)
        triangle, node = next_triangle(pool, mesh, c, half, node)


@kernel
def pair_candidates(pool, a, b, margin, work):
    """Writes the candidates of shapes a and b, kinds ascending."""
    work.count = 0
    kind = b.kind
    if kind == PLANE:
        motion = length(sub(vector(a.motion), vector(b.motion)))
        on_plane(pool, a, b, margin + motion + a.turn, work)
        round_off(0, a.radius, 0.0, work)
    elif kind == MESH:
        mesh_pair(pool, a, b, margin, work)
    else:
        convex_pair(pool, a, b, margin, work)


@kernel
def _axle(s):
    """Axis of a cylinder or cone through its body's centre: it may turn about it unnoticed."""
    if s.kind != ROUND:
        return _STILL
    turned = (s.turned[0], s.turned[1], s.turned[2], s.turned[3])
    off = cross(vector(s.offset), quat_turn(turned, (0.0, 1.0, 0.0)))
    if dot(off, off) > _COAXIAL * _COAXIAL * s.reach * s.reach:
        return _STILL
    return (s.matrix[0, 1], s.matrix[1, 1], s.matrix[2, 1])


@kernel
def _write_contact(position, shapes, i, j, swapped, k, work, row, contacts):
    """Writes candidate k of the pair i < j as contact `row`; swapped: it was found for (j, i)."""
    on_a, on_b, n = load(work.on_a, k), load(work.on_b, k), load(work.normal, k)
    if swapped:
        on_a, on_b, n = on_b, on_a, scale(n, -1.0)
    a, b = shapes[i], shapes[j]
    contacts.body_a[row], contacts.body_b[row] = a.body, b.body
    contacts.shape_a[row], contacts.shape_b[row] = i, j
    store(scale(add(on_a, on_b), 0.5), contacts.point, row)
    store(n, contacts.normal, row)
    t = tangent(n)
    store(t, contacts.tangent1, row)
    store(cross(n, t), contacts.tangent2, row)
    contacts.gap[row] = work.gap[k]
    store(sub(on_a, load(position, a.body)), contacts.anchor_a, row)
    store(sub(on_b, load(position, b.body)), contacts.anchor_b, row)
    contacts.rounding[row, 0], contacts.rounding[row, 1] = a.radius, b.radius
    store(_axle(a), contacts.axle_a, row)
    store(_axle(b), contacts.axle_b, row)
    pair = (i << SLOT_BITS) | j
    contacts.feature[row] = np.uint64((pair << FEATURE_BITS) | work.id[k])
    contacts.friction[row] = math.sqrt(a.friction * b.friction)
    contacts.restitution[row] = max(a.restitution, b.restitution)
    contacts.rolling[row] = max(a.rolling, b.rolling)
    belt = sub(to_world(a.matrix, vector(a.belt)), to_world(b.matrix, vector(b.belt)))
    store(belt, contacts.belt, row)


@kernel
def _touched(i, j, contacts):
    """Whether the pair had contacts in the last step."""
    pair = np.uint64((i << SLOT_BITS) | j)
    low, high = 0, contacts.old_count[0]
    while low < high:
        middle = (low + high) // 2
        if contacts.old_feature[middle] >> np.uint64(FEATURE_BITS) < pair:
            low = middle + 1
        else:
            high = middle
    if low >= contacts.old_count[0]:
        return False
    return contacts.old_feature[low] >> np.uint64(FEATURE_BITS) == pair


@kernel
def _is_embedded(work):
    """Whether the shapes overlap by more than contacts let them.

    Parts of one mechanism that do so without having touched are held like that by their joints, as
    a chain that begins at the centre of a ball: nothing could push them apart. They touch when they
    meet again after having parted.
    """
    for k in range(work.count):
        if work.gap[k] < -CONTACT_MISS:
            return True
    return False


@kernel
def find_contacts(position, h, pool, shapes, space, work, contacts):
    """Writes all contacts but their impulses; GROW_CONTACTS if the capacity is too small."""
    margin, most = rest_margin(h), room(contacts)
    row = 0
    for pair in range(space.pair_count[0]):
        i, j = space.pairs[0, pair]
        swapped = shapes[i].kind > shapes[j].kind
        first, second = (j, i) if swapped else (i, j)
        pair_candidates(pool, shapes[first], shapes[second], margin, work)
        if shapes[i].passes + shapes[j].passes > 0:
            keep_one_way(shapes[first], shapes[second], _touched(i, j, contacts), work)
        linked = shapes[i].mechanism == shapes[j].mechanism
        if linked and _is_embedded(work) and not _touched(i, j, contacts):
            continue
        way = lean(shapes[first], shapes[second])
        size = next_group(work)
        while size > 0:
            count = pick_four(size, way, work)
            if row + count > most:
                return GROW_CONTACTS
            for k in range(count):
                _write_contact(position, shapes, i, j, swapped, work.picked[k], work, row, contacts)
                row += 1
            size = next_group(work)
    contacts.count[0] = row
    return OK
