"""One step of a soft body: assemble, factorise once, solve, correct the links.

    M̃ v₊ = M v + h f + G u - h Jᵀ C⁻¹ φ + b h² K v,     (M̃ + a h² K) with K = JᵀC⁻¹J on the left

| integrator | a | b | |
|---|---|---|---|
| euler | 1 | 0 | compliant rows of [Tournier15, Eq. 21] condensed: λ₊ = -C⁻¹(φ + h J v₊) |
| servin | ½ + τ/h | 0 | [Servin06, Eq. 20], γ = 1/a |
| spook | ¼ + τ/h | ¼ | keeps the energy of a linear oscillator for τ = 0 |

| stabilization | M̃ | G u |
|---|---|---|
| none | M | 0 |
| geometric | M - h² (K̃)₋ | 0: M v on the right, [Tournier15, Eq. 21] |
| adaptive | M + G, the part of h² (-K̃)₊ that is needed | u = v - σ (v - v̄): momentum is kept |

For links the needed part is pairwise on the relative transverse velocity,
w = h²|λ|/l·max(0, θ - α/y), y = h²(|λ|/l)(d_i/m_i + d_j/m_j) with d the number of links on a node.
Only inertia that was there in the last step has momentum to keep: a cloth that snaps taut would
otherwise gain that of the inertia its tension adds.

*Corrections.* The linear step leaves links longer by ½(turn)². Force directions stay at x_n, but
φ(x₊) = -C λ₊ is solved by Newton with the same factor: residual h J_nᵀ(λ_eff - λ(x₊)), where λ_eff
is the multiplier that balances the momentum now. One triangular solve each. Weak links, which the
matrix leaves out (physics/soft/solve/weak_links.py), become implicit by the same solves.

*Rows.* Contacts and attachments (physics/soft/contact/soft_rows.py) enter between `assemble` and
`solve_free` as blocks on the nodes they act on; physics/soft/coupling/coupled_solve.py finds which
of them act.

*Guard.* Where that does not converge (a crumpled cloth snapping taut) the step is taken again as
backward Euler by full Newton: dissipative, a factorisation per iteration, and very robust.
"""

from physics.jit import kernel, kernel_without_lock
from physics.soft.elements import links
from physics.soft.solve import element_assembly, local_rotation
from physics.solver.spd.conjugate_gradients import conjugate_gradients, solve_turned
from physics.solver.spd.factor import factorise
from physics.solver.spd.matrix import multiply
from physics.solver.spd.triangular import solve_one

NONE, GEOMETRIC, ADAPTIVE = 0, 1, 2
STABILIZATIONS = {"none": NONE, "geometric": GEOMETRIC, "adaptive": ADAPTIVE}

THETA, ALPHA = 1.0, 1.0  # share of h²|λ|/l added, and of the inertia that is enough by itself
SIGMA, BETA = 0.6, 0.2  # share of fast velocity not carried; rate of its running average
EXACT = 1e-6  # m/s: momentum left over by a solve, per mass, that is not worth a second one


@kernel
def _added_link_inertia(model, state, h, e, stabilization, length):
    """Transverse inertia (kg) of one link from its last tension."""
    tension = -state.lam[e]
    if tension <= 0.0 or stabilization == NONE:
        return 0.0
    full = h * h * tension / length
    if stabilization == GEOMETRIC:
        return full
    i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
    mobility = model.link_count[i] / model.mass[i] * (not state.pinned[i])
    mobility += model.link_count[j] / model.mass[j] * (not state.pinned[j])
    return max(0.0, THETA * full - ALPHA / mobility) if mobility > 0.0 else 0.0


@kernel
def _add_links(model, state, h, material, stabilization, w):
    """Links into matrix, elastic force and carried momentum. Written: w."""
    links.directions(state.x, model.link_nodes, model.link_length, w.link_u, w.link_phi)
    for e in range(model.link_nodes.shape[0]):
        i, j, k = model.link_nodes[e, 0], model.link_nodes[e, 1], model.link_stiffness[e]
        w.link_lam[e] = -k * w.link_phi[e]
        if model.link_slot[e] < 0:
            w.link_added[e] = 0.0
            continue
        u = w.link_u[e]
        length = model.link_length[e] + w.link_phi[e]
        across = _added_link_inertia(model, state, h, e, stabilization, length)
        links.add_pair(
            i, j, model.link_slot[e], model.edges, material * k, across, u, w.diagonal, w.off
        )
        carried = min(across, w.link_added[e])
        w.link_added[e] = across
        if stabilization == ADAPTIVE and carried > 0.0:
            d0, d1, d2 = (
                w.kept[i, 0] - w.kept[j, 0], w.kept[i, 1] - w.kept[j, 1],
                w.kept[i, 2] - w.kept[j, 2],
            )  # fmt: skip
            along = u[0] * d0 + u[1] * d1 + u[2] * d2
            for d, value in enumerate((d0, d1, d2)):
                momentum = carried * (value - along * u[d])
                w.carried[i, d] += momentum
                w.carried[j, d] -= momentum
    links.add_force(model.link_nodes, w.link_u, w.link_lam, 1.0, w.elastic)


