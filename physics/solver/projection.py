"""Bounded rows: projected Gauss-Seidel on the Schur complement of the exactly solved joints.

Row u has the response r_u = A⁻¹ J_uᵀ, a solve with the factor over its component (two blocks for
a free body). One row update:

    w = J_u x + bias_u + Σ dμ_u,   Δ = -w / (J_u r_u + Σ),   project μ + Δ,   x += r_u Δ

where x is the velocity (or its correction), so every joint holds exactly during the sweeps and
the iteration sees only what can open, slide or saturate.
"""

from physics.jit import kernel
from physics.params import IMMOVABLE, REDUNDANCY
from physics.solver.ldu import solve
from physics.state import GRAB


@kernel
def respond(scene, h):
    """Responses and diagonals of the listed rows with the present factor.

    Writes unilateral.response and diagonal, and Σ, Γ of grab rows.
    """
    elements, system, rows = scene.elements, scene.system, scene.unilateral
    x, share = system.residual, immovable(system)
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        for half in range(2):
            for k in range(rows.span[u, 2 * half], rows.span[u, 2 * half + 1]):
                x[k, 0] = 0.0
                x[k, 1] = 0.0
                x[k, 2] = 0.0
        for s in range(4):
            k = system.position_of[elements.node[e, s]]
            if k >= 0:
                for c in range(3):
                    x[k, c] += elements.J_start[e, s, r, c]
        target = rows.offset[u]
        for half in range(2):
            first, stop = rows.span[u, 2 * half], rows.span[u, 2 * half + 1]
            if stop > first:
                solve(system, x, first, stop)
            for k in range(first, stop):
                for c in range(3):
                    rows.response[target, c] = x[k, c]
                target += 1
        rows.diagonal[u] = row_at_places(elements, system, e, r, x)
        if rows.diagonal[u] < share * _mobility_alone(elements, system, e, r):
            rows.diagonal[u] = 0.0
            continue
        if elements.mode[e, r] == GRAB:
            _scale_grab(scene, e, r, rows.diagonal[u], h)
        rows.diagonal[u] += elements.sigma[e, r]


@kernel
def immovable(system):
    """Share of what bodies give way alone that is nothing: loops are loosened by a little less."""
    for e in system.bilateral:
        if system.loops[e]:
            return 10.0 * REDUNDANCY
    return IMMOVABLE


@kernel
def _mobility_alone(elements, system, e, r):
    """Σ |J|²/tr M over the free nodes of a row: how far it gives way at least without joints."""
    total = 0.0
    for s in range(4):
        node = elements.node[e, s]
        if system.position_of[node] >= 0:
            J, M = elements.J_start[e, s, r], system.mass[node]
            square = J[0] * J[0] + J[1] * J[1] + J[2] * J[2]
            total += square / (M[0, 0] + M[1, 1] + M[2, 2])
    return total


@kernel
def row_at_places(elements, system, e, r, x):
    """J x of a row, x given at places."""
    total = 0.0
    for s in range(4):
        k = system.position_of[elements.node[e, s]]
        if k >= 0:
            for c in range(3):
                total += elements.J[e, s, r, c] * x[k, c]
    return total


@kernel
def _scale_grab(scene, e, r, mobility, h):
    """A spring of given frequency on the mass it meets, critically damped, of bounded force.

    Close to the axis of a hinge a point gives way as if it had the mass of a mountain: what is
    drawn there is no heavier than all that hangs together.
    """
    elements = scene.elements
    mass = min(1.0 / max(mobility, 1e-12), _mass_together(scene, elements.body[e, 0]))
    omega = elements.grab_frequency[e]
    C = 1.0 / (mass * omega * omega)
    elements.gamma[e, r] = 1.0 / (1.0 + C * (2.0 * mass * omega) / h)
    elements.sigma[e, r] = C / (h * elements.kick[e]) * elements.gamma[e, r]
    elements.upper[e, r] = mass * elements.grab_acceleration[e]
    elements.lower[e, r] = -elements.upper[e, r]


@kernel
def _mass_together(scene, body):
    """Of everything that joints connect with the body, kg."""
    component, total = scene.system.component, 0.0
    for b in scene.system.bodies:
        if component[b] == component[body]:
            total += scene.bodies.mass[b]
    return total


@kernel
def warm_start(scene, x):
    """Begins with the previous step's forces: x += r_u μ_u; writes x, elements.mu and change."""
    elements, rows = scene.elements, scene.unilateral
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        mu = 0.0
        if rows.diagonal[u] > 0.0:
            mu = min(max(elements.lam[e, r], elements.lower[e, r]), elements.upper[e, r])
            mu *= elements.kick[e]
        elements.mu[e, r] = mu
        rows.change[u] = mu
        apply(scene, u, mu, x)


@kernel
def apply(scene, u, amount, x):
    """x += r_u · amount, at places that rows read (`contact/solver/reads.py`); writes x."""
    rows, reads = scene.unilateral, scene.system.reads
    shift = rows.offset[u]
    for half in range(2):
        first, stop = rows.span[u, 2 * half], rows.span[u, 2 * half + 1]
        if first == stop:
            continue
        shift -= first
        for i in range(first, reads[1, first]):
            k = reads[0, i]
            for c in range(3):
                x[k, c] += amount * rows.response[shift + k, c]
        shift += stop


@kernel
def update_bounded_rows(scene, x):
    """One Gauss–Seidel update of every listed row; returns the largest change of speed, m/s.

    Writes x, elements.mu, unilateral.change.
    """
    elements, system, rows = scene.elements, scene.system, scene.unilateral
    worst = 0.0
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        if rows.diagonal[u] <= 0.0:
            continue
        w = row_at_places(elements, system, e, r, x) + rows.bias[u]
        w += elements.sigma[e, r] * rows.change[u]
        old = elements.mu[e, r]
        new = old - w / rows.diagonal[u]
        kick = elements.kick[e]
        new = min(max(new, elements.lower[e, r] * kick), elements.upper[e, r] * kick)
        if new != old:
            elements.mu[e, r] = new
            rows.change[u] += new - old
            apply(scene, u, new - old, x)
            worst = max(worst, abs(new - old) * rows.diagonal[u])
    return worst
