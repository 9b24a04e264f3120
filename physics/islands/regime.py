"""How an island is stepped, by its kind, never by its size.

piled            free bodies that touch: substeps and sweeps of bounded number   contact/pile/
jointed          it has joints, springs or ropes                                 schemes/
heavy on light   a body rests on one that is much lighter: sweeps would sag      schemes/
by settings      another stabilization, or more precision is asked for           schemes/
"""

from physics.jit import kernel
from physics.params import PILE_MASS_RATIO
from physics.state import BY_SETTINGS, HEAVY_ON_LIGHT, JOINTED, PILED


@kernel
def choose_regime(scene, i):
    """Of island i, whose lists are entered."""
    if i < scene.islands.count[1]:
        return JOINTED
    bodies, rows = scene.bodies, scene.contacts
    if rows.tolerance_scale[0] < 1.0:
        return BY_SETTINGS
    for c in scene.system.contacts:
        a, b = rows.body_a[c], rows.body_b[c]
        if bodies.solved[2 * a] and bodies.solved[2 * b]:
            low = min(bodies.mass[a], bodies.mass[b])
            if max(bodies.mass[a], bodies.mass[b]) > PILE_MASS_RATIO * low:
                return HEAVY_ON_LIGHT
    return PILED
