"""Forces of elements at a velocity found, for Newton's corrections of a step.

Far from the solution the stress S(x₁) of a stiff element is anything: a turn wrong by 1e-4 rad is a
gigapascal in diamond, and its force in the new direction would send Newton astray. As in compliant
rows, directions and multipliers are kept apart: S̃ is the stress that the last solve reckoned with,

    S̃ = S(x₁ before) + (½ + β/h) D : sym(Fᵀ ΔF),     f = -V [F (S(x₁) - S̃) + F(x₁) S̃] g

with F of the guess, which the matrix has. At the solution S̃ = S(x₁), and nothing is left out.
"""

import numpy as np

from physics.jit import kernel
from physics.soft.elements import averaged, hexahedra, tetrahedra
from physics.soft.solve.element_assembly import hourglass_strain, membrane_strain
from physics.soft.solve.row_assembly import add_rows, gather


@kernel
def _mixed(way, kind, F0, F1, first, second, rate, side, stress, change, F, P, S, w):
    """P of a cell by the formula above; `change` is ΔF. Written: stress, F, P; S, w workspaces.

    Where the matrix has another tangent than D strains are large, and it is not needed.
    """
    averaged.average(kind, F0, F1, first, second, rate, False, F, P, S, w[:7])
    if way != averaged.BY_STRAIN:
        return
    e, expected = w[7], w[8]
    for i in range(3):
        for j in range(3):
            left = side[0, i] * change[0, j] + side[1, i] * change[1, j] + side[2, i] * change[2, j]
            right = (
                side[0, j] * change[0, i] + side[1, j] * change[1, i] + side[2, j] * change[2, i]
            )
            e[i, j] = (0.5 + rate) * 0.5 * (left + right)
    averaged.hooke(e, first, second, expected)
    for i in range(3):
        for j in range(3):
            expected[i, j] += stress[i, j]
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += side[i, k] * (S[k, j] - expected[k, j]) + F[i, k] * expected[k, j]
            P[i, j] = total
    for i in range(3):
        for j in range(3):
            stress[i, j] = S[i, j]


@kernel
def _add_stress_force(P, volume, gradient, nodes, f):
    """f_a -= V P g_a. Written: f."""
    for a in range(nodes.size):
        for i in range(3):
            f[nodes[a], i] -= volume * (
                P[i, 0] * gradient[a, 0] + P[i, 1] * gradient[a, 1] + P[i, 2] * gradient[a, 2]
            )


