"""Position-based dynamics, with and without multipliers.

Constraint by constraint, Gauss-Seidel over all of them `iterations` times a step:

    Δλ = -(C + α̃ λ)/(∇C M⁻¹ ∇Cᵀ + α̃),   x += M⁻¹ ∇Cᵀ Δλ,   α̃ = compliance/h²          [Macklin16]

"pbd" forgets λ after every projection [Müller07]: the more iterations, the stiffer.

Threads are lengths, hinges angles, triangles three Green strains with D⁻¹/A, tetrahedra the shape
and the volume of a corotational solid: |F - R| with 1/(2μV), and tr(RᵀF) - 3 with 1/(λV).
"""

from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from physics.jit import kernel
from physics.portable import inverse
from physics.soft.comparators.comparator import ITERATIONS, Comparator, speed_up
from physics.soft.comparators.row_projection import begin_rows, project_rows
from physics.soft.elements import bending, principal, tetrahedra
from physics.soft.solve.element_assembly import membrane_strain
from physics.soft.solve.row_assembly import gather

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
    for e in range(model.link_nodes.shape[0]):
        k = model.link_stiffness[e]
        if k == 0.0:
            continue
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        first = 0.0 if pinned[i] else 1.0 / model.mass[i]
        second = 0.0 if pinned[j] else 1.0 / model.mass[j]
        soft = (1.0 - model.link_memory[e]) / (k * h * h)
        if first + second == 0.0:
            continue
        d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        size = max(sqrt(d0 * d0 + d1 * d1 + d2 * d2), 1e-12)
        change = size - model.link_length[e]
        if keeps:
            change += soft * lam[e]
        change /= -(first + second + soft)
        lam[e] += change
        for d, way in enumerate((d0, d1, d2)):
            x[i, d] += first * change * way / size
            x[j, d] -= second * change * way / size


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
        lam[e] = _project(model, pinned, nodes, J.reshape((4, 3)), phi[0], soft, keeps, lam[e], x)


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
def _turn(model, t, x, X, F, R, w):
    """F and its rotation. Written: X, F, R; w (4, 3, 3) workspace."""
    gather(x, model.tet_nodes[t], X)
    tetrahedra.deformation(X, model.tet_gradient[t], F)
    U, V = w[0], w[1]
    principal.signed_svd(F, U, w[3, 0], V, w[2])
    for i in range(3):
        for j in range(3):
            R[i, j] = U[i, 0] * V[j, 0] + U[i, 1] * V[j, 1] + U[i, 2] * V[j, 2]


@kernel
def _tetrahedra(model, pinned, h, keeps, lam, x):
    """Shape, then volume. Written: lam (t, 2), x."""
    X, F, J, R = np.empty((4, 3)), np.empty((3, 3)), np.empty((4, 3)), np.empty((3, 3))
    w = np.empty((4, 3, 3))
    for t in range(model.tet_nodes.shape[0]):
        nodes, g, volume = model.tet_nodes[t], model.tet_gradient[t], model.tet_volume[t]
        first, second = model.tet_lame[t, 0], model.tet_lame[t, 1]
        if second * volume == 0.0:
            continue
        _turn(model, t, x, X, F, R, w)
        size = 0.0
        for i in range(3):
            for j in range(3):
                F[i, j] -= R[i, j]
                size += F[i, j] ** 2
        size = sqrt(size)
        if size > 1e-12:
            for a in range(4):
                for d in range(3):
                    J[a, d] = (F[d, 0] * g[a, 0] + F[d, 1] * g[a, 1] + F[d, 2] * g[a, 2]) / size
            soft = 1.0 / (2.0 * second * volume * h * h)
            lam[t, 0] = _project(model, pinned, nodes, J, size, soft, keeps, lam[t, 0], x)
        gather(x, nodes, X)
        tetrahedra.deformation(X, g, F)
        value = -3.0
        for i in range(3):
            for j in range(3):
                value += R[i, j] * F[i, j]
        for a in range(4):
            for d in range(3):
                J[a, d] = R[d, 0] * g[a, 0] + R[d, 1] * g[a, 1] + R[d, 2] * g[a, 2]
        soft = 1.0 / (first * volume * h * h) if first > 0.0 else 1e300
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
            kinds, which = np.unique(model.tri_stiffness, axis=0, return_inverse=True)
            softs = [inverse(D) if D[0, 0] > 0.0 else 0.0 * D for D in kinds]
            self._compliance = np.array(softs).reshape(-1, 3, 3)[which.ravel()]
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
