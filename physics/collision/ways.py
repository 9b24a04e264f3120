"""Contacts found along earlier ways of a step, when it is solved anew along another one.

What a contact turned aside flies elsewhere, detection looks along the new way and no longer finds
that contact; solved without it, bodies take their first way again. So what pushed along any way
stays for the rest of the step, with its gap: all ways begin at the same poses. What did not push
decided nothing; if a later way meets it, it is found there.

They wait at the end of the arrays while detection writes its own in front.
"""

import numpy as np

from physics.collision.arrays import FEATURE_BITS, SLOT_BITS
from physics.collision.tolerances import SAME_NORMAL
from physics.collision.vec import add, along, cross, dot, load, scale, store, sub, tangent
from physics.collision.warmstart import keep_old
from physics.jit import kernel

_PAIR = np.uint64(FEATURE_BITS)
_CENTRE = 0xFFFFFE  # the feature of a ball about a centre
_NOWHERE = (0.0, 0.0, 0.0)


@kernel
def keep_struck(contacts):
    """Puts aside what pushed along the way just taken, or earlier, and what was appended since;
    the next `detect` adds it. False if that has no room.

    The impulses must be those the step was begun with; writes old_kept and stays.
    """
    count, to = contacts.count[0], len(contacts.gap)
    if count + contacts.old_kept[0] > to:
        return False
    keep_old(contacts)
    for k in range(count + contacts.old_kept[0] - 1, -1, -1):
        if k >= count or contacts.struck[k, 0] > 0.0 or contacts.stays[k]:
            to -= 1
            _move_contact(contacts, k, to)
            contacts.stays[to] = True
    contacts.old_kept[0] = len(contacts.gap) - to
    contacts.count[0] = -1  # `keep_old` is done
    return True


@kernel
def room(contacts):
    """How many contacts detection may write."""
    kept = contacts.old_kept[0]
    return len(contacts.gap) - (kept + 1 if kept > 0 else 0)


@kernel
def add_kept(contacts):
    """Adds what was kept and not found again, ascending by pair; writes all rows and count."""
    for k in range(contacts.count[0]):
        contacts.stays[k] = False
    end = len(contacts.gap)
    for k in range(end - contacts.old_kept[0], end):
        at = _place(contacts, k)
        if at < 0:
            continue
        for m in range(contacts.count[0], at, -1):
            _move_contact(contacts, m - 1, m)
        _move_contact(contacts, k, at)
        contacts.count[0] += 1
    contacts.old_kept[0] = 0


@kernel
def _place(contacts, k):
    """Behind the contacts found of the pair of k, which was kept; -1 if it was found again."""
    feature = contacts.feature
    pair, low, high = feature[k] >> _PAIR, 0, contacts.count[0]
    while low < high:
        middle = (low + high) // 2
        if feature[middle] >> _PAIR <= pair:
            low = middle + 1
        else:
            high = middle
    at = low - 1
    while at >= 0 and feature[at] >> _PAIR == pair:
        n = dot(load(contacts.normal, at), load(contacts.normal, k))
        if feature[at] == feature[k] and n > SAME_NORMAL:
            return -1
        at -= 1
    return low


@kernel
def stop_centre(position, shapes, contacts, s, other, n, height, radius):
    """Appends a contact of a ball about the centre of the body of shape s, for `keep_struck`.

    `height`: of the centre above the surface of the other shape along n; the ball is smaller if
    it would touch already. Beyond the capacity it is only counted.
    """
    row = contacts.count[0] + contacts.old_kept[0]
    contacts.old_kept[0] += 1
    if row >= len(contacts.gap):
        return
    radius = min(radius, height)
    first = s < other
    low, high = (s, other) if first else (other, s)
    centre, across = load(position, shapes[s].body), n if first else scale(n, -1.0)
    own = scale(n, -radius)
    met = sub(along(centre, n, -height), load(position, shapes[other].body))
    contacts.shape_a[row], contacts.shape_b[row] = low, high
    contacts.body_a[row], contacts.body_b[row] = shapes[low].body, shapes[high].body
    store(add(centre, own), contacts.point, row)
    store(across, contacts.normal, row)
    store(tangent(across), contacts.tangent1, row)
    store(cross(across, tangent(across)), contacts.tangent2, row)
    contacts.gap[row] = height - radius
    store(own if first else met, contacts.anchor_a, row)
    store(met if first else own, contacts.anchor_b, row)
    contacts.rounding[row, 0] = radius if first else 0.0
    contacts.rounding[row, 1] = 0.0 if first else radius
    store(_NOWHERE, contacts.axle_a, row)
    store(_NOWHERE, contacts.axle_b, row)
    contacts.feature[row] = np.uint64((((low << SLOT_BITS) | high) << FEATURE_BITS) | _CENTRE)
    contacts.friction[row], contacts.restitution[row], contacts.rolling[row] = 0.0, 0.0, 0.0
    store(_NOWHERE, contacts.belt, row)


@kernel
def _move_contact(contacts, k, to):
    """Writes contact k over another one: all that detection says of it."""
    if k == to:
        return
    contacts.body_a[to], contacts.body_b[to] = contacts.body_a[k], contacts.body_b[k]
    contacts.shape_a[to], contacts.shape_b[to] = contacts.shape_a[k], contacts.shape_b[k]
    store(load(contacts.point, k), contacts.point, to)
    store(load(contacts.normal, k), contacts.normal, to)
    store(load(contacts.tangent1, k), contacts.tangent1, to)
    store(load(contacts.tangent2, k), contacts.tangent2, to)
    contacts.gap[to] = contacts.gap[k]
    store(load(contacts.anchor_a, k), contacts.anchor_a, to)
    store(load(contacts.anchor_b, k), contacts.anchor_b, to)
    contacts.rounding[to, 0] = contacts.rounding[k, 0]
    contacts.rounding[to, 1] = contacts.rounding[k, 1]
    store(load(contacts.axle_a, k), contacts.axle_a, to)
    store(load(contacts.axle_b, k), contacts.axle_b, to)
    contacts.feature[to] = contacts.feature[k]
    contacts.friction[to] = contacts.friction[k]
    contacts.restitution[to] = contacts.restitution[k]
    contacts.rolling[to] = contacts.rolling[k]
    store(load(contacts.belt, k), contacts.belt, to)
    contacts.stays[to] = contacts.stays[k]
