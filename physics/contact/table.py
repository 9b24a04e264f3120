"""The contact points of a step as records, for overlays, sound and tests."""

from typing import Any

import numpy as np

from physics.collision import Contacts

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


def contact_table(contacts: Contacts) -> Any:
    """One record per contact point."""
    n = max(int(contacts.count[0]), 0)
    table = np.zeros(n, CONTACT)
    table["a"], table["b"] = contacts.body_a[:n], contacts.body_b[:n]
    table["point"], table["normal"] = contacts.point[:n], contacts.normal[:n]
    table["depth"], table["impulse"] = -contacts.gap[:n], contacts.impulse[:n, 0]
    along = contacts.impulse[:n, 1:2] * contacts.tangent1[:n]
    table["coefficient"] = contacts.friction[:n]
    table["friction"] = along + contacts.impulse[:n, 2:3] * contacts.tangent2[:n]
    return table
