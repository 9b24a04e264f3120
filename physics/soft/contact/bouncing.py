"""Impacts of a solid that bounces: nodes are thrown back where the step begins.

Every contact stops a node that hits it, and with it the share of the mass that it stands for: a
layer of the mesh, whose energy is lost. With a restitution e its velocity of now is turned round
before the step, n·v ← -e n·v. That costs nothing of its energy if e = 1, and a step keeps what it
is given. The other surface must be one that does not give way; what does takes the usual contact.
"""

from typing import TYPE_CHECKING

import numpy as np

from physics.params import BOUNCE_SPEED
from physics.state import DYNAMIC, Bodies

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody


def bounce(body: "SoftBody", bodies: Bodies, restitution: float, h: float) -> None:
    """Nodes that would reach what they touch within the step. Written: body.v.

    What comes slower than BOUNCE_SPEED shall come to rest, unless nothing is to be lost.
    """
    rows = body.rows
    near = np.arange(int(rows.held[0]), int(rows.count[0]))
    near = near[(rows.weight[near, 0] == 1.0) & (bodies.kind[rows.body[near]] < DYNAMIC)]
    node, normal, other = rows.node[near, 0], rows.normal[near], rows.body[near]
    away = bodies.velocity[2 * other] + np.cross(bodies.velocity[2 * other + 1], rows.arm[near])
    along = np.sum(normal * (body.velocity[node] - away), axis=1)
    force = body.state.elastic[node] / body.model.mass[node, None] + body.gravity
    gained = np.minimum(h * np.sum(normal * force, axis=1), 0.0)
    hits = rows.gap[near] + h * (along + gained) < 0.0
    hits &= along < -(1.0 - restitution) * BOUNCE_SPEED
    hits &= ~body.state.pinned[node]
    struck, first = np.unique(node[hits], return_index=True)
    along, normal = along[hits][first], normal[hits][first]
    body.v[struck] -= ((1.0 + restitution) * np.minimum(along, 0.0))[:, None] * normal
