"""One step of a soft body: assemble, factorise once, solve, correct.

State between steps are positions x_n and velocities v of half a step before, (x_n - x_{n-1})/h.

*Elements* (integrator "conserving", the default). With f̄(x₀, x₁), the average of a step that keeps
energy and momenta (physics/soft/elements/averaged.py),

    M (v₊ - v) = ½h [f̄(x_{n-1}, x_n) + f̄(x_n, x_n + h v₊)] + h f

which is M Δv_n = h f̄, Δx = h ½(v_n + v_{n+1}) with the half steps taken for unknowns: what a
contact or a seam stops has stopped, and v_n = v + ½h M⁻¹(f̄ + f) is what is reported. The matrix is
M + ¼h²K at the guess v₊ = v, and corrections use its factor, one triangular solve each.

*Elements* otherwise: one linear solve, K = JᵀC⁻¹J at x_n,

    (M̃ + a h² K) v₊ = M v + h f - h Jᵀ C⁻¹ φ + b h² K v

| integrator | a | b | |
|---|---|---|---|
| euler | 1 | 0 | compliant rows of [Tournier15, Eq. 21] condensed: λ₊ = -C⁻¹(φ + h J v₊) |
| servin | ½ + τ/h | 0 | [Servin06, Eq. 20], γ = 1/a |
| spook | ¼ + τ/h | ¼ | keeps the energy of a linear oscillator for τ = 0 |

*Links* are constraints: λ₊ = -C⁻¹(φ + h J v₊) with directions at x_n, and M̃:

| stabilization | M̃ | G u |
|---|---|---|
| none | M | 0 |
| geometric | M - h² (K̃)₋ | 0: M v on the right, [Tournier15, Eq. 21] |
| adaptive | M + G, the part of h² (-K̃)₊ that is needed | u = v - σ (v - v̄): momentum is kept |

The needed part is pairwise on the relative transverse velocity,
w = h²|λ|/l·max(0, θ - α/y), y = h²(|λ|/l)(d_i/m_i + d_j/m_j) with d the number of links on a node.
The running average v̄ of that velocity turns with the link, so rigid motion costs nothing. Only
inertia that was there in the last step has momentum to keep: a cloth that snaps taut would
otherwise gain that of the inertia its tension adds.

*Corrections.* The linear step leaves links longer by ½(turn)². Force directions stay at x_n, but
φ(x₊) = -C λ₊ is solved by Newton with the same factor: residual h J_nᵀ(λ_eff - λ(x₊)), where λ_eff
is the multiplier that balances the momentum now. Weak links, which the matrix leaves out
(physics/soft/solve/weak_links.py), become implicit by the same solves.

*Rows.* Contacts and attachments (physics/soft/contact/soft_rows.py) enter between `assemble` and
`solve_free` as blocks on the nodes they act on; physics/soft/coupling/coupled_solve.py finds which
of them act.

*Guard.* Where that does not converge (a crumpled cloth snapping taut) the step is taken again as
backward Euler by full Newton: dissipative, a factorisation per iteration, and very robust.
"""

from physics.jit import kernel, kernel_without_lock
from physics.soft.elements import links
from physics.soft.elements.conserving import ELEMENT_TOLERANCE
from physics.soft.solve import element_assembly, element_residual, local_rotation
from physics.soft.solve.link_step import (
    ADAPTIVE,
    BETA,
    NONE,
    add_links,
    average_links,
    balance_links,
)
from physics.solver.spd.conjugate_gradients import conjugate_gradients, solve_turned
from physics.solver.spd.factor import factorise
from physics.solver.spd.matrix import multiply
from physics.solver.spd.triangular import solve_one

SHRINKS, BIG = 0.3, 1e300  # factor by which a correction shrinks what is left, but for round-off
EXACT = 1e-6  # m/s: momentum left over by a solve, per mass, that is not worth a second one


