"""Links in a step: their tension as inertia, forces and running averages (soft_step.py)."""

from physics.jit import kernel
from physics.params import ALPHA, SIGMA, THETA
from physics.soft.elements import links

NONE, GEOMETRIC, ADAPTIVE = 0, 1, 2
STABILIZATIONS = {"none": NONE, "geometric": GEOMETRIC, "adaptive": ADAPTIVE}


TURNED_ROUND = 1e-3  # 1 + cosine: a link that turned by half a turn has no shortest way round


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
def add_links(model, state, h, material, stabilization, memory, w):
    """Links into matrix, elastic force and carried momentum. Written: w.

    `memory` 1: from the multipliers of the last step, so that φ = -Cλ however stiff the matrix is.
    """
    links.directions(state.x, model.link_nodes, model.link_length, w.link_u, w.link_phi)
    for e in range(model.link_nodes.shape[0]):
        i, j, k = model.link_nodes[e, 0], model.link_nodes[e, 1], model.link_stiffness[e]
        w.link_lam[e] = memory * model.link_memory[e] * state.lam[e] - k * w.link_phi[e]
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
            v, mean = state.v, state.link_mean[e]
            d0, d1, d2 = v[i, 0] - v[j, 0], v[i, 1] - v[j, 1], v[i, 2] - v[j, 2]
            along = u[0] * d0 + u[1] * d1 + u[2] * d2
            for d, value in enumerate((d0, d1, d2)):
                across_now = value - along * u[d]
                momentum = carried * (across_now - SIGMA * (across_now - mean[d]))
                w.carried[i, d] += momentum
                w.carried[j, d] -= momentum
    links.add_force(model.link_nodes, w.link_u, w.link_lam, 1.0, w.elastic)


@kernel
def average_links(model, state, before, now, weight):
    """Running averages across links, turned from directions `before` to `now`. Written: link_mean.

    A vector t across u turns with u → u' to t - (t·u')(u + u')/(1 + u·u').
    """
    v = state.v
    for e in range(model.link_nodes.shape[0]):
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        t, u, n = state.link_mean[e], before[e], now[e]
        close = 1.0 + u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
        turned = (t[0] * n[0] + t[1] * n[1] + t[2] * n[2]) / max(close, TURNED_ROUND)
        along = 0.0
        for d in range(3):
            along += n[d] * (v[i, d] - v[j, d])
        for d in range(3):
            t[d] -= turned * (u[d] + n[d])
            t[d] += weight * (v[i, d] - v[j, d] - along * n[d] - t[d])


@kernel
def balance_links(model, h, a, v, memory, w):
    """λ that balances the momentum after a linear solve. Written: link_lam.

    λ = λ₀ - k(φ + Cλ₀ + a h J v) from that of the last step; of links that the matrix does not know
    without the last term.
    """
    links.closing_speed(model.link_nodes, w.link_u, v, w.link_trial)
    for e in range(model.link_nodes.shape[0]):
        further = a * h * w.link_trial[e] if model.link_slot[e] >= 0 else 0.0
        known = memory * model.link_memory[e] * w.start_lam[e]
        w.link_lam[e] = known - model.link_stiffness[e] * (w.link_phi[e] + further)
