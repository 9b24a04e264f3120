"""Steps with contacts, looped in compiled code.

Detection and the step itself are called through their addresses (`jit/address.py`). The loop comes
back to Python only where Python has something to do: arrays must grow, a step was undone, something
began or ceased to touch, broke, woke up or may sleep.
"""

import numpy as np

from physics.collision.arrays import OK
from physics.contact.crossing import undone_if_crossed
from physics.contact.islands import find_resting
from physics.contact.rows import load_contacts
from physics.contact.touching import compare_touching
from physics.jit import kernel, kernel_without_lock
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.params import REST_INTERVAL
from physics.stabilization import ADAPTIVE
from physics.state import BROKEN, CLOCK_DETECT, DIVERGED, STEPS

# contacts.news[0], beyond what `detect` may answer
GROW_RESPONSE, WAKE, REST, HAPPENED = range(3, 7)
_TOUCH = 1e-4  # m; what comes closer than this to a sleeping body within a step wakes it


@kernel_without_lock
def run_steps(scene, collider, rest, settings, n, touch, by_node, detect_at, step_at):
    """Takes up to n steps; returns how many. Why it stopped early is in contacts.news[0].

    A step that could not be believed has been undone and is not counted (counters[REJECTED]).
    """
    rows, counters = scene.contacts, scene.counters
    rows.news[0], rows.news[1], rows.news[2] = OK, 0, 0
    guarded = touch and not by_node and settings.treatment == ADAPTIVE
    for done in range(n):
        if touch:
            began = cycles()
            rows.news[0] = _prepare(scene, collider, rest, settings.h, by_node, detect_at)
            scene.clock[CLOCK_DETECT] += cycles() - began
            if rows.news[0] != OK:
                return done
        if call(step_at, (scene, settings, np.int64(1))) == 0:
            return done
        if guarded and undone_if_crossed(scene, collider, settings.h):
            return done
        if touch:
            began = cycles()
            rows.news[1], rows.news[2] = compare_touching(rows)
            scene.clock[CLOCK_DETECT] += cycles() - began
            if rows.news[1] + rows.news[2] > 0:
                rows.news[0] = HAPPENED
        look = rest.enabled[0] and counters[STEPS] % REST_INTERVAL == 0
        if look and find_resting(scene, rest, settings.h) > 0:
            rows.news[0] = REST
        if rows.news[0] != OK or counters[BROKEN] > 0 or counters[DIVERGED] > 0:
            return done + 1
    return n


@kernel
def _prepare(scene, collider, rest, h, by_node, detect_at):
    """Contacts of the coming step; returns OK or what stands in the way."""
    bodies = scene.bodies
    velocity = bodies.velocity.reshape((len(bodies.kind), 6))
    arguments = (bodies.position, bodies.orientation, velocity, h, collider)
    status = call(detect_at, arguments)
    if status != OK:
        return status
    rows = scene.contacts
    if load_contacts(bodies, scene.system, h, by_node, rows) > len(rows.response):
        return GROW_RESPONSE
    if rest.sleeping[0] > 0 and _disturbed(rows, rest, h):
        return WAKE
    return OK


@kernel
def _disturbed(rows, rest, h):
    """Whether a sleeping body is about to be touched; writes rest.ready of such."""
    found = False
    for c in range(rows.count[0]):
        for b in (rows.body_a[c], rows.body_b[c]):
            if rest.asleep[b] and rows.gap[c] + h * rows.approach[c] < _TOUCH:
                rest.ready[b] = 1
                found = True
    return found
