"""Which pairs of shapes begin or cease to touch: pairs that carry an impulse, step by step."""

from physics.collision.arrays import SLOT_BITS
from physics.jit import kernel


@kernel
def _find(keys, count, low, key):
    """First place from `low` on whose key is not below the given one; keys ascend."""
    while low < count and keys[low] < key:
        low += 1
    return low


@kernel
def compare_touching(rows):
    """Lists this step's touching pairs and what changed; returns (begun, ended) counts.

    Writes touching; begun: row of the contact with the largest impulse of each new pair; ended:
    keys of pairs that parted.
    """
    old, new, begun = rows.touching[1], rows.touching[0], rows.begun
    for k in range(new[0] + 1):
        old[k] = new[k]
    new[0] = 0
    starts, start, old_at, count = 0, 0, 1, rows.count[0]
    while start < count:
        key = _pair(rows, start)
        best = start
        end = start
        while end < count and _pair(rows, end) == key:
            if rows.mu[end, 0] > rows.mu[best, 0]:
                best = end
            end += 1
        if rows.mu[best, 0] > 0.0:
            new[0] += 1
            new[new[0]] = key
            old_at = _find(old, old[0] + 1, old_at, key)
            if old_at > old[0] or old[old_at] != key:
                begun[starts] = best
                starts += 1
        start = end
    return starts, _list_ended(old, new, rows.ended)


@kernel
def _pair(rows, c):
    return (rows.shape_a[c] << SLOT_BITS) | rows.shape_b[c]


@kernel
def _list_ended(old, new, ended):
    stops, at = 0, 1
    for k in range(1, old[0] + 1):
        at = _find(new, new[0] + 1, at, old[k])
        if at > new[0] or new[at] != old[k]:
            ended[stops] = old[k]
            stops += 1
    return stops
