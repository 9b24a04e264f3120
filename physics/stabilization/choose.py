"""The treatments that are taken in one linear solve."""

from physics.jit import kernel
from physics.stabilization import ADAPTIVE, CONSTRAINT, GEOMETRIC, INERTIAL
from physics.stabilization.adaptive import add_adaptive
from physics.stabilization.andrews import add_constraint_damping, add_inertial
from physics.stabilization.clear import clear_added
from physics.stabilization.geometric import add_projected_stiffness
from physics.stabilization.springs import add_spring


@kernel
def add_treatment(treatment, bodies, elements, system, h):
    """Writes system.added, elements.K and elements.added_damping for the chosen treatment."""
    if treatment == ADAPTIVE:
        add_adaptive(bodies, elements, system, h)
        return
    clear_added(elements, system)
    if treatment == GEOMETRIC:
        add_projected_stiffness(bodies, elements, system, h)
    elif treatment == INERTIAL:
        add_inertial(bodies, elements, system, h)
    elif treatment == CONSTRAINT:
        add_constraint_damping(bodies, elements, system, h)
    for e in system.stiffness:
        add_spring(False, elements, system, e, h)
