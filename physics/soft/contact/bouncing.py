"""Which contacts of a soft body bounce in the coming step, and how fast they part."""

import numpy as np

from physics.params import BOUNCE_SPEED
from physics.soft.solve.soft_arrays import Rows
from physics.state import Bodies, Floats


def set_bounces(rows: Rows, v: Floats, bodies: Bodies, restitution: float, h: float) -> None:
    """A point strikes if its speed of now takes it to the other surface. Written: rows.bounce."""
    own = slice(int(rows.held[0]), int(rows.count[0]))
    body, normal = rows.body[own], rows.normal[own]
    away = bodies.velocity[2 * body] + np.cross(bodies.velocity[2 * body + 1], rows.arm[own])
    speed = np.sum(rows.weight[own][:, :, None] * v[rows.node[own]], axis=1) - away
    along = np.sum(normal * speed, axis=1)
    strikes = (along < -BOUNCE_SPEED) & (rows.gap[own] + h * along < 0.0)
    rows.bounce[own] = np.where(strikes, -restitution * along, 0.0)
