"""Projected sweeps over contacts and bounded rows, on the Schur complement of the joints.

A round visits the contacts of a group forward and backward (`visit.py`), the points of one pair
several times in a row; between rounds the impulses are extrapolated (`accelerate.py`), and a small
group that does not come to an end is solved directly (`direct.py`).
"""

import numpy as np

from physics.compiled import kernel
from physics.contact.accelerate import BEFORE, gather, mix, weigh
from physics.contact.direct import solve_group
from physics.contact.rolling import brake
from physics.contact.visit import push, visit, visit_simple
from physics.params import (
    CONTACT_SHARE,
    CONTACT_TOLERANCE,
    CONTACT_VISITS,
    DIRECT_AFTER,
    DIRECT_ATTEMPTS,
    DIRECT_CONTACTS,
    FAST_CONTACT,
    FAST_SHARE,
    LEAST_SWEEPS,
    SWEEP_BUDGET,
    SWEEP_TOLERANCE,
)
from physics.solver.projection import visit_rows
from physics.state import RESIDUAL

EVERYTHING, CONTACTS_ONLY = range(2)  # what a call of `sweep` visits


@kernel
def contact_speed(rows, c, r, x):
    """J x of one row over the unknown places."""
    total = 0.0
    for s in range(4):
        k = rows.place[c, s]
        if k >= 0:
            for i in range(3):
                total += rows.J[c, s, r, i] * x[k, i]
    return total


@kernel
def warm_contacts(rows, x):
    """Begins with the matched impulses; writes x, falling and scale. Groups must be known."""
    for g in range(rows.groups[0]):
        fastest = 0.0
        for i in range(rows.group[g], rows.group[g + 1]):
            c = rows.order[i]
            rows.falling[c] = rows.moved[c, 0] + contact_speed(rows, c, 0, x)
            fastest = max(fastest, abs(rows.falling[c]), -rows.target[c])
        rows.scale[g] = fastest
    for c in range(rows.count[0]):
        push(rows, c, rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2], x)
        for i in range(3):
            rows.roll[c, i] = 0.0


@kernel
def visit_contacts(rows, x):
    """All contacts once, whatever their groups; returns the largest change of speed, m/s."""
    worst = 0.0
    for c in range(rows.count[0]):
        worst = max(worst, visit(rows, c, x))
    return worst


@kernel
def _visit_group(rows, inverse, x, first, stop, backward):
    """The contacts of a group, pair by pair; returns the largest change of speed, m/s."""
    order, shape_a, shape_b = rows.order, rows.shape_a, rows.shape_b
    packed, place, bias, mu = rows.packed, rows.place, rows.bias, rows.mu
    friction, rolling, simple = rows.friction, rows.rolling, rows.simple
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
        for again in range(CONTACT_VISITS if end - start > 1 else 1):
            for i in range(start, end):
                c = order[i]
                if packed[c, 47] <= 0.0:
                    change = 0.0
                elif simple[c]:
                    change = visit_simple(packed, place, bias, mu, friction, c, x)
                    if rolling[c] > 0.0:
                        change = max(change, brake(rows, inverse, c, x))
                else:
                    change = visit(rows, c, x)
                if again == 0:
                    worst = max(worst, change)
        done += end - start
    return worst


@kernel
def same_pair(shape_a, shape_b, c, d):
    return shape_a[c] == shape_a[d] and shape_b[c] == shape_b[d]


@kernel
def _sweep_group(scene, x, h, most, g, bounded):
    """Sweeps one group to its end; returns (sweeps, change of speed in the last, m/s)."""
    rows, inverse = scene.contacts, scene.system.inverse
    first, stop = rows.group[g], rows.group[g + 1]
    tolerance = SWEEP_TOLERANCE
    if stop > first:
        tolerance = max(CONTACT_TOLERANCE, CONTACT_SHARE * rows.scale[g])
        if stop - first > DIRECT_CONTACTS:
            tolerance += FAST_SHARE * max(rows.scale[g] - FAST_CONTACT, 0.0)
        tolerance *= rows.strictness[0]
        most = min(most, max(LEAST_SWEEPS, SWEEP_BUDGET // (stop - first)))
    swept, attempts, used, round_ = np.int64(0), 0, np.int64(0), np.int64(0)
    least = 0.0
    worst = 0.0
    weigh(scene, first, stop, bounded)
    while swept < most:
        gather(scene, first, stop, bounded, rows.mix[BEFORE])
        for turn in range(2):
            worst = 0.0
            if bounded > 0:
                worst = visit_rows(scene, x, h)
            worst = max(worst, _visit_group(rows, inverse, x, first, stop, turn == 1))
            swept += 1
            if worst <= tolerance:
                return swept, worst
        if swept >= most:
            break
        small = 3 * (stop - first) + bounded <= 3 * DIRECT_CONTACTS
        late = round_ >= DIRECT_AFTER * (stop - first)
        if small and late and attempts < DIRECT_ATTEMPTS:
            solve_group(scene, x, h, first, stop, bounded)
            attempts += 1
            used, round_ = np.int64(0), np.int64(0)
        else:
            used, least = mix(scene, x, h, first, stop, bounded, used, round_, least)
            round_ = round_ + 1 if used > 0 or round_ == 0 else np.int64(1)
    return swept, worst


@kernel
def sweep(scene, x, h, most, what):
    """Sweeps each group until no row's speed changes by more than the tolerance.

    Writes x, contacts.mu, elements.mu, unilateral.change of bounded rows and measures[RESIDUAL],
    the change of speed in the last sweep. Returns the sweeps of the group that took most. Called
    through scene.addresses[SWEEP], so that it is compiled once.
    """
    rows = scene.contacts
    longest, worst = np.int64(0), 0.0
    for g in range(rows.groups[0]):
        bounded = scene.unilateral.count[0] if g == 0 and what != CONTACTS_ONLY else np.int64(0)
        if bounded == 0 and rows.group[g] == rows.group[g + 1]:
            continue
        swept, left = _sweep_group(scene, x, h, most, g, bounded)
        longest, worst = max(longest, swept), max(worst, left)
    scene.measures[RESIDUAL] = worst
    return longest
