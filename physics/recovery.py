"""A step of one island by the adaptive scheme: its substeps, and what happens to refused ones.

Leapfrog needs joints that turn by little in a step, and whips that need no added inertia: how many
substeps that takes is known before it. A substep that is not accepted is rolled back and repeated
with a quarter of its length, from fresh forces; lengths are powers of ½ of the step and grow again
where they succeed. The work is bounded: when its tries are used up, or at the shortest substep, the
island takes the dissipative way instead of searching on,

    drain       a substep that gained nothing but energy gives up that much speed: a little at
                once, half of it where sweeps were not ended, all of it where bodies only touch:
                what they leave is no reason to refuse
    brake       what turns too fast to be followed is braked (`turning.py`), then tried again
    implicit    backward Euler, whatever it loses
    freeze      the island stands still for the rest of the step, and says so

Every outcome is counted. Nothing of this shows in another island.
"""

import math

from physics.acceptance import CONTACTS, KEPT, TOO_MUCH, UNSOLVED, drain, judge
from physics.conserve import forget_energy
from physics.contact.contact_rows import reload_contacts
from physics.energy import only_touches
from physics.jit import kernel
from physics.jit.address import call
from physics.params import (
    DRAINED_SHARE,
    FEW_TRIES,
    MOST_BRAKES,
    MOST_SUBSTEPS,
    MOST_TRIES,
    SHORTEST_SUBSTEP,
    SUBSTEP_PHASE,
    SUBSTEP_TURN,
    WHIP_TURN,
)
from physics.rollback import (
    forget_acceleration,
    roll_back,
    roll_back_frame,
    save_frame,
    save_start,
)
from physics.schemes.shared import begin_rows, mark_broken, store_forces
from physics.stabilization.clear import clear_added
from physics.state import (
    BROKEN,
    CUT,
    DRAINED,
    FIND_FORCES,
    FROZEN,
    HALVED,
    IMPLICIT,
    IMPLICIT_STEP,
    READY,
    RECOVERED,
    SOLVE_SUBSTEP,
    SOLVED,
    STANDS,
    SUBSTEPS,
    UNENDED,
    WAITS,
)
from physics.turning import brake_turning, rate_of_step, ringing_rate, substeps_for, turning_rate
from physics.validation import hold_centres, mark_passed
from physics.whips import substeps_of_whips

# Share of its kinetic energy that a last try may give up: what limits push from rest has all of it
# from nothing, and a little of that is potential energy by now.
ALL_OF_IT = 1.05

# Share that sweeps which were not ended may have made: as much again. More was no error of sweeps.
HALF_OF_IT = 0.5


