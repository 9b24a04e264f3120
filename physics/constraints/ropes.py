"""Ropes: lengths that pull and never push, as an active set of rows of the exact solve.

A taut rope is a row like that of a rod, at any mass ratio; a slack one is no row at all. Which is
which follows from the solution itself: a row that would push lets go, a length that is exceeded
where the step ends holds, and the step is solved again. Two or three rounds do as a rule; in the
second half of them ropes only tighten, so that it ends.
"""

from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import ROPE_EXCESS, ROPE_NEAR, ROPE_PUSH


@kernel
def guess_taut(scene, h):
    """Which ropes will hold: those that are at their length, and those that reach it within h.

    A rope that is tightened too many lets go in the next round; one that is tightened too few pulls
    the next one taut, and so on along the whole line. Writes taut and was_taut. φ and J_start must
    be those of the start.
    """
    bodies, elements = scene.bodies, scene.elements
    for e in scene.system.ropes:
        phi = elements.phi[e, 0]
        speed = row_velocity(elements.node, elements.J_start, e, 0, bodies.velocity)
        elements.was_taut[e] = elements.taut[e]
        elements.taut[e] = phi + h * max(speed, 0.0) > -ROPE_NEAR
        elements.idle[e, 0] = not elements.taut[e]


@kernel
def has_jerked(scene):
    """Whether a rope of the island tightened or let go in this substep."""
    for e in scene.system.ropes:
        if scene.elements.taut[e] != scene.elements.was_taut[e]:
            return True
    return False


@kernel
def change_taut(scene, only_tighten):
    """Lets ropes go that push, tightens those that are too long where the step ends.

    Writes taut; returns whether any has changed.
    """
    elements, mass = scene.elements, scene.bodies.mass
    changed = False
    strongest = 0.0
    for e in scene.system.ropes:
        strongest = max(strongest, abs(elements.mu[e, 0]))
    for e in scene.system.ropes:
        if elements.taut[e]:
            # rounding of what others carry, or an acceleration of a nanometre, is no push
            carried = elements.kick[e] * (mass[elements.body[e, 0]] + mass[elements.body[e, 1]])
            push = elements.mu[e, 0] > ROPE_PUSH * (strongest + carried)
            if push and not only_tighten:
                elements.taut[e] = 0
                changed = True
        elif elements.phi[e, 0] > ROPE_EXCESS:
            elements.taut[e] = 1
            changed = True
    return changed
