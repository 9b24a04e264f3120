"""The loop over steps, and with it the whole story of a step.

Forces of hands, wind and motors are in `bodies.force` and the elements' targets when it begins.

    detect        contacts of the coming step, swept along the velocities       collision/
    load          them as rows: Jacobians, target speeds                        contact/
    wake          sleeping islands that are about to be touched                 islands/
    islands       what hangs together by joints and contacts                    islands/lists.py
    pile          islands of free bodies that touch: substeps and sweeps        contact/pile/
    solve         every other one by itself, by the scheme of the settings      schemes/
        substeps      as many as its fastest lever needs                        turning.py
        save          the start of the substep                                  rollback.py
        begin         φ, J and M at the start; the stabilization's M̃            stabilization/
        contacts      velocity solve: contacts, limits and motors by sweeps     contact/solver/
        joints        joints, taut ropes and positions by Newton                solver/
        retry         limits or contacts missed at the end of the substep?      validation.py
                      the same once more with corrected targets
        restitution   contacts once more: bounce, no speed from pushing out     contact/solver/
        accept        finite? solved? no energy from nothing?                   acceptance.py
                      else roll back, and recover: shorter, drained, implicit   recovery.py
        finish        λ for the next step; what breaks
    check         no body tunnelled through a surface, else solve again         ccd.py
    report        pairs that begin and cease to touch                           contact/events.py
    sleep         islands at rest                                               islands/

The order within `solve` is that of the adaptive scheme. The loop returns to Python for arrays that
must grow, events, breaking, waking and sleeping (`stepper.py`).

Detection and the scheme are called through their addresses (`jit/address.py`): they are compiled
once, not once more within this loop.
"""

from physics.ccd import find_beyond, find_tunnelled, way_velocities
from physics.collision.arrays import GROW_CONTACTS, OK
from physics.collision.ways import keep_struck
from physics.contact.contact_rows import load_contacts
from physics.contact.events import compare_touching, note_struck
from physics.integrate import advance
from physics.islands.islands import find_disturbed, find_resting
from physics.islands.lists import build_islands, enter_island, enter_whole
from physics.islands.regime import choose_regime
from physics.jit import kernel, kernel_without_lock
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.look_ahead import look_ahead
from physics.params import MOST_WAYS, REST_INTERVAL
from physics.recovery import freeze
from physics.rollback import keep_keyframed, put_keyframed_back, roll_back_frame
from physics.stabilization import ADAPTIVE
from physics.state import (
    BEGUN,
    BROKEN,
    BY_SETTINGS,
    CLOCK_DETECT,
    DIVERGED,
    ENDED,
    EXIT,
    GROW_RESPONSE,
    PGS,
    PILED,
    REDETECTED,
    SLEEP,
    STANDS,
    STEP_PILE,
    STEPS,
    TOUCH_CHANGED,
    WAKE,
    WORK,
)


@kernel_without_lock
def run_steps(scene, collider, sleep, settings, n, may_touch, detect_at, scheme_at):
    """Takes up to n steps; returns how many. Why it stopped early is in contacts.status[EXIT].

    If that was for room for what was detected, it goes on from there: to detect again would begin
    from what the first time has found, and end in other bits than where there was room.
    """
    status, counters = scene.contacts.status, scene.counters
    detected = status[EXIT] == GROW_RESPONSE
    status[EXIT], status[BEGUN], status[ENDED] = OK, 0, 0
    for done in range(n):
        looks = may_touch and not (detected and done == 0)
        if may_touch and not looks:
            status[EXIT] = _load_detected(scene, sleep, settings)
        if status[EXIT] == OK:
            status[EXIT] = take_step(
                scene, collider, sleep, settings, may_touch, looks, detect_at, scheme_at
            )
        if status[EXIT] != OK:
            return done
        if may_touch:
            _report_touching(scene)
        look = sleep.enabled[0] and counters[STEPS] % REST_INTERVAL == 0
        if look and find_resting(scene, sleep, settings.h) > 0:
            status[EXIT] = SLEEP
        if status[EXIT] != OK or counters[BROKEN] > 0 or counters[DIVERGED] > 0:
            return done + 1
        if _froze_or_thawed(scene):
            return done + 1
    return n


@kernel
def take_step(scene, collider, sleep, settings, may_touch, looks, detect_at, scheme_at):
    """Takes one step; returns OK, or what Python must do first if it was not taken.

    `looks`: contacts are not detected yet.
    """
    scene.counters[BROKEN] = 0
    if looks:
        collider.contacts.old_kept[0] = 0
        look_ahead(scene, settings)
        status = _detect_contacts(scene, collider, sleep, settings, detect_at)
        if status != OK:
            return status
    step_islands(scene, settings, scheme_at)
    checks = may_touch and settings.solver != PGS and settings.stabilization == ADAPTIVE
    ways = 0
    while checks and find_tunnelled(scene, collider, settings.h) > 0:
        if ways > 0 and find_beyond(scene, collider) == 0:
            break
        if ways == MOST_WAYS:
            collider.contacts.old_kept[0] = 0
            _freeze_tunnelled(scene, settings)
            break
        status = _solve_along_way(scene, collider, sleep, settings, detect_at, scheme_at)
        if status != OK:
            return status
        ways += 1
    scene.counters[STEPS] += 1
    return OK


