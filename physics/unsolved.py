"""Which bodies hang on the joint that does not close, when a step cannot be solved."""

import numpy as np

from physics.params import ACCEPTED_ERROR
from physics.state import BILATERAL, POSITION, STATIC, Bodies, Elements, Ints, System


def unsolved_bodies(bodies: Bodies, elements: Elements, system: System) -> Ints:
    """Slots of all bodies joined to the worst joint; none if every joint closes.

    φ must be that of the failed try.
    """
    rigid = (elements.compliance == 0.0) & (elements.mode == POSITION) & (elements.idle == 0)
    rigid &= (elements.role == BILATERAL)[:, None]
    error = np.where(rigid, np.abs(elements.phi), 0.0)
    error[~np.isfinite(error)] = np.inf
    e, r = np.unravel_index(np.argmax(error), error.shape)
    if not error[e, r] > ACCEPTED_ERROR:
        return np.zeros(0, np.int64)
    pair = elements.body[e]
    moving = [b for b in pair if bodies.kind[b] > STATIC and system.span[b, 1] > system.span[b, 0]]
    if not moving:
        return np.zeros(0, np.int64)
    same = (system.span[: len(bodies.kind)] == system.span[moving[0]]).all(axis=1)
    return np.flatnonzero(same & (bodies.kind > STATIC))
