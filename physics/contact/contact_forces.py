"""What contacts press with, as forces on the bodies: for velocities of the present moment."""

from physics.jit import kernel
from physics.params import BOUNCE_SPEED


@kernel
def store_contact_forces(scene, h):
    """What contacts pushed with in the last substep, but impacts; writes bodies.contact_force.

    No more than they pushed with in the step before, of length h, if there was one: what is beyond
    that is a jerk, which a foot passes on to the other.
    """
    bodies, rows, force = scene.bodies, scene.contacts, scene.bodies.contact_force
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for i in range(3):
                force[node, i] = 0.0
    for c in scene.system.contacts:
        if rows.mu[c, 0] <= 0.0 or rows.approach[c] < -BOUNCE_SPEED:
            continue
        a, b = rows.body_a[c], rows.body_b[c]
        moves = a if bodies.solved[2 * a] else b
        share = min(1.0, rows.warm[c, 0] * bodies.kick[moves] / (rows.mu[c, 0] * h))
        if bodies.frame_lag[moves] == 0.0:
            share = 1.0
        n, t, u = rows.normal, rows.tangent1, rows.tangent2
        px, py, pz = share * rows.mu[c, 0], share * rows.mu[c, 1], share * rows.mu[c, 2]
        x = n[c, 0] * px + t[c, 0] * py + u[c, 0] * pz
        y = n[c, 1] * px + t[c, 1] * py + u[c, 1] * pz
        z = n[c, 2] * px + t[c, 2] * py + u[c, 2] * pz
        _add_force(bodies, a, x, y, z, rows.lever_a, c)
        _add_force(bodies, b, -x, -y, -z, rows.lever_b, c)
        add_roll(bodies, rows, c, share)


@kernel
def _add_force(bodies, b, x, y, z, lever, c):
    """contact_force += impulse / kick at the lever; writes it where the body moves."""
    if not bodies.solved[2 * b]:
        return
    force, s = bodies.contact_force, 1.0 / bodies.kick[b]
    rx, ry, rz = lever[c, 0], lever[c, 1], lever[c, 2]
    force[2 * b, 0] += s * x
    force[2 * b, 1] += s * y
    force[2 * b, 2] += s * z
    force[2 * b + 1, 0] += s * (ry * z - rz * y)
    force[2 * b + 1, 1] += s * (rz * x - rx * z)
    force[2 * b + 1, 2] += s * (rx * y - ry * x)


@kernel
def add_roll(bodies, rows, c, share):
    """contact_force += that of rolling friction: its impulse over the kick; writes it."""
    if rows.rolling[c] <= 0.0:
        return
    for side in range(2):
        b = rows.body_a[c] if side == 0 else rows.body_b[c]
        if bodies.solved[2 * b + 1]:
            for i in range(3):
                turn = rows.roll[c, i] * (1.0 - 2.0 * side)
                bodies.contact_force[2 * b + 1, i] += share * turn / bodies.kick[b]
