"""What whips is followed in substeps instead of being given inertia.

Inertia that comes and goes while a body whips takes the energy along that it has. So a step is cut
beforehand where that spares it added inertia, if a few substeps will do; and a substep whose forces
turn out to need more than those before it is cut, too, instead of being solved again with inertia.
"""

from physics.constraints.rows import added_to_whips
from physics.jit import kernel
from physics.params import ALPHA, WHIP_SUBSTEPS, WHIP_TURN
from physics.stabilization.adaptive import add_adaptive
from physics.state import DYNAMIC


@kernel
def substeps_of_whips(scene, h):
    """A power of 2: so many that what turns fast needs no added inertia, if a few will do.

    Inertia that comes and goes while a body whips takes the energy along that it has. Writes
    system.added and elements.K.
    """
    bodies, elements, system, most = scene.bodies, scene.elements, scene.system, 1.0
    add_adaptive(bodies, elements, system, h)
    for b in system.bodies:
        if _whips(bodies, b, h):
            for c in range(3):
                most = _needed(most, bodies, b, system.added[2 * b + 1, c, c])
    for e in system.coupled:
        for side in range(2):
            b = elements.body[e, side]
            if bodies.solved[2 * b] and _whips(bodies, b, h):
                for c in range(3):
                    added = elements.K[e, 2 * side + 1, 2 * side + 1, c, c]
                    most = _needed(most, bodies, b, added)
    least = (WHIP_TURN / h) ** 2
    most = _worth(most, 1.0 + added_to_whips(bodies, elements, system, least) / ALPHA)
    n = 1
    while n * n < most:
        n *= 2
    return n


@kernel
def _whips(bodies, b, h):
    """Whether body b turns by more than WHIP_TURN in h."""
    w = bodies.velocity[2 * b + 1]
    square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    return bodies.kind[b] == DYNAMIC and h * h * square > WHIP_TURN * WHIP_TURN


@kernel
def _needed(most, bodies, b, added):
    """h²k over the inertia of body b that needs no help."""
    return _worth(most, 1.0 + added / (ALPHA * bodies.inertia_max[b]))


@kernel
def _worth(most, share):
    """The larger one, unless that is more than WHIP_SUBSTEPS could mend."""
    return max(most, share) if share <= WHIP_SUBSTEPS * WHIP_SUBSTEPS else most


@kernel
def is_worth_cutting(scene, h, whole):
    """Whether a substep of h in a step of `whole` may be halved because something whips in it.

    By the velocities just solved for, as a whip may begin in it.
    """
    if h * WHIP_SUBSTEPS <= whole:
        return False
    for b in scene.system.bodies:
        if _whips(scene.bodies, b, h):
            return True
    return False
