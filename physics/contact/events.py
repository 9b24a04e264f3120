"""What contacts report: which pairs begin and cease to touch, and the contact points as records.

A pair of shapes touches in a step in which it carries an impulse.
"""

from typing import NamedTuple

import numpy as np

from physics.collision import Contacts
from physics.collision.arrays import SLOT_BITS
from physics.jit import kernel
from physics.records import ContactTable
from physics.state import Floats

# one contact point of a step, for overlays, sound and tests
CONTACT = np.dtype(
    [
        ("a", np.int64),  # body slots
        ("b", np.int64),
        ("point", np.float64, 3),  # m
        ("normal", np.float64, 3),  # from b to a
        ("depth", np.float64),  # m, at the start of the step; negative: apart
        ("impulse", np.float64),  # N s along the normal
        ("friction", np.float64, 3),  # N s on a, world axes
        ("coefficient", np.float64),  # of friction: the opening of its cone
    ]
)


class ContactEvent(NamedTuple):
    """Two bodies began or ceased to touch."""

    kind: str  # contact_begin | contact_end
    a: int  # body slots
    b: int
    point: Floats  # m; for an end: not known, zero
    impulse: float  # N s along the normal in the first step


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
            if rows.struck[end, 0] > rows.struck[best, 0]:
                best = end
            end += 1
        if rows.struck[best, 0] > 0.0:
            new[0] += 1
            new[new[0]] = key
            old_at = _find(old, old[0] + 1, old_at, key)
            if old_at > old[0] or old[old_at] != key:
                begun[starts] = best
                starts += 1
        start = end
    return starts, _list_ended(old, new, rows.ended)


@kernel
def note_struck(scene):
    """What contacts gave in a step that was solved as a whole; writes struck."""
    rows = scene.contacts
    for c in scene.system.contacts:
        for r in range(3):
            rows.struck[c, r] = rows.mu[c, r]


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


def contact_table(contacts: Contacts) -> ContactTable:
    """One record per contact point."""
    n = max(int(contacts.count[0]), 0)
    table = np.zeros(n, CONTACT)
    table["a"], table["b"] = contacts.body_a[:n], contacts.body_b[:n]
    table["point"], table["normal"] = contacts.point[:n], contacts.normal[:n]
    table["depth"], table["impulse"] = -contacts.gap[:n], contacts.struck[:n, 0]
    along = contacts.struck[:n, 1:2] * contacts.tangent1[:n]
    table["coefficient"] = contacts.friction[:n]
    table["friction"] = along + contacts.struck[:n, 2:3] * contacts.tangent2[:n]
    return table
