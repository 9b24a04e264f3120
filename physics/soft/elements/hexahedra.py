"""Hexahedra that bend and twist as they should: eighteen strains for eighteen deformations.

The deformation of the middle, F = Σ x_a g_aᵀ with mean gradients g, carries the material as that of
a tetrahedron does. What a brick can do besides are four *hourglass* vectors

    q_α = Σ γ_αa x_a,     α = 12, 23, 31: ∂²x/∂X_i∂X_j,     123: ∂³x/∂X₁∂X₂∂X₃

zero at rest and for every linear field (γ is made orthogonal to them, so patch tests pass). With
the sides a_i = F e_i of the middle they give twelve more strains u = a_i·q_α, all of which a turn
leaves alone, each quadratic in x: averages over a step keep energy and momenta (averaged.py).

    bending     ∂ε₁₁/∂X₂ = a₁·q₁₂, ∂ε₃₃/∂X₂ = a₃·q₂₃ and cyclically, in pairs; the side along X₂ is
                free, so the pair has the modulus of plane stress, Y/(1 - ν²) [1 ν; ν 1]
    twist       ∂γ₁₃/∂X₂ = a₃·q₁₂ + a₁·q₂₃, ∂γ₂₃/∂X₁ = a₃·q₁₂ + a₂·q₃₁, ∂γ₁₂/∂X₃ = a₁·q₂₃ + a₂·q₃₁
    rest        ∂²ε₁₁/∂X₂∂X₃ = a₁·q₁₂₃ and cyclically, modulus Y

The parasitic shear of bending, ∂γ₁₂/∂X₁ = a₁·q₁₂, is left out: it is what makes plain bricks and
tetrahedra lock; for a rectangular brick this is the element with incompatible modes [Taylor76] in
closed form. Volume is counted in the middle only, so ν → ½ does not lock either.
Weights: ∫X₂² = V L₂²/12, ∫X₂²X₃² = V L₂²L₃²/144.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel
from physics.portable import determinant, inverse, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIGNS = np.array(list(product((-1.0, 1.0), repeat=3)))  # ξ η ζ of corners 4x + 2y + z
_PATTERNS = np.stack(
    [SIGNS[:, 0] * SIGNS[:, 1], SIGNS[:, 1] * SIGNS[:, 2], SIGNS[:, 2] * SIGNS[:, 0],
     SIGNS[:, 0] * SIGNS[:, 1] * SIGNS[:, 2]], axis=1,
)  # fmt: skip
STRAINS = 12
# u_k = a_i·q_α: side i and hourglass α of every strain
SIDE = (0, 2, 1, 2, 0, 1, 2, 0, 1, 0, 1, 2)
GLASS = (0, 1, 0, 2, 2, 1, 0, 1, 2, 3, 3, 3)
# entries (k, l) of D that are not on the diagonal, k < l: bending pairs, then twist
PAIRS = ((0, 1), (2, 3), (4, 5), (6, 7), (6, 8), (7, 8))


class Shape(NamedTuple):
    """What of hexahedra does not change; vectors in each cell's own axes."""

    gradient: Floats  # (m, 8, 3) 1/m
    volume: Floats  # (m,) m³, negative where a cell is inside out
    gamma: Floats  # (m, 8, 4) 1/m², the last 1/m³
    length: Floats  # (m, 3) m: sides


def _jacobian(X: Floats, at: Floats) -> Floats:
    """∂X/∂ξ (m, 3, 3) at a point ξ of cells X (m, 8, 3)."""
    other = [np.delete(np.arange(3), axis) for axis in range(3)]
    slopes = [
        0.125 * SIGNS[:, d] * (1 + SIGNS[:, other[d][0]] * at[other[d][0]])
        * (1 + SIGNS[:, other[d][1]] * at[other[d][1]])
        for d in range(3)
    ]  # fmt: skip
    return np.stack([np.sum(X * slope[:, None], axis=1) for slope in slopes], axis=2)


def _slopes(at: Floats) -> Floats:
    """∂N/∂ξ (8, 3) at a point ξ."""
    factors = 1 + SIGNS * at
    return np.stack(
        [0.125 * SIGNS[:, d] * factors[:, (d + 1) % 3] * factors[:, (d + 2) % 3] for d in range(3)],
        axis=1,
    )


def _axes(middle: Floats) -> Floats:
    """Orthonormal axes (m, 3, 3), in columns, along the sides of cells, the first exactly."""
    first = middle[:, :, 0] / norm(middle[:, :, 0])[:, None]
    second = middle[:, :, 1] - first * np.sum(first * middle[:, :, 1], axis=1, keepdims=True)
    second = second / norm(second)[:, None]
    return np.stack([first, second, np.cross(first, second)], axis=2)


