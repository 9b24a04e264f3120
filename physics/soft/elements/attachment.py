"""Embedded attachment: a material point p = Σ w_a x_a held at a target.

    φ = Σ w_a x_a - target  (three rows),  J = (w₀1, w₁1, …),  K̃ = 0

The weights are the barycentric coordinates of the point in its element [Tournier15, §4.3]. They sum
to one, so a force on the point is a force on the nodes with the same resultant and moment.
"""

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel
from physics.portable import least_squares


@kernel
def evaluate(X, weights, target, phi, J):
    """Rows and Jacobian, X (k, 3). Written: phi (3,), J (3, 3k)."""
    J[:] = 0.0
    for d in range(3):
        phi[d] = -target[d]
        for a in range(X.shape[0]):
            phi[d] += weights[a] * X[a, d]
            J[d, 3 * a + d] = weights[a]


@kernel
def geometric(K):
    """K̃ = 0: the rows are linear. Written: K."""
    K[:] = 0.0


def barycentric(point: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of a point in a simplex of 2 to 4 corners (k, 3); off-plane parts are dropped."""
    inner = least_squares(corners[1:] - corners[0], point - corners[0])
    return np.concatenate([[1.0 - inner.sum()], inner])
