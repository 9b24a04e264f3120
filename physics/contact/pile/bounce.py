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
    HELD,
    IMPULSE,
    LIGHT,
    PART,
    RESTITUTION,
    RUB,
    RUBBED,
    STRUCK,
    TOTAL,
    TOUCH,
    WANTED,
    patch_after,
)
from physics.contact.pile.sweep import normal_speed, press, push_along, rub_patch
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
            P[c, FALL] = _speed(x, pair, c, P)


@kernel
def _speed(x, pair, c, P):
    return normal_speed(x, pair[c, 0], pair[c, 1], pair[c, 4], c, P)


@kernel
def _press(x, pair, c, n, P):
    press(x, pair[c, 0], pair[c, 1], pair[c, 4], c, n, P)


@kernel
def note_touches(x, listed, pair, kick, hs, P):
    """Speed of the touch and acceleration of what may bounce, after forces acted for `kick`.

    Returns whether anything will be hit within the substep. Writes TOUCH (0: it does not) and FALL.
    """
    found = False
    for c in listed:
        if P[c, RESTITUTION] <= 0.0:
            continue
        free = _speed(x, pair, c, P)
        fall = (free - P[c, FALL]) / kick
        speed = free - 0.5 * hs * fall
        P[c, FALL], P[c, TOUCH] = fall, 0.0
        square = speed * speed - 2.0 * fall * max(P[c, GAP], 0.0)
        if speed < 0.0 and square > BOUNCE_SPEED * BOUNCE_SPEED:
            P[c, TOUCH] = math.sqrt(square)
            found = found or P[c, GAP] + hs * free < 0.0
    return found


@kernel
def bounce(x, listed, pair, hs, P):
    """Reflects the impacts of this substep, if there are any; writes x and the contacts' impulses.

    Contacts that were hit end without impulse: they part.
    """
    found = False
    for c in listed:
        P[c, STRUCK] = 0.0
        if P[c, TOUCH] > 0.0 and P[c, IMPULSE] > 0.0:
            found = True
        else:
            P[c, TOUCH] = 0.0
    if not found:
        return
    for c in listed:  # what was found for bodies that stop at the touch is not what they give
        if P[c, RESTITUTION] > 0.0:
            kept = 0.0 if P[c, TOUCH] > 0.0 else min(P[c, HELD], P[c, IMPULSE])
            _press(x, pair, c, kept - P[c, IMPULSE], P)
            P[c, IMPULSE] = kept
    _release_friction(x, listed, pair, P)
    for _ in range(_REFLECTIONS):
        if not _reflect(x, listed, pair, hs, P):
            break
    for turn in range(_RUBS):
        _rub(x, listed, pair, turn % 2 == 1, P)
    done = 0
    while done < len(listed):
        p = listed[done]
        pressed = 0.0
        for k in range(done, done + pair[p, 2]):
            c = listed[k]
            P[c, TOTAL] += P[c, STRUCK]
            pressed += P[c, STRUCK]
        if pressed > 0.0:
            for r in range(3):
                P[p, RUBBED + r] += P[p, RUB + r]
                P[p, RUB + r] = 0.0
        done += pair[p, 2]


@kernel
def _release_friction(x, listed, pair, P):
    """Takes back the friction of patches that were hit; writes x and RUB."""
    for c in listed:
        if P[c, TOUCH] > 0.0:
            p = pair[c, 4]
            push_along(x, pair[c, 0], pair[c, 1], p, -P[p, RUB], -P[p, RUB + 1], -P[p, RUB + 2], P)
            P[p, RUB], P[p, RUB + 1], P[p, RUB + 2] = 0.0, 0.0, 0.0


@kernel
def _reflect(x, listed, pair, hs, P):
    """One reflection of all that meets; writes x and STRUCK. False if nothing does.

    WANTED is what makes a first impact leave with the speed of its touch.
    """
    fastest = 0.0
    for c in listed:
        P[c, WANTED] = math.inf
        if P[c, RESTITUTION] <= 0.0 or P[c, LIGHT] <= 0.0:
            continue
        w, e = _speed(x, pair, c, P), P[c, RESTITUTION]
        shift = 0.0
        if P[c, TOUCH] > 0.0:
            leaving = max(e * P[c, TOUCH] - 0.5 * hs * P[c, FALL], 0.0)
            shift = -(e * w + leaving) / (1.0 + e)
        elif w >= -BOUNCE_SPEED or P[c, GAP] + hs * w > 0.0:
            continue
        P[c, TOUCH] = 0.0
        P[c, WANTED], P[c, PART] = shift, 0.0
        fastest = max(fastest, -(w + shift))
    if fastest <= 0.0:
        return False
    for turn in range(_SWEEPS):
        most = 0.0
        for k in range(len(listed)):
            c = listed[k if turn % 2 == 0 else len(listed) - 1 - k]
            if P[c, WANTED] == math.inf:
                continue
            w = _speed(x, pair, c, P) + P[c, WANTED]
            change = max(-w * P[c, LIGHT], -P[c, PART])
            P[c, PART] += change
            _press(x, pair, c, change, P)
            most = max(most, abs(change) / P[c, LIGHT])
        if most <= _CONVERGED * fastest:
            break
    for c in listed:
        if P[c, WANTED] < math.inf:
            _press(x, pair, c, P[c, RESTITUTION] * P[c, PART], P)
            P[c, STRUCK] += (1.0 + P[c, RESTITUTION]) * P[c, PART]
    return True


@kernel
def _rub(x, listed, pair, backward, P):
    """Friction of the impacts, with what they have pressed; writes x and RUB."""
    count, done = len(listed), 0
    while done < count:
        start, points = patch_after(done, listed, pair, backward)
        p = listed[start]
        pressed = 0.0
        for k in range(start, start + points):
            pressed += P[listed[k], STRUCK]
        if pressed > 0.0:
            rub_patch(x, pair[p, 0], pair[p, 1], p, P[p, FRICTION] * pressed, P)
        done += points
