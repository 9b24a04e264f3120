"""What the pools hold for one shape: corners, faces, edges, and for surfaces the felt edges.

Corners of a box are numbered by bits (bit k: upper side along axis k), face 2k is the lower and
2k + 1 the upper one along axis k, and edge 4k + m runs along axis k with the bits of m as sides
along axes k+1 and k+2; `box_box.py` relies on it.
"""

import math
from typing import NamedTuple

import numpy as np

from physics.collision.arrays import Floats, Ints
from physics.collision.tolerances import FLAT_EDGE, INNER_SHARE
from physics.collision.tree import fill_tree, leaf_count, radix_sort, write_codes
from physics.portable import dot, norm
from physics.shapes import Box, HeightField, Hull, TriangleMesh
from physics.shapes.polyhedron import polyhedron
from physics.shapes.revolved import SIDES, Revolved, revolved_core


class Solid(NamedTuple):
    """Pool rows of a box or hull; indices count from the shape's own first row."""

    vertices: Floats
    normals: Floats
    loop_count: Ints
    loop: Ints
    edges: Ints


class Surface(NamedTuple):
    """Pool rows of a mesh or height field."""

    vertices: Floats
    triangles: Ints  # three vertices, then bits of the felt edges, above them of the back's
    tree_box: Floats
    tree_leaf: Ints


def box_solid(shape: Box) -> Solid:
    normals = np.zeros((6, 3))
    loop, edges = [], []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        for side in range(2):
            normals[2 * axis + side, axis] = 2.0 * side - 1.0
            turn = [0, 1 << first, (1 << first) | (1 << second), 1 << second]
            corners = [corner | (side << axis) for corner in turn]
            loop += corners if side else corners[::-1]
        for m in range(4):
            tail = ((m & 1) << first) | ((m >> 1) << second)
            edges.append((tail, tail | (1 << axis), 2 * first + (m & 1), 2 * second + (m >> 1)))
    return Solid(
        shape.core()[0],
        normals,
        np.full(6, 4, dtype=np.int64),
        np.array(loop, dtype=np.int64),
        np.array(edges, dtype=np.int64),
    )


def inner_solid(solid: Revolved) -> tuple[Revolved, float, float]:
    """A similar solid inside of one of revolution, how far inside, and how far rims are beyond [m].

    Caps move inward by ε; the side too, so that its radius shrinks by ε/cos of its slope. A point
    moves down until the side meets the axis.
    """
    low, high, bottom, top = solid
    slope = (top - bottom) / (high - low)
    stretch = math.sqrt(1.0 + slope * slope)
    if top == 0.0:  # a share of the largest ball inside
        inset = INNER_SHARE * bottom * (high - low) / (bottom + math.hypot(bottom, high - low))
        tip = high - inset * stretch / -slope
        inner = Revolved(low + inset, tip, -slope * (tip - low - inset), 0.0)
    else:
        inset = INNER_SHARE * min(0.5 * (high - low), max(bottom, top))
        shrink = inset * stretch
        inner = Revolved(
            low + inset, high - inset, bottom + slope * inset - shrink, top - slope * inset - shrink
        )
    corners = ((solid.bottom - inner.bottom, inset), (top - inner.top, high - inner.high))
    return inner, inset, max(math.hypot(*corner) for corner in corners) - inset


def revolved_solid(solid: Revolved) -> Solid:
    """Polygons for rims: a prism or a pyramid; corners 0 and 1 are the ends of one of its lines."""
    corners = revolved_core(solid)
    if solid.top > 0.0:
        lower, upper = [2 * k for k in range(SIDES)], [2 * k + 1 for k in range(SIDES)]
        loops = [lower, upper[::-1]]
    else:
        lower, upper = [0, *range(2, SIDES + 1)], [1] * SIDES
        loops = [lower]
    caps = len(loops)
    edges = []
    for k in range(SIDES):
        m = (k + 1) % SIDES
        side = [lower[m], lower[k], upper[k], upper[m]]
        loops.append(side if solid.top > 0.0 else side[:3])
        edges.append((lower[k], lower[m], 0, caps + k))
        edges.append((lower[m], upper[m], caps + k, caps + m))
        if solid.top > 0.0:
            edges.append((upper[k], upper[m], 1, caps + k))
    normals = [(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)][:caps]
    for loop in loops[caps:]:
        a, b, c = corners[loop[0]], corners[loop[1]], corners[loop[2]]
        across = np.cross(b - a, c - a)
        normals.append(tuple((across / norm(across)).tolist()))
    return Solid(
        corners,
        np.array(normals),
        np.array([len(loop) for loop in loops], dtype=np.int64),
        np.array([corner for loop in loops for corner in loop], dtype=np.int64),
        np.array(edges, dtype=np.int64),
    )


