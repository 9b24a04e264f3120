"""Parts of the elimination tree that two threads can work on at the same time.

Subtrees do not know of each other: their fronts need only their own children. Some disjoint
subtrees are the *parts*; the supernodes above them all are the *top*, eliminated when every part is
done. Cutting the tree higher leaves less work in the top, cutting it lower balances better; the cut
with the shortest modelled time of two threads is taken. It depends on the matrix alone, never on
the number of threads, because the order of additions follows from it.
"""

import numpy as np

from physics.jit import kernel

WORTH = 1e6  # ns of modelled time from which a second thread pays
MOST = 16  # parts
GAIN = 0.85  # of the time of one thread that two may need at most, or there are no parts


@kernel
def _shared_time(cost, roots, count):
    """Of two threads that take the subtrees in the given order, heaviest first."""
    one = two = 0.0
    for k in range(count):
        if one <= two:
            one += cost[roots[k]]
        else:
            two += cost[roots[k]]
    return max(one, two)


@kernel
def _insert(cost, roots, count, s):
    """Put s among the roots, heaviest first. Written: roots."""
    at = count
    while at > 0 and cost[roots[at - 1]] < cost[s]:
        roots[at] = roots[at - 1]
        at -= 1
    roots[at] = s


@kernel
def divide(time, child, sibling):
    """(part_start, sequence): the supernodes of each part, those of the top last.

    time[s] is that of the front alone; supernodes are in postorder. Without parts all is top.
    """
    total = time.size
    whole, begin = time.copy(), np.arange(total)  # of subtrees: time, first supernode
    roots, best = np.empty(total + 1, np.int64), np.empty(MOST + 1, np.int64)
    count = kept = 0
    is_child = np.zeros(total, np.bool_)
    for s in range(total):
        c = child[s]
        if c != -1:
            begin[s] = begin[c]  # siblings ascend: the first child has the first leaf
        while c != -1:
            whole[s] += whole[c]
            is_child[c] = True
            c = sibling[c]
    alone = 0.0
    for s in range(total):
        if not is_child[s]:
            _insert(whole, roots, count, s)
            count += 1
            alone += whole[s]
    top, shortest = 0.0, GAIN * alone
    while 0 < count <= MOST and alone >= WORTH:
        together = top + _shared_time(whole, roots, count)
        if together < shortest:
            shortest, kept = together, count
            for k in range(count):
                best[k] = roots[k]
        heaviest = roots[0]
        c = child[heaviest]
        if c == -1:
            break
        top += time[heaviest]
        count -= 1
        for k in range(count):
            roots[k] = roots[k + 1]
        while c != -1:
            _insert(whole, roots, count, c)
            count += 1
            c = sibling[c]
    part_start, sequence = np.zeros(kept + 2, np.int64), np.empty(total, np.int64)
    taken, used = np.zeros(total, np.bool_), 0
    for part in range(kept):
        for s in range(begin[best[part]], best[part] + 1):
            sequence[used], used = s, used + 1
            taken[s] = True
        part_start[part + 1] = used
    for s in range(total):
        if not taken[s]:
            sequence[used], used = s, used + 1
    part_start[kept + 1] = used
    return part_start, sequence
