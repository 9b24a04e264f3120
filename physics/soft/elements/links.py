"""Distance link between two particles.

    φ = l - L,  l = |x₀ - x₁|,  u = (x₀ - x₁)/l
    J = (uᵀ, -uᵀ)
    K̃ = (λ/l) [P -P; -P P],  P = 1 - u uᵀ          [Tournier15, Eq. 14]

Force on the particles +Jᵀλ, λ = -kφ with stiffness k = 1/C: a taut link has λ < 0, and then -K̃ is
positive semi-definite: tension resists sideways motion. Compression would make it indefinite
(buckling), so only tension enters the matrix.
"""

from math import sqrt

from physics.jit import kernel


@kernel
def directions(x, nodes, length, u, phi):
    """Unit vectors and elongations of all links. Written: u (m, 3), phi (m,)."""
    for e in range(nodes.shape[0]):
        i, j = nodes[e, 0], nodes[e, 1]
        d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        current = sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        phi[e] = current - length[e]
        scale = 1.0 / current if current > 0.0 else 0.0
        u[e, 0], u[e, 1], u[e, 2] = d0 * scale, d1 * scale, d2 * scale


@kernel
def add_pair(i, j, slot, edges, along, across, u, diagonal, off):
    """Add along·uuᵀ + across·(1 - uuᵀ), times [1 -1; -1 1], to the matrix. Written: diagonal, off.

    The block is symmetric, so the direction of the stored edge does not matter.
    """
    for a in range(3):
        for b in range(3):
            value = (along - across) * u[a] * u[b] + (across if a == b else 0.0)
            diagonal[i, a, b] += value
            diagonal[j, a, b] += value
            off[slot, a, b] -= value


@kernel
def add_force(nodes, u, lam, scale, f):
    """f += scale Jᵀλ over all links. Written: f."""
    for e in range(nodes.shape[0]):
        i, j, size = nodes[e, 0], nodes[e, 1], scale * lam[e]
        for d in range(3):
            f[i, d] += size * u[e, d]
            f[j, d] -= size * u[e, d]


@kernel
def closing_speed(nodes, u, v, rate):
    """J v of every link. Written: rate."""
    for e in range(nodes.shape[0]):
        i, j = nodes[e, 0], nodes[e, 1]
        rate[e] = (
            u[e, 0] * (v[i, 0] - v[j, 0])
            + u[e, 1] * (v[i, 1] - v[j, 1])
            + u[e, 2] * (v[i, 2] - v[j, 2])
        )
