"""Forces and matrix of all elements of a soft body.

Every kernel adds, for the elements of its kind and a step from x₀ to x₁ (the same twice: at rest),

    f += Jᵀλ                                           (elastic force over the step)
    A += material · JᵀC⁻¹J + geometric · (-K̃)₊           (3x3 blocks on nodes and edges)

with strains averaged and directions halfway (physics/soft/elements/averaged.py). (·)₊ is the
positive semi-definite part, found per element: tension stiffens, compression is left out. It is
that of x₀: at a guess of x₁ the stress of a stiff element is anything. Materials in principal
stretches have no such split where strains are large; their projected stiffness goes in with the
factor `material`. Where that factor is zero only forces are found. `rate` is β/h of the damping.
"""

import numpy as np

from physics.jit import kernel
from physics.soft.elements import averaged, hexahedra, membrane, principal, tetrahedra
from physics.soft.solve.row_assembly import add_block, add_rows, gather


@kernel
def _add_stress_stiffness(S, gradient, scale, H):
    """H_ab += scale (g_a·S g_b) 1, a ≤ b, S being a tension. Written: H."""
    for a in range(gradient.shape[0]):
        for b in range(a, gradient.shape[0]):
            value = 0.0
            for j in range(S.shape[0]):
                for k in range(S.shape[0]):
                    value += gradient[a, j] * S[j, k] * gradient[b, k]
            for d in range(3):
                H[a, b, d, d] += scale * value


@kernel
def _cell(
    kind, first, second, volume, gradient, nodes, rate, material, geometric, F0, F1, F, S, f, H, w,
    p,
):  # fmt: skip
    """Force of one cell between F₀ and F₁; its blocks, a ≤ b, where there is a factor.

    Returns which tangent they are.

    Written: F halfway, S, f, H (k, k, 3, 3); workspaces w (9, 3, 3), p (k, 3).
    """
    P = w[7]
    found = averaged.average(kind, F0, F1, first, second, rate, material > 0.0, F, P, S, w[:7])
    for a in range(nodes.size):
        for i in range(3):
            f[nodes[a], i] -= volume * (
                P[i, 0] * gradient[a, 0] + P[i, 1] * gradient[a, 1] + P[i, 2] * gradient[a, 2]
            )
    if material == 0.0:
        return found
    if found == averaged.BY_STRAIN:
        tetrahedra.material_blocks(F, gradient, material * volume, first, second, p, H)
        if geometric > 0.0 and kind != principal.LINEAR:
            averaged.strain(kind, F0, F1, 1.0, 0.0, w[2])
            averaged.hooke(w[2], first, second, w[8])
            principal.clamp_positive(w[8], w[0], w[1])
            _add_stress_stiffness(w[8], gradient, geometric * volume, H)
        return found
    principal.stretch_blocks(
        kind, w[0], w[6, 0], w[1], first, second, w[6, 1], w[2], gradient, material * volume,
        w[3:6], p, H,
    )  # fmt: skip
    return found


@kernel
def add_tetrahedra(model, x0, x1, rate, material, geometric, ways, sides, stress, f, diagonal, off):
    """Written: tangent, F halfway and S̄ of every cell in ways, sides, stress; f, diagonal, off."""
    X, F0, F1 = np.empty((4, 3)), np.empty((3, 3)), np.empty((3, 3))
    w = np.empty((9, 3, 3))
    H, p = np.empty((4, 4, 3, 3)), np.empty((4, 3))
    for e in range(model.tet_nodes.shape[0]):
        nodes, gradient = model.tet_nodes[e], model.tet_gradient[e]
        gather(x0, nodes, X)
        tetrahedra.deformation(X, gradient, F0)
        gather(x1, nodes, X)
        tetrahedra.deformation(X, gradient, F1)
        ways[e] = _cell(
            model.tet_kind[e], model.tet_lame[e, 0], model.tet_lame[e, 1], model.tet_volume[e],
            gradient, nodes, rate, material, geometric, F0, F1, sides[e], stress[e], f, H, w, p,
        )  # fmt: skip
        if material > 0.0:
            add_block(nodes, model.tet_slot[e], H, diagonal, off)


