"""Forces and matrix of all elements of a soft body.

Every kernel adds, for the elements of its kind,

    f += Jᵀλ = -∂E/∂x                                  (elastic force at x)
    A += material · JᵀC⁻¹J + geometric · (-K̃)₊           (3x3 blocks on nodes and edges)

where (·)₊ is the positive semi-definite part, found per element: tension stiffens, compression is
left out. It returns the elastic energy. Materials in principal stretches have no such split; their
projected stiffness goes in with the factor `material`.

With carried momentum the geometric part G also multiplies velocities: carried += G u, where u is
the velocity to be kept (physics/soft/solve/soft_step.py).
"""

import numpy as np

from physics.jit import kernel
from physics.soft.elements import bending, membrane, principal, tetrahedra


@kernel
def _add_block(i, j, slot, H, scale, diagonal, off):
    """Add scale·H at (i, j), i ≠ j; edges store the block of (smaller, larger). Written: off."""
    if i < j:
        for a in range(3):
            for b in range(3):
                off[slot, a, b] += scale * H[a, b]
    else:
        for a in range(3):
            for b in range(3):
                off[slot, a, b] += scale * H[b, a]


@kernel
def _add_element(nodes, slots, H, scale, diagonal, off):
    """Add the upper blocks H[a, b], a ≤ b, of one element. Written: diagonal, off."""
    pair = 0
    for a in range(nodes.size):
        for i in range(3):
            for j in range(3):
                diagonal[nodes[a], i, j] += scale * H[a, a, i, j]
        for b in range(a + 1, nodes.size):
            _add_block(nodes[a], nodes[b], slots[pair], H[a, b], scale, diagonal, off)
            pair += 1


@kernel
def _add_scalar(i, j, slot, value, u, carried, diagonal, off):
    """Add value·1 at (i, j) and what it carries. Written: carried, diagonal, off."""
    if i == j:
        for d in range(3):
            diagonal[i, d, d] += value
            carried[i, d] += value * u[i, d]
    else:
        for d in range(3):
            off[slot, d, d] += value
            carried[i, d] += value * u[j, d]
            carried[j, d] += value * u[i, d]


@kernel
def _gather(x, nodes, X):
    """Copy the element's node positions. Written: X."""
    for a in range(nodes.size):
        for d in range(3):
            X[a, d] = x[nodes[a], d]


@kernel
def _stress_force(F, S, gradient, size, nodes, f):
    """f_a -= size F S g_a. Written: f."""
    for a in range(nodes.size):
        for i in range(3):
            total = 0.0
            for j in range(S.shape[0]):
                for k in range(S.shape[0]):
                    total += F[i, j] * S[j, k] * gradient[a, k]
            f[nodes[a], i] -= size * total


@kernel
def _stress_stiffness(S, gradient, size, nodes, slots, u, carried, diagonal, off):
    """Add size (g_a·S g_b) 1, S being a tension. Written: carried, diagonal, off."""
    pair = 0
    for a in range(nodes.size):
        for b in range(a, nodes.size):
            value = 0.0
            for j in range(S.shape[0]):
                for k in range(S.shape[0]):
                    value += gradient[a, j] * S[j, k] * gradient[b, k]
            _add_scalar(
                nodes[a], nodes[b], slots[pair] if a != b else 0, size * value,
                u, carried, diagonal, off,
            )  # fmt: skip
            pair += a != b


