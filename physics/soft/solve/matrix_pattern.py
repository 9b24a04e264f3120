"""The pattern of a soft body's matrix, with room for pairs of nodes that touch."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.solver.spd.analysis import Symbolic, analyse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STALE = 4  # times as many pairs as there are contacts: time to forget the old ones


class Pattern(NamedTuple):
    """Edges of the matrix and their analysis."""

    nodes: int
    own: int  # the first edges are those of the elements
    edges: Ints  # (E, 2)
    keys: Ints  # of the edges beyond, ascending
    symbolic: Symbolic

    @property
    def own_edges(self) -> Ints:
        """Those of the elements, ascending."""
        return self.edges[: self.own]


def make_pattern(edges: Ints, position: Floats) -> Pattern:
    """The pattern of the elements alone."""
    n = len(position)
    return Pattern(n, len(edges), edges, np.zeros(0, np.int64), analyse(n, edges, position))


def coupled(pattern: Pattern, pairs: Ints, position: Floats) -> tuple[Pattern, Ints]:
    """The pattern with edges for pairs of nodes (m, 2), and the edge of each of them.

    It is the same object if it has them all. Otherwise the matrix is analysed anew with the nodes
    where they are now: layers that lie on each other belong together.
    """
    n, own = pattern.nodes, pattern.edges[: pattern.own]
    key = pairs.min(axis=1) * n + pairs.max(axis=1)
    known = own[:, 0] * n + own[:, 1]
    place = np.minimum(np.searchsorted(known, key), len(known) - 1)
    inside = known[place] == key
    needed = np.unique(key[~inside])
    stale = len(pattern.keys) > STALE * len(needed)
    if stale or not np.isin(needed, pattern.keys, assume_unique=True).all():
        edges = np.concatenate([own, np.stack([needed // n, needed % n], axis=1)])
        pattern = Pattern(n, len(own), edges, needed, analyse(n, edges, position))
    beyond = len(own) + np.searchsorted(pattern.keys, key)
    return pattern, np.where(inside, place, beyond)
