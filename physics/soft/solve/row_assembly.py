"""Elements of one row each: areas, volumes and bending angles.

Over a step from x₀ to x₁ the row is averaged, its gradient is that halfway,

    λ = -k [(½ - β/h) φ(x₀) + (½ + β/h) φ(x₁)],    f += J̄ᵀλ

so neither momentum changes, and turning costs nothing. Energy is kept if J̄ (x₁ - x₀) = φ₁ - φ₀; for
areas and volumes what the gradient halfway lacks of that is added along the gradient of the squared
distances between the nodes (Gonzalez, Discrete gradients, 1996): with c = |d₁|² - |d₀|² of every
pair, Σ c ∂|d|²/∂x halfway has neither sum nor moment, and does the work Σ c².
"""

import numpy as np

from physics.jit import kernel
from physics.soft.elements import area, bending, volume

ALIKE = 1e-24  # of the distances to the fourth: below it nothing has changed but round-off


@kernel
def add_block(nodes, slots, H, diagonal, off):
    """Add the upper blocks H[a, b], a ≤ b, of one element. Written: diagonal, off.

    Edges store the block of (smaller, larger) node.
    """
    pair = 0
    for a in range(nodes.size):
        for i in range(3):
            for j in range(3):
                diagonal[nodes[a], i, j] += H[a, a, i, j]
        for b in range(a + 1, nodes.size):
            slot = slots[pair]
            if nodes[a] < nodes[b]:
                for i in range(3):
                    for j in range(3):
                        off[slot, i, j] += H[a, b, i, j]
            else:
                for i in range(3):
                    for j in range(3):
                        off[slot, i, j] += H[a, b, j, i]
            pair += 1


@kernel
def gather(x, nodes, X):
    """Copy the element's node positions. Written: X."""
    for a in range(nodes.size):
        for d in range(3):
            X[a, d] = x[nodes[a], d]


@kernel
def _halfway(X, Y):
    """Written: X."""
    for a in range(X.shape[0]):
        for d in range(3):
            X[a, d] = 0.5 * (X[a, d] + Y[a, d])


@kernel
def _add_row(nodes, slots, k, bent, material, J, H, f, diagonal, off):
    """Force and JᵀkJ of one row; φ's own curvature is indefinite. Written: H, f, diagonal, off."""
    for a in range(nodes.size):
        for i in range(3):
            f[nodes[a], i] -= k * bent * J[0, 3 * a + i]
    if material > 0.0:
        for a in range(nodes.size):
            for b in range(a, nodes.size):
                for i in range(3):
                    for j in range(3):
                        H[a, b, i, j] = material * k * J[0, 3 * a + i] * J[0, 3 * b + j]
        add_block(nodes, slots, H, diagonal, off)


@kernel
def _keep_energy(X, Y, change, J):
    """Add to J halfway what it lacks of the change of φ from X to Y. Written: J."""
    done = squares = scale = 0.0
    count = X.shape[0]
    for a in range(count):
        for d in range(3):
            done += J[0, 3 * a + d] * (Y[a, d] - X[a, d])
    for a in range(count):
        for b in range(a + 1, count):
            before = after = 0.0
            for d in range(3):
                before += (X[b, d] - X[a, d]) ** 2
                after += (Y[b, d] - Y[a, d]) ** 2
            squares += (after - before) ** 2
            scale += before * before
    if squares <= ALIKE * scale:
        return
    lacks = (change - done) / squares
    for a in range(count):
        for b in range(a + 1, count):
            c = 0.0
            for d in range(3):
                c += (Y[b, d] - Y[a, d]) ** 2 - (X[b, d] - X[a, d]) ** 2
            for d in range(3):
                way = lacks * c * (Y[b, d] - Y[a, d] + X[b, d] - X[a, d])
                J[0, 3 * b + d] += way
                J[0, 3 * a + d] -= way