@kernel
def _tetrahedra(model, x0, x1, change, rate, ways, sides, stress, f):
    """`change` (n, 3): of positions by the last solve. Written: stress, f."""
    X, F, F0, F1 = np.empty((4, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    dF, P, S, w = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((9, 3, 3))
    for e in range(model.tet_nodes.shape[0]):
        nodes, gradient = model.tet_nodes[e], model.tet_gradient[e]
        gather(x0, nodes, X)
        tetrahedra.deformation(X, gradient, F0)
        gather(x1, nodes, X)
        tetrahedra.deformation(X, gradient, F1)
        gather(change, nodes, X)
        tetrahedra.deformation(X, gradient, dF)
        _mixed(
            ways[e], model.tet_kind[e], F0, F1, model.tet_lame[e, 0], model.tet_lame[e, 1], rate,
            sides[e], stress[e], dF, F, P, S, w,
        )  # fmt: skip
        _add_stress_force(P, model.tet_volume[e], gradient, nodes, f)


@kernel
def _add_hourglass_force(kind, side, F, q, q_change, u, D, pairs, rate, tau, gradient, gamma, nodes,
                         f, w):  # fmt: skip
    """The same of hourglass strains, J at the guess being γ a. Written: tau, f; w (3, 12)."""
    expected, now, ahead = w[0], w[1], w[2]
    hexahedra.strains(side, q_change, ahead)
    hexahedra.stresses(ahead, D, pairs, expected)
    hexahedra.stresses(u, D, pairs, now)
    for k in range(12):
        expected[k] = tau[k] + (0.5 + rate) * expected[k]
        tau[k] = now[k]
        now[k] -= expected[k]
    hexahedra.add_force(F, q, expected, gradient, gamma, nodes, f)
    hexahedra.add_force(side, 0.0 * q, now, gradient, gamma, nodes, f)


@kernel
def _hexahedra(model, x0, x1, change, rate, ways, sides, stress, tau, f):
    """Written: stress, tau, f."""
    X, F, F0, F1 = np.empty((8, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    dF, P, S, w = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((9, 3, 3))
    q0, q1, dq, u0, u = (
        np.empty((4, 3)),
        np.empty((4, 3)),
        np.empty((4, 3)),
        np.empty(12),
        np.empty(12),
    )
    D, pairs, space = np.empty(12), np.empty(6), np.empty((3, 12))
    for e in range(model.hex_nodes.shape[0]):
        nodes, gradient, gamma = model.hex_nodes[e], model.hex_gradient[e], model.hex_gamma[e]
        kind = model.hex_kind[e]
        gather(x0, nodes, X)
        tetrahedra.deformation(X, gradient, F0)
        hexahedra.hourglass(X, gamma, q0)
        gather(x1, nodes, X)
        tetrahedra.deformation(X, gradient, F1)
        hexahedra.hourglass(X, gamma, q1)
        gather(change, nodes, X)
        tetrahedra.deformation(X, gradient, dF)
        hexahedra.hourglass(X, gamma, dq)
        _mixed(
            ways[e], kind, F0, F1, model.hex_lame[e, 0], model.hex_lame[e, 1], rate, sides[e],
            stress[e], dF, F, P, S, w,
        )  # fmt: skip
        _add_stress_force(P, model.hex_volume[e], gradient, nodes, f)
        hourglass_strain(kind, F0, F1, F, q0, q1, rate, u0, u)
        hexahedra.moduli(
            model.hex_young[e, 0], model.hex_young[e, 1], model.hex_volume[e],
            model.hex_length[e], D, pairs,
        )  # fmt: skip
        _add_hourglass_force(
            kind, sides[e], F, q1, dq, u, D, pairs, rate, tau[e], gradient, gamma, nodes, f, space
        )


@kernel
def _sheets(corners, gradients, areas, stiffness, x0, x1, change, rate, sides, stress, f):
    """Written: stress, f."""
    k = corners.shape[1]
    X, F0, F1, dF = np.empty((k, 3)), np.empty((3, 2)), np.empty((3, 2)), np.empty((3, 2))
    early, late, T, R = np.empty(3), np.empty(3), np.empty((2, 2)), np.empty((2, 2))
    for e in range(corners.shape[0]):
        nodes, gradient, side = corners[e], gradients[e], sides[e]
        area, D = areas[e], stiffness[e]
        gather(x0, nodes, X)
        tetrahedra.deformation(X, gradient, F0)
        membrane_strain(F0, early)
        gather(x1, nodes, X)
        tetrahedra.deformation(X, gradient, F1)
        membrane_strain(F1, late)
        gather(change, nodes, X)
        tetrahedra.deformation(X, gradient, dF)
        for row in range(3):
            late[row] = (0.5 - rate) * early[row] + (0.5 + rate) * late[row]
        e00 = side[0, 0] * dF[0, 0] + side[1, 0] * dF[1, 0] + side[2, 0] * dF[2, 0]
        e11 = side[0, 1] * dF[0, 1] + side[1, 1] * dF[1, 1] + side[2, 1] * dF[2, 1]
        e01 = side[0, 0] * dF[0, 1] + side[1, 0] * dF[1, 1] + side[2, 0] * dF[2, 1]
        e01 += side[0, 1] * dF[0, 0] + side[1, 1] * dF[1, 0] + side[2, 1] * dF[2, 0]
        for row in range(3):
            now = D[row, 0] * late[0] + D[row, 1] * late[1] + D[row, 2] * late[2]
            expected = D[row, 0] * e00 + D[row, 1] * e11 + D[row, 2] * e01
            early[row] = stress[e, row] + (0.5 + rate) * expected
            stress[e, row] = now
        T[0, 0], T[1, 1] = early[0], early[1]
        T[0, 1] = T[1, 0] = early[2]
        R[0, 0], R[1, 1] = stress[e, 0] - early[0], stress[e, 1] - early[1]
        R[0, 1] = R[1, 0] = stress[e, 2] - early[2]
        for a in range(k):
            for j in range(2):
                t = area * (T[j, 0] * gradient[a, 0] + T[j, 1] * gradient[a, 1])
                r = area * (R[j, 0] * gradient[a, 0] + R[j, 1] * gradient[a, 1])
                for i in range(3):
                    f[nodes[a], i] -= 0.5 * (F0[i, j] + F1[i, j]) * t + side[i, j] * r


@kernel
def forces(model, x0, x1, change, rate, w, f):
    """Everything but links. Written: w (stresses), f; workspaces."""
    _tetrahedra(model, x0, x1, change, rate, w.tet_way, w.tet_side, w.tet_stress, f)
    _hexahedra(model, x0, x1, change, rate, w.hex_way, w.hex_side, w.hex_stress, w.hex_tau, f)
    _sheets(
        model.tri_nodes, model.tri_gradient, model.tri_area, model.tri_stiffness, x0, x1, change,
        rate, w.tri_side, w.tri_stress, f,
    )  # fmt: skip
    _sheets(
        model.quad_nodes, model.quad_gradient, model.quad_area, model.quad_stiffness, x0, x1,
        change, rate, w.quad_side, w.quad_stress, f,
    )  # fmt: skip
    add_rows(model, x0, x1, rate, 0.0, f, w.diagonal, w.off)
