"""Solver "pgs": projected Gauss-Seidel over *all* rows, as most engines do it.

Kept to be compared with: at a mass ratio of 1e4 a thousand sweeps do not close a chain of ten
links. It needs M̃⁻¹. For "geometric" that is the dense inverse of M - h²K̃ by low-rank updates
[Andrews17, §3]; for the other stabilizations what couples nodes is lumped on the diagonal, so that
M̃⁻¹ is a 3x3 block per node.
"""

from physics.contact.contact_rows import set_bias
from physics.contact.responses import fill_node_responses
from physics.contact.solver.gauss_seidel import update_contacts, warm_start_contacts
from physics.contact.solver.restitution import set_final_targets
from physics.integrate import advance
from physics.jit import kernel
from physics.jit.clock import cycles
from physics.linalg import invert_block, row_velocity
from physics.params import PGS_FEEDBACK
from physics.rollback import save_start
from physics.schemes.dense_inverse import invert_with_stiffness
from physics.schemes.shared import (
    begin_rows,
    finish_unguarded,
    gather_momentum,
    prepare_rows,
    set_kicks,
)
from physics.schemes.velocity_solve import row_bias
from physics.solver.assembly import zero_nodes
from physics.stabilization import GEOMETRIC, add_stabilization
from physics.stabilization.clear import zero_element
from physics.state import (
    CLOCK_FACTOR,
    CLOCK_PROJECT,
    DIVERGED_ISLAND,
    POSITION,
    RESIDUAL,
    SOLVED,
    SWEEPS,
)


