"""Springs that ring faster than substeps can follow are rows with compliance 1/k.

A spring in stiffness form pulls with the force of where a substep begins; what turns about its far
end has lengthened it by then, by curvature alone, and each time that is energy from nothing. As a
row it pulls by the mean of both ends while the substep resolves it, and else its length is held
where the substep ends (`schemes/shared.py`), at any k. A band goes slack and comes back within a
period, which a row would answer by an impact: it keeps its form as long as substeps are stable.
"""

import math

import numpy as np

from physics import state as st
from physics.params import MOST_SUBSTEPS, RESOLVED, SUBSTEP_PHASE
from physics.portable import dot, inverse
from physics.state import Bodies, Elements, Floats, Ints


def choose_form(bodies: Bodies, elements: Elements, h: float) -> None:
    """Gives every spring the form that suits steps of h; writes role and what the form needs."""
    alone = (elements.primitive[:, 1:] == st.NO_ROW).all(axis=1)
    live = (elements.role == st.STIFFNESS) | (elements.role == st.BILATERAL)
    springs = np.flatnonzero(live & alone & (elements.stiffness > 0.0))
    if len(springs) == 0:
        return
    rate = elements.stiffness[springs] * _most_mobility(bodies, elements, springs)
    bands = elements.tension_only[springs] != 0
    phase = np.where(bands, math.sqrt(RESOLVED), SUBSTEP_PHASE)
    stiff = rate >= (phase * MOST_SUBSTEPS / h) ** 2
    role = np.where(stiff, st.BILATERAL, st.STIFFNESS).astype(elements.role.dtype)
    changed = springs[role != elements.role[springs]]
    elements.bootstrap[changed] = 1
    elements.role[springs] = role
    ropes = stiff & bands
    elements.rope[springs] = ropes
    elements.upper[springs, 0] = np.where(ropes, 0.0, np.inf)
    elements.compliance[springs, 0] = np.where(stiff, 1.0 / elements.stiffness[springs], 0.0)
    elements.damping[springs, 0] = np.where(stiff, elements.damper[springs], 0.0)


def _most_mobility(bodies: Bodies, elements: Elements, springs: Ints) -> Floats:
    """J M⁻¹Jᵀ at most, whichever way the bodies are turned, 1/kg or 1/(kg m²)."""
    total = np.zeros(len(springs))
    moves = elements.traits[springs, 0] & st.TRANSLATES != 0
    for side in range(2):
        body = elements.body[springs, side]
        rigid = bodies.kind[body] == st.DYNAMIC
        movable = rigid | (bodies.kind[body] == st.PARTICLE)
        mass = np.where(movable, bodies.mass[body], np.inf)
        inertia = np.where(rigid[:, None, None], bodies.inertia[body], np.eye(3))
        turning = np.where(rigid, np.trace(inverse(inertia), axis1=1, axis2=2), 0.0)
        lever = dot(elements.anchor[springs, side], elements.anchor[springs, side])
        total += np.where(moves, 1.0 / mass + lever * turning, turning)
    return total
