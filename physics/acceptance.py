"""Step acceptance: whether the substep of an island is kept, or rolled back and recovered.

It is kept if its joints are closed, its state is finite, limits and contacts hold where it ends, no
body is anywhere its speeds do not lead, and no energy came from nothing. Whether a body tunnelled
through a surface is asked afterwards, by the loop that knows the shapes (`ccd.py`).
"""

import math

from physics.conserve import (
    forget_energy,
    is_conservative,
    is_smooth,
    keep_energy,
    lag_of_start,
    swing,
    was_conserved,
)
from physics.energy import (
    credit,
    debt_of_island,
    energy_gained,
    energy_of_impulses,
    kinetic_of_island,
    note_kinetic,
    only_touches,
    set_debt,
)
from physics.jit import kernel
from physics.jit.clock import cycles
from physics.linalg import quaternion_to_matrix
from physics.params import (
    ACCEPTED_ERROR,
    CLOSING_SPEED,
    CONTACT_PUSH_SPEED,
    RUNAWAY_SPEED,
    SMOOTH_LOSS,
    STRAY_SPEED,
)
from physics.stabilization.adaptive import is_stiff
from physics.state import (
    CLOCK_GUARD,
    ERROR,
    EXCESS,
    GAIN,
    KINETIC,
    PAID,
    REFUSED_BY,
)
from physics.validation import contacts_hold, is_jammed, limits_hold

# what becomes of a substep: kept, or why not
UNSOLVED, LIMITS, CONTACTS, STRAYED, TOO_MUCH, KEPT = range(6)
REASONS = ("unsolved", "limits", "contacts", "strayed", "energy")


@kernel
def judge(scene, settings, h, check_limits, smooth):
    """Whether the substep just solved can be kept: KEPT, or why not; TOO_MUCH: only of energy.

    The energies at its start are in `measures`. `check_limits`: not after backward Euler, which
    takes bounded rows along as they were and cannot hold a limit. `smooth`: nothing was refused in
    this step. Writes measures[GAIN], and the ledger if it is kept.
    """
    began = cycles()
    verdict = _judge(scene, settings, h, check_limits, smooth)
    if verdict != KEPT:
        scene.counters[REFUSED_BY + verdict] += 1
    scene.clock[CLOCK_GUARD] += cycles() - began
    return verdict


@kernel
def _judge(scene, settings, h, check_limits, smooth):
    if not is_solved(scene) or not largest_speed(scene.bodies, scene.system) < RUNAWAY_SPEED:
        return UNSOLVED
    if len(scene.system.contacts) > 0 and is_jammed(scene, settings.gravity, h):
        return UNSOLVED
    if check_limits and not limits_hold(scene):
        return LIMITS
    if len(scene.system.contacts) > 0 and not contacts_hold(scene, h):
        return CONTACTS
    if _strayed(scene, h):
        return STRAYED
    before, kinetic = scene.measures[KINETIC], kinetic_of_island(scene)
    gain = energy_gained(scene, settings.gravity, h, before, kinetic)
    # of what it has now counts what it has by right
    most = credit(scene, settings.gravity, h, max(kinetic - max(gain, 0.0), 0.0))
    # what smooth motion lost it may win back: it swings about its energy; an impact's loss is final
    flows, conserves, stiff, inertial, pulled = is_smooth(scene), False, False, 0.0, 0.0
    if flows:
        conserves, stiff = is_conservative(scene), is_stiff(scene.elements, scene.system)
    if flows and not stiff:
        inertial, pulled = swing(scene, settings.gravity)
        # what would swing by more than is known and may be owed together is no whip
        flows = h * h * inertial <= 24.0 * most
        conserves = conserves and flows
    smooth = smooth and len(scene.system.contacts) == 0
    smooth = smooth and (flows or scene.unilateral.count[0] == 0)
    # what went on smoothly does so in shorter substeps, too, but not by backward Euler
    goes_on = conserves and not stiff and check_limits and was_conserved(scene, PAID)
    smooth = smooth or goes_on
    debt = max(debt_of_island(scene) + gain, -_won_back(scene, most, smooth))
    asked, swings = debt, 0.0
    if flows and smooth and not stiff:
        # a short substep after a long one swings as that did, but by no more than it may
        swings = h * h * (inertial / 12.0 - pulled / 6.0)
        if lag_of_start(scene) == 0.0:  # H of a start is not H of the middle of a step before it
            swings *= 1.5
        swings = min(swings, most) + min(0.5 * gain, most)
        asked = debt - swings
    # debt from when it moved faster, or hung on what does, is no fault of this substep
    scene.measures[GAIN], scene.measures[EXCESS] = gain, min(asked - most, gain)
    too_much = gain > 1e-12 * kinetic and not asked <= most
    if too_much:
        # rounding is taken back without a word: a shorter substep would gain as much
        rounds = not gain > 1e-14 * energy_of_impulses(scene)
        return KEPT if rounds and drain(scene, math.inf, h, False) else TOO_MUCH
    set_debt(scene, debt)
    if conserves and smooth:
        kinetic += keep_energy(scene, h, debt, swings, inertial / 24.0 - pulled / 12.0, stiff)
    else:
        forget_energy(scene)
    note_kinetic(scene, h, kinetic)
    return KEPT


