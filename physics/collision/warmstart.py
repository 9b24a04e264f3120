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
def _take(k, old, contacts):
    """Contact k inherits the old one's impulse and claims it."""
    p = load(contacts.old_impulse, old)
    contacts.impulse[k, 0] = max(dot(p, load(contacts.normal, k)), 0.0)
    contacts.impulse[k, 1] = dot(p, load(contacts.tangent1, k))
    contacts.impulse[k, 2] = dot(p, load(contacts.tangent2, k))
    contacts.old_feature[old] |= _CLAIMED


@kernel
def _same_feature(k, low, high, contacts):
    for old in range(low, high):
        if contacts.old_feature[old] == contacts.feature[k]:
            return old
    return -1


@kernel
def _nearest(k, low, high, contacts):
    best, found = _NEAR * _NEAR, -1
    for old in range(low, high):
        if contacts.old_feature[old] & _CLAIMED != _CLAIMED:
            d = sub(load(contacts.anchor_a, k), load(contacts.old_anchor, old))
            if dot(d, d) < best:
                best, found = dot(d, d), old
    return found


@kernel
def _match_pair(start, end, low, high, contacts):
    """Contacts start … end-1 of one pair against old ones low … high-1 of the same pair."""
    for k in range(start, end):
        contacts.impulse[k, :] = -1.0
        old = _same_feature(k, low, high, contacts)
        if old >= 0:
            _take(k, old, contacts)
    for k in range(start, end):
        if contacts.impulse[k, 0] >= 0.0:
            continue
        contacts.impulse[k, :] = 0.0
        old = _nearest(k, low, high, contacts)
        if old >= 0:
            _take(k, old, contacts)


@kernel
def match_impulses(contacts):
    """Writes the impulse of every contact."""
    low, start = 0, 0
    count, old_count = contacts.count[0], contacts.old_count[0]
    while start < count:
        pair = contacts.feature[start] >> _PAIR
        end = start
        while end < count and contacts.feature[end] >> _PAIR == pair:
            end += 1
        while low < old_count and contacts.old_feature[low] >> _PAIR < pair:
            low += 1
        high = low
        while high < old_count and contacts.old_feature[high] >> _PAIR == pair:
            high += 1
        _match_pair(start, end, low, high, contacts)
        start, low = end, high