@kernel
def step_islands(scene, settings, scheme_at):
    """Every island by itself; writes islands.state. What is keyframed moves along with each."""
    islands = scene.islands
    build_islands(scene)
    keep_keyframed(scene)
    if settings.solver == PGS:
        enter_whole(scene)
        scene.measures[WORK] = 0.0
        islands.state[0] = call(scheme_at, (scene, settings, 0))
        note_struck(scene)
    else:
        piles = settings.stabilization == ADAPTIVE
        for i in range(islands.count[0]):
            put_keyframed_back(scene)
            enter_island(scene, i)
            scene.measures[WORK] = 0.0
            islands.regime[i] = choose_regime(scene, i, settings.gravity) if piles else BY_SETTINGS
            if islands.regime[i] == PILED:
                islands.state[i] = call(scene.addresses[STEP_PILE], (scene, settings, i))
            else:
                islands.state[i] = call(scheme_at, (scene, settings, i))
                note_struck(scene)
    put_keyframed_back(scene)
    enter_whole(scene)
    _move_keyframed(scene, settings.h)


@kernel
def _move_keyframed(scene, h):
    """What moves as it is told is where it is told to be; writes positions and orientations."""
    system = scene.system
    free = system.bodies
    system.bodies = free[:0]
    advance(scene.bodies, system, scene.bodies.velocity, h)
    system.bodies = free


@kernel
def _solve_along_way(scene, collider, sleep, settings, detect_at, scheme_at):
    """Solves the step again, with contacts detected along the way that bodies took."""
    bodies = scene.bodies
    for node in range(len(bodies.velocity)):
        for c in range(3):
            bodies.ahead[node, c] = bodies.velocity[node, c]
    way_velocities(bodies, scene.system, settings.h, bodies.ahead)
    roll_back_frame(scene)
    put_keyframed_back(scene)
    if not keep_struck(collider.contacts):
        return GROW_CONTACTS
    scene.counters[REDETECTED] += 1
    scene.counters[BROKEN] = 0
    status = _detect_contacts(scene, collider, sleep, settings, detect_at)
    if status != OK:
        return status
    step_islands(scene, settings, scheme_at)
    return OK


@kernel
def _freeze_tunnelled(scene, settings):
    """Islands with a body that passed a surface even so stand still for this step."""
    mark, islands = scene.label[0], scene.islands
    for i in range(islands.count[0]):
        enter_island(scene, i)
        found = False
        for b in scene.system.bodies:
            found = found or mark[b] == 1
        if found:
            freeze(scene, settings)
            islands.state[i] = STANDS
    enter_whole(scene)


@kernel
def _froze_or_thawed(scene):
    """Whether the set of frozen bodies has changed: Python reports that."""
    bodies = scene.bodies
    changed = False
    for b in range(len(bodies.frozen)):
        changed = changed or bodies.frozen[b] != bodies.was_frozen[b]
        bodies.was_frozen[b] = bodies.frozen[b]
    return changed


@kernel
def _detect_contacts(scene, collider, sleep, settings, detect_at):
    """Rows of the contacts of the coming step; returns OK or what Python must do first."""
    began, bodies = cycles(), scene.bodies
    along = bodies.ahead.reshape((len(bodies.kind), 6))
    status = call(detect_at, (bodies.position, bodies.orientation, along, settings.h, collider))
    scene.clock[CLOCK_DETECT] += cycles() - began
    return status if status != OK else _load_detected(scene, sleep, settings)


@kernel
def _load_detected(scene, sleep, settings):
    """Rows of what was detected; returns OK or what Python must do first."""
    began, rows, h, status = cycles(), scene.contacts, settings.h, OK
    by_node = settings.solver == PGS
    if load_contacts(scene.bodies, scene.system, h, by_node, rows) > len(rows.response):
        status = GROW_RESPONSE
    elif sleep.sleeping[0] > 0 and find_disturbed(rows, sleep, h):
        status = WAKE
    scene.clock[CLOCK_DETECT] += cycles() - began
    return status


@kernel
def _report_touching(scene):
    """Counts the pairs that began and ceased to touch; writes contacts.status."""
    began, status = cycles(), scene.contacts.status
    status[BEGUN], status[ENDED] = compare_touching(scene.contacts)
    scene.clock[CLOCK_DETECT] += cycles() - began
    if status[BEGUN] + status[ENDED] > 0:
        status[EXIT] = TOUCH_CHANGED