@kernel
def _won_back(scene, most, smooth):
    """Of what was lost, how much may come back, J: joints and springs swing about their energy.

    What only touches never does: an impact's loss is final.
    """
    if smooth:
        return SMOOTH_LOSS * most
    return 0.0 if only_touches(scene) else most


@kernel
def drain(scene, most, h, comes_back):
    """Takes the speed that was gained from nothing; False if that is more than `most` of all.

    Scaled velocities are still those that joints allow. `comes_back`: no joint forbids that the way
    of what was thrown is shortened as much; else it would stop far off, in mid-air. What is pushed
    out of an overlap stays where it came. Writes velocities and the ledger, and then poses.
    """
    bodies = scene.bodies
    kinetic, excess = kinetic_of_island(scene), scene.measures[EXCESS]
    if not excess < most * kinetic:
        return False
    excess = min(excess, kinetic)
    share = math.sqrt(1.0 - excess / kinetic)
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                bodies.velocity[node, c] *= share
                bodies.mean_velocity[node, c] *= share
        if comes_back and _was_thrown(bodies, b, h):
            _shorten_way(bodies, b, share)
    set_debt(scene, debt_of_island(scene) + scene.measures[GAIN] - excess)
    note_kinetic(scene, h, kinetic - excess)
    return True


@kernel
def _was_thrown(bodies, b, h):
    """Whether body b came farther than its speed before and being pushed out explain."""
    way, before = 0.0, 0.0
    for c in range(3):
        way += (bodies.position[b, c] - bodies.start_position[b, c]) ** 2
        before += bodies.start_velocity[2 * b, c] ** 2
    return math.sqrt(way) > h * (math.sqrt(before) + 2.0 * CONTACT_PUSH_SPEED)


@kernel
def _shorten_way(bodies, b, share):
    """Body b came only that share of its way in the substep; writes its pose."""
    place, start, size, along = bodies.position, bodies.start_position, 0.0, 0.0
    for c in range(3):
        place[b, c] = start[b, c] + share * (place[b, c] - start[b, c])
    q, before = bodies.orientation, bodies.start_orientation
    for c in range(4):
        along += q[b, c] * before[b, c]
    for c in range(4):
        q[b, c] = (1.0 - share) * before[b, c] + (share if along >= 0.0 else -share) * q[b, c]
        size += q[b, c] * q[b, c]
    for c in range(4):
        q[b, c] /= math.sqrt(size)
    quaternion_to_matrix(q, b, bodies.rotation)


@kernel
def is_solved(scene):
    """Whether the joints are closed at the end of the step."""
    return scene.measures[ERROR] < ACCEPTED_ERROR


@kernel
def largest_speed(bodies, system):
    """Largest speed of anything (m/s or rad/s); NaN if a state is not finite."""
    worst = 0.0
    velocity, position = bodies.velocity, bodies.position
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                speed = abs(velocity[node, c])
                if not speed <= worst:
                    worst = speed
        for c in range(3):
            if not math.isfinite(position[b, c]):
                worst = math.nan
    return worst


@kernel
def _strayed(scene, h):
    """Whether a body went where neither its speed before the step nor that after it leads.

    Joints that were found apart close as a way, not a speed.
    """
    bodies, elements, free = scene.bodies, scene.elements, STRAY_SPEED
    for e in scene.system.bilateral:
        for r in range(3):
            if elements.leave[e, r] != 0.0:
                free = STRAY_SPEED + CLOSING_SPEED
    for b in scene.system.bodies:
        way, before, after = 0.0, 0.0, 0.0
        for c in range(3):
            way += (bodies.position[b, c] - bodies.start_position[b, c]) ** 2
            before += bodies.start_velocity[2 * b, c] ** 2
            after += bodies.velocity[2 * b, c] ** 2
        speeds = math.sqrt(before) + math.sqrt(after)
        if not math.sqrt(way) <= h * (3.0 * speeds + free):
            return True
    return False
