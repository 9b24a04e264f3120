"""Projected sweeps over contacts and bounded rows, on the Schur complement of the joints.

A round updates the contacts of a group forward and backward (`row_update.py`), the points of one
pair several times in a row; between rounds the impulses are extrapolated (`anderson.py`), and a
small group that does not converge is solved directly (`direct.py`): first without rolling friction,
then with as much of it as brakes the motion that was left, which stays. It can only take energy:
bodies in contact give way to a torque by less than free ones, for which it was found. A group whose
impulses have jammed is begun anew (`descent.py`).

Sweeps with friction need not converge: where S_nn < μ |S_tn| an impulse along the normal makes the
point that slides go deeper, and answers grow from sweep to sweep.
"""

import math

import numpy as np

from physics.contact.packed import LIGHT
from physics.contact.solver.anderson import BEFORE, accelerate, gather_impulses, set_weights
from physics.contact.solver.convergence import (
    CONTACT_SHARE,
    CONTACT_TOLERANCE,
    DIRECT_AFTER,
    DIRECT_ATTEMPTS,
    FAST_CONTACT,
    FAST_GROUP,
    FAST_IMPACT,
    FAST_SHARE,
    FAST_SWEEPS,
    FEW_CONTACTS,
    LARGE_SHARE,
    LEAST_SWEEPS,
    LIKE_MASSES,
    PAIR_UPDATES,
    ROLLING_SWEEPS,
    SWEEP_BUDGET,
)
from physics.contact.solver.descent import mend_jammed
from physics.contact.solver.direct import solve_directly
from physics.contact.solver.rolling import apply_torque, update_rolling
from physics.contact.solver.row_update import (
    apply_impulse,
    normal_speed,
    update_contact,
    update_pair,
)
from physics.jit import kernel
from physics.params import DIRECT_CONTACTS, RELAXATION_TOLERANCE, SWEEP_TOLERANCE
from physics.solver.projection import update_bounded_rows
from physics.state import UNENDED, WORK

EVERYTHING, CONTACTS_ONLY = range(2)  # which rows a call of `solve_group` updates
_PLACES = 32.0  # that one update of a jointed contact moves in the time of one without joints


@kernel
def warm_start_contacts(scene, x):
    """Begins with the matched impulses; writes x, falling and scale."""
    rows = scene.contacts
    fastest = 0.0
    for c in scene.system.contacts:
        rows.falling[c] = rows.moved[c, 0] + normal_speed(rows, c, x)
        fastest = max(fastest, abs(rows.falling[c]), -rows.target[c])
    rows.scale[0] = fastest
    for c in scene.system.contacts:
        if rows.mu[c, 0] != 0.0 or rows.mu[c, 1] != 0.0 or rows.mu[c, 2] != 0.0:
            apply_impulse(rows, c, rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2], x)
        for i in range(3):
            rows.roll[c, i] = 0.0


@kernel
def update_contacts(rows, x):
    """All contacts once, whatever their groups; returns the largest change of speed, m/s."""
    worst = 0.0
    for c in range(rows.count[0]):
        worst = max(worst, update_contact(rows, c, x))
    return worst


@kernel
def _sweep_group(rows, x, first, stop, backward, roll, enough):
    """The contacts of a group, pair by pair; returns the largest change of speed, m/s.

    A pair that changes by more than `enough` is updated again. `roll`: with their rolling friction,
    which otherwise stays as it is.
    """
    order, shape_a, shape_b = rows.order, rows.shape_a, rows.shape_b
    packed, place, bias, mu = rows.packed, rows.place, rows.bias, rows.mu
    rolling, simple = rows.rolling, rows.simple
    worst = 0.0
    done = 0
    while done < stop - first:
        # the points of one pair lie side by side
        if backward:
            end = stop - done
            start = end - 1
            c = order[start]
            while start > first and same_pair(shape_a, shape_b, order[start - 1], c):
                start -= 1
        else:
            start = first + done
            end = start + 1
            c = order[start]
            while end < stop and same_pair(shape_a, shape_b, order[end], c):
                end += 1
        if simple[c] and not (roll and rolling[c] > 0.0):
            most = update_pair(packed, place, bias, mu, order, start, end, PAIR_UPDATES, enough, x)
        else:
            most = _update_jointed_pair(rows, x, start, end, roll, enough)
        worst = max(worst, most)
        done += end - start
    return worst


