"""Contacts of earlier ways stay while a step is solved anew along another one."""

import numpy as np

from physics.collision.arrays import FEATURE_BITS, SLOT_BITS, Contacts, make_contacts
from physics.collision.ways import add_kept, keep_struck, room

UP, ASIDE = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)


def feature(a: int, b: int, k: int) -> np.uint64:
    return np.uint64((((a << SLOT_BITS) | b) << FEATURE_BITS) | k)


def found(contacts: Contacts, *given: tuple) -> None:
    """Detection found these: shapes a and b, feature, normal, gap."""
    contacts.count[0] = len(given)
    for row, (a, b, k, normal, gap) in enumerate(given):
        contacts.shape_a[row], contacts.shape_b[row] = a, b
        contacts.feature[row] = feature(a, b, k)
        contacts.normal[row], contacts.gap[row] = normal, gap
        contacts.struck[row] = 0.0


def listed(contacts: Contacts) -> list[tuple]:
    rows = range(contacts.count[0])
    return [(contacts.shape_a[k], contacts.shape_b[k], contacts.gap[k]) for k in rows]


def test_what_pushed_stays_in_its_place() -> None:
    contacts = make_contacts(12)
    first = [(0, 1, 5, UP, 0.1), (0, 3, 5, UP, 0.2), (1, 2, 5, UP, 0.3), (4, 5, 1, UP, 0.4)]
    found(contacts, *first)
    contacts.struck[[1, 3], 0] = 2.0  # the others pushed nothing
    assert keep_struck(contacts)
    assert room(contacts) == 12 - 2 - 1
    found(contacts, (0, 1, 5, UP, 0.15), (2, 3, 5, UP, 0.5))
    add_kept(contacts)
    expected = [(0, 1, 0.15), (0, 3, 0.2), (2, 3, 0.5), (4, 5, 0.4)]
    assert listed(contacts) == expected
    assert contacts.stays[:4].tolist() == [False, True, False, True]
    # a third way: what stayed once stays, pushed or not
    assert keep_struck(contacts)
    found(contacts)
    add_kept(contacts)
    assert listed(contacts) == [(0, 3, 0.2), (4, 5, 0.4)]


def test_what_is_found_again_is_new_unless_it_faces_elsewhere() -> None:
    contacts = make_contacts(8)
    found(contacts, (0, 1, 5, UP, 0.1), (0, 2, 5, UP, 0.2))
    contacts.struck[:2, 0] = 1.0
    assert keep_struck(contacts)
    found(contacts, (0, 1, 5, UP, 0.11), (0, 2, 5, ASIDE, 0.22))
    add_kept(contacts)
    assert listed(contacts) == [(0, 1, 0.11), (0, 2, 0.22), (0, 2, 0.2)]


def test_full_arrays_hold_all_that_stays() -> None:
    contacts = make_contacts(6)
    found(contacts, *((0, k, 5, UP, 0.1 * k) for k in range(1, 7)))
    contacts.struck[:6, 0] = 1.0
    assert keep_struck(contacts)
    assert room(contacts) < 0  # detection asks for more room before it writes anything
    contacts.old_kept[0] = 0
    found(contacts, (0, 1, 5, UP, 0.5))
    add_kept(contacts)
    assert listed(contacts) == [(0, 1, 0.5)]
