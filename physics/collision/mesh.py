"""Convex shapes against static triangle surfaces (triangle meshes, height fields).

The surface's own box tree, in its own axes, finds the triangles near the shape. Triangles act from
their front. Inner edges, where neighbouring triangles are level or meet in a valley, must not be
felt by something that slides over them: if the touching feature is such an edge, the triangle's
normal replaces the contact normal, and if that would mean a much deeper contact, the neighbour is
the one to speak and the point is dropped.
"""

import math

from physics.collision.arrays import CAPSULE, ROUND, SPHERE
from physics.collision.clip import axis_contacts
from physics.collision.closest import blend, on_triangle
from physics.collision.convex import capsule_contacts
from physics.collision.manifold import add_candidate, mix, round_off
from physics.collision.polytope import load_polytope, triangle_polytope
from physics.collision.rounded import rounded_triangle
from physics.collision.sat import NONE, mean_point, separate
from physics.collision.tolerances import CORE_TOUCH, FACE_PREFERENCE, SHEET_DEPTH
from physics.collision.tree import skip
from physics.collision.vec import (
    add,
    along,
    dot,
    length,
    load,
    scale,
    store,
    sub,
    to_local,
    to_world,
    vector,
)
from physics.jit import kernel

_EDGE = 1e-6  # barycentric weight below which a point lies on the opposite edge


@kernel
def corner(pool, mesh, triangle, k):
    """World position of corner k of a triangle of the mesh."""
    vertex = mesh.vertex + pool.triangles[mesh.face + triangle, k]
    return add(vector(mesh.position), to_world(mesh.matrix, load(pool.vertices, vertex)))


@kernel
def load_triangle(pool, mesh, triangle, work):
    """Writes points_b and normals_b; returns the triangle as a Polytope."""
    return triangle_polytope(
        pool,
        corner(pool, mesh, triangle, 0),
        corner(pool, mesh, triangle, 1),
        corner(pool, mesh, triangle, 2),
        work,
    )


@kernel
def facing_triangle(pool, mesh, triangle, point, work):
    """(the triangle, bits of its felt edges); one with two sides shows the one the point is on."""
    tri = load_triangle(pool, mesh, triangle, work)
    flags = pool.triangles[mesh.face + triangle, 3]
    a = load(tri.points, 0)
    if mesh.two_sided and dot(load(tri.normals, 0), sub(point, a)) < 0.0:
        b, c = load(tri.points, 1), load(tri.points, 2)
        return triangle_polytope(pool, a, c, b, work), flags >> 3
    return tri, flags


@kernel
def local_box(mesh, low, high):
    """Centre and half size, in mesh axes, of the world box low … high."""
    center = scale(add(low, high), 0.5)
    half = scale(sub(high, low), 0.5)
    m = mesh.matrix
    c = to_local(m, sub(center, vector(mesh.position)))
    h0 = abs(m[0, 0]) * half[0] + abs(m[1, 0]) * half[1] + abs(m[2, 0]) * half[2]
    h1 = abs(m[0, 1]) * half[0] + abs(m[1, 1]) * half[1] + abs(m[2, 1]) * half[2]
    h2 = abs(m[0, 2]) * half[0] + abs(m[1, 2]) * half[1] + abs(m[2, 2]) * half[2]
    return c, (h0, h1, h2)


@kernel
def misses(tree_box, node, c, half):
    """Whether a tree node lies apart from the box c ± half."""
    for axis in range(3):
        if tree_box[node, axis] > c[axis] + half[axis]:
            return True
        if tree_box[node, axis + 3] < c[axis] - half[axis]:
            return True
    return False


@kernel
def next_triangle(pool, mesh, c, half, node):
    """(triangle, node to go on with) of the next leaf that meets c ± half; (-1, 1) at the end.

    Start with node 0.
    """
    resumed = node != 0
    node = skip(node) if resumed else 1
    while not (resumed and node == 1):
        resumed = True
        if misses(pool.tree_box, mesh.tree + node, c, half):
            node = skip(node)
        elif node < mesh.leaves:
            node *= 2
        else:
            return pool.tree_leaf[mesh.tree + node], node
    return -1, 1


@kernel
def feelable(flags, w):
    """Whether the point with barycentric weights w lies on a border or convex edge.

    Edge k runs from corner k to k+1, so it lies opposite corner k+2.
    """
    felt = False
    for k in range(3):
        felt = felt or (w[(k + 2) % 3] < _EDGE and (flags >> k) & 1 == 1)
    return felt


@kernel
def _correct_normals(first, tri, flags, work):
    """Replaces normals of candidates first … that come from inner edges (module docstring)."""
    a, b, c = load(tri.points, 0), load(tri.points, 1), load(tri.points, 2)
    n = load(tri.normals, 0)
    kept = first
    for k in range(first, work.count):
        on_a, on_b = load(work.on_a, k), load(work.on_b, k)
        m, gap = load(work.normal, k), work.gap[k]
        if dot(m, n) < 1.0 - 1e-12 and not feelable(flags, on_triangle(on_b, a, b, c)):
            m = n
            along_n = dot(n, sub(on_a, on_b))
            if along_n < gap - abs(gap) - SHEET_DEPTH:
                continue
            gap = along_n
            on_b = along(on_a, n, -gap)
        store(on_a, work.on_a, kept)
        store(on_b, work.on_b, kept)
        store(m, work.normal, kept)
        work.gap[kept] = gap
        work.id[kept] = work.id[k]
        kept += 1
    work.count = kept


@kernel
def _sphere_triangle(a, center, tri, behind, margin, work):
    """The closest point of the triangle, as long as the centre is in front or not far behind."""
    p, q, r = load(tri.points, 0), load(tri.points, 1), load(tri.points, 2)
    n = load(tri.normals, 0)
    on_b = blend(on_triangle(center, p, q, r), p, q, r)
    apart = sub(center, on_b)
    gap, height = length(apart), dot(n, sub(center, p))
    if height > CORE_TOUCH:
        if gap - a.radius <= margin:
            add_candidate(center, on_b, scale(apart, 1.0 / gap), gap, 1, work)
    elif height > -behind and length(along(apart, n, -height)) < 1e-9 + 1e-6 * gap:
        add_candidate(center, on_b, n, height, 1, work)


@kernel
def collide_triangle(pool, a, mesh, triangle, shift, margin, work):
    """Adds candidates of convex a, displaced by shift, against one triangle."""
    tri, flags = facing_triangle(pool, mesh, triangle, vector(a.position), work)
    behind = math.inf if mesh.solid else max(a.radius, SHEET_DEPTH)
    front, first = load(tri.normals, 0), work.count
    if a.kind == SPHERE:
        center = add(vector(a.position), shift)
        _sphere_triangle(a, center, tri, behind, margin, work)
    else:
        p = load_polytope(pool, a, shift, scale(front, -1.0), work.points_a, work.normals_a)
        middle = mean_point(p.points)
        if dot(front, sub(middle, load(tri.points, 0))) < -behind:
            return
        slack = FACE_PREFERENCE * a.reach
        if a.kind == CAPSULE:
            capsule_contacts(p, tri, front, a.radius, margin, slack, work)
        elif a.kind == ROUND or a.radius > 0.0:
            rounded_triangle(pool, a, shift, tri, margin, work)
        else:
            axis = separate(p, tri, front, margin, slack)
            if axis[0] != NONE:
                axis_contacts(p, tri, axis, 0.0, margin, slack, work)
    _correct_normals(first, tri, flags, work)
    for k in range(first, work.count):
        work.id[k] = mix(work.id[k], triangle + 1)
    round_off(first, a.radius, 0.0, work)