@kernel
def _update_jointed_pair(rows, x, start, end, roll, enough):
    """Updates the points of one pair that hangs on joints or rolls; returns the first changes."""
    most = 0.0
    for again in range(PAIR_UPDATES if end - start > 1 else 1):
        if again > 0 and most <= enough:
            break
        for i in range(start, end):
            c = rows.order[i]
            change = update_contact(rows, c, x)
            if roll and rows.rolling[c] > 0.0:
                change = max(change, update_rolling(rows, c, x))
            if again == 0:
                most = max(most, change)
    return most


@kernel
def same_pair(shape_a, shape_b, c, d):
    return shape_a[c] == shape_a[d] and shape_b[c] == shape_b[d]


@kernel
def _has_rolling(rows, first, stop):
    """Whether a group has rolling friction."""
    for i in range(first, stop):
        if rows.rolling[rows.order[i]] > 0.0:
            return True
    return False


@kernel
def _release_rolling(rows, x, first, stop):
    """Takes all rolling friction of a group back; writes roll and x."""
    for i in range(first, stop):
        c = rows.order[i]
        if rows.rolling[c] > 0.0:
            apply_torque(rows, c, -rows.roll[c, 0], -rows.roll[c, 1], -rows.roll[c, 2], x)
            rows.roll[c, 0], rows.roll[c, 1], rows.roll[c, 2] = 0.0, 0.0, 0.0


@kernel
def _may_stop_early(rows, first, stop, bounded):
    """Whether a group in motion may be left early: it is large, or many and without joints."""
    if bounded > 0 or stop - first <= FAST_GROUP:
        return stop - first > DIRECT_CONTACTS
    if stop - first <= DIRECT_CONTACTS:
        for i in range(first, stop):
            if rows.jointed[rows.order[i]]:
                return False
    return True


@kernel
def _sweeps_suffice(rows, first, stop, bounded):
    """Whether a group in motion is of like bodies without joints.

    Such sweeps come to an end by themselves, sooner than a direct solution is found.
    """
    if bounded > 0 or rows.tolerance_scale[0] < 1.0:
        return False
    least, most = math.inf, 0.0
    for i in range(first, stop):
        c = rows.order[i]
        if rows.jointed[c]:
            return False
        least, most = min(least, rows.packed[c, LIGHT]), max(most, rows.packed[c, LIGHT])
    return stop - first > FEW_CONTACTS and most <= LIKE_MASSES * least


@kernel
def sweep_cost(rows, first, stop):
    """Of one sweep over a group, in updates of contacts without joints."""
    cost = 0.0
    for i in range(first, stop):
        c = rows.order[i]
        cost += 1.0
        for half in range(0 if rows.simple[c] else 2):
            start = rows.span[c, 2 * half]
            if rows.span[c, 2 * half + 1] > start:
                cost += (rows.reads[1, start] - start) / _PLACES
    return cost