@kernel
def add_areas(model, x0, x1, rate, material, f, diagonal, off):
    """Rows of areas. Written: f, diagonal, off."""
    X, Y, M = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    phi, J, H = np.empty(1), np.empty((1, 9)), np.empty((3, 3, 3, 3))
    for e in range(model.area_nodes.shape[0]):
        nodes, rest = model.area_nodes[e], model.area_rest[e]
        gather(x0, nodes, X)
        area.evaluate(X, rest, phi, J)
        before = phi[0]
        gather(x1, nodes, Y)
        area.evaluate(Y, rest, phi, J)
        bent, change = (0.5 - rate) * before + (0.5 + rate) * phi[0], phi[0] - before
        M[:] = X
        _halfway(M, Y)
        area.evaluate(M, rest, phi, J)
        _keep_energy(X, Y, change, J)
        _add_row(
            nodes, model.area_slot[e], model.area_stiffness[e], bent, material, J, H, f, diagonal,
            off,
        )  # fmt: skip


@kernel
def add_volumes(model, x0, x1, rate, material, f, diagonal, off):
    """Rows of volumes. Written: f, diagonal, off."""
    X, Y, M = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    phi, J, H = np.empty(1), np.empty((1, 12)), np.empty((4, 4, 3, 3))
    for e in range(model.volume_nodes.shape[0]):
        nodes, rest = model.volume_nodes[e], model.volume_rest[e]
        gather(x0, nodes, X)
        volume.evaluate(X, rest, phi, J)
        before = phi[0]
        gather(x1, nodes, Y)
        volume.evaluate(Y, rest, phi, J)
        bent, change = (0.5 - rate) * before + (0.5 + rate) * phi[0], phi[0] - before
        M[:] = X
        _halfway(M, Y)
        volume.evaluate(M, rest, phi, J)
        _keep_energy(X, Y, change, J)
        _add_row(
            nodes, model.volume_slot[e], model.volume_stiffness[e], bent, material, J, H, f,
            diagonal, off,
        )  # fmt: skip


@kernel
def add_hinges(model, x0, x1, rate, material, f, diagonal, off):
    """Bending elements. Written: f, diagonal, off."""
    X, Y, w = np.empty((4, 3)), np.empty((4, 3)), np.empty((5, 3))
    phi, J, H = np.empty(1), np.empty((1, 12)), np.empty((4, 4, 3, 3))
    for e in range(model.hinge_nodes.shape[0]):
        nodes, rest = model.hinge_nodes[e], model.hinge_rest[e]
        gather(x0, nodes, X)
        bending.evaluate(X, rest, w, phi, J)
        bent = (0.5 - rate) * phi[0]
        gather(x1, nodes, Y)
        bending.evaluate(Y, rest, w, phi, J)
        bent += (0.5 + rate) * phi[0]
        _halfway(X, Y)
        bending.evaluate(X, rest, w, phi, J)
        _add_row(
            nodes, model.hinge_slot[e], model.hinge_stiffness[e], bent, material, J, H, f, diagonal,
            off,
        )  # fmt: skip


@kernel
def add_rows(model, x0, x1, rate, material, f, diagonal, off):
    """All of them. Written: f, diagonal, off."""
    add_areas(model, x0, x1, rate, material, f, diagonal, off)
    add_volumes(model, x0, x1, rate, material, f, diagonal, off)
    add_hinges(model, x0, x1, rate, material, f, diagonal, off)


@kernel
def row_energy(model, x):
    """J."""
    X, w, phi, J = np.empty((4, 3)), np.empty((5, 3)), np.empty(1), np.empty((1, 12))
    energy = 0.0
    for e in range(model.area_nodes.shape[0]):
        gather(x, model.area_nodes[e], X)
        area.evaluate(X[:3], model.area_rest[e], phi, J)
        energy += 0.5 * model.area_stiffness[e] * phi[0] * phi[0]
    for e in range(model.volume_nodes.shape[0]):
        gather(x, model.volume_nodes[e], X)
        volume.evaluate(X, model.volume_rest[e], phi, J)
        energy += 0.5 * model.volume_stiffness[e] * phi[0] * phi[0]
    for e in range(model.hinge_nodes.shape[0]):
        gather(x, model.hinge_nodes[e], X)
        bending.evaluate(X, model.hinge_rest[e], w, phi, J)
        energy += 0.5 * model.hinge_stiffness[e] * phi[0] * phi[0]
    return energy
