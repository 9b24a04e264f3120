"""One linear solve at the start positions: "none", "geometric", "inertial", "constraint".

    M̃ v₊ - Jᵀ μ = M v + h f,      J v₊ + Σ μ = -(Γ/h) φ              [Tournier15, Eq. 21]

As in the papers: no carried momentum, joints steered back by -φ/h.
"""

from physics.contact.solver.restitution import restitution_pass
from physics.integrate import advance
from physics.jit import kernel
from physics.rollback import save_start
from physics.schemes.shared import begin_rows, finish_unguarded, prepare_rows, store_solution
from physics.schemes.velocity_solve import solve_velocity
from physics.stabilization import add_stabilization


@kernel
def run_linear(scene, settings, n):
    """Takes up to n steps; returns how many. Stops when something broke or the state ran away.

    No acceptance test: explosions are shown as they are, but the last finite state is kept.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    h = settings.h
    for done in range(n):
        save_start(bodies, elements)
        begin_rows(bodies, elements, system)
        add_stabilization(settings.treatment, bodies, elements, system, h)
        prepare_rows(elements, system, h)
        solve_velocity(scene, settings.gravity, h)
        store_solution(system, elements, system.x, bodies.velocity)
        advance(bodies, bodies.velocity, h)
        restitution_pass(scene, h)
        if finish_unguarded(scene, h):
            return done + 1
    return n
