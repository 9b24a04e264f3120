"""Mechanisms: bodies that joints hold together, so that contacts cannot part them."""

import numpy as np

from physics import state as st
from physics.state import Bodies, Elements, Ints


def mechanism_of_body(bodies: Bodies, elements: Elements, excluded: Ints) -> Ints:
    """Body → the lowest body that it hangs together with by joints; itself where nothing holds it.

    `excluded`: ascending keys of pairs that do not collide. A joint whose bodies are to collide all
    the same asks for contacts, and a spring parts by itself: neither holds bodies together here.
    """
    movable = (bodies.kind == st.DYNAMIC) | (bodies.kind == st.PARTICLE)
    a, b = elements.body[:, 0], elements.body[:, 1]
    holds = (elements.role == st.BILATERAL) & (elements.traits[:, 0] & st.TRANSLATES != 0)
    holds &= movable[a] & movable[b]
    holds &= np.isin((np.minimum(a, b) << 32) | np.maximum(a, b), excluded)
    return _lowest_connected(len(movable), a[holds], b[holds])


def _lowest_connected(count: int, a: Ints, b: Ints) -> Ints:
    """The lowest vertex of each vertex's component; the edges join a and b.

    Every vertex takes the lowest label of its neighbours, and then the label of that label: a
    chain of n is done in about log n rounds.
    """
    label = np.arange(count)
    while True:
        low = np.minimum(label[a], label[b])
        new = label.copy()
        for end in (label[a], label[b], a, b):
            np.minimum.at(new, end, low)
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new
