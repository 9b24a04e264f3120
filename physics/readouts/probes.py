"""Contact forces between groups of bodies of a running world."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from physics.state import Floats

if TYPE_CHECKING:
    from physics.world import World


def contact_force(world: "World", on: Collection[int], by: Collection[int] | None = None) -> Floats:
    """Sum of the contact forces, normal and friction, that the bodies in the slots `by` (or all
    others) put on those in the slots `on` in the last step, N."""
    total = np.zeros(3)
    for contact in world.contacts():
        a, b = int(contact["a"]), int(contact["b"])
        push = contact["impulse"] * contact["normal"] + contact["friction"]  # on a
        if a in on and b not in on and (by is None or b in by):
            total += push
        elif b in on and a not in on and (by is None or a in by):
            total -= push
    result: Floats = total / world.h
    return result


def contact_load(world: "World", on: Collection[int], by: Collection[int] | None = None) -> float:
    """How hard they are pressed together, N: the sum of the sizes of the normal forces."""
    total = 0.0
    for contact in world.contacts():
        a, b = int(contact["a"]), int(contact["b"])
        first, second = (a in on, b in on)
        if first != second and (by is None or (b if first else a) in by):
            total += float(contact["impulse"])
    return total / world.h
