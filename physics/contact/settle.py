"""The second look at contacts, after positions have moved: bounce, and no speed from pushing out.

Positions move with velocities that use up gaps and push overlaps out. Velocities that stay want
something else: an overlap that was pushed out must not leave as flight, and a contact that was hit
at speed u leaves with e·u. So impulses are swept once more with

    w_n = J v - e u   for contacts hit faster than a threshold,      w_n = J v   for overlaps

unless no contact bounces and all pushing is slow.

A body hit in mid-step stops at the touch and leaves with the speed of the touch, u² = u₀² + 2 a gap
with the speed u₀ and the acceleration a of the approach. Stored velocities move positions over the
step that ends now, so they belong to half a step ago: u₀ is the stored speed and a h/2, and what is
stored for the flight away is e·u + a h/2. A ball with e = 1 then keeps its height for ever.
"""

import math

from physics.compiled import kernel
from physics.contact.sweep import CONTACTS_ONLY, sweep
from physics.params import BOUNCE_SPEED, MAX_SWEEPS, SETTLE_SPEED
from physics.state import CONTACT_WORK, RESIDUAL, SWEEPS


@kernel
def settle(scene, h):
    """Final velocities after contact.

    Writes bodies.velocity, elements.mu, contacts.mu and measures[CONTACT_WORK].
    """
    differs, scene.measures[CONTACT_WORK] = aim_final(scene.contacts, h)
    if not differs:
        return
    system, velocity, x = scene.system, scene.bodies.velocity, scene.system.x
    for k in range(system.size[0]):
        node = system.unknown[k]
        for i in range(3):
            x[k, i] = velocity[node, i] if node >= 0 else 0.0
    sweeps, scene.measures[RESIDUAL] = sweep(scene, x, h, MAX_SWEEPS, CONTACTS_ONLY)
    scene.counters[SWEEPS] += sweeps
    for k in range(system.size[0]):
        node = system.unknown[k]
        for i in range(3):
            if node >= 0:
                velocity[node, i] = x[k, i]
            else:
                scene.elements.mu[-1 - node, i] += x[k, i]


@kernel
def aim_final(rows, h):
    """Writes bias; returns whether it differs from what has been solved, and the contacts' work.

    Work, as an upper bound: of keyframed bodies, of pushing out, and what a bounce seems to gain
    because velocities lag half a step behind, m u·a h.
    """
    differs = False
    work = 0.0
    for c in range(rows.count[0]):
        for r in range(3):
            rows.bias[c, r] = rows.moved[c, r]
            work += abs(rows.mu[c, r] * rows.moved[c, r])
        target = max(rows.target[c], 0.0)
        if rows.mu[c, 0] > 0.0:
            if rows.restitution[c] > 0.0 and rows.approach[c] < -BOUNCE_SPEED:
                target = -_leaving_speed(rows, c, h)
                lag = abs(rows.approach[c] - rows.falling[c])
                work -= 2.0 * rows.approach[c] * lag / rows.block[c, 0, 0]
                differs = True
            elif rows.target[c] < 0.0:
                work -= rows.mu[c, 0] * rows.target[c]
                differs = differs or rows.target[c] < -SETTLE_SPEED
        rows.bias[c, 0] += target
    return differs, work


@kernel
def _leaving_speed(rows, c, h):
    """e u + a h/2."""
    speed = -rows.approach[c]
    faster = max(min(rows.approach[c] - rows.falling[c], speed), -speed)  # a h
    start = speed + 0.5 * faster
    square = start * start + 2.0 * faster / h * max(rows.gap[c], 0.0)
    return max(rows.restitution[c] * math.sqrt(max(square, 0.0)) + 0.5 * faster, 0.0)
