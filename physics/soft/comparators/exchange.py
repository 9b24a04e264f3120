"""A step by a comparator, and what rigid bodies get of it."""

from typing import TYPE_CHECKING

import numpy as np

from physics.soft.comparators.comparator import Comparator
from physics.soft.contact.soft_rows import OPEN, body_impulses, body_speeds
from physics.state import DYNAMIC, Bodies

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody

EXPLODED = 1e4  # m/s: nothing goes on from there


def compare(
    comparator: Comparator, body: "SoftBody", bodies: Bodies, h: float, exploded: bool
) -> bool:
    """The step as another method takes it; whether it could not go on.

    What it gives to rigid bodies goes into bodies.force. What has exploded stays where it was last
    seen, and pushes nobody.
    """
    rows, column = body.rows, np.full(len(bodies.kind), -1, np.int64)
    body_speeds(rows, column, np.zeros(0), bodies.velocity)
    if not exploded:
        start = body.x.copy()
        comparator.step(body, h)
        exploded = not np.abs(body.v).max(initial=0.0) < EXPLODED
        if exploded:
            body.x[...], body.v[...] = start, 0.0
    if exploded:
        rows.state[: rows.count[0]] = OPEN
    body.state.ahead[...] = 0.0
    body.fresh, rows.old_count[0] = comparator.springs, 0
    movable = np.unique(rows.body[: rows.count[0]])
    movable = movable[bodies.kind[movable] >= DYNAMIC]
    column[movable] = 6 * np.arange(len(movable))
    total = np.zeros(6 * len(movable))
    body_impulses(rows, 0, column, total)
    bodies.force[2 * movable] += total.reshape(-1, 2, 3)[:, 0] / h
    bodies.force[2 * movable + 1] += total.reshape(-1, 2, 3)[:, 1] / h
    return exploded
