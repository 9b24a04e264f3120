"""How far the neighbourhood of every node has turned since a moment.

The rotation that fits best, Σ |x_j - x_i - R_i (X_j - X_i)|² least over the neighbours j, is the
rotational part of C_i = Σ (x_j - x_i)(X_j - X_i)ᵀ = U S Vᵀ: R_i = U Vᵀ. Where the neighbours lie in
a plane the third axes of U and V are its normals, so sheets have a turn too.
"""

import numpy as np

from physics.jit import kernel
from physics.soft.elements.principal import signed_svd


@kernel
def reset(turn):
    """No turn. Written: turn (n, 3, 3)."""
    for i in range(turn.shape[0]):
        for a in range(3):
            for b in range(3):
                turn[i, a, b] = 1.0 if a == b else 0.0


@kernel
def find(edges, before, now, turn):
    """R_i from positions `before` to `now`, neighbours by edges. Written: turn."""
    turn[:] = 0.0
    for e in range(edges.shape[0]):
        i, j = edges[e, 0], edges[e, 1]
        for a in range(3):
            for b in range(3):
                value = (now[j, a] - now[i, a]) * (before[j, b] - before[i, b])
                turn[i, a, b] += value
                turn[j, a, b] += value
    U, V, A, s = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    for i in range(turn.shape[0]):
        signed_svd(turn[i], U, s, V, A)
        for a in range(3):
            for b in range(3):
                turn[i, a, b] = U[a, 0] * V[b, 0] + U[a, 1] * V[b, 1] + U[a, 2] * V[b, 2]
