"""Energies of a soft body: what the guard makes least, and of what moves.

Backward Euler is the least point of the *incremental potential*

    Φ(v) = ½ Σ m |v - v₀ - h f/m|² + ½ vᵀDv - p·v + E(x₀ + h v)

D and p are the air and hands (an impulse p - Dv on the nodes), E the elastic energy. Where the
matrix leaves out what would make it indefinite, Newton's step still points downhill in Φ.
"""

from math import sqrt

from physics.jit import kernel
from physics.soft.solve.element_energy import element_energy


@kernel
def incremental_potential(model, pinned, force, gravity, h, drag, push, x0, v0, v, way, share, x):
    """Φ(v + share·way), J. Written: x (n, 3), the positions there."""
    total = 0.0
    for i in range(model.mass.size):
        m = model.mass[i]
        for d in range(3):
            speed = v[i, d] + share * way[i, d]
            x[i, d] = x0[i, d] + h * speed
            if not pinned[i]:
                away = speed - v0[i, d] - h * (gravity[d] + force[i, d] / m)
                total += 0.5 * m * away * away - push[i, d] * speed
                for c in range(3):
                    total += 0.5 * speed * drag[i, d, c] * (v[i, c] + share * way[i, c])
    for e in range(model.link_nodes.shape[0]):
        off = _elongation(model, x, e)
        total += 0.5 * model.link_stiffness[e] * off * off
    return total + element_energy(model, x)


@kernel
def _elongation(model, x, e):
    i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
    d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
    return sqrt(d0 * d0 + d1 * d1 + d2 * d2) - model.link_length[e]


@kernel
def mechanical_energy(model, gravity, x, v):
    """Kinetic and potential energy, J."""
    total = 0.0
    for i in range(model.mass.size):
        m = model.mass[i]
        for d in range(3):
            total += m * (0.5 * v[i, d] * v[i, d] - gravity[d] * x[i, d])
    return total


@kernel
def loose_stretch(model, x0, v, h, lam, x):
    """Largest strain, at x₀ + h v, of the stiffest links beyond what their force λ calls for.

    Written: x (n, 3), workspace.
    """
    stiffest = 0.0
    for e in range(lam.size):
        stiffest = max(stiffest, model.link_stiffness[e])
    for i in range(v.shape[0]):
        for d in range(3):
            x[i, d] = x0[i, d] + h * v[i, d]
    worst = 0.0
    for e in range(lam.size):
        k = model.link_stiffness[e]
        if k > 0.0 and k >= 0.999 * stiffest:
            off = _elongation(model, x, e) - max(0.0, -lam[e] / k)
            worst = max(worst, off / model.link_length[e])
    return worst
