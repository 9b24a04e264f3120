"""Position-based dynamics, with and without multipliers.

Constraint by constraint, Gauss-Seidel over all of them `iterations` times a step:

    Δλ = -(C + α̃ λ)/(∇C M⁻¹ ∇Cᵀ + α̃),   x += M⁻¹ ∇Cᵀ Δλ,   α̃ = compliance/h²          [Macklin16]

"pbd" forgets λ after every projection [Müller07]: the more iterations, the stiffer.

Threads are lengths, hinges angles, triangles three Green strains with D⁻¹/A, tetrahedra the two
constraints of a Neo-Hookean solid, √tr(FᵀF) with 1/(μV) and det F - 1 - μ/λ with 1/(λV) [Macklin21].
"""

from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from physics.jit import kernel
from physics.soft.comparators.comparator import ITERATIONS, Comparator, speed_up
from physics.soft.comparators.projection import begin_rows, project_rows
from physics.soft.elements import bending, tetrahedra
from physics.soft.solve.element_assembly import gather, membrane_strain

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody


@kernel
def _move(model, pinned, nodes, J, size, x):
    """x += M⁻¹ Jᵀ size, J (k, 3). Written: x."""
    for a in range(nodes.size):
        i = nodes[a]
        if not pinned[i]:
            for d in range(3):
                x[i, d] += size * J[a, d] / model.mass[i]


@kernel
def _mobility(model, pinned, nodes, J):
    """J M⁻¹ Jᵀ."""
    total = 0.0
    for a in range(nodes.size):
        if not pinned[nodes[a]]:
            total += (J[a, 0] ** 2 + J[a, 1] ** 2 + J[a, 2] ** 2) / model.mass[nodes[a]]
    return total


@kernel
def _project(model, pinned, nodes, J, value, soft, keeps, lam, x):
    """One constraint; returns its multiplier. Written: x."""
    give = _mobility(model, pinned, nodes, J) + soft
    if give == 0.0:
        return lam
    change = -(value + (soft * lam if keeps else 0.0)) / give
    _move(model, pinned, nodes, J, change, x)
    return lam + change


@kernel
def _links(model, pinned, h, keeps, lam, x):
    """Written: lam (kg m), x."""
    J = np.empty((2, 3))
    for e in range(model.link_nodes.shape[0]):
        k = model.link_stiffness[e]
        if k == 0.0:
            continue
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        size = 0.0
        for d in range(3):
            J[0, d] = x[i, d] - x[j, d]
            size += J[0, d] ** 2
        size = max(sqrt(size), 1e-12)
        for d in range(3):
            J[0, d] /= size
            J[1, d] = -J[0, d]
        soft = (1.0 - model.link_memory[e]) / (k * h * h)
        value = size - model.link_length[e]
        lam[e] = _project(model, pinned, model.link_nodes[e], J, value, soft, keeps, lam[e], x)


@kernel
def _hinges(model, pinned, h, keeps, lam, x):
    """Written: lam, x."""
    X, w, phi, J = np.empty((4, 3)), np.empty((5, 3)), np.empty(1), np.empty((1, 12))
    for e in range(model.hinge_nodes.shape[0]):
        k = model.hinge_stiffness[e]
        if k == 0.0:
            continue
        nodes = model.hinge_nodes[e]
        gather(x, nodes, X)
        bending.evaluate(X, model.hinge_rest[e], w, phi, J)
        soft = 1.0 / (k * h * h)
        lam[e] = _project(
            model, pinned, nodes, J.reshape((4, 3)), phi[0], soft, keeps, lam[e], x
        )  # fmt: skip


@kernel
def _three(A, b):
    """A⁻¹b by Cramer's rule, A (3, 3). Written: b."""
    c0 = A[1, 1] * A[2, 2] - A[1, 2] * A[2, 1]
    c1 = A[1, 2] * A[2, 0] - A[1, 0] * A[2, 2]
    c2 = A[1, 0] * A[2, 1] - A[1, 1] * A[2, 0]
    det = A[0, 0] * c0 + A[0, 1] * c1 + A[0, 2] * c2
    x, y, z = b[0], b[1], b[2]
    d0, d1 = A[0, 2] * A[2, 1] - A[0, 1] * A[2, 2], A[0, 0] * A[2, 2] - A[0, 2] * A[2, 0]
    d2, e0 = A[0, 1] * A[2, 0] - A[0, 0] * A[2, 1], A[0, 1] * A[1, 2] - A[0, 2] * A[1, 1]
    e1, e2 = A[0, 2] * A[1, 0] - A[0, 0] * A[1, 2], A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
    b[0] = (c0 * x + d0 * y + e0 * z) / det
    b[1] = (c1 * x + d1 * y + e1 * z) / det
    b[2] = (c2 * x + d2 * y + e2 * z) / det


