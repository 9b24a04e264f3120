"""Collision detection: shapes in arrays, broad phase, narrow phase, manifolds, queries."""

from physics.collision.arrays import (
    GROW_CONTACTS,
    GROW_PAIRS,
    OK,
    SHAPE,
    WORK,
    Contacts,
    Pool,
    Space,
)
from physics.collision.detect import detect
from physics.collision.store import ShapeStore

__all__ = [
    "GROW_CONTACTS",
    "GROW_PAIRS",
    "OK",
    "SHAPE",
    "WORK",
    "Contacts",
    "Pool",
    "ShapeStore",
    "Space",
    "detect",
]