@kernel
def hourglass_strain(kind, F0, F1, F, q0, q1, rate, u0, u):
    """Averaged hourglass strains. Written: u (12,); q1 halfway; F0, F1, u0 workspaces."""
    if kind == principal.LINEAR:
        F0[:] = F
        F1[:] = F
    hexahedra.strains(F0, q0, u0)
    hexahedra.strains(F1, q1, u)
    for k in range(12):
        u[k] = (0.5 - rate) * u0[k] + (0.5 + rate) * u[k]
    for k in range(4):
        for d in range(3):
            q1[k, d] = 0.0 if kind == principal.LINEAR else 0.5 * (q0[k, d] + q1[k, d])


@kernel
def add_hexahedra(
    model, x0, x1, rate, material, geometric, ways, sides, stress, tau, f, diagonal, off
):
    """Written: tangent, F halfway, S̄ and τ̄ of every cell; f, diagonal, off."""
    X, F0, F1 = np.empty((8, 3)), np.empty((3, 3)), np.empty((3, 3))
    w = np.empty((9, 3, 3))
    H, p, Y = np.empty((8, 8, 3, 3)), np.empty((8, 3)), np.empty((4, 3, 3))
    q0, q1, u0, u1 = np.empty((4, 3)), np.empty((4, 3)), np.empty(12), np.empty(12)
    D, pairs, M = np.empty(12), np.empty(6), np.empty((4, 4, 3, 3))
    for e in range(model.hex_nodes.shape[0]):
        nodes, gradient, gamma = model.hex_nodes[e], model.hex_gradient[e], model.hex_gamma[e]
        kind, volume, F = model.hex_kind[e], model.hex_volume[e], sides[e]
        gather(x0, nodes, X)
        tetrahedra.deformation(X, gradient, F0)
        hexahedra.hourglass(X, gamma, q0)
        gather(x1, nodes, X)
        tetrahedra.deformation(X, gradient, F1)
        hexahedra.hourglass(X, gamma, q1)
        ways[e] = _cell(
            kind, model.hex_lame[e, 0], model.hex_lame[e, 1], volume, gradient, nodes, rate,
            material, geometric, F0, F1, F, stress[e], f, H, w, p,
        )  # fmt: skip
        hourglass_strain(kind, F0, F1, F, q0, q1, rate, u0, u1)
        hexahedra.moduli(
            model.hex_young[e, 0], model.hex_young[e, 1], volume, model.hex_length[e], D, pairs
        )
        hexahedra.stresses(u1, D, pairs, tau[e])
        hexahedra.add_force(F, q1, tau[e], gradient, gamma, nodes, f)
        if material > 0.0:
            for k in range(12):
                D[k] *= material
            for k in range(6):
                pairs[k] *= material
            hexahedra.add_blocks(F, gamma, D, pairs, M, Y, H)
            add_block(nodes, model.hex_slot[e], H, diagonal, off)


@kernel
def membrane_strain(F, strain):
    """(ε₁₁, ε₂₂, 2ε₁₂). Written: strain (3,)."""
    for row, (i, j) in enumerate(membrane.VOIGT):
        product = F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j]
        strain[row] = product if i != j else 0.5 * (product - 1.0)


@kernel
def membrane_stress(D, strain, S):
    """Stress of one triangle; returns the energy density. Written: S (2, 2)."""
    energy = 0.0
    for row, (i, j) in enumerate(membrane.VOIGT):
        value = D[row, 0] * strain[0] + D[row, 1] * strain[1] + D[row, 2] * strain[2]
        S[i, j] = S[j, i] = value
        energy += 0.5 * value * strain[row]
    return energy


