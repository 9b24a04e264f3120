"""Elastic energy of the elements of a soft body, where it is."""

import numpy as np

from physics.jit import kernel
from physics.soft.elements import hexahedra, principal, tetrahedra
from physics.soft.solve.element_assembly import membrane_strain, membrane_stress
from physics.soft.solve.row_assembly import gather, row_energy


@kernel
def _cell_energy(kind, F, first, second, w):
    """Energy density of a cell at F, J/m³."""
    if kind == principal.GREEN:
        return tetrahedra.green_stress(F, first, second, w[0])
    if kind == principal.LINEAR:
        trace = F[0, 0] + F[1, 1] + F[2, 2] - 3.0
        square = 0.0
        for i in range(3):
            for j in range(3):
                e = 0.5 * (F[i, j] + F[j, i]) - (1.0 if i == j else 0.0)
                square += e * e
        return 0.5 * first * trace * trace + second * square
    principal.signed_svd(F, w[0], w[3, 0], w[1], w[2])
    return principal.density(kind, w[3, 0], first, second)


@kernel
def _hexahedra_energy(model, x):
    X, F, w = np.empty((8, 3)), np.empty((3, 3)), np.empty((4, 3, 3))
    q, u, tau, D, pairs = np.empty((4, 3)), np.empty(12), np.empty(12), np.empty(12), np.empty(6)
    energy = 0.0
    for e in range(model.hex_nodes.shape[0]):
        volume, kind = model.hex_volume[e], model.hex_kind[e]
        gather(x, model.hex_nodes[e], X)
        tetrahedra.deformation(X, model.hex_gradient[e], F)
        first, second = model.hex_lame[e, 0], model.hex_lame[e, 1]
        energy += volume * _cell_energy(kind, F, first, second, w)
        hexahedra.hourglass(X, model.hex_gamma[e], q)
        if kind == principal.LINEAR:
            F[:] = 0.0
            F[0, 0] = F[1, 1] = F[2, 2] = 1.0
        hexahedra.strains(F, q, u)
        hexahedra.moduli(
            model.hex_young[e, 0], model.hex_young[e, 1], volume, model.hex_length[e], D, pairs
        )
        energy += hexahedra.stresses(u, D, pairs, tau)
    return energy


@kernel
def _sheets_energy(corners, gradients, areas, stiffness, x):
    X, F, S = np.empty((corners.shape[1], 3)), np.empty((3, 2)), np.empty((2, 2))
    strain, energy = np.empty(3), 0.0
    for e in range(corners.shape[0]):
        gather(x, corners[e], X)
        tetrahedra.deformation(X, gradients[e], F)
        membrane_strain(F, strain)
        energy += areas[e] * membrane_stress(stiffness[e], strain, S)
    return energy


@kernel
def element_energy(model, x):
    """Energy of everything but links at x, J."""
    X, F, space = np.empty((4, 3)), np.empty((3, 3)), np.empty((4, 3, 3))
    energy = _hexahedra_energy(model, x) + row_energy(model, x)
    for e in range(model.tet_nodes.shape[0]):
        gather(x, model.tet_nodes[e], X)
        tetrahedra.deformation(X, model.tet_gradient[e], F)
        energy += model.tet_volume[e] * _cell_energy(
            model.tet_kind[e], F, model.tet_lame[e, 0], model.tet_lame[e, 1], space
        )
    energy += _sheets_energy(
        model.tri_nodes, model.tri_gradient, model.tri_area, model.tri_stiffness, x
    )
    return energy + _sheets_energy(
        model.quad_nodes, model.quad_gradient, model.quad_area, model.quad_stiffness, x
    )
