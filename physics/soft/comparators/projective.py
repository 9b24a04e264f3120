"""Projective dynamics [Bouaziz14]: local projections, and a global solve with a constant matrix.

    (M/h² + Σ w SᵀS) Δx = M (s - x)/h² + Σ w Sᵀ (p - S x),   s = x_n + h v + h² f/m

p is the nearest state without strain: a thread of its length, a turned triangle or tetrahedron. The
matrix is factorised once for all steps, until something is pinned or cut. A solid is w = E V: it
stretches as it should and has ν = 0.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from physics.jit import kernel
from physics.jit.threads import new_board
from physics.soft.comparators.comparator import Comparator, speed_up
from physics.soft.comparators.row_projection import begin_rows, project_rows
from physics.soft.elements import principal, tetrahedra
from physics.soft.solve import soft_step
from physics.soft.solve.row_assembly import gather
from physics.solver.spd.triangular import solve_one

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody


@kernel
def _cell_weight(model, t):
    """E V, N m."""
    first, second = model.tet_lame[t, 0], model.tet_lame[t, 1]
    if second == 0.0:
        return 0.0
    return second * (3.0 * first + 2.0 * second) / (first + second) * model.tet_volume[t]


@kernel
def _sheet_weight(model, t):
    """E t A of the softer direction, N m."""
    D = model.tri_stiffness[t]
    return 0.0 if D[0, 0] == 0.0 else (D[1, 1] - D[0, 1] ** 2 / D[0, 0]) * model.tri_area[t]


@kernel
def _add_weights(nodes, slots, gradient, weight, diagonal, off):
    """w SᵀS of one element. Written: diagonal, off."""
    pair = 0
    for a in range(nodes.size):
        for b in range(a, nodes.size):
            value = 0.0
            for j in range(gradient.shape[1]):
                value += weight * gradient[a, j] * gradient[b, j]
            for d in range(3):
                if a == b:
                    diagonal[nodes[a], d, d] += value
                else:
                    off[slots[pair], d, d] += value
            pair += a != b


@kernel
def load_matrix(model, h, w):
    """M + h² Σ w SᵀS. Written: w."""
    soft_step.clear(w)
    square = h * h
    for i in range(model.mass.size):
        for d in range(3):
            w.diagonal[i, d, d] = model.mass[i]
    for e in range(model.link_nodes.shape[0]):
        if model.link_slot[e] >= 0:  # weak ones are on the right side only
            i, j, k = model.link_nodes[e, 0], model.link_nodes[e, 1], model.link_stiffness[e]
            for d in range(3):
                w.diagonal[i, d, d] += square * k
                w.diagonal[j, d, d] += square * k
                w.off[model.link_slot[e], d, d] -= square * k
    for t in range(model.tet_nodes.shape[0]):
        weight = square * _cell_weight(model, t)
        _add_weights(
            model.tet_nodes[t], model.tet_slot[t], model.tet_gradient[t], weight, w.diagonal, w.off
        )
    for t in range(model.tri_nodes.shape[0]):
        weight = square * _sheet_weight(model, t)
        _add_weights(
            model.tri_nodes[t], model.tri_slot[t], model.tri_gradient[t], weight, w.diagonal, w.off
        )


@kernel
def _pull_sheet(F):
    """F minus the nearest turned sheet, F (FᵀF)^-½. Written: F (3, 2)."""
    a = F[0, 0] ** 2 + F[1, 0] ** 2 + F[2, 0] ** 2
    b = F[0, 0] * F[0, 1] + F[1, 0] * F[1, 1] + F[2, 0] * F[2, 1]
    c = F[0, 1] ** 2 + F[1, 1] ** 2 + F[2, 1] ** 2
    s = sqrt(max(a * c - b * b, 1e-18))
    t = sqrt(a + c + 2.0 * s)
    # √C = (C + s)/t, its inverse has determinant 1/s
    p, q, r = (c + s) / (t * s), -b / (t * s), (a + s) / (t * s)
    for i in range(3):
        x, y = F[i, 0], F[i, 1]
        F[i, 0] -= p * x + q * y
        F[i, 1] -= q * x + r * y


@kernel
def _pull_cell(F, w):
    """F minus the nearest rotation. Written: F; w (4, 3, 3) workspace."""
    U, V = w[0], w[1]
    principal.signed_svd(F, U, w[3, 0], V, w[2])
    for i in range(3):
        for j in range(3):
            F[i, j] -= U[i, 0] * V[j, 0] + U[i, 1] * V[j, 1] + U[i, 2] * V[j, 2]


@kernel
def _add_pull(F, gradient, nodes, scale, r):
    """Written: r += scale F g_a."""
    for a in range(nodes.size):
        for i in range(3):
            for j in range(gradient.shape[1]):
                r[nodes[a], i] += scale * F[i, j] * gradient[a, j]


@kernel
def residual(model, x, goal, pinned, h, lam, r):
    """h² times the right side. Written: r, lam."""
    X, F3, F2 = np.empty((4, 3)), np.empty((3, 3)), np.empty((3, 2))
    w, square = np.empty((4, 3, 3)), h * h
    for i in range(model.mass.size):
        for d in range(3):
            r[i, d] = model.mass[i] * (goal[i, d] - x[i, d])
    for e in range(model.link_nodes.shape[0]):
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        size = max(sqrt(d0 * d0 + d1 * d1 + d2 * d2), 1e-12)
        lam[e] = -model.link_stiffness[e] * (size - model.link_length[e])
        for d, way in enumerate((d0, d1, d2)):
            r[i, d] += square * lam[e] * way / size
            r[j, d] -= square * lam[e] * way / size
    for t in range(model.tet_nodes.shape[0]):
        nodes, g = model.tet_nodes[t], model.tet_gradient[t]
        gather(x, nodes, X)
        tetrahedra.deformation(X, g, F3)
        _pull_cell(F3, w)
        _add_pull(F3, g, nodes, -square * _cell_weight(model, t), r)
    for t in range(model.tri_nodes.shape[0]):
        nodes, g = model.tri_nodes[t], model.tri_gradient[t]
        gather(x, nodes, X)
        tetrahedra.deformation(X[:3], g, F2)
        _pull_sheet(F2)
        _add_pull(F2, g, nodes, -square * _sheet_weight(model, t), r)
    for i in range(pinned.size):
        if pinned[i]:
            r[i] = 0.0


class Projective(Comparator):
    """Keeps the factor of its matrix."""

    springs: ClassVar[bool] = True

    def __init__(self, iterations: int = 20) -> None:
        super().__init__(iterations)
        self._made_for: Any = None

    def _factorise(self, body: "SoftBody", h: float) -> None:
        body.fit_matrix(h)  # may replace model and work: look at them afterwards
        model, w = body.model, body.work
        made_for = (
            h, body.pattern, body.state.pinned.tobytes(), model.link_stiffness.tobytes(),
            model.tet_gradient.tobytes(), model.tet_lame.tobytes(), model.tri_stiffness.tobytes(),
        )  # fmt: skip
        if made_for == self._made_for and body.factored:
            return
        load_matrix(model, h, w)
        body.solve_free(np.zeros_like(body.x))
        self._made_for = made_for

    def step(self, body: "SoftBody", h: float) -> None:
        self._factorise(body, h)
        model, state, w, start = body.model, body.state, body.work, body.x.copy()
        speed_up(model, state, body.gravity, h, w)
        goal = start + h * body.v
        body.x[...] = goal
        begin_rows(body.rows)
        board = new_board()
        for _ in range(self.iterations):
            residual(model, body.x, goal, state.pinned, h, state.lam, w.trial)
            solve_one(board, body.symbolic, w.factor, w.trial, w.vector, w.delta)
            body.x[...] += w.delta
            project_rows(model, body.rows, state.pinned, start, h, body.x)
        body.v[...] = (body.x - start) / h
        body.corrections = self.iterations