@kernel
def _add_inertia(model, state, h, gravity, stabilization, share, w):
    """Masses into the matrix; momentum and forces into the right side. Written: w.

    A body that starts has its velocity of now, and `share` = ½: half a step of forces to come.
    """
    for i in range(model.mass.size):
        m = model.mass[i]
        for d in range(3):
            w.diagonal[i, d, d] += m
            w.rhs[i, d] += w.push[i, d]
            for c in range(3):
                w.diagonal[i, d, c] += w.drag[i, d, c]
            w.rhs[i, d] += m * state.v[i, d]
            w.rhs[i, d] += h * (share * (state.force[i, d] + m * gravity[d]) + w.elastic[i, d])
            if stabilization == ADAPTIVE:
                w.rhs[i, d] += w.carried[i, d]


@kernel
def clear(w):
    """Written: w."""
    w.diagonal[:] = 0.0
    w.off[:] = 0.0
    w.rhs[:] = 0.0
    w.carried[:] = 0.0
    w.elastic[:] = 0.0


@kernel
def ahead(x, v, h, to):
    """Written: to = x + h v."""
    for i in range(x.shape[0]):
        for d in range(3):
            to[i, d] = x[i, d] + h * v[i, d]


@kernel
def has_elements(model):
    """Whether there is anything but links."""
    count = model.tet_nodes.shape[0] + model.hex_nodes.shape[0]
    return count + model.tri_nodes.shape[0] + model.hinge_nodes.shape[0] > 0


@kernel
def load_elements(model, x0, x1, rate, material, geometric, w):
    """Elements alone into an empty matrix and, as forces, into w.average. Written: w."""
    clear(w)
    w.average[:] = 0.0
    element_assembly.add_elements(
        model, x0, x1, rate, material, geometric, w, w.average, w.diagonal, w.off
    )


@kernel
def linearise(model, state, h, w):
    """Right side of the conserving step from elements loaded at w.guess. Written: w."""
    w.own_diagonal[:] = w.diagonal
    w.own_off[:] = w.off
    multiply(model.edges, w.diagonal, w.off, w.guess, w.delta)
    for i in range(model.mass.size):
        for d in range(3):
            w.rhs[i, d] = w.delta[i, d] + 0.5 * h * (state.elastic[i, d] + w.average[i, d])


@kernel
def assemble(model, state, h, gravity, stabilization, a, b, damping, share, w):
    """Matrix and right side of the velocity equation, after the elements are in.

    Pins and rows are left to the caller. damping (s) is proportional to stiffness. Written: w.
    """
    w.start_x[:] = state.x
    w.start_v[:] = state.v
    w.start_lam[:] = state.lam
    material = a * h * h + damping * h
    add_links(model, state, h, material, stabilization if b == 0.0 else NONE, 1.0, w)
    if b != 0.0:
        multiply(model.edges, w.diagonal, w.off, state.v, w.delta)
        for i in range(model.mass.size):
            for d in range(3):
                w.rhs[i, d] += b * h * h / material * w.delta[i, d]
    _add_inertia(model, state, h, gravity, stabilization, share, w)


