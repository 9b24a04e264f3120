"""Plastic flow of cells: strain beyond a yield becomes the new shape at rest.

The elastic deformation F has principal stretches s_i and axes V (of FᵀF = V diag(s²) Vᵀ). Where the
deviator of log s is longer than the yield strain, a share of the excess goes into the rest shape,

    e_i = log s_i - mean,    p_i = exp(γ e_i),  γ = rate (1 - yield/|e|),     g ← V diag(1/p) Vᵀ g

so that F ← F V diag(1/p) Vᵀ. Volume is kept (Σ e_i = 0), and the elastic energy only falls.
"""

import math

import numpy as np

from physics.jit import kernel
from physics.soft.elements.principal import symmetric_eigen
from physics.soft.elements.tetrahedra import deformation

FLAT = 1e-12  # square of a stretch: below it a cell has lost its axes


@kernel
def flow(nodes, x, yield_strain, rate, most, gradient, hardening):
    """One step of flow for all cells; returns how many yielded.

    `hardening` (m,) is the plastic strain so far, `most` its limit. Written: gradient, hardening.
    """
    corners = nodes.shape[1]
    X, F, C, V = np.empty((corners, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    e, g = np.empty(3), np.empty(3)
    yielded = 0
    for t in range(nodes.shape[0]):
        for a in range(corners):
            for d in range(3):
                X[a, d] = x[nodes[t, a], d]
        deformation(X, gradient[t], F)
        for i in range(3):
            for j in range(3):
                C[i, j] = F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j]
        symmetric_eigen(C, V)
        if not min(C[0, 0], C[1, 1], C[2, 2]) > FLAT:
            continue  # flat: its axes mean nothing
        mean = 0.0
        for i in range(3):
            e[i] = 0.5 * math.log(C[i, i])
            mean += e[i] / 3.0
        size = 0.0
        for i in range(3):
            e[i] -= mean
            size += e[i] * e[i]
        size = math.sqrt(size)
        if size <= yield_strain or hardening[t] >= most:
            continue
        share = min(rate * (1.0 - yield_strain / size), (most - hardening[t]) / size)
        hardening[t] += share * size
        yielded += 1
        for a in range(corners):
            for i in range(3):
                g[i] = 0.0
                for d in range(3):
                    g[i] += V[d, i] * gradient[t, a, d]
                g[i] *= math.exp(-share * e[i])
            for d in range(3):
                gradient[t, a, d] = V[d, 0] * g[0] + V[d, 1] * g[1] + V[d, 2] * g[2]
    return yielded
