"""Solids of revolution between two rims about y: cylinders and cones, as collision wants them.

The solid is the convex hull of two disks, of radius `bottom` at y = `low` and `top` at y = `high`.
A polygon stands for a rim where faces are clipped. It may be turned about the axis at will, so
collision turns a corner of it to where it touches: there the rim is exact.
"""

import math
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from physics.shapes.base import Array

SIDES = 16  # corners of the polygon that stands for a rim


class Revolved(NamedTuple):
    """Two rims about y."""

    low: float  # m
    high: float
    bottom: float  # radius at y = low, m
    top: float  # radius at y = high; 0: a point


@runtime_checkable
class OfRevolution(Protocol):
    """A shape that says so is such a solid for collision."""

    def revolved(self) -> Revolved: ...


def revolved_core(solid: Revolved) -> Array:
    """Corners of the polygons. Corners 0 and 1 are the ends of the line at z = 0, x > 0."""
    turns = [2.0 * math.pi * k / SIDES for k in range(SIDES)]
    ring = np.array([(math.cos(turn), 0.0, math.sin(turn)) for turn in turns])
    up = np.array([0.0, 1.0, 0.0])
    lower = ring * solid.bottom + up * solid.low
    if solid.top > 0.0:
        upper = ring * solid.top + up * solid.high
        return np.stack([lower, upper], axis=1).reshape(-1, 3)
    return np.concatenate([lower[:1], [up * solid.high], lower[1:]])
