"""Rows as constraints of positions: what touches is put where it belongs."""

import numpy as np

from physics.jit import kernel
from physics.soft.contact.soft_rows import ACTIVE, HELD, OPEN


@kernel
def begin_rows(rows):
    """Nothing pushes yet. Written: rows.impulse, rows.state."""
    for r in range(rows.count[0]):
        rows.impulse[r] = 0.0
        rows.state[r] = ACTIVE if rows.kind[r] == HELD else OPEN


@kernel
def _mobility(model, rows, pinned, r):
    """Σ w²/m of the point of row r."""
    total = 0.0
    for a in range(4):
        if not pinned[rows.node[r, a]]:
            total += rows.weight[r, a] ** 2 / model.mass[rows.node[r, a]]
    return total


@kernel
def project_rows(model, rows, pinned, start, h, x):
    """Every row once, from the impulse it has given so far. Written: x, impulse, state."""
    w, p = np.empty(3), np.empty(3)
    for r in range(rows.count[0]):
        give = _mobility(model, rows, pinned, r)
        if give == 0.0:
            continue
        for d in range(3):
            w[d] = -h * rows.speed[r, d]
            for a in range(4):
                i = rows.node[r, a]
                w[d] += rows.weight[r, a] * (x[i, d] - start[i, d])
        n = rows.normal[r]
        if rows.kind[r] == HELD:
            for d in range(3):
                p[d] = -(w[d] + rows.error[r, d]) / give
        else:
            along = n[0] * w[0] + n[1] * w[1] + n[2] * w[2]
            old = rows.impulse[r]
            had = h * (n[0] * old[0] + n[1] * old[1] + n[2] * old[2])
            load = max(had - (along + rows.gap[r]) / give, 0.0)
            rows.state[r] = ACTIVE if load > 0.0 else OPEN
            size = 0.0
            for d in range(3):  # friction: stop it, as far as the cone allows
                p[d] = h * old[d] - had * n[d] - (w[d] - along * n[d]) / give
                size += p[d] * p[d]
            size = max(size**0.5, 1e-300)
            most = min(1.0, rows.friction[r] * load / size)
            for d in range(3):
                p[d] = load * n[d] + most * p[d] - h * old[d]
        for d in range(3):
            rows.impulse[r, d] += p[d] / h
            for a in range(4):
                i = rows.node[r, a]
                if rows.weight[r, a] != 0.0 and not pinned[i]:
                    x[i, d] += rows.weight[r, a] * p[d] / model.mass[i]