@kernel
def step_all_rows(scene, settings, i):
    """Takes one step of everything; returns SOLVED or DIVERGED_ISLAND."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    h = settings.h
    save_start(scene)
    for e in system.ropes:
        elements.taut[e] = 1  # the bounds of its force make it a rope
    begin_rows(bodies, elements, system)
    add_stabilization(settings.stabilization, bodies, elements, system, h, settings.alpha)
    set_kicks(bodies, elements, system, h, False)
    prepare_rows(bodies, elements, system, h, False)
    _iterate(scene, settings)
    advance(bodies, system, bodies.velocity, h)
    if set_final_targets(scene, h):
        for _ in range(settings.sweeps):
            update_contacts(scene.contacts, bodies.velocity)
    return SOLVED if finish_unguarded(scene) else DIVERGED_ISLAND


@kernel
def _iterate(scene, settings):
    """Velocities and impulses by sweeps over all rows; writes bodies.velocity, elements.mu."""
    bodies, system, contacts, h = scene.bodies, scene.system, scene.contacts, settings.h
    dense = settings.stabilization == GEOMETRIC and len(scene.dense) > 0
    began = cycles()
    if not dense:
        _lump(scene)
    zero_nodes(system, bodies.scratch)
    gather_momentum(scene, settings.gravity, h, bodies.scratch, False)
    _invert_nodes(scene)
    if dense:
        invert_with_stiffness(scene, h)
    fill_node_responses(system, contacts)
    middle = cycles()
    scene.clock[CLOCK_FACTOR] += middle - began
    _free_velocity(scene, dense)
    for e in system.bilateral:
        _warm(scene, e, h, dense)
    for e in system.unilateral:
        _warm(scene, e, h, dense)
    set_bias(system, contacts)
    warm_start_contacts(scene, bodies.velocity)
    worst = 0.0
    for _ in range(settings.sweeps):
        worst = 0.0
        for e in system.bilateral:
            worst = max(worst, _update_rows(scene, e, h, dense))
        for e in system.unilateral:
            worst = max(worst, _update_rows(scene, e, h, dense))
        worst = max(worst, update_contacts(contacts, bodies.velocity))
    scene.measures[RESIDUAL] = worst
    scene.counters[SWEEPS] += settings.sweeps
    scene.clock[CLOCK_PROJECT] += cycles() - middle


@kernel
def _lump(scene):
    """Moves what couples nodes to the diagonal, as row sums; writes system.added, elements.K."""
    elements, system = scene.elements, scene.system
    for e in system.coupled:
        for i in range(4):
            if system.k_block[e, i, i] == -1:
                continue
            node = elements.node[e, i]
            for r in range(3):
                for j in range(4):
                    for c in range(3):
                        system.added[node, r, r] += abs(elements.K[e, i, j, r, c])
        zero_element(elements.K, e)


@kernel
def _invert_nodes(scene):
    """Writes system.inverse at the places of nodes."""
    system = scene.system
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            for r in range(3):
                for c in range(3):
                    system.diagonal[k, r, c] = system.mass[node, r, c] + system.added[node, r, c]
            invert_block(system.diagonal, k, system.inverse, k)


@kernel
def _free_velocity(scene, dense):
    """velocity ← M̃⁻¹ momentum at the unknown nodes."""
    bodies, system = scene.bodies, scene.system
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            for c in range(3):
                bodies.velocity[node, c] = 0.0
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            p = system.momentum
            _kick(scene, node, p[node, 0], p[node, 1], p[node, 2], dense)


@kernel
def _kick(scene, node, x, y, z, dense):
    """velocity += M̃⁻¹ times an impulse on one node."""
    bodies, system = scene.bodies, scene.system
    v = bodies.velocity
    if dense:
        for i in range(len(v)):
            for r in range(3):
                row = scene.dense[3 * i + r]
                v[i, r] += row[3 * node] * x + row[3 * node + 1] * y + row[3 * node + 2] * z
        return
    k = system.position_of[node]
    for r in range(3):
        v[node, r] += (
            system.inverse[k, r, 0] * x + system.inverse[k, r, 1] * y + system.inverse[k, r, 2] * z
        )


@kernel
def _apply(scene, e, r, amount, dense):
    """velocity += M̃⁻¹ Jᵀ amount of one row."""
    elements = scene.elements
    for s in range(4):
        node = elements.node[e, s]
        if scene.system.position_of[node] >= 0:
            J = elements.J_start
            x, y, z = J[e, s, r, 0] * amount, J[e, s, r, 1] * amount, J[e, s, r, 2] * amount
            if x != 0.0 or y != 0.0 or z != 0.0:
                _kick(scene, node, x, y, z, dense)


@kernel
def _mobility(scene, e, r, dense):
    """J M̃⁻¹ Jᵀ of one row."""
    elements, system = scene.elements, scene.system
    J = elements.J_start
    total = 0.0
    for s in range(4):
        i = elements.node[e, s]
        if system.position_of[i] < 0:
            continue
        for t in range(4):
            j = elements.node[e, t]
            if system.position_of[j] < 0 or not (dense or i == j):
                continue
            for p in range(3):
                for q in range(3):
                    if dense:
                        entry = scene.dense[3 * i + p, 3 * j + q]
                    else:
                        entry = system.inverse[system.position_of[i], p, q]
                    total += J[e, s, r, p] * entry * J[e, t, r, q]
    return total


@kernel
def _warm(scene, e, h, dense):
    """Starts from the last step's λ; writes elements.mobility and mu, moves the bodies."""
    elements = scene.elements
    for r in range(3):
        elements.mobility[e, r] = _mobility(scene, e, r, dense)
        low, high = elements.lower[e, r], elements.upper[e, r]
        elements.mu[e, r] = (
            0.0 if elements.idle[e, r] else min(max(elements.lam[e, r], low), high) * h
        )
        if elements.mu[e, r] != 0.0:
            _apply(scene, e, r, elements.mu[e, r], dense)


@kernel
def _feedback(elements, e, r):
    """A hard row that is violated is steered back gently; everything else as it is."""
    if elements.mode[e, r] != POSITION or elements.compliance[e, r] > 0.0:
        return 1.0
    open_above = elements.lower[e, r] >= 0.0 and elements.phi[e, r] > 0.0
    open_below = elements.upper[e, r] <= 0.0 and elements.phi[e, r] < 0.0
    return 1.0 if open_above or open_below else PGS_FEEDBACK


@kernel
def _update_rows(scene, e, h, dense):
    """One Gauss-Seidel update of the element's rows; returns the largest change of speed."""
    bodies, elements = scene.bodies, scene.elements
    worst = 0.0
    for r in range(3):
        total = elements.mobility[e, r] + elements.sigma[e, r]
        if elements.idle[e, r] or total <= 0.0:
            continue
        bias = _feedback(elements, e, r) * row_bias(bodies, elements, e, r, h)
        w = row_velocity(elements.node, elements.J_start, e, r, bodies.velocity) + bias
        w += elements.sigma[e, r] * elements.mu[e, r]
        old = elements.mu[e, r]
        new = min(max(old - w / total, elements.lower[e, r] * h), elements.upper[e, r] * h)
        if new != old:
            elements.mu[e, r] = new
            _apply(scene, e, r, new - old, dense)
            worst = max(worst, abs(new - old) * total)
    return worst
