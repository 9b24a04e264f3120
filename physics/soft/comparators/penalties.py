"""Contacts and seams as springs, for the Euler steps: what lies d deep is pushed by k d, k = m/h².

That is as stiff as an explicit step bears (h ω = 1), so things sink in by g h² and more.
"""

import numpy as np

from physics.jit import kernel
from physics.soft.contact.soft_rows import ACTIVE, HELD, OPEN

DAMPED = 0.3  # of the approach that a penalty takes away in a step


@kernel
def penalties(model, rows, v, h):
    """Impulses of all rows from where they are now. Written: rows.impulse, rows.state."""
    w = np.empty(3)
    for r in range(rows.count[0]):
        mass = 0.0
        for d in range(3):
            w[d] = -rows.speed[r, d]
        for a in range(4):
            share = rows.weight[r, a]
            if share != 0.0:
                mass += share * model.mass[rows.node[r, a]]
                for d in range(3):
                    w[d] += share * v[rows.node[r, a], d]
        n = rows.normal[r]
        if rows.kind[r] == HELD:
            rows.state[r] = ACTIVE
            for d in range(3):
                rows.impulse[r, d] = -mass * (rows.error[r, d] / h + DAMPED * w[d])
            continue
        along = n[0] * w[0] + n[1] * w[1] + n[2] * w[2]
        rows.state[r] = OPEN
        rows.impulse[r] = 0.0
        if rows.gap[r] >= 0.0:
            continue
        load = mass * (-rows.gap[r] / h - DAMPED * along)
        if load <= 0.0:
            continue
        rows.state[r] = ACTIVE
        slide = 0.0
        for d in range(3):
            w[d] -= along * n[d]
            slide += w[d] * w[d]
        slide = max(slide**0.5, 1e-12)
        rub = min(rows.friction[r] * load, mass * slide)
        for d in range(3):
            rows.impulse[r, d] = load * n[d] - rub * w[d] / slide


@kernel
def give(model, rows, pinned, v):
    """The impulses of rows to the nodes. Written: v."""
    for r in range(rows.count[0]):
        if rows.state[r] == OPEN:
            continue
        for a in range(4):
            i = rows.node[r, a]
            if rows.weight[r, a] != 0.0 and not pinned[i]:
                for d in range(3):
                    v[i, d] += rows.weight[r, a] * rows.impulse[r, d] / model.mass[i]
