"""St. Venant-Kirchhoff triangle membrane, isotropic or orthotropic.

In-plane rest coordinates, gradients g_a (2-D): F = Σ x_a g_aᵀ is 3x2.

    ε = ½ (FᵀF - 1),  φ = √A (ε₁₁, ε₂₂, 2ε₁₂)
    J = ∂φ/∂x,   K̃ = √A Bᵀ diag(λ̂, λ̂, λ̂) B       as in [Tournier15, App. A], one dimension lower
    compliance D⁻¹, D in N/m (modulus times thickness), axes = warp and weft

The area is that of the rest triangle.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel
from physics.portable import inverse, norm

VOIGT = ((0, 0), (1, 1), (0, 1))


def isotropic(young: float, poisson: float, thickness: float) -> NDArray[np.float64]:
    """Plane-stress D (3, 3) in N/m."""
    return orthotropic(young, young, poisson, young / (2 * (1 + poisson)), thickness)


def orthotropic(
    warp: float, weft: float, poisson: float, shear: float, thickness: float
) -> NDArray[np.float64]:
    """D for moduli along warp (axis 1) and weft (axis 2); poisson couples warp to weft."""
    reverse = poisson * weft / warp
    plane = thickness / (1 - poisson * reverse)
    return np.array(
        [
            [warp * plane, poisson * weft * plane, 0.0],
            [poisson * weft * plane, weft * plane, 0.0],
            [0.0, 0.0, shear * thickness],
        ]
    )


def shape_gradients(
    position: NDArray[np.float64], nodes: NDArray[np.int64], warp: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradients (m, 3, 2) and areas (m,); `warp`: world direction, projected on each triangle."""
    a, b = (
        position[nodes[:, 1]] - position[nodes[:, 0]],
        position[nodes[:, 2]] - position[nodes[:, 0]],
    )
    normal = np.cross(a, b)
    area = 0.5 * norm(normal)
    normal /= 2.0 * area[:, None]
    along = a if warp is None else np.broadcast_to(warp, a.shape)
    first = along - normal * np.sum(along * normal, axis=1, keepdims=True)
    first = first / norm(first)[:, None]
    second = np.cross(normal, first)
    rest = np.stack(
        [np.stack([np.sum(e * axis, axis=1) for e in (a, b)], axis=1) for axis in (first, second)],
        axis=1,
    )
    inner = inverse(rest)
    gradient = np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)
    return np.ascontiguousarray(gradient), area


@kernel
def clamp_tension(S, sign):
    """Part of a symmetric 2x2 stress with eigenvalues of that sign. Written: S."""
    mean, half = 0.5 * (S[0, 0] + S[1, 1]), 0.5 * (S[0, 0] - S[1, 1])
    radius = sqrt(half * half + S[0, 1] * S[0, 1])
    high, low = max(sign * (mean + radius), 0.0), max(sign * (mean - radius), 0.0)
    if radius == 0.0:
        S[0, 0] = S[1, 1] = sign * high
        S[0, 1] = S[1, 0] = 0.0
        return
    cosine, sine = half / radius, S[0, 1] / radius
    middle, spread = 0.5 * sign * (high + low), 0.5 * sign * (high - low)
    S[0, 0], S[1, 1] = middle + spread * cosine, middle - spread * cosine
    S[0, 1] = S[1, 0] = spread * sine
