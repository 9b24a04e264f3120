"""The guard: one step as backward Euler by full Newton, where the usual step does not converge."""

from physics.jit import kernel
from physics.soft.elements import links
from physics.soft.solve.link_step import GEOMETRIC, add_links, average_links, balance_links
from physics.soft.solve.soft_step import ahead


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
    """One iteration of backward Euler by Newton: matrix and residual at state.x = x₀ + h v_k.

    The elements are in the matrix already, their forces in w.elastic.
    K̃ is taken from the current multipliers, not from -kφ, which would be far too large away from
    the solution. Written: state.x, w.
    """
    add_links(model, state, h, h * h, GEOMETRIC, 0.0, w)
    _newton_residual(model, state, h, gravity, w)


@kernel
def advance_guard(model, state, h, share, w):
    """Take `share` of the change w.delta; returns its size in m. Written: state.v, state.lam, w."""
    balance_links(model, h, 1.0, w.delta, 0.0, w)
    change = 0.0
    for e in range(state.lam.size):
        state.lam[e] = w.link_lam[e]
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] += share * w.delta[i, d]
            change = max(change, h * abs(w.delta[i, d]))
    return change


@kernel
def end_guard(model, state, h, w):
    """Written: state, but for v, lam and elastic."""
    ahead(w.start_x, state.v, h, state.x)
    state.ahead[:] = 0.0
    links.directions(state.x, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
    average_links(model, state, w.scratch_u, w.scratch_u, 1.0)