@kernel
def _membrane_blocks(F, D, gradient, area, J, H):
    """JᵀDJ of one sheet element, a ≤ b. Written: H (k, k, 3, 3); J [row, node, axis] workspace."""
    count = gradient.shape[0]
    for row, (i, j) in enumerate(membrane.VOIGT):
        for a in range(count):
            for d in range(3):
                if i == j:
                    J[row, a, d] = F[d, i] * gradient[a, i]
                else:
                    J[row, a, d] = F[d, i] * gradient[a, j] + F[d, j] * gradient[a, i]
    for a in range(count):
        for i in range(3):
            d0 = area * (D[0, 0] * J[0, a, i] + D[0, 1] * J[1, a, i] + D[0, 2] * J[2, a, i])
            d1 = area * (D[1, 0] * J[0, a, i] + D[1, 1] * J[1, a, i] + D[1, 2] * J[2, a, i])
            d2 = area * (D[2, 0] * J[0, a, i] + D[2, 1] * J[1, a, i] + D[2, 2] * J[2, a, i])
            for b in range(a, count):
                for j in range(3):
                    H[a, b, i, j] = d0 * J[0, b, j] + d1 * J[1, b, j] + d2 * J[2, b, j]


@kernel
def _add_sheets(
    corners, gradients, areas, stiffness, slots, x0, x1, rate, material, geometric, sides, stress,
    f, diagonal, off,
):  # fmt: skip
    """Membrane elements of k nodes. Written: F halfway and stress of each; f, diagonal, off."""
    k = corners.shape[1]
    X, F1, S, before = np.empty((k, 3)), np.empty((3, 2)), np.empty((2, 2)), np.empty((2, 2))
    strain, late = np.empty(3), np.empty(3)
    H, J = np.empty((k, k, 3, 3)), np.empty((3, k, 3))
    for e in range(corners.shape[0]):
        nodes, gradient, area, D, F = corners[e], gradients[e], areas[e], stiffness[e], sides[e]
        gather(x0, nodes, X)
        tetrahedra.deformation(X, gradient, F)
        membrane_strain(F, strain)
        membrane_stress(D, strain, before)
        gather(x1, nodes, X)
        tetrahedra.deformation(X, gradient, F1)
        membrane_strain(F1, late)
        for row in range(3):
            strain[row] = (0.5 - rate) * strain[row] + (0.5 + rate) * late[row]
            for j in range(2):
                F[row, j] = 0.5 * (F[row, j] + F1[row, j])
        membrane_stress(D, strain, S)
        stress[e, 0], stress[e, 1], stress[e, 2] = S[0, 0], S[1, 1], S[0, 1]
        for a in range(k):
            s0 = area * (S[0, 0] * gradient[a, 0] + S[0, 1] * gradient[a, 1])
            s1 = area * (S[1, 0] * gradient[a, 0] + S[1, 1] * gradient[a, 1])
            for i in range(3):
                f[nodes[a], i] -= F[i, 0] * s0 + F[i, 1] * s1
        if material > 0.0:
            _membrane_blocks(F, D, gradient, material * area, J, H)
            if geometric > 0.0:
                membrane.clamp_tension(before, 1.0)
                _add_stress_stiffness(before, gradient, geometric * area, H)
            add_block(nodes, slots[e], H, diagonal, off)


@kernel
def add_elements(model, x0, x1, rate, material, geometric, w, f, diagonal, off):
    """Everything but links. Written: w (sides and stresses), f, diagonal, off."""
    add_tetrahedra(
        model, x0, x1, rate, material, geometric, w.tet_way, w.tet_side, w.tet_stress, f, diagonal,
        off,
    )  # fmt: skip
    add_hexahedra(
        model, x0, x1, rate, material, geometric, w.hex_way, w.hex_side, w.hex_stress, w.hex_tau, f,
        diagonal, off,
    )  # fmt: skip
    _add_sheets(
        model.tri_nodes, model.tri_gradient, model.tri_area, model.tri_stiffness, model.tri_slot,
        x0, x1, rate, material, geometric, w.tri_side, w.tri_stress, f, diagonal, off,
    )  # fmt: skip
    _add_sheets(
        model.quad_nodes, model.quad_gradient, model.quad_area, model.quad_stiffness,
        model.quad_slot, x0, x1, rate, material, geometric, w.quad_side, w.quad_stress, f, diagonal,
        off,
    )  # fmt: skip
    add_rows(model, x0, x1, rate, material, f, diagonal, off)


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