@kernel
def _link_residual(model, x, v, h, w):
    """Largest |φ(x₊) + Cλ| (m), and the residual momentum. Written: w.trial, w.link_trial.

    A weak link counts by how far that moves its nodes: h²k/m of it.
    """
    w.trial[:] = 0.0
    ahead(x, v, h, w.product)
    links.directions(w.product, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
    worst = 0.0
    for e in range(model.link_nodes.shape[0]):
        k, kept = model.link_stiffness[e], model.link_memory[e]
        if k > 0.0:
            off = abs(w.link_trial[e] + (1.0 - kept) * w.link_lam[e] / k)
            if model.link_slot[e] < 0:
                i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
                off *= h * h * k * (1.0 / model.mass[i] + 1.0 / model.mass[j])
            worst = max(worst, off)
        w.link_trial[e] = kept * w.link_lam[e] - k * w.link_trial[e]
    for e in range(model.link_nodes.shape[0]):
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        size = h * (w.link_trial[e] - w.link_lam[e])
        for d in range(3):
            w.trial[i, d] += size * w.link_u[e, d]
            w.trial[j, d] -= size * w.link_u[e, d]
    return worst


@kernel
def _element_residual(model, state, h, damping, w):
    """Momentum that the elements give at state.v beyond what they are known to, added to w.trial.

    ½h (f̄(v) - f̄(guess)) + A (v - guess), A their part of the matrix, is what the linear step did
    not know; w.given of it the corrections so far have made good. w.delta is the change of v by
    the last solve. Returns the largest that is new, per mass, m/s. Written: w.
    """
    largest = 0.0
    for i in range(model.mass.size):
        for d in range(3):
            w.delta[i, d] *= h
    ahead(state.x, state.v, h, w.product)
    w.newest[:] = 0.0
    element_residual.forces(model, state.x, w.product, w.delta, damping / h, w, w.newest)
    for i in range(model.mass.size):
        for d in range(3):
            w.delta[i, d] = state.v[i, d] - w.guess[i, d]
    multiply(model.edges, w.own_diagonal, w.own_off, w.delta, w.product)
    for i in range(model.mass.size):
        for d in range(3):
            beyond = 0.5 * h * (w.newest[i, d] - w.average[i, d]) + w.product[i, d]
            new = 0.0 if state.pinned[i] else beyond - w.given[i, d]
            largest = max(largest, abs(new) / model.mass[i])
            w.trial[i, d] += new
            w.given[i, d] = beyond
    return largest


@kernel
def _solve_correction(board, model, symbolic, state, h, w):
    """One triangular solve for what w.trial leaves over; returns the largest change, m/s.

    Written: state.v, w.delta, w.link_lam.
    """
    for i in range(state.pinned.size):
        if state.pinned[i]:
            w.trial[i, 0] = w.trial[i, 1] = w.trial[i, 2] = 0.0
    solve_turned(board, symbolic, w.factor, w.turn, w.trial, w.vector, w.delta)
    links.closing_speed(model.link_nodes, w.link_u, w.delta, w.link_rate)
    for e in range(model.link_nodes.shape[0]):
        change = w.link_rate[e] if model.link_slot[e] >= 0 else 0.0
        w.link_lam[e] = w.link_trial[e] - model.link_stiffness[e] * h * change
    largest = 0.0
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] += w.delta[i, d]
            largest = max(largest, abs(w.delta[i, d]))
    return largest


@kernel_without_lock
def correct_links(board, model, symbolic, state, h, a, corrections, tolerance, w):
    """Take the velocity w.delta, then Newton on link lengths with the factor at hand.

    Returns (corrections, worst |φ + Cλ|). The first one also takes up the momentum that round-off
    left behind, w.residual. Written: state.v, w.
    """
    state.v[:] = w.delta
    balance_links(model, h, a, state.v, 1.0, w)
    done, worst = 0, 0.0
    if corrections == 0 or model.link_nodes.shape[0] == 0:
        return done, worst
    worst, left = _link_residual(model, state.x, state.v, h, w), _take_up_residual(w)
    while done < corrections and (worst > tolerance or (left and done == 0)):
        _solve_correction(board, model, symbolic, state, h, w)
        done += 1
        before, worst = worst, _link_residual(model, state.x, state.v, h, w)
        if worst > before:
            break
    return done, worst


@kernel
def _take_up_residual(w):
    """Round-off of the solve into w.trial; whether there is any. Written: w.trial."""
    left = False
    for i in range(w.trial.shape[0]):
        for d in range(3):
            left = left or w.residual[i, d] != 0.0
            w.trial[i, d] += w.residual[i, d]
    return left


@kernel_without_lock
def correct_all(board, model, symbolic, state, h, a, corrections, most, damping, tolerance, w):
    """The same of links and elements, these by at most `most` corrections.

    Returns (corrections, worst |φ + Cλ|, last change by which elements are not solved yet, m/s).
    Written: state.v, w.
    """
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] = w.delta[i, d]
            w.delta[i, d] -= w.guess[i, d]
            w.given[i, d] = 0.0
    balance_links(model, h, a, state.v, 1.0, w)
    worst = _link_residual(model, state.x, state.v, h, w)
    _element_residual(model, state, h, damping, w)
    _take_up_residual(w)
    done, change, residual, before = 0, 0.0, 0.0, 0.0
    while True:
        open_links = done < corrections and worst > tolerance
        rough = residual > ELEMENT_TOLERANCE and residual < SHRINKS * before
        open_elements = done < most and (done == 0 or rough or change > ELEMENT_TOLERANCE)
        if not (open_links or open_elements):
            break
        last, change = change, _solve_correction(board, model, symbolic, state, h, w)
        done += 1
        worst = _link_residual(model, state.x, state.v, h, w)
        before = residual if done > 1 else BIG
        residual = _element_residual(model, state, h, damping, w)
        if done > 1 and change > ELEMENT_TOLERANCE and not change < last:
            break
    return done, worst, change


