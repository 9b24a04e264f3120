"""How an island is stepped, by its kind, never by its size.

piled            free bodies that touch: substeps and sweeps of bounded number   contact/pile/
jointed          it has joints, springs or ropes                                 schemes/
heavy on light   a body rests on one that is much lighter: sweeps would sag      schemes/
pressed          forces press it by many times its weight: sweeps would sag;
                 or soft bodies carry it, and reckon with single steps           schemes/
on a rim         a cylinder or cone that stands on fixed ground: whether it
                 tips is a matter of micrometres, which piles give way by        schemes/
by settings      another stabilization, or more precision is asked for           schemes/
"""

import math

from physics.jit import kernel
from physics.params import PILE_MASS_RATIO
from physics.state import BY_SETTINGS, HEAVY_ON_LIGHT, JOINTED, ON_RIM, PILED, PRESSED

_UPRIGHT = 0.95  # cosine between an axle and the normal of what it stands on


@kernel
def _stands_on_rim(scene):
    """Whether the end of a cylinder or cone touches the ground."""
    rows = scene.contacts
    for c in scene.system.contacts:
        along_a, along_b = 0.0, 0.0
        for i in range(3):
            along_a += rows.axle_a[c, i] * rows.normal[c, i]
            along_b += rows.axle_b[c, i] * rows.normal[c, i]
        if max(abs(along_a), abs(along_b)) > _UPRIGHT:
            return True
    return False


@kernel
def _is_pressed(scene, gravity):
    """Whether a force on a body is many times the weight of the lightest body it touches.

    A hand or a motor presses as much as a heavy body on a light one does.
    """
    bodies, rows, square = scene.bodies, scene.contacts, 0.0
    for c in range(3):
        square += gravity[c] * gravity[c]
    if square == 0.0:
        return False
    for c in scene.system.contacts:
        a, b = rows.body_a[c], rows.body_b[c]
        lightest, force = math.inf, 0.0
        for body in (a, b):
            if bodies.solved[2 * body]:
                lightest = min(lightest, bodies.mass[body])
                force = max(force, _outer_force(bodies, body))
        if force > (PILE_MASS_RATIO * lightest) ** 2 * square:
            return True
    return False


@kernel
def _outer_force(bodies, b):
    """Square of the force on body b that is neither weight nor contact, N²."""
    total = 0.0
    for c in range(3):
        total += (bodies.force[2 * b, c] + bodies.soft_force[2 * b, c]) ** 2
    return total


@kernel
def choose_regime(scene, i, gravity):
    """Of island i, whose lists are entered."""
    if i < scene.islands.count[1]:
        return JOINTED
    bodies, rows = scene.bodies, scene.contacts
    if rows.tolerance_scale[0] < 1.0:
        return BY_SETTINGS
    if len(scene.system.bodies) == 1 and _stands_on_rim(scene):
        return ON_RIM
    for c in scene.system.contacts:
        a, b = rows.body_a[c], rows.body_b[c]
        if bodies.solved[2 * a] and bodies.solved[2 * b]:
            low = min(bodies.mass[a], bodies.mass[b])
            if max(bodies.mass[a], bodies.mass[b]) > PILE_MASS_RATIO * low:
                return HEAVY_ON_LIGHT
    return PRESSED if _is_pressed(scene, gravity) or _meets_soft(scene) else PILED


@kernel
def _meets_soft(scene):
    """Whether bodies that touch lie on soft ones, which reckon with single steps."""
    if len(scene.system.contacts) == 0:
        return False
    bodies = scene.bodies
    for b in scene.system.bodies:
        for c in range(3):
            if bodies.soft_force[2 * b, c] != 0.0:
                return True
    return False
