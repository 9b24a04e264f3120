"""Restitution in a pile: all impacts of a moment reflected together, again as they arise.

Contacts that meet (w < 0) are projected together to the nearest velocities at which none does, and
the velocities go on by e times the way they have come:

    Δv = M⁻¹ Jᵀ λ,   0 ≤ λ ⟂ w + J Δv ≥ 0 over the contacts that meet,      v ← v + (1 + e) Δv

Energy falls by (1 - e²)/2 |Δv|²: with e = 1 it is kept. What is symmetric stays so, as no contact
comes before another; and what is hit by a first reflection is met in the next, so that a blow goes
along a row of balls, ball by ball. Friction then takes part with what the impacts press, and can
only take energy.

A body hit within a substep stops at the touch and leaves with the speed of the touch: with the
speed w at the start of the substep and the acceleration a without contacts

    u² = w² - 2 a gap,      and what is stored half a substep before it leaves is e u - a h/2.
"""

import math

from physics.contact.pile.pile_rows import (
    FALL,
    FRICTION,
    GAP,
    IMPULSE,
    LIGHT,
    RESTITUTION,
    STRUCK,
    TOTAL,
    TOUCH,
    WANTED,
)
from physics.contact.pile.sweep import apply, point_speed, tangent_impulse
from physics.jit import kernel
from physics.params import BOUNCE_SPEED

_REFLECTIONS = 64  # a row of n balls needs n
_SWEEPS = 64  # of one projection
_CONVERGED = 1e-6  # of the fastest speed that meets
_RUBS = 4  # sweeps of friction


@kernel
def note_speeds(x, listed, pair, P):
    """Normal speeds before forces act; writes FALL of contacts that can bounce."""
    for c in listed:
        if P[c, RESTITUTION] > 0.0:
            P[c, FALL] = point_speed(x, pair[c, 0], pair[c, 1], P, c, 0)


@kernel
def note_touches(x, listed, pair, kick, hs, P):
    """Speed of the touch and acceleration of what may bounce, after forces acted for `kick`.

    Writes TOUCH (0: it does not) and FALL.
    """
    for c in listed:
        if P[c, RESTITUTION] <= 0.0:
            continue
        free = point_speed(x, pair[c, 0], pair[c, 1], P, c, 0)
        fall = (free - P[c, FALL]) / kick
        speed = free - 0.5 * hs * fall
        P[c, FALL], P[c, TOUCH] = fall, 0.0
        square = speed * speed - 2.0 * fall * max(P[c, GAP], 0.0)
        if speed < 0.0 and square > BOUNCE_SPEED * BOUNCE_SPEED:
            P[c, TOUCH] = math.sqrt(square)


@kernel
def bounce(x, listed, pair, hs, P):
    """Reflects the impacts of this substep, if there are any; writes x and the contacts' impulses.

    Contacts that were hit end without impulse: they part.
    """
    found = False
    for c in listed:
        P[c, STRUCK] = 0.0
        if P[c, TOUCH] > 0.0 and P[c, IMPULSE] > 0.0:
            n, t1, t2 = P[c, IMPULSE], P[c, IMPULSE + 1], P[c, IMPULSE + 2]
            apply(x, pair[c, 0], pair[c, 1], P, c, -n, -t1, -t2)
            P[c, IMPULSE], P[c, IMPULSE + 1], P[c, IMPULSE + 2] = 0.0, 0.0, 0.0
            found = True
        else:
            P[c, TOUCH] = 0.0
    if not found:
        return
    for _ in range(_REFLECTIONS):
        if not _reflect(x, listed, pair, hs, P):
            break
    for _ in range(_RUBS):
        for c in listed:
            if P[c, STRUCK] > 0.0:
                _rub(x, pair[c, 0], pair[c, 1], c, P)
    for c in listed:
        if P[c, STRUCK] > 0.0:
            P[c, TOTAL] += P[c, STRUCK]
            P[c, TOTAL + 1] += P[c, IMPULSE + 1]
            P[c, TOTAL + 2] += P[c, IMPULSE + 2]
            P[c, IMPULSE], P[c, IMPULSE + 1], P[c, IMPULSE + 2] = 0.0, 0.0, 0.0


@kernel
def _reflect(x, listed, pair, hs, P):
    """One reflection of all that meets; writes x and STRUCK. False if nothing does.

    WANTED is what makes a first impact leave with the speed of its touch; IMPULSE is λ meanwhile.
    """
    fastest = 0.0
    for c in listed:
        P[c, WANTED] = math.inf
        if P[c, RESTITUTION] <= 0.0 or P[c, LIGHT] <= 0.0:
            continue
        w, e = point_speed(x, pair[c, 0], pair[c, 1], P, c, 0), P[c, RESTITUTION]
        shift = 0.0
        if P[c, TOUCH] > 0.0:
            leaving = max(e * P[c, TOUCH] - 0.5 * hs * P[c, FALL], 0.0)
            shift = -(e * w + leaving) / (1.0 + e)
        elif w >= -BOUNCE_SPEED or P[c, GAP] + hs * w > 0.0:
            continue
        P[c, TOUCH] = 0.0
        P[c, WANTED], P[c, STRUCK + 1] = shift, 0.0
        fastest = max(fastest, -(w + shift))
    if fastest <= 0.0:
        return False
    for turn in range(_SWEEPS):
        most = 0.0
        for k in range(len(listed)):
            c = listed[k if turn % 2 == 0 else len(listed) - 1 - k]
            if P[c, WANTED] == math.inf:
                continue
            a, b = pair[c, 0], pair[c, 1]
            w = point_speed(x, a, b, P, c, 0) + P[c, WANTED]
            change = max(-w * P[c, LIGHT], -P[c, STRUCK + 1])
            P[c, STRUCK + 1] += change
            apply(x, a, b, P, c, change, 0.0, 0.0)
            most = max(most, abs(change) / P[c, LIGHT])
        if most <= _CONVERGED * fastest:
            break
    for c in listed:
        if P[c, WANTED] < math.inf:
            change = P[c, STRUCK + 1]
            apply(x, pair[c, 0], pair[c, 1], P, c, P[c, RESTITUTION] * change, 0.0, 0.0)
            P[c, STRUCK] += (1.0 + P[c, RESTITUTION]) * change
    return True


@kernel
def _rub(x, a, b, c, P):
    """Friction of an impact, with what it has pressed so far; writes x and IMPULSE."""
    w1, w2 = point_speed(x, a, b, P, c, 3), point_speed(x, a, b, P, c, 6)
    t1, t2 = tangent_impulse(P, c, w1, w2, P[c, FRICTION] * P[c, STRUCK])
    apply(x, a, b, P, c, 0.0, t1 - P[c, IMPULSE + 1], t2 - P[c, IMPULSE + 2])
    P[c, IMPULSE + 1], P[c, IMPULSE + 2] = t1, t2
