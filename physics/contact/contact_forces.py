"""What contacts press with, as forces on the bodies: for velocities of the present moment."""

from physics.jit import kernel
from physics.params import BOUNCE_SPEED


@kernel
def store_contact_forces(scene):
    """What contacts pushed with in the last substep, but impacts; writes bodies.contact_force."""
    bodies, rows, force = scene.bodies, scene.contacts, scene.bodies.contact_force
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for i in range(3):
                force[node, i] = 0.0
    for c in scene.system.contacts:
        if rows.mu[c, 0] <= 0.0 or rows.approach[c] < -BOUNCE_SPEED:
            continue
        n, t, u = rows.normal, rows.tangent1, rows.tangent2
        x = n[c, 0] * rows.mu[c, 0] + t[c, 0] * rows.mu[c, 1] + u[c, 0] * rows.mu[c, 2]
        y = n[c, 1] * rows.mu[c, 0] + t[c, 1] * rows.mu[c, 1] + u[c, 1] * rows.mu[c, 2]
        z = n[c, 2] * rows.mu[c, 0] + t[c, 2] * rows.mu[c, 1] + u[c, 2] * rows.mu[c, 2]
        _add_force(bodies, rows.body_a[c], x, y, z, rows.lever_a, c)
        _add_force(bodies, rows.body_b[c], -x, -y, -z, rows.lever_b, c)
        add_roll(bodies, rows, c, 1.0)


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