@kernel
def _add_inertia(model, state, h, gravity, stabilization, w):
    """Masses into the matrix; momentum and forces into the right side. Written: w."""
    for i in range(model.mass.size):
        m = model.mass[i]
        for d in range(3):
            w.diagonal[i, d, d] += m
            w.rhs[i, d] += w.push[i, d]
            for c in range(3):
                w.diagonal[i, d, c] += w.drag[i, d, c]
            w.rhs[i, d] += m * state.v[i, d]
            w.rhs[i, d] += h * (state.force[i, d] + m * gravity[d] + w.elastic[i, d])
            if stabilization == ADAPTIVE:
                w.rhs[i, d] += w.carried[i, d]


@kernel
def _clear(w):
    """Written: w."""
    w.diagonal[:] = 0.0
    w.off[:] = 0.0
    w.rhs[:] = 0.0
    w.carried[:] = 0.0
    w.elastic[:] = 0.0


@kernel
def _add_elements(model, state, h, material, geometric, stabilization, w):
    """All elements at state.x into matrix, force and carried momentum; returns the energy."""
    x, f, D, off = state.x, w.elastic, w.diagonal, w.off
    energy = element_assembly.add_tetrahedra(
        model, x, material, geometric, w.kept, w.carried, f, D, off
    )
    energy += element_assembly.add_triangles(
        model, x, material, geometric, w.kept, w.carried, f, D, off
    )
    energy += element_assembly.add_hinges(model, x, material, f, D, off)
    w.stored[1] = energy
    _add_links(model, state, h, material, stabilization, w)
    for e in range(model.link_nodes.shape[0]):
        energy += 0.5 * model.link_stiffness[e] * w.link_phi[e] * w.link_phi[e]
    return energy


@kernel
def assemble(model, state, h, gravity, stabilization, a, b, damping, w):
    """Matrix and right side of the velocity equation; returns the elastic energy at x_n.

    Pins and rows are left to the caller. damping (s) is proportional to stiffness: it adds
    h·damping·K. Written: w.
    """
    _clear(w)
    w.start_x[:] = state.x
    w.start_v[:] = state.v
    w.start_lam[:] = state.lam
    for i in range(model.mass.size):
        for d in range(3):
            w.kept[i, d] = state.v[i, d] - SIGMA * (state.v[i, d] - state.mean[i, d])
    material = a * h * h + damping * h
    geometric = 0.0 if stabilization == NONE or b != 0.0 else h * h
    energy = _add_elements(
        model, state, h, material, geometric, stabilization if b == 0.0 else NONE, w
    )
    w.stored[0] = w.stored[1]
    if b != 0.0:
        multiply(model.edges, w.diagonal, w.off, state.v, w.delta)
        for i in range(model.mass.size):
            for d in range(3):
                w.rhs[i, d] += b * h * h / material * w.delta[i, d]
    _add_inertia(model, state, h, gravity, stabilization, w)
    return energy


@kernel
def balance_links(model, h, a, v, w):
    """λ that balances the momentum after a linear solve, -k(φ + a h J v). Written: link_lam.

    Of links that the matrix does not know it is -kφ.
    """
    links.closing_speed(model.link_nodes, w.link_u, v, w.link_trial)
    for e in range(model.link_nodes.shape[0]):
        ahead = a * h * w.link_trial[e] if model.link_slot[e] >= 0 else 0.0
        w.link_lam[e] = -model.link_stiffness[e] * (w.link_phi[e] + ahead)