@kernel
def start_averages(model, state, w):
    """As if everything had always moved as now. Written: state.link_mean, w."""
    links.directions(state.x, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
    average_links(model, state, w.scratch_u, w.scratch_u, 1.0)


@kernel
def _left_over(model, w):
    """The momentum that round-off left behind, in w.residual; whether it matters. Written: w."""
    multiply(model.edges, w.diagonal, w.off, w.delta, w.residual)
    worst = 0.0
    for i in range(model.mass.size):
        for d in range(3):
            w.residual[i, d] = w.rhs[i, d] - w.residual[i, d]
            worst = max(worst, abs(w.residual[i, d]) / model.mass[i])
    return worst > EXACT


@kernel_without_lock
def solve_free(board, model, symbolic, state, pin_velocity, refined, w):
    """Pins, factor, and the velocity (or its change) that follows in w.delta.

    Between this and `correct` a caller may change w.delta by responses A⁻¹r. Unless it is to be
    `refined`, what round-off left over is in w.residual for `correct` to take up, or zero where it
    does not matter. Returns the smallest pivot. Written: w.
    """
    element_assembly.apply_pins(model.edges, state.pinned, pin_velocity, w.diagonal, w.off, w.rhs)
    pivot = factorise(board, symbolic, w.diagonal, w.off, w.factor, w.fronts)
    w.factor_x[:] = state.x
    local_rotation.reset(w.turn)
    solve_one(board, symbolic, w.factor, w.rhs, w.vector, w.delta)
    if not _left_over(model, w):
        w.residual[:] = 0.0
    elif refined:
        solve_one(board, symbolic, w.factor, w.residual, w.vector, w.residual)
        for i in range(model.mass.size):
            for d in range(3):
                w.delta[i, d] += w.residual[i, d]
        w.residual[:] = 0.0
    return pivot


@kernel_without_lock
def solve_iteratively(
    board, model, symbolic, state, pin_velocity, tolerance, most, ahead, product, w
):
    """As `solve_free`, by conjugate gradients from what w.delta holds, with the factor at hand.

    Returns the iterations, or -1 - iterations if it gave up. Written: w; workspaces ahead, product.
    """
    element_assembly.apply_pins(model.edges, state.pinned, pin_velocity, w.diagonal, w.off, w.rhs)
    local_rotation.find(model.edges, w.factor_x, state.x, w.turn)
    used = conjugate_gradients(
        board, symbolic, model.edges, w.diagonal, w.off, w.factor, w.turn, w.rhs, tolerance, most,
        w.vector, w.residual, ahead, product, w.delta,
    )  # fmt: skip
    w.residual[:] = 0.0
    return used


@kernel
def move(model, state, h, conserving, share, rows, w):
    """Positions, averages, forces and multipliers at the end of the step. Written: state.

    The velocity at the end is v + ½h M⁻¹(f̄ + f + what links do); where a row stops a node it is v.
    """
    ahead(state.x, state.v, h, state.x)
    links.directions(state.x, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
    average_links(model, state, w.link_u, w.scratch_u, BETA)
    state.lam[:] = w.link_lam
    if not (conserving and has_elements(model)):
        return
    for i in range(state.v.shape[0]):
        late = 0.25 * h * (2.0 * share - 1.0) / model.mass[i]
        for d in range(3):
            half = 0.5 / share * (state.v[i, d] - w.start_v[i, d])
            half += late * (w.newest[i, d] - state.elastic[i, d])
            state.ahead[i, d] = 0.0 if state.pinned[i] else half
            state.elastic[i, d] = w.newest[i, d]
    for r in range(rows.count[0]):
        if rows.state[r] != 0:
            for a in range(4):
                if rows.weight[r, a] != 0.0:
                    for d in range(3):
                        state.ahead[rows.node[r, a], d] = 0.0
