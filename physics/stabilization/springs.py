"""Springs in stiffness form: their part of M̃."""

from physics.jit import kernel
from physics.params import ALPHA, NOT_ZERO, THETA


@kernel
def mobility_of_spring(elements, system, e):
    """J M⁻¹Jᵀ with the diagonal of M, 1/kg."""
    mobility = 0.0
    for s in range(4):
        node = elements.node[e, s]
        if system.position_of[node] >= 0:
            for c in range(3):
                j = elements.J_start[e, s, 0, c]
                mobility += j * j / system.mass[node, c, c]
    return mobility


@kernel
def add_spring(adaptive, elements, system, e, h):
    """Implicit part of a spring: (h²k + hc) JᵀJ.

    Under "adaptive" the elastic part is treated as K̃ is: inertia only beyond what the row's own
    effective mass holds, its momentum carried, so that a soft spring rings without loss. A damper
    acts on the mean of the velocities before and after, (θ v₊ + (1 - θ) v) with θ = ½, which is of
    second order; one that would turn motion round, a = kick c J M⁻¹Jᵀ > 2, with θ = 1 - 1/a.
    """
    if elements.tension_only[e] and elements.phi[e, 0] < 0.0:
        return
    w = h * elements.damper[e]
    elastic = h * h * elements.stiffness[e]
    if adaptive:
        mobility = mobility_of_spring(elements, system, e)
        elastic = max(0.0, THETA * elastic - ALPHA / max(mobility, NOT_ZERO))
        w = elements.kick[e] * elements.damper[e]
        w = max(0.5 * w, w - 1.0 / max(mobility, NOT_ZERO))
    w += elastic
    J = elements.J_start
    for i in range(4):
        for j in range(4):
            if system.k_block[e, i, j] != -1:
                for r in range(3):
                    for c in range(3):
                        elements.K[e, i, j, r, c] += w * J[e, i, 0, r] * J[e, j, 0, c]
