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
from physics.params import BETA
from physics.soft.elements import links
from physics.soft.solve import element_assembly, local_rotation
from physics.soft.solve.link_step import (
    ADAPTIVE,
    NONE,
    add_links,
    average_links,
)
from physics.solver.spd.conjugate_gradients import conjugate_gradients
from physics.solver.spd.factor import factorise
from physics.solver.spd.matrix import multiply
from physics.solver.spd.triangular import solve_one

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
    cells = model.tet_nodes.shape[0] + model.hex_nodes.shape[0] + model.volume_nodes.shape[0]
    sheets = model.tri_nodes.shape[0] + model.quad_nodes.shape[0] + model.area_nodes.shape[0]
    return cells + sheets + model.hinge_nodes.shape[0] > 0


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