@kernel
def _triangles(model, compliance, pinned, h, keeps, lam, x):
    """Three strains at once. Written: lam (s, 3), x."""
    X, F, e, A, b = np.empty((3, 3)), np.empty((3, 2)), np.empty(3), np.empty((3, 3)), np.empty(3)
    J = np.empty((3, 3, 3))  # row, node, axis
    for t in range(model.tri_nodes.shape[0]):
        nodes, g, area = model.tri_nodes[t], model.tri_gradient[t], model.tri_area[t]
        if model.tri_stiffness[t, 0, 0] == 0.0:
            continue
        gather(x, nodes, X)
        tetrahedra.deformation(X, g, F)
        membrane_strain(F, e)
        for a in range(3):
            for d in range(3):
                J[0, a, d] = F[d, 0] * g[a, 0]
                J[1, a, d] = F[d, 1] * g[a, 1]
                J[2, a, d] = F[d, 0] * g[a, 1] + F[d, 1] * g[a, 0]
        for i in range(3):
            b[i] = -e[i]
            for j in range(3):
                soft = compliance[t, i, j] / (area * h * h)
                A[i, j] = soft
                if keeps:
                    b[i] -= soft * lam[t, j]
                for a in range(3):
                    if not pinned[nodes[a]]:
                        for d in range(3):
                            A[i, j] += J[i, a, d] * J[j, a, d] / model.mass[nodes[a]]
        _three(A, b)
        for i in range(3):
            lam[t, i] += b[i]
            _move(model, pinned, nodes, J[i], b[i], x)


@kernel
def _tetrahedra(model, pinned, h, keeps, lam, x):
    """Shape, then volume. Written: lam (t, 2), x."""
    X, F, J, K = np.empty((4, 3)), np.empty((3, 3)), np.empty((4, 3)), np.empty((3, 3))
    for t in range(model.tet_nodes.shape[0]):
        nodes, g, volume = model.tet_nodes[t], model.tet_gradient[t], model.tet_volume[t]
        first, second = model.tet_lame[t, 0], model.tet_lame[t, 1]
        if second * volume == 0.0:
            continue
        gather(x, nodes, X)
        tetrahedra.deformation(X, g, F)
        size = 0.0
        for i in range(3):
            for j in range(3):
                size += F[i, j] ** 2
        size = max(sqrt(size), 1e-9)
        for a in range(4):
            for d in range(3):
                J[a, d] = (F[d, 0] * g[a, 0] + F[d, 1] * g[a, 1] + F[d, 2] * g[a, 2]) / size
        soft = 1.0 / (second * volume * h * h)
        lam[t, 0] = _project(model, pinned, nodes, J, size, soft, keeps, lam[t, 0], x)
        gather(x, nodes, X)
        tetrahedra.deformation(X, g, F)
        for i in range(3):
            p, q = (i + 1) % 3, (i + 2) % 3
            for j in range(3):
                r, s = (j + 1) % 3, (j + 2) % 3
                K[i, j] = F[p, r] * F[q, s] - F[p, s] * F[q, r]
        value = F[0, 0] * K[0, 0] + F[0, 1] * K[0, 1] + F[0, 2] * K[0, 2] - 1.0 - second / first
        for a in range(4):
            for d in range(3):
                J[a, d] = K[d, 0] * g[a, 0] + K[d, 1] * g[a, 1] + K[d, 2] * g[a, 2]
        soft = 1.0 / (first * volume * h * h)
        lam[t, 1] = _project(model, pinned, nodes, J, value, soft, keeps, lam[t, 1], x)


@kernel
def project(model, state, rows, compliance, h, iterations, keeps, start, angles, strains, cells):
    """All constraints, again and again, from state.x. Written: state.x, state.lam, rows; the rest.

    Multipliers are kg m here, and forces (N) in state.lam at the end.
    """
    state.lam[:] = 0.0
    begin_rows(rows)
    for _ in range(iterations):
        _tetrahedra(model, state.pinned, h, keeps, cells, state.x)
        _triangles(model, compliance, state.pinned, h, keeps, strains, state.x)
        _hinges(model, state.pinned, h, keeps, angles, state.x)
        _links(model, state.pinned, h, keeps, state.lam, state.x)
        project_rows(model, rows, state.pinned, start, h, state.x)
    for e in range(state.lam.size):
        state.lam[e] /= h * h


class PositionBased(Comparator):
    """[Müller07]: multipliers are forgotten."""

    springs: ClassVar[bool] = False
    keeps: ClassVar[bool] = False

    def __init__(self, iterations: int = ITERATIONS) -> None:
        super().__init__(iterations)
        self._compliance = np.zeros((0, 3, 3))

    def step(self, body: "SoftBody", h: float) -> None:
        model, state, start = body.model, body.state, body.x.copy()
        if len(self._compliance) != len(model.tri_nodes):
            whole = model.tri_stiffness[:, 0, 0] > 0.0
            self._compliance = np.zeros_like(model.tri_stiffness)
            self._compliance[whole] = np.linalg.inv(model.tri_stiffness[whole])
        speed_up(model, state, body.gravity, h, body.work)
        body.x[...] += h * body.v
        project(
            model, state, body.rows, self._compliance, h, self.iterations, self.keeps, start,
            np.zeros(len(model.hinge_nodes)), np.zeros((len(model.tri_nodes), 3)),
            np.zeros((len(model.tet_nodes), 2)),
        )  # fmt: skip
        body.v[...] = (body.x - start) / h
        body.corrections = self.iterations


class Extended(PositionBased):
    """[Macklin16]: multipliers are kept within a step."""

    keeps: ClassVar[bool] = True