def shape(position: Floats, nodes: Ints) -> Shape:
    """Of cells (m, 8) at rest in these positions, by 2 x 2 x 2 Gauss points."""
    X = position[nodes]
    middle = _jacobian(X, np.zeros(3))
    axes = _axes(middle)
    X = np.sum((X - X.mean(axis=1, keepdims=True))[:, :, :, None] * axes[:, None], axis=2)
    volume, gradient = np.zeros(len(nodes)), np.zeros((len(nodes), 8, 3))
    for at in SIGNS / np.sqrt(3.0):
        J = _jacobian(X, at)
        size, inner, slopes = determinant(J), inverse(J), _slopes(at)
        volume += size
        gradient += size[:, None, None] * np.sum(
            slopes[None, :, :, None] * inner[:, None, :, :], axis=2
        )
    gradient /= volume[:, None, None]
    length = 2.0 * norm(middle.transpose(0, 2, 1).reshape(-1, 3)).reshape(-1, 3)
    gamma = np.broadcast_to(_PATTERNS, (len(nodes), 8, 4)).copy()
    for d in range(3):
        along = np.sum(_PATTERNS * X[:, :, d, None], axis=1)
        gamma -= along[:, None, :] * gradient[:, :, d, None]
    first, second, third = length.T
    scale = [2 * first * second, 2 * second * third, 2 * third * first, first * second * third]
    gamma /= np.stack(scale, axis=1)[:, None, :]
    return Shape(np.ascontiguousarray(gradient), volume, np.ascontiguousarray(gamma), length)


@kernel
def hourglass(X, gamma, q):
    """q_α of one cell, X (8, 3). Written: q (4, 3)."""
    for k in range(4):
        for d in range(3):
            total = 0.0
            for a in range(8):
                total += gamma[a, k] * X[a, d]
            q[k, d] = total


@kernel
def strains(F, q, u):
    """u of one cell; F has the sides in its columns. Written: u (12,)."""
    for k in range(STRAINS):
        i, c = SIDE[k], GLASS[k]
        u[k] = F[0, i] * q[c, 0] + F[1, i] * q[c, 1] + F[2, i] * q[c, 2]


@kernel
def moduli(young, poisson, volume, length, diagonal, pairs):
    """D of one cell. Written: its diagonal (12,), its other entries (6,) as in PAIRS."""
    shear = young / (2.0 * (1.0 + poisson)) * volume / 12.0
    plane = young / (1.0 - poisson * poisson) * volume / 12.0
    x, y, z = length[0] * length[0], length[1] * length[1], length[2] * length[2]
    diagonal[0] = diagonal[1] = plane * y
    diagonal[2] = diagonal[3] = plane * x
    diagonal[4] = diagonal[5] = plane * z
    pairs[0], pairs[1], pairs[2] = poisson * plane * y, poisson * plane * x, poisson * plane * z
    diagonal[6], diagonal[7], diagonal[8] = shear * (x + y), shear * (y + z), shear * (x + z)
    pairs[3], pairs[4], pairs[5] = shear * y, shear * x, shear * z
    rest = young * volume / 144.0
    diagonal[9], diagonal[10], diagonal[11] = rest * y * z, rest * x * z, rest * x * y


@kernel
def stresses(u, diagonal, pairs, tau):
    """τ = D u; returns ½ u·τ. Written: tau (12,)."""
    for k in range(STRAINS):
        tau[k] = diagonal[k] * u[k]
    for p, (k, m) in enumerate(PAIRS):
        tau[k] += pairs[p] * u[m]
        tau[m] += pairs[p] * u[k]
    energy = 0.0
    for k in range(STRAINS):
        energy += 0.5 * u[k] * tau[k]
    return energy


@kernel
def add_force(F, q, tau, gradient, gamma, nodes, f):
    """f_a -= Σ τ_k (g_ai q_α + γ_αa a_i), F and q halfway. Written: f."""
    for a in range(8):
        for k in range(STRAINS):
            i, c = SIDE[k], GLASS[k]
            along, across = tau[k] * gradient[a, i], tau[k] * gamma[a, c]
            for d in range(3):
                f[nodes[a], d] -= along * q[c, d] + across * F[d, i]


@kernel
def _add_outer(value, F, i, j, M):
    """M += value a_i a_jᵀ. Written: M."""
    for c in range(3):
        for d in range(3):
            M[c, d] += value * F[c, i] * F[d, j]


@kernel
def add_blocks(F, gamma, diagonal, pairs, M, Y, H):
    """JᵀDJ of the hourglass strains with J = γ_αa a_i, a ≤ b: what q would add is small.

    Written: H (8, 8, 3, 3); workspaces M (4, 4, 3, 3), Y (4, 3, 3).
    """
    M[:] = 0.0
    for k in range(STRAINS):
        _add_outer(diagonal[k], F, SIDE[k], SIDE[k], M[GLASS[k], GLASS[k]])
    for p, (k, m) in enumerate(PAIRS):
        _add_outer(pairs[p], F, SIDE[k], SIDE[m], M[GLASS[k], GLASS[m]])
        _add_outer(pairs[p], F, SIDE[m], SIDE[k], M[GLASS[m], GLASS[k]])
    for a in range(8):
        for c in range(4):
            for i in range(3):
                for j in range(3):
                    total = 0.0
                    for e in range(4):
                        total += gamma[a, e] * M[e, c, i, j]
                    Y[c, i, j] = total
        for b in range(a, 8):
            for i in range(3):
                for j in range(3):
                    H[a, b, i, j] += (
                        Y[0, i, j] * gamma[b, 0] + Y[1, i, j] * gamma[b, 1]
                        + Y[2, i, j] * gamma[b, 2] + Y[3, i, j] * gamma[b, 3]
                    )  # fmt: skip