@kernel
def step_adaptive(scene, settings, i):
    """Takes one step of island i, whose lists are entered; returns SOLVED, RECOVERED or STANDS."""
    counters = scene.counters
    save_frame(scene)
    _keep_rests(scene)
    scene.measures[WAITS], scene.measures[READY] = 0.0, 0.0
    whole = SHORTEST_SUBSTEP
    n = _substeps_needed(scene, settings.h)
    scene.islands.substeps[i] = n
    counters[SUBSTEPS] += n - 1
    tries, brakes = (MOST_TRIES, MOST_BRAKES) if not _stood_still(scene) else (FEW_TRIES, 0)
    longest = whole // n
    done, part, last, state = 0, longest, whole, SOLVED
    while done < whole:
        h = settings.h * part / whole
        _move_rests(scene, (done + part) / whole)
        if done > 0 or part != last:
            reload_contacts(scene, h, part / last)
        last = part
        tries -= 1
        accepted = _try_substep(scene, settings, h, tries <= 0 or part == 1, state == SOLVED)
        if not accepted and scene.measures[CUT] > 0.0:
            begin_rows(scene.bodies, scene.elements, scene.system)
            longest = part = part // max(substeps_of_whips(scene, h), 2)
            counters[SUBSTEPS] += 1
            continue
        if not accepted:
            state = RECOVERED
            counters[HALVED] += 1
            if (tries <= 0 or part == 1) and brakes > 0:
                brakes, tries = brakes - 1, MOST_TRIES // 4
                longest = whole // MOST_SUBSTEPS
                part = min(longest, _alignment(done, whole))
                _brake(scene, settings, part, longest)
                continue
            if tries <= 0 or part == 1:
                if not _step_implicitly(scene, settings, h):
                    state = STANDS
                    break
            else:
                part = max(part // 4, 1)
                continue
        done += part
        if counters[BROKEN] > 0:
            break
        part = min(2 * part, longest, _alignment(done, whole))
        if state == RECOVERED:  # no longer than what turns now can be followed
            part = min(part, whole // substeps_for(turning_rate(scene), 4.0 * settings.h))
    _finish(scene, settings, whole / last, state)
    return state


@kernel
def _substeps_needed(scene, h):
    """A power of 2, from what turns, what rings and what whips.

    Where that is 1, rows and added inertia may be there already: measures[READY] is h.
    """
    elements, system = scene.elements, scene.system
    rate = rate_of_step(scene)
    springs = len(system.stiffness) > 0
    for e in system.bilateral:
        springs = springs or elements.compliance[e, 0] + elements.compliance[e, 1] > 0.0
        springs = springs or elements.compliance[e, 2] > 0.0
    whips = h * rate > WHIP_TURN
    if springs or whips:
        begin_rows(scene.bodies, elements, system)
        clear_added(elements, system)
    if springs:
        rate = max(rate, SUBSTEP_TURN / SUBSTEP_PHASE * ringing_rate(scene, h))
    n = substeps_for(rate, h)
    if whips:
        n = max(n, substeps_of_whips(scene, h))
        if n == 1 and len(system.ropes) == 0:
            scene.measures[READY] = h
    return n


@kernel
def _alignment(done, whole):
    """The longest substep, a power of 2, that may begin at `done`."""
    return done & -done if done > 0 else whole


@kernel
def _try_substep(scene, settings, h, last_try, smooth):
    """One substep; rolled back if it is not accepted. Returns whether it was."""
    save_start(scene)
    scene.measures[UNENDED] = 0.0
    call(scene.addresses[SOLVE_SUBSTEP], (scene, settings, h))
    if scene.measures[CUT] > 0.0:
        roll_back(scene)
        return False
    verdict = judge(scene, settings, h, True, smooth)
    most, touches = ALL_OF_IT if last_try else DRAINED_SHARE, only_touches(scene)
    if touches:  # shorter substeps end no better
        most = math.inf
    elif scene.measures[UNENDED] > 0.0:
        most = max(most, HALF_OF_IT)
    if verdict == TOO_MUCH and drain(scene, most, h, touches):
        scene.counters[DRAINED] += 1
        verdict = KEPT
    if verdict != KEPT:
        scene.measures[WAITS] = max(scene.measures[WAITS], 2.0 if verdict == UNSOLVED else 1.0)
        if verdict == CONTACTS:
            mark_passed(scene)
        roll_back(scene)
        forget_acceleration(scene)
        for c in scene.system.contacts:
            for r in range(3):
                scene.contacts.mu[c, r] = 0.0  # no warm start from what failed
        if verdict == CONTACTS:
            hold_centres(scene)
        if verdict == UNSOLVED and len(scene.system.contacts) + len(scene.system.unilateral) > 0:
            # what is struck or stopped pushes with other forces than those of the last step
            call(scene.addresses[FIND_FORCES], (scene, settings, 0.25 * h))
        return False
    store_forces(scene)
    mark_broken(scene)
    return True


@kernel
def _brake(scene, settings, part, followed):
    """Brakes what substeps of `followed` could not follow; the next one takes `part`."""
    brake_turning(scene, settings.h * followed / SHORTEST_SUBSTEP)
    forget_energy(scene)
    scene.counters[DRAINED] += 1


@kernel
def _step_implicitly(scene, settings, h):
    """One substep by backward Euler; rolled back if even that cannot be kept."""
    save_start(scene)
    call(scene.addresses[FIND_FORCES], (scene, settings, h))
    call(scene.addresses[IMPLICIT_STEP], (scene, settings, h))
    verdict = judge(scene, settings, h, False, False)
    if verdict == TOO_MUCH and drain(scene, ALL_OF_IT, h, False):
        verdict = KEPT
    if verdict != KEPT:
        roll_back(scene)
        return False
    scene.counters[IMPLICIT] += 1
    mark_broken(scene)
    return True


@kernel
def _finish(scene, settings, scale, state):
    """Impulses are kept as those of a whole step; what has no solution stands still."""
    bodies, rows = scene.bodies, scene.contacts
    _move_rests(scene, 1.0)
    for e in scene.system.driven:
        for r in range(3):
            scene.elements.rest_before[e, r] = scene.elements.rest[e, r]
    stands = state == STANDS
    scene.counters[FROZEN] += stands
    for b in scene.system.bodies:
        bodies.frozen[b] = stands
    for c in scene.system.contacts:
        for r in range(3):
            rows.mu[c, r] = 0.0 if stands else rows.mu[c, r] * scale
    if stands:
        _stand_still(scene, settings)


@kernel
def _stand_still(scene, settings):
    """No motion, no energy; and the forces that hold what stands, as before a first step.

    Without them the next step would begin with no inertia added where they need it, and fail again.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                bodies.velocity[node, c], bodies.mean_velocity[node, c] = 0.0, 0.0
                bodies.late[node, c], bodies.mean_excess[node, c] = 0.0, 0.0
        bodies.lag[b], bodies.debt[b], bodies.peak[b] = 0.0, 0.0, 0.0
    for listed in (system.bilateral, system.unilateral):
        for e in listed:
            for r in range(3):
                elements.mu[e, r], elements.lam[e, r] = 0.0, 0.0
    call(scene.addresses[FIND_FORCES], (scene, settings, settings.h))


@kernel
def freeze(scene, settings):
    """Puts the island back to where the step began and lets it stand there."""
    roll_back_frame(scene)
    _finish(scene, settings, 0.0, STANDS)


@kernel
def _stood_still(scene):
    """Whether the last step of these bodies had no solution: then little is tried again."""
    for b in scene.system.bodies:
        if scene.bodies.frozen[b]:
            return True
    return False


# --- what winches and servos move -------------------------------------------------------------


@kernel
def _keep_rests(scene):
    """Writes rest_after."""
    for e in scene.system.driven:
        for r in range(3):
            scene.elements.rest_after[e, r] = scene.elements.rest[e, r]


@kernel
def _move_rests(scene, share):
    """A winch or servo moves its rest value evenly over the step; writes rest.

    All of it in a short substep would pull as many times too fast.
    """
    elements = scene.elements
    for e in scene.system.driven:
        for r in range(3):
            before, after = elements.rest_before[e, r], elements.rest_after[e, r]
            if before != after:
                elements.rest[e, r] = after if share == 1.0 else before + share * (after - before)
