"""The loop over steps, and with it the whole story of a step.

Forces of hands, wind and motors are in `bodies.force` and the elements' targets when it begins.

    detect        contacts of the coming step, swept along the velocities       collision/
    load          them as rows: Jacobians, target speeds                        contact/
    wake          sleeping islands that are about to be touched                 islands/
    solve         by the scheme that the settings name                          schemes/
        save          the start of the step                                     rollback.py
        begin         φ, J and M at the start; the stabilization's M̃            stabilization/
        contacts      velocity solve: contacts, limits and motors by sweeps     contact/solver/
        joints        joints and positions by Newton                            solver/
        retry         limits or contacts missed at the end of the step?         validation.py
                      the same once more with corrected targets
        restitution   contacts once more: bounce, no speed from pushing out     contact/solver/
        accept        finite? solved? no energy from nothing?                   acceptance.py
                      else roll back
        finish        λ for the next step; what breaks
    check         no body tunnelled through a surface, else roll back           ccd.py
    report        pairs that begin and cease to touch                           contact/events.py
    sleep         islands at rest                                               islands/

The order within `solve` is that of the adaptive scheme. A step that was rolled back ends the loop;
`recovery.py` takes it by other means, called by `stepper.py`, as is everything for which the loop
returns to Python: arrays that must grow, events, breaking, waking and sleeping.

Detection and the scheme are called through their addresses (`jit/address.py`): they are compiled
once, not once more within this loop.
"""

import numpy as np

from physics.ccd import roll_back_if_tunnelled
from physics.collision.arrays import OK
from physics.contact.contact_rows import load_contacts
from physics.contact.events import compare_touching
from physics.islands.islands import find_disturbed, find_resting
from physics.jit import kernel, kernel_without_lock
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.params import REST_INTERVAL
from physics.stabilization import ADAPTIVE
from physics.state import (
    BEGUN,
    BROKEN,
    CLOCK_DETECT,
    DIVERGED,
    ENDED,
    EXIT,
    GROW_RESPONSE,
    SLEEP,
    STEPS,
    TOUCH_CHANGED,
    WAKE,
)


@kernel_without_lock
def run_steps(scene, collider, sleep, settings, n, may_touch, by_node, detect_at, scheme_at):
    """Takes up to n steps; returns how many. Why it stopped early is in contacts.status[EXIT].

    A step that was not accepted has been rolled back and is not counted (counters[REJECTED]).
    """
    status, counters, h = scene.contacts.status, scene.counters, settings.h
    status[EXIT], status[BEGUN], status[ENDED] = OK, 0, 0
    checks_tunnelling = may_touch and not by_node and settings.treatment == ADAPTIVE
    for done in range(n):
        if may_touch:
            status[EXIT] = _detect_contacts(scene, collider, sleep, h, by_node, detect_at)
            if status[EXIT] != OK:
                return done
        if call(scheme_at, (scene, settings, np.int64(1))) == 0:
            return done
        if checks_tunnelling and roll_back_if_tunnelled(scene, collider, h):
            return done
        if may_touch:
            _report_touching(scene)
        look = sleep.enabled[0] and counters[STEPS] % REST_INTERVAL == 0
        if look and find_resting(scene, sleep, h) > 0:
            status[EXIT] = SLEEP
        if status[EXIT] != OK or counters[BROKEN] > 0 or counters[DIVERGED] > 0:
            return done + 1
    return n


@kernel
def _detect_contacts(scene, collider, sleep, h, by_node, detect_at):
    """Rows of the contacts of the coming step; returns OK or what Python must do first."""
    began = cycles()
    status = _load_detected(scene, collider, sleep, h, by_node, detect_at)
    scene.clock[CLOCK_DETECT] += cycles() - began
    return status


@kernel
def _load_detected(scene, collider, sleep, h, by_node, detect_at):
    bodies, rows = scene.bodies, scene.contacts
    velocity = bodies.velocity.reshape((len(bodies.kind), 6))
    status = call(detect_at, (bodies.position, bodies.orientation, velocity, h, collider))
    if status != OK:
        return status
    if load_contacts(bodies, scene.system, h, by_node, rows) > len(rows.response):
        return GROW_RESPONSE
    if sleep.sleeping[0] > 0 and find_disturbed(rows, sleep, h):
        return WAKE
    return OK


@kernel
def _report_touching(scene):
    """Counts the pairs that began and ceased to touch; writes contacts.status."""
    began, status = cycles(), scene.contacts.status
    status[BEGUN], status[ENDED] = compare_touching(scene.contacts)
    scene.clock[CLOCK_DETECT] += cycles() - began
    if status[BEGUN] + status[ENDED] > 0:
        status[EXIT] = TOUCH_CHANGED