def hull_solid(shape: Hull) -> Solid:
    """The hull about the middle of its box; the caller adds that middle to the shape's offset."""
    solid = polyhedron(shape.vertices, shape.triangles)
    vertices = solid.vertices - box_middle(shape.vertices)
    return Solid(vertices, solid.normals, np.diff(solid.start), solid.loop, solid.edges)


def box_middle(points: Floats) -> Floats:
    return 0.5 * (points.min(axis=0) + points.max(axis=0))


def surface(shape: TriangleMesh | HeightField) -> Surface:
    """Triangles about the middle of their box, their felt edges, and their box tree."""
    if isinstance(shape, HeightField):
        given, triangles = shape.surface()
    else:
        given, triangles = shape.vertices, shape.triangles
    vertices = given - box_middle(given)
    boxes = np.concatenate([vertices[triangles].min(axis=1), vertices[triangles].max(axis=1)], 1)
    tree_box, tree_leaf = triangle_tree(boxes)
    felt = felt_edges(vertices, triangles)
    if getattr(shape, "two_sided", False):  # the back has corners 0, 2, 1
        felt |= felt_edges(vertices, triangles[:, [0, 2, 1]]) << 3
    rows = np.concatenate([triangles, felt[:, None]], axis=1)
    return Surface(vertices, rows, tree_box, tree_leaf)


def triangle_tree(boxes: Floats) -> tuple[Floats, Ints]:
    """The heap of `tree.py` over triangle boxes, and the triangle at each leaf."""
    count = len(boxes)
    order = np.tile(np.arange(count), (2, 1))
    code = np.zeros(count, dtype=np.int64)
    write_codes(boxes, order, count, code)
    radix_sort(code, count, np.zeros(2048, dtype=np.int64), order)
    leaves = leaf_count(count)
    tree_box = np.zeros((2 * leaves, 6))
    fill_tree(boxes, order[0], count, leaves, tree_box)
    tree_leaf = np.full(2 * leaves, -1, dtype=np.int64)
    tree_leaf[leaves : leaves + count] = order[0]
    return tree_box, tree_leaf


def felt_edges(vertices: Floats, triangles: Ints) -> Ints:
    """Per triangle a bit for each edge k → k+1 that is a border or a convex ridge.

    The neighbour's opposite corner lies below the triangle's plane at a ridge; its height over
    its distance from the edge is the sine of the bend.
    """
    corners = vertices[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= norm(normal)[:, None]
    side = {
        (int(t[k]), int(t[(k + 1) % 3])): (row, int(t[(k + 2) % 3]))
        for row, t in enumerate(triangles)
        for k in range(3)
    }
    felt = np.zeros(len(triangles), dtype=np.int64)
    for (tail, head), (row, _) in side.items():
        beyond = side.get((head, tail))
        k = int(np.argmax(triangles[row] == tail))
        if beyond is None or _bend(vertices, normal[row], tail, head, beyond[1]) < -FLAT_EDGE:
            felt[row] |= 1 << k
    return felt


def _bend(vertices: Floats, normal: Floats, tail: int, head: int, opposite: int) -> float:
    """Sine of the angle by which the neighbour rises above the plane with the given normal."""
    edge = vertices[head] - vertices[tail]
    arm = vertices[opposite] - vertices[tail]
    arm = arm - edge * dot(arm, edge) / dot(edge, edge)
    return float(dot(arm, normal) / norm(arm))