@kernel
def _link_residual(model, x, v, h, w):
    """Largest |φ(x₊) + Cλ| (m), and the residual momentum. Written: w.trial, w.link_trial.

    A weak link counts by how far that moves its nodes: h²k/m of it.
    """
    w.trial[:] = 0.0
    for i in range(x.shape[0]):
        for d in range(3):
            w.delta[i, d] = x[i, d] + h * v[i, d]
    links.directions(w.delta, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
    worst = 0.0
    for e in range(model.link_nodes.shape[0]):
        k = model.link_stiffness[e]
        if k > 0.0:
            off = abs(w.link_trial[e] + w.link_lam[e] / k)
            if model.link_slot[e] < 0:
                i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
                off *= h * h * k * (1.0 / model.mass[i] + 1.0 / model.mass[j])
            worst = max(worst, off)
        w.link_trial[e] *= -k
    for e in range(model.link_nodes.shape[0]):
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        size = h * (w.link_trial[e] - w.link_lam[e])
        for d in range(3):
            w.trial[i, d] += size * w.link_u[e, d]
            w.trial[j, d] -= size * w.link_u[e, d]
    return worst


@kernel
def _correct_links(board, model, symbolic, state, h, corrections, tolerance, w):
    """Newton on link lengths with the factor at hand; returns (count, |φ|). Written: state.v, w.

    The first correction also takes up the momentum that round-off left behind, w.residual.
    """
    worst = _link_residual(model, state.x, state.v, h, w)
    done, left = 0, False
    for i in range(state.v.shape[0]):
        for d in range(3):
            left = left or w.residual[i, d] != 0.0
            w.trial[i, d] += w.residual[i, d]
    while done < corrections and (worst > tolerance or (left and done == 0)):
        for i in range(state.pinned.size):
            if state.pinned[i]:
                w.trial[i, 0] = w.trial[i, 1] = w.trial[i, 2] = 0.0
        solve_turned(board, symbolic, w.factor, w.turn, w.trial, w.vector, w.delta)
        links.closing_speed(model.link_nodes, w.link_u, w.delta, w.link_rate)
        for e in range(model.link_nodes.shape[0]):
            change = w.link_rate[e] if model.link_slot[e] >= 0 else 0.0
            w.link_lam[e] = w.link_trial[e] - model.link_stiffness[e] * h * change
        for i in range(state.v.shape[0]):
            for d in range(3):
                state.v[i, d] += w.delta[i, d]
        done += 1
        before, worst = worst, _link_residual(model, state.x, state.v, h, w)
        if worst > before:
            break
    return done, worst


@kernel
def _newton_residual(model, state, h, gravity, w):
    """Right side of the guard's iteration: M(v₀ - v_k) + p - D v_k + h(f_ext + f(x_k)).

    Written: w.rhs, w.diagonal.
    """
    for i in range(model.mass.size):
        m = model.mass[i]
        for d in range(3):
            force = state.force[i, d] + m * gravity[d] + w.elastic[i, d]
            w.rhs[i, d] = m * (w.start_v[i, d] - state.v[i, d]) + h * force + w.push[i, d]
            w.diagonal[i, d, d] += m
            for c in range(3):
                w.rhs[i, d] -= w.drag[i, d, c] * state.v[i, c]
                w.diagonal[i, d, c] += w.drag[i, d, c]


@kernel
def stop(state):
    """Rest, where a crumpled cloth is not overstretched. Written: state.v."""
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] = state.pin_velocity[i, d] if state.pinned[i] else 0.0


@kernel
def assemble_guard(model, state, h, gravity, w):
    """One iteration of backward Euler by Newton: matrix and residual at x₀ + h v_k.

    K̃ is taken from the current multipliers, not from -kφ, which would be far too large away from
    the solution. Written: state.x, w.
    """
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.x[i, d] = w.start_x[i, d] + h * state.v[i, d]
    _clear(w)
    _add_elements(model, state, h, h * h, h * h, GEOMETRIC, w)
    _newton_residual(model, state, h, gravity, w)


@kernel
def advance_guard(model, state, h, share, w):
    """Take `share` of the change w.delta; returns its size in m. Written: state.v, state.lam, w."""
    balance_links(model, h, 1.0, w.delta, w)
    change = 0.0
    for e in range(state.lam.size):
        state.lam[e] = w.link_lam[e]
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] += share * w.delta[i, d]
            change = max(change, h * abs(w.delta[i, d]))
    return change


@kernel
def end_guard(state, h, w):
    """Written: state.x, state.mean."""
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.x[i, d] = w.start_x[i, d] + h * state.v[i, d]
            state.mean[i, d] = state.v[i, d]


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


@kernel_without_lock
def correct(board, model, symbolic, state, h, a, corrections, tolerance, w):
    """Take the velocity w.delta and correct the links; returns (corrections, worst |φ + Cλ|).

    Written: state.v, w.
    """
    state.v[:] = w.delta
    balance_links(model, h, a, state.v, w)
    if corrections > 0 and model.link_nodes.shape[0] > 0:
        return _correct_links(board, model, symbolic, state, h, corrections, tolerance, w)
    return 0, 0.0


@kernel
def move(state, h, w):
    """Positions, running averages and multipliers at the end of the step. Written: state."""
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.x[i, d] += h * state.v[i, d]
            state.mean[i, d] += BETA * (state.v[i, d] - state.mean[i, d])
    state.lam[:] = w.link_lam
