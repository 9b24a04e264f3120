"""The restitution pass, after positions have moved: bounce, and no speed from pushing overlaps out.

Positions move with velocities that use up gaps and push overlaps out. Velocities that stay want
something else: an overlap that was pushed out must not leave as flight, and a contact that was hit
at speed u leaves with e·u. So impulses are swept once more with

    w_n = J v - e u   for contacts hit faster than a threshold,      w_n = J v   for overlaps

unless no contact bounces and all pushing is slow.

Where balls touch one another, an impact goes from one to the next before they part: pairs that meet
in one point first take their impacts one by one (`propagate_impacts`):
Newton's cradle.

A body hit in mid-step stops at the touch and leaves with the speed of the touch, u² = u₀² + 2 a gap
with the speed u₀ and the acceleration a of the approach. Stored velocities move positions over the
step that ends now, so they belong to half a step ago: u₀ is the stored speed and a h/2, and what is
stored for the flight away is e·u + a h/2. A ball with e = 1 then keeps its height for ever.
"""

import math

import numpy as np

from physics.contact.packed import LIGHT
from physics.contact.solver.gauss_seidel import CONTACTS_ONLY, same_pair
from physics.contact.solver.reads import tell_others
from physics.contact.solver.row_update import apply_impulse, speeds
from physics.jit import kernel
from physics.jit.address import call
from physics.params import BOUNCE_SPEED, MAX_SWEEPS, RELAXATION_SPEED
from physics.state import SOLVE_GROUP, SWEEPS

_NEAR = 1e-3  # m; a pair closer than this takes part in a chain of impacts
_PASSES = 64  # through all bouncing pairs; a row of n balls needs n


@kernel
def restitution_pass(scene, h):
    """Final velocities after contact.

    Writes bodies.velocity, elements.mu and contacts.mu.
    """
    if not set_final_targets(scene, h):
        return
    system, velocity, x = scene.system, scene.bodies.velocity, scene.system.x
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            node = system.unknown[k]
            for i in range(3):
                x[k, i] = velocity[node, i] if node >= 0 else 0.0
    propagate_impacts(scene, x, h)
    rows = scene.contacts
    rows.job[0], rows.job[1] = h, MAX_SWEEPS
    arguments = (scene, np.int64(0), np.int64(CONTACTS_ONLY), np.int64(0))
    call(scene.addresses[SOLVE_GROUP], arguments)
    scene.counters[SWEEPS] += rows.swept[0]
    tell_others(scene, 0, x)
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            node = system.unknown[k]
            for i in range(3):
                if node >= 0:
                    velocity[node, i] = x[k, i]
                else:
                    scene.elements.mu[-1 - node, i] += x[k, i]


@kernel
def set_final_targets(scene, h):
    """Writes bias and in_restitution, the groups where it differs from what has been solved.

    Returns whether there is one.
    """
    rows = scene.contacts
    found = False
    rows.in_restitution[0] = 0
    for c in scene.system.contacts:
        differs = False
        for r in range(3):
            rows.bias[c, r] = rows.moved[c, r]
        target = max(rows.target[c], 0.0)
        if rows.mu[c, 0] > 0.0:
            if rows.restitution[c] > 0.0 and rows.approach[c] < -BOUNCE_SPEED:
                target = -_separation_speed(rows, c, h)
                differs = True
            elif rows.target[c] < 0.0:
                differs = rows.target[c] < -RELAXATION_SPEED
        rows.bias[c, 0] += target
        if differs:
            found = True
            rows.in_restitution[0] = 1
    return found


@kernel
def propagate_impacts(scene, x, h):
    """Impacts of bouncing pairs that meet in one point, one after the other as they arise.

    These contacts begin again from nothing; the first impact of each leaves with the speed of
    `_separation_speed`, later ones with e times what meets. Writes mu, bias and x.
    """
    rows, listed = scene.contacts, scene.system.contacts
    count = rows.count[0]
    found = False
    for c in listed:
        rows.phase[c] = 0
        if rows.restitution[c] <= 0.0:
            continue
        if rows.packed[c, LIGHT] <= 0.0 or not _single(rows, c, count):
            continue
        if rows.mu[c, 0] > 0.0 or rows.distance[c] < _NEAR:
            rows.phase[c] = 1
            found = found or (rows.mu[c, 0] > 0.0 and rows.approach[c] < -BOUNCE_SPEED)
    if not found:
        return
    for c in listed:
        if rows.phase[c] > 0:
            apply_impulse(rows, c, -rows.mu[c, 0], -rows.mu[c, 1], -rows.mu[c, 2], x)
            rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2] = 0.0, 0.0, 0.0
            rows.bias[c, 0] = rows.moved[c, 0]
    for _ in range(_PASSES):
        done = True
        for c in listed:
            if rows.phase[c] == 0:
                continue
            speed = speeds(rows, c, x)[0]
            if speed >= -BOUNCE_SPEED:
                continue
            leaving = -rows.restitution[c] * speed
            if rows.phase[c] == 1 and rows.approach[c] < -BOUNCE_SPEED:
                leaving = _separation_speed(rows, c, h)
            rows.phase[c] = 2
            impulse = (leaving - speed) * rows.packed[c, LIGHT]
            rows.mu[c, 0] += impulse
            apply_impulse(rows, c, impulse, 0.0, 0.0, x)
            done = False
        if done:
            break
    for c in listed:  # what parts now is not pulled back by the sweeps
        if rows.phase[c] > 0:
            parting = max(speeds(rows, c, x)[0], 0.0) if rows.mu[c, 0] > 0.0 else 0.0
            rows.bias[c, 0] += max(rows.target[c], 0.0) if rows.mu[c, 0] == 0.0 else -parting


@kernel
def _single(rows, c, count):
    """Whether the contact is its pair's only one."""
    before = c > 0 and same_pair(rows.shape_a, rows.shape_b, c - 1, c)
    after = c + 1 < count and same_pair(rows.shape_a, rows.shape_b, c + 1, c)
    return not (before or after)


@kernel
def _separation_speed(rows, c, h):
    """e u + a h/2."""
    speed = -rows.approach[c]
    faster = max(min(rows.approach[c] - rows.falling[c], speed), -speed)  # a h
    start = speed + 0.5 * faster
    square = start * start + 2.0 * faster / h * max(rows.distance[c], 0.0)
    return max(rows.restitution[c] * math.sqrt(max(square, 0.0)) + 0.5 * faster, 0.0)
