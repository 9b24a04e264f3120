"""Step acceptance: whether the step just solved is kept, or rolled back and recovered.

A step is kept if its joints are closed, its state is finite, limits and contacts hold where it
ends, no body is anywhere its speeds do not lead, and no energy came from nothing. Whether a body
tunnelled through a surface is asked afterwards, by the loop that knows the shapes (`ccd.py`).
"""

import math

from physics.ccd import stayed_on_course
from physics.energy import energies, energy_scale, work_done
from physics.jit import kernel
from physics.jit.clock import cycles
from physics.params import ACCEPTED_ERROR, RELAXED_ERROR, RUNAWAY_SPEED, STRAY_SPEED
from physics.state import (
    CLOCK_GUARD,
    DYNAMIC,
    ENERGY_GAIN,
    ERROR,
    MAY_TOUCH,
    RELAXED_UNTIL,
    STEPS,
)
from physics.validation import contacts_hold, limits_hold


@kernel
def accept_step(scene, settings, before, kinetic_before, check_limits):
    """Whether the step just solved can be kept.

    `before`, `kinetic_before`: total and kinetic energy at its start, J. `check_limits`: not after
    backward Euler, which takes bounded rows along as they were and cannot hold a limit. Writes
    measures[ENERGY_GAIN].
    """
    began = cycles()
    if check_limits and not limits_hold(scene):
        return False
    if not is_solved(scene) or not largest_speed(scene.bodies) < RUNAWAY_SPEED:
        return False
    if scene.contacts.status[MAY_TOUCH] and not _stayed_clear(scene, settings.h):
        return False
    if _strayed(scene.bodies, settings.h):
        return False
    kinetic, potential, elastic = energies(scene, settings.gravity)
    gain = kinetic + potential + elastic - before
    scale = energy_scale(scene, settings.gravity, max(kinetic, kinetic_before))
    scene.measures[ENERGY_GAIN] = gain
    scene.clock[CLOCK_GUARD] += cycles() - began
    return gain <= scale + work_done(scene, settings.h)


@kernel
def is_solved(scene):
    """Whether the joints are closed at the end of the step."""
    return scene.measures[ERROR] < (RELAXED_ERROR if _is_relaxed(scene) else ACCEPTED_ERROR)


@kernel
def _is_relaxed(scene):
    """Whether the relaxed tolerances of a recovery hold."""
    return scene.counters[STEPS] < scene.counters[RELAXED_UNTIL]


@kernel
def _stayed_clear(scene, h):
    """Whether contacts hold and bodies stayed where contacts had been looked for.

    With relaxed tolerances courses are not asked for: it is this or freezing, and the tunnelling
    check comes even so.
    """
    return contacts_hold(scene, h) and (_is_relaxed(scene) or stayed_on_course(scene, h))


@kernel
def largest_speed(bodies):
    """Largest speed of anything (m/s or rad/s); NaN if a state is not finite."""
    worst = 0.0
    velocity, position = bodies.velocity, bodies.position
    for node in range(len(velocity)):
        for c in range(3):
            speed = abs(velocity[node, c])
            if not speed <= worst:
                worst = speed
    for b in range(len(position)):
        for c in range(3):
            if not math.isfinite(position[b, c]):
                worst = math.nan
    return worst


@kernel
def _strayed(bodies, h):
    """Whether a body went where neither its speed before the step nor that after it leads."""
    for b in range(len(bodies.kind)):
        if bodies.kind[b] >= DYNAMIC:
            way, before, after = 0.0, 0.0, 0.0
            for c in range(3):
                way += (bodies.position[b, c] - bodies.start_position[b, c]) ** 2
                before += bodies.start_velocity[2 * b, c] ** 2
                after += bodies.velocity[2 * b, c] ** 2
            speeds = math.sqrt(before) + math.sqrt(after)
            if not math.sqrt(way) <= h * (3.0 * speeds + STRAY_SPEED):
                return True
    return False
