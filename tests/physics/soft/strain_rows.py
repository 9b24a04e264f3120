"""Green strain as rows: φ, J and K̃ of triangles (k = 3, area) and tetrahedra (k = 4, volume).

The engine takes the same materials in stiffness form; rows are what that is compared with, and what
[Tournier15] and [Servin06] write. `size` is the area or volume at rest, `voigt` the order of rows.
"""

from math import sqrt

import numpy as np

from physics.jit import kernel
from physics.soft.elements.tetrahedra import deformation


@kernel
def evaluate(X, gradient, size, voigt, phi, J):
    """Strain rows of one simplex, X (k, 3). Written: phi, J (rows, 3k)."""
    F = np.empty((3, gradient.shape[1]))
    deformation(X, gradient, F)
    root = sqrt(size)
    for row, (i, j) in enumerate(voigt):
        product = F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j]
        phi[row] = root * (product if i != j else 0.5 * (product - 1.0))
        for a in range(X.shape[0]):
            for d in range(3):
                if i == j:
                    J[row, 3 * a + d] = root * F[d, i] * gradient[a, i]
                else:
                    J[row, 3 * a + d] = root * (F[d, i] * gradient[a, j] + F[d, j] * gradient[a, i])


@kernel
def geometric(gradient, size, voigt, lam, K):
    """K̃ (3k, 3k) of one simplex for its multipliers. Written: K."""
    root = sqrt(size)
    K[:] = 0.0
    for a in range(gradient.shape[0]):
        for b in range(gradient.shape[0]):
            value = 0.0
            for row, (i, j) in enumerate(voigt):
                value += lam[row] * gradient[a, i] * gradient[b, j]
                if i != j:
                    value += lam[row] * gradient[a, j] * gradient[b, i]
            for d in range(3):
                K[3 * a + d, 3 * b + d] = root * value
