"""Shapes as triangles, in the coordinates of the body: origin at its centre of mass."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from physics.portable import transform
from physics.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Hull,
    Plane,
    Sphere,
    TriangleMesh,
)
from physics.shapes.base import Shape
from physics.shapes.compound import parts_of

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Surface = tuple[Floats, Indices]

SIDES, RINGS = 24, 8  # of round things
PLANE = 50.0  # m: half the edge of what stands for a plane


def surface(shape: Shape, center: Floats) -> Surface:
    """Vertices and outward triangles of all parts of a shape."""
    points, triangles, count = [], [], 0
    for part in parts_of(shape):
        own, faces = _simple(part.shape)
        turned = transform(_matrix(part.orientation), own) + np.array(part.position) - center
        points.append(turned)
        triangles.append(faces + count)
        count += len(own)
    return np.vstack(points), np.vstack(triangles)


def _simple(shape: Shape) -> Surface:
    if isinstance(shape, Box):
        return _box(np.array(shape.size))
    if isinstance(shape, Sphere):
        return _capsule(shape.radius, 0.0)
    if isinstance(shape, Capsule):
        return _capsule(shape.radius, shape.length)
    if isinstance(shape, (Cylinder, Cone)):
        top = shape.radius if isinstance(shape, Cylinder) else 0.0
        return _revolved([(shape.radius, -0.5 * shape.length), (top, 0.5 * shape.length)])
    if isinstance(shape, Plane):
        return _plane(np.asarray(shape.normal, np.float64), float(shape.offset))
    if isinstance(shape, HeightField):
        return shape.surface()
    solid = shape if isinstance(shape, (Hull, TriangleMesh)) else Hull(shape.core()[0])
    return solid.vertices, solid.triangles


def _matrix(q: Any) -> Floats:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _box(size: Floats) -> Surface:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5 * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return corners, np.array(faces)


def _capsule(radius: float, length: float) -> Surface:
    """Also a sphere, of length zero."""
    profile = []
    for sign in (-1.0, 1.0):
        angles = [0.5 * math.pi * i / RINGS for i in range(RINGS + 1)]
        for angle in angles[::-1] if sign < 0 else angles:
            around, along = radius * math.cos(angle), sign * radius * math.sin(angle)
            profile.append((max(around, 0.0), along + 0.5 * sign * length))
    return _revolved(profile)


def _revolved(profile: list[tuple[float, float]]) -> Surface:
    """A profile of (radius, y) from below upwards, turned about y and closed at its ends."""
    profile = [(0.0, profile[0][1]), *profile, (0.0, profile[-1][1])]
    points = [
        (r * math.cos(math.tau * k / SIDES), y, r * math.sin(math.tau * k / SIDES))
        for r, y in profile
        for k in range(SIDES)
    ]
    faces = []
    for ring in range(len(profile) - 1):
        for k in range(SIDES):
            a, b = ring * SIDES + k, ring * SIDES + (k + 1) % SIDES
            faces += [(a, a + SIDES, b), (b, a + SIDES, b + SIDES)]
    found, triangles = np.array(points), np.array(faces)
    edges = found[triangles]
    area = np.cross(edges[:, 1] - edges[:, 0], edges[:, 2] - edges[:, 0])
    return found, triangles[(area * area).sum(axis=1) > 0.0]


def _plane(normal: Floats, offset: float) -> Surface:
    up = normal / np.sqrt((normal * normal).sum())
    other = np.array((1.0, 0.0, 0.0)) if abs(up[0]) < 0.9 else np.array((0.0, 0.0, 1.0))
    u = np.cross(up, other)
    u = u / np.sqrt((u * u).sum())
    v = np.cross(up, u)
    corners = [
        offset * up + PLANE * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return np.array(corners), np.array([(0, 1, 2), (0, 2, 3)])
