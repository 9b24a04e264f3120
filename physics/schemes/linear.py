"""One linear solve at the start positions: "none", "geometric", "inertial", "constraint".

    M̃ v₊ - Jᵀ μ = M v + h f,      J v₊ + Σ μ = -(Γ/h) φ              [Tournier15, Eq. 21]

As in the papers: no carried momentum, joints steered back by -φ/h, velocities of the end of the
step, first order. Rows in closed loops, which may repeat each other, get a tiny compliance in Σ.
"""

from physics.constraints.ropes import guess_taut
from physics.contact.solver.restitution import restitution_pass
from physics.integrate import advance
from physics.jit import kernel
from physics.params import LINEAR_COMPLIANCE
from physics.rollback import save_start
from physics.schemes.shared import (
    begin_rows,
    finish_unguarded,
    prepare_rows,
    set_kicks,
    store_solution,
)
from physics.schemes.velocity_solve import solve_velocity
from physics.solver.assembly import inverse_mass_of_row
from physics.stabilization import add_stabilization
from physics.state import DIVERGED_ISLAND, SOLVED


@kernel
def step_linear(scene, settings, i):
    """Takes one step of island i, whose lists are entered; returns SOLVED or DIVERGED_ISLAND.

    No acceptance test: explosions are shown as they are, but the last finite state is kept.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    h = settings.h
    save_start(scene)
    begin_rows(bodies, elements, system)
    guess_taut(scene, h)
    add_stabilization(settings.stabilization, bodies, elements, system, h, settings.alpha)
    set_kicks(bodies, elements, system, h, False)
    prepare_rows(bodies, elements, system, h, False)
    _soften_loops(elements, system)
    solve_velocity(scene, settings.gravity, h)
    store_solution(system, elements, system.x, bodies.velocity)
    advance(bodies, system, bodies.velocity, h)
    if len(system.contacts) > 0:
        restitution_pass(scene, h)
    return SOLVED if finish_unguarded(scene) else DIVERGED_ISLAND


@kernel
def _soften_loops(elements, system):
    """A tiny compliance for hard rows in loops, so that redundant ones share; writes sigma.

    Unlike ε of the factorisation, refinement does not take it back: what rows of a loop disagree
    about would otherwise become a self-stress without bound, which K̃ is then made of.
    """
    for e in system.bilateral:
        if system.loops[e]:
            for r in range(3):
                if not elements.idle[e, r]:
                    share = inverse_mass_of_row(system, elements, elements.J_start, e, r)
                    elements.sigma[e, r] += LINEAR_COMPLIANCE * share
