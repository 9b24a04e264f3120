"""Impulses carried from one step to the next: the same feature of the same pair keeps its own.

Both steps list their contacts by ascending shape pair, so one parallel walk finds the partners. A
contact whose feature is new takes over from an unclaimed old contact of the pair within a small
distance: clipping may renumber a corner that has hardly moved. Impulses travel as world vectors, so
they survive a change of the tangents.
"""

import numpy as np

from physics.collision.arrays import FEATURE_BITS
from physics.collision.vec import add, dot, load, scale, store, sub
from physics.jit import kernel

_NEAR = 0.02  # [m] how far a renumbered contact may have moved
_PAIR = np.uint64(FEATURE_BITS)
_CLAIMED = np.uint64(0xFFFFFF)  # no feature: `mix` yields it with odds of 6e-8, and it costs little


@kernel
def keep_old(contacts):
    """Copies features and impulses of the last step aside, once per step."""
    if contacts.count[0] < 0:  # a call that ran out of room has done it already
        return
    contacts.old_count[0] = contacts.count[0]
    for k in range(contacts.count[0]):
        contacts.old_feature[k] = contacts.feature[k]
        store(load(contacts.anchor_a, k), contacts.old_anchor, k)
        mu = contacts.impulse[k]
        p = scale(load(contacts.normal, k), mu[0])
        p = add(p, scale(load(contacts.tangent1, k), mu[1]))
        p = add(p, scale(load(contacts.tangent2, k), mu[2]))
        store(p, contacts.old_impulse, k)


@kernel
def _take(p, n, t, u, impulse, k):
    """Contact k inherits the impulse p, a world vector; writes impulse."""
    impulse[k, 0] = max(dot(p, n), 0.0)
    impulse[k, 1] = dot(p, t)
    impulse[k, 2] = dot(p, u)


@kernel
def _same_feature(feature, low, high, old_feature):
    for old in range(low, high):
        if old_feature[old] == feature:
            return old
    return -1


@kernel
def _nearest(at, low, high, old_feature, old_anchor):
    best, found = _NEAR * _NEAR, -1
    for old in range(low, high):
        if old_feature[old] & _CLAIMED != _CLAIMED:
            d = sub(at, load(old_anchor, old))
            if dot(d, d) < best:
                best, found = dot(d, d), old
    return found


@kernel
def _pair_end(feature, start, count, pair):
    """Where the contacts of a pair end that begin at start, or would."""
    end = start
    while end < count and feature[end] >> _PAIR == pair:
        end += 1
    return end


@kernel
def match_impulses(contacts):
    """Writes the impulse of every contact: first by feature, then what is left by distance.

    Arrays are taken out of the tuple once: handing it on for every contact costs more than all
    the rest.
    """
    feature, old_feature = contacts.feature, contacts.old_feature
    impulse, old_impulse = contacts.impulse, contacts.old_impulse
    anchor, old_anchor = contacts.anchor_a, contacts.old_anchor
    normal, first, second = contacts.normal, contacts.tangent1, contacts.tangent2
    low, start = 0, 0
    count, old_count = contacts.count[0], contacts.old_count[0]
    while start < count:
        pair = feature[start] >> _PAIR
        end = _pair_end(feature, start, count, pair)
        while low < old_count and old_feature[low] >> _PAIR < pair:
            low += 1
        high = _pair_end(old_feature, low, old_count, pair)
        missing = 0
        for k in range(start, end):
            old = _same_feature(feature[k], low, high, old_feature)
            impulse[k, 0] = -1.0
            if old >= 0:
                n, t, u = load(normal, k), load(first, k), load(second, k)
                _take(load(old_impulse, old), n, t, u, impulse, k)
                old_feature[old] |= _CLAIMED
            else:
                missing += 1
        for k in range(start, end if missing > 0 else start):
            if impulse[k, 0] >= 0.0:
                continue
            impulse[k, 0], impulse[k, 1], impulse[k, 2] = 0.0, 0.0, 0.0
            old = _nearest(load(anchor, k), low, high, old_feature, old_anchor)
            if old >= 0:
                n, t, u = load(normal, k), load(first, k), load(second, k)
                _take(load(old_impulse, old), n, t, u, impulse, k)
                old_feature[old] |= _CLAIMED
        start, low = end, high