@kernel
def add_tetrahedra(model, x, material, geometric, u, carried, f, diagonal, off):
    """Solid elements; returns their energy. Written: carried, f, diagonal, off."""
    X, F, S, H = np.empty((4, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((4, 4, 3, 3))
    p, G, T, w = np.empty((4, 3)), np.empty((3, 3, 3)), np.empty((3, 3, 3, 3)), np.empty((7, 3, 3))
    energy = 0.0
    for e in range(model.tet_nodes.shape[0]):
        nodes, slots = model.tet_nodes[e], model.tet_slot[e]
        gradient, volume = model.tet_gradient[e], model.tet_volume[e]
        first, second = model.tet_lame[e, 0], model.tet_lame[e, 1]
        _gather(x, nodes, X)
        tetrahedra.deformation(X, gradient, F)
        if model.tet_kind[e] == principal.GREEN:
            energy += volume * tetrahedra.green_stress(F, first, second, S)
            _stress_force(F, S, gradient, volume, nodes, f)
            tetrahedra.material_blocks(F, gradient, volume, first, second, p, H)
            if geometric > 0.0:
                principal.clamp_positive(S, w[0], w[1])
                _stress_stiffness(
                    S, gradient, geometric * volume, nodes, slots, u, carried, diagonal, off
                )
        else:
            energy += volume * principal.stress_and_tangent(
                model.tet_kind[e], F, first, second, True, S, T, w
            )
            for a in range(4):
                for i in range(3):
                    for k in range(3):
                        f[nodes[a], i] -= volume * S[i, k] * gradient[a, k]
            principal.blocks_from_tangent(T, gradient, volume, G, H)
        _add_element(nodes, slots, H, material, diagonal, off)
    return energy


@kernel
def _membrane_stress(F, D, S, strain):
    """Stress and strain of one triangle; returns the energy density. Written: S, strain (3,)."""
    for row, (i, j) in enumerate(membrane.VOIGT):
        product = F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j]
        strain[row] = product if i != j else 0.5 * (product - 1.0)
    energy = 0.0
    for row, (i, j) in enumerate(membrane.VOIGT):
        value = D[row, 0] * strain[0] + D[row, 1] * strain[1] + D[row, 2] * strain[2]
        S[i, j] = S[j, i] = value
        energy += 0.5 * value * strain[row]
    return energy


@kernel
def _membrane_blocks(F, D, gradient, area, J, H):
    """JᵀDJ of one triangle, a ≤ b. Written: H (3, 3, 3, 3); J [row, node, axis] workspace."""
    for row, (i, j) in enumerate(membrane.VOIGT):
        for a in range(3):
            for d in range(3):
                if i == j:
                    J[row, a, d] = F[d, i] * gradient[a, i]
                else:
                    J[row, a, d] = F[d, i] * gradient[a, j] + F[d, j] * gradient[a, i]
    for a in range(3):
        for i in range(3):
            d0 = area * (D[0, 0] * J[0, a, i] + D[0, 1] * J[1, a, i] + D[0, 2] * J[2, a, i])
            d1 = area * (D[1, 0] * J[0, a, i] + D[1, 1] * J[1, a, i] + D[1, 2] * J[2, a, i])
            d2 = area * (D[2, 0] * J[0, a, i] + D[2, 1] * J[1, a, i] + D[2, 2] * J[2, a, i])
            for b in range(a, 3):
                for j in range(3):
                    H[a, b, i, j] = d0 * J[0, b, j] + d1 * J[1, b, j] + d2 * J[2, b, j]


@kernel
def add_triangles(model, x, material, geometric, u, carried, f, diagonal, off):
    """Membrane elements; returns their energy. Written: carried, f, diagonal, off."""
    X, F, S, strain = np.empty((3, 3)), np.empty((3, 2)), np.empty((2, 2)), np.empty(3)
    H, J = np.empty((3, 3, 3, 3)), np.empty((3, 3, 3))
    energy = 0.0
    for e in range(model.tri_nodes.shape[0]):
        nodes, slots = model.tri_nodes[e], model.tri_slot[e]
        gradient, area, D = model.tri_gradient[e], model.tri_area[e], model.tri_stiffness[e]
        _gather(x, nodes, X)
        tetrahedra.deformation(X, gradient, F)
        energy += area * _membrane_stress(F, D, S, strain)
        _stress_force(F, S, gradient, area, nodes, f)
        _membrane_blocks(F, D, gradient, area, J, H)
        if geometric > 0.0:
            membrane.clamp_tension(S, 1.0)
            _stress_stiffness(
                S, gradient, geometric * area, nodes, slots, u, carried, diagonal, off
            )
        _add_element(nodes, slots, H, material, diagonal, off)
    return energy


@kernel
def add_hinges(model, x, material, f, diagonal, off):
    """Bending elements, JᵀkJ only: θ's own curvature is indefinite; returns the energy.

    Written: f, diagonal, off.
    """
    X, w, phi, J = np.empty((4, 3)), np.empty((5, 3)), np.empty(1), np.empty((1, 12))
    H = np.empty((4, 4, 3, 3))
    energy = 0.0
    for e in range(model.hinge_nodes.shape[0]):
        nodes, k = model.hinge_nodes[e], model.hinge_stiffness[e]
        _gather(x, nodes, X)
        bending.evaluate(X, model.hinge_rest[e], w, phi, J)
        energy += 0.5 * k * phi[0] * phi[0]
        for a in range(4):
            for i in range(3):
                f[nodes[a], i] -= k * phi[0] * J[0, 3 * a + i]
                for b in range(a, 4):
                    for j in range(3):
                        H[a, b, i, j] = k * J[0, 3 * a + i] * J[0, 3 * b + j]
        _add_element(nodes, model.hinge_slot[e], H, material, diagonal, off)
    return energy


@kernel
def element_energy(model, x):
    """Energy of tetrahedra, triangles and hinges at x, J."""
    X, F, S, strain = np.empty((4, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    F2, w, phi, J = np.empty((3, 2)), np.empty((5, 3)), np.empty(1), np.empty((1, 12))
    energy = 0.0
    for e in range(model.tet_nodes.shape[0]):
        first, second = model.tet_lame[e, 0], model.tet_lame[e, 1]
        gradient, volume = model.tet_gradient[e], model.tet_volume[e]
        _gather(x, model.tet_nodes[e], X)
        if model.tet_kind[e] == principal.GREEN:
            tetrahedra.deformation(X, gradient, F)
            energy += volume * tetrahedra.green_stress(F, first, second, S)
        else:
            energy += principal.element_energy(
                model.tet_kind[e], X, gradient, volume, first, second
            )
    for e in range(model.tri_nodes.shape[0]):
        _gather(x, model.tri_nodes[e], X)
        tetrahedra.deformation(X[:3], model.tri_gradient[e], F2)
        energy += model.tri_area[e] * _membrane_stress(F2, model.tri_stiffness[e], S, strain)
    for e in range(model.hinge_nodes.shape[0]):
        _gather(x, model.hinge_nodes[e], X)
        bending.evaluate(X, model.hinge_rest[e], w, phi, J)
        energy += 0.5 * model.hinge_stiffness[e] * phi[0] * phi[0]
    return energy


@kernel
def apply_pins(edges, pinned, velocity, diagonal, off, b):
    """Prescribe the velocity of pinned nodes: identity rows, known terms moved to the right.

    Written: diagonal, off, b.
    """
    for e in range(edges.shape[0]):
        i, j = edges[e, 0], edges[e, 1]
        if pinned[i] or pinned[j]:
            for a in range(3):
                for c in range(3):
                    if pinned[i] and not pinned[j]:
                        b[j, c] -= off[e, a, c] * velocity[i, a]
                    elif pinned[j] and not pinned[i]:
                        b[i, a] -= off[e, a, c] * velocity[j, c]
                    off[e, a, c] = 0.0
    for i in range(pinned.size):
        if pinned[i]:
            for a in range(3):
                b[i, a] = velocity[i, a]
                for c in range(3):
                    diagonal[i, a, c] = 1.0 if a == c else 0.0
