"""Links so weak that the matrix can do without them.

A link adds h²k uuᵀ, times [1 -1; -1 1], to the matrix A of a step; all that are left out together
W ≤ 2 max_i(Σ h²k/m_i) M. With A₀ = A - W

    v ← v + A₀⁻¹ (b - A v)                                                  converges as (A₀⁻¹W)ⁿ

and the corrections of link lengths (physics/soft/solve/soft_step.py) are such solves. The force of
a weak link is -kφ(x_n) in the first solve and that of where the nodes have got to in every other.
On a mode of frequency ω, w = (hω)², two corrections make 1 - w + w² of what backward Euler makes
1/(1 + w): damped for every w < 1. Bending links lie along threads that hardly stretch, and there
the rest is far smaller: after two corrections no velocity is off by more than 1e-8 m/s.

Without them the pattern of the matrix is smaller: links over every second node would treble the
operations of its factor, 115 to 381 million for a cloth of 60 x 60.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

USUAL_STEP = 1.0 / 60.0  # s: what is weak in it is left out; longer steps may take it in again
WEAK = 0.5  # Σ h²k/m of a node up to which w < 1


def squared_frequency(mass: Floats, nodes: Ints, stiffness: Floats) -> Floats:
    """Σ k/m (1/s²) over the links on a node that are no stiffer, at the worse end of each link."""
    node, k = nodes.ravel(), np.repeat(stiffness, 2)
    order = np.lexsort((k, node))
    node, k = node[order], k[order]
    sums = np.concatenate([[0.0], np.cumsum(k)])
    first = np.searchsorted(node, node)
    new = np.ones(len(k), bool)  # begins a group of equal links on a node
    new[1:] = (node[1:] != node[:-1]) | (k[1:] != k[:-1])
    end = np.append(np.flatnonzero(new)[1:], len(k))[np.cumsum(new) - 1]
    total = np.empty(len(k))
    total[order] = (sums[end] - sums[first]) / mass[node]
    return np.asarray(total.reshape(-1, 2).max(axis=1, initial=0.0))


def is_weak(squared_frequency: Floats, h: float) -> Bools:
    """Whether a step of h can do without such links."""
    return np.asarray(h * h * squared_frequency <= WEAK)


def spanned(count: int, edges: Ints, pairs: Ints) -> Bools:
    """Whether the nodes of each pair are not neighbours but have one in common, by the edges.

    Only such pairs are fill of the factor, and their nodes do not hang on that link alone.
    """
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    start = np.searchsorted(both[:, 0], np.arange(count + 1))
    around = []  # of the first and of the second node: pair * count + neighbour
    for node in pairs.T:
        size = start[node + 1] - start[node]
        pair = np.repeat(np.arange(len(pairs)), size)
        at = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size) + start[node][pair]
        around.append(pair * count + both[at, 1])
    common = np.zeros(len(pairs), bool)
    common[np.intersect1d(*around) // count] = True
    low, high = pairs.min(axis=1, initial=count), pairs.max(axis=1, initial=0)
    return common & ~np.isin(low * count + high, edges[:, 0] * count + edges[:, 1])