@kernel
def _iterate_group(scene, x, h, most, g, bounded, what, lane):
    """Sweeps one group to its end; returns (sweeps, last change of speed, whether ended)."""
    rows = scene.contacts
    first, stop = rows.group[g], rows.group[g + 1]
    tolerance, exact = SWEEP_TOLERANCE, True
    if stop > first:
        share = CONTACT_SHARE if stop - first <= DIRECT_CONTACTS else LARGE_SHARE
        tolerance = max(CONTACT_TOLERANCE, share * rows.scale[g])
        left = max(SWEEP_BUDGET - scene.measures[WORK], 0.0)
        most = min(most, max(LEAST_SWEEPS, np.int64(left / sweep_cost(rows, first, stop))))
        if rows.scale[g] > FAST_CONTACT:
            exact = not _sweeps_suffice(rows, first, stop, bounded)
            if _may_stop_early(rows, first, stop, bounded):
                tolerance += FAST_SHARE * (rows.scale[g] - FAST_CONTACT)
                if rows.scale[g] > FAST_IMPACT:
                    most = min(most, FAST_SWEEPS)
        if what == CONTACTS_ONLY and stop - first > FAST_GROUP:
            tolerance = max(tolerance, RELAXATION_TOLERANCE)
        tolerance *= rows.tolerance_scale[0]
    swept, attempts, used, round_ = np.int64(0), 0, np.int64(0), np.int64(0)
    least = 0.0
    worst = 0.0
    roll = _has_rolling(rows, first, stop)
    base = 3 * first if g == 0 else 3 * first + scene.unilateral.count[0]
    set_weights(scene, first, stop, bounded, base)
    while swept < most:
        gather_impulses(scene, first, stop, bounded, base, rows.history[BEFORE])
        for turn in range(2):
            worst = 0.0
            if bounded > 0:
                worst = update_bounded_rows(scene, x)
            worst = max(worst, _sweep_group(rows, x, first, stop, turn == 1, roll, tolerance))
            swept += 1
            if worst <= tolerance:
                if attempts > 0:
                    mend_jammed(rows, x, first, stop)
                return swept, worst, True
        if swept >= most:
            break
        small = 3 * (stop - first) + bounded <= 3 * DIRECT_CONTACTS
        late = round_ >= DIRECT_AFTER * (stop - first) and (not roll or swept >= ROLLING_SWEEPS)
        left = scene.measures[WORK] < SWEEP_BUDGET
        if exact and small and late and left and attempts < DIRECT_ATTEMPTS:
            if roll:
                _release_rolling(rows, x, first, stop)
                solve_directly(scene, x, h, first, stop, bounded, lane)
                for i in range(first, stop):
                    if rows.rolling[rows.order[i]] > 0.0:
                        update_rolling(rows, rows.order[i], x)
            roll = False
            solve_directly(scene, x, h, first, stop, bounded, lane)
            attempts += 1
            used, round_ = np.int64(0), np.int64(0)
        else:
            used, least = accelerate(
                scene, x, h, first, stop, bounded, base, lane, used, round_, least
            )
            round_ = round_ + 1 if used > 0 or round_ == 0 else np.int64(1)
    mend_jammed(rows, x, first, stop)
    return swept, worst, False


@kernel
def solve_group(scene, g, what, lane):
    """Sweeps one group until no row's speed changes by more than the tolerance.

    Writes x and impulses of its bodies, contacts.swept and contacts.residual, and
    measures[UNENDED] where the work was used up before. Groups share
    nothing, so it does not matter when and by whom each is solved; `lane` is whose scratch is
    used. Called through scene.addresses[SOLVE_GROUP], so that it is compiled once.
    """
    rows = scene.contacts
    rows.swept[g], rows.residual[g] = 0, 0.0
    bounded = scene.unilateral.count[0] if what != CONTACTS_ONLY else np.int64(0)
    if bounded == 0 and rows.group[g] == rows.group[g + 1]:
        return np.int64(0)
    if what == CONTACTS_ONLY and not rows.in_restitution[g]:
        return np.int64(0)
    h, most = rows.job[0], np.int64(rows.job[1])
    swept, left, ended = _iterate_group(scene, scene.system.x, h, most, g, bounded, what, lane)
    rows.swept[g], rows.residual[g] = swept, left
    scene.measures[WORK] += swept * sweep_cost(rows, rows.group[g], rows.group[g + 1])
    if not ended:
        scene.measures[UNENDED] = 1.0
    return np.int64(0)
