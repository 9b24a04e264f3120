"""A pile as an island of the step: what is kept of its start, and what its end leaves to others."""

import math

import numpy as np

from physics.contact.contact_forces import add_roll
from physics.contact.pile.pile_rows import HELD, IMPULSE
from physics.contact.pile.pile_step import step_pile
from physics.jit import kernel
from physics.jit.clock import cycles
from physics.params import RUNAWAY_SPEED
from physics.rollback import roll_back_frame, save_frame
from physics.state import CLOCK_PROJECT, FROZEN, SOLVED, STANDS, SWEEPS


@kernel
def step_pile_island(scene, settings, i):
    """Takes the step of island i, whose lists are entered; returns SOLVED or STANDS.

    A step whose end is not finite is undone, and the island stands still.
    """
    began = cycles()
    save_frame(scene)
    bodies, system = scene.bodies, scene.system
    swept = step_pile(scene, system.bodies, system.contacts, settings, settings.h)
    scene.counters[SWEEPS] += swept
    scene.islands.substeps[i] = 1
    stands = not _is_finite(bodies, system)
    if stands:
        roll_back_frame(scene)
        scene.counters[FROZEN] += 1
    for b in system.bodies:
        bodies.frozen[b] = stands
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                if stands:
                    bodies.velocity[node, c] = 0.0
                bodies.mean_velocity[node, c] = bodies.velocity[node, c]
                bodies.mean_excess[node, c] = 0.0
                bodies.contact_force[node, c] = 0.0
        bodies.kick[b] = settings.h  # that the stored impulses belong to
        if stands:
            bodies.lag[b] = 0.0
            for c in range(3):
                bodies.late[2 * b, c], bodies.late[2 * b + 1, c] = 0.0, 0.0
    if stands:
        for c in system.contacts:
            for r in range(3):
                scene.contacts.mu[c, r], scene.contacts.struck[c, r] = 0.0, 0.0
    else:
        _store_forces(bodies, scene.contacts, system.contacts, settings.h)
    scene.clock[CLOCK_PROJECT] += cycles() - began
    return np.int64(STANDS if stands else SOLVED)


@kernel
def _is_finite(bodies, system):
    """Whether the island ended anywhere."""
    for b in system.bodies:
        for c in range(3):
            speed = abs(bodies.velocity[2 * b, c]) + abs(bodies.velocity[2 * b + 1, c])
            if not speed < RUNAWAY_SPEED or not math.isfinite(bodies.position[b, c]):
                return False
    return True


@kernel
def _store_forces(bodies, rows, listed, h):
    """What contacts pressed with at the end of the step, but impacts; writes contact_force.

    An impulse beyond what the substep began with is one.
    """
    n, t, u, mu = rows.normal, rows.tangent1, rows.tangent2, rows.mu
    for c in listed:
        if mu[c, 0] <= 0.0:
            continue
        share = min(rows.pile[c, HELD] / rows.pile[c, IMPULSE], 1.0) / h
        x = share * (n[c, 0] * mu[c, 0] + t[c, 0] * mu[c, 1] + u[c, 0] * mu[c, 2])
        y = share * (n[c, 1] * mu[c, 0] + t[c, 1] * mu[c, 1] + u[c, 1] * mu[c, 2])
        z = share * (n[c, 2] * mu[c, 0] + t[c, 2] * mu[c, 1] + u[c, 2] * mu[c, 2])
        _push(bodies, rows.body_a[c], rows.anchor_a, c, x, y, z)
        _push(bodies, rows.body_b[c], rows.anchor_b, c, -x, -y, -z)
        add_roll(bodies, rows, c, share * h)


@kernel
def _push(bodies, b, anchor, c, x, y, z):
    """Writes contact_force of a body that moves."""
    if not bodies.solved[2 * b]:
        return
    force = bodies.contact_force
    rx, ry, rz = anchor[c, 0], anchor[c, 1], anchor[c, 2]
    force[2 * b, 0] += x
    force[2 * b, 1] += y
    force[2 * b, 2] += z
    force[2 * b + 1, 0] += ry * z - rz * y
    force[2 * b + 1, 1] += rz * x - rx * z
    force[2 * b + 1, 2] += rx * y - ry * x
