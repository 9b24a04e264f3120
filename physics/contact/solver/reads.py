"""Sweeps keep up to date only what they read: the places of the nodes that rows act on.

An impulse on one link of a net or chain moves all of it. What it does to those that neither a
contact nor a bounded row looks at, and to the forces of the joints, is told to them once, in the
end: they are the same linear function of all impulses together.
"""

from physics.contact.contact_rows import torque_offset
from physics.jit import kernel


@kernel
def sort_places(scene):
    """Places of the components of the island, those that are read before the others.

    Writes system.reads.
    """
    system, elements, rows, limits = scene.system, scene.elements, scene.contacts, scene.unilateral
    order, split = system.reads[0], system.reads[1]
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            split[k] = 0
    for u in range(limits.count[0]):
        for s in range(4):
            k = system.position_of[elements.node[limits.element[u], s]]
            if k >= 0:
                split[k] = 1
    for c in system.contacts:
        for s in range(4):
            if rows.place[c, s] >= 0:
                split[rows.place[c, s]] = 1
    for at in range(0, len(system.ranges), 2):
        first, stop = system.ranges[at], system.ranges[at + 1]
        filled = first
        for k in range(first, stop):
            if split[k] == 1:
                order[filled] = k
                filled += 1
        others = filled
        for k in range(first, stop):
            if split[k] == 0:
                order[filled] = k
                filled += 1
        split[first] = others


@kernel
def tell_readers(rows, c, shift, n, t, u, x):
    """x += R · (n, t, u) of contact c at the places that are read, R at `shift`; writes x."""
    reads = rows.reads
    for half in range(2):
        first, stop = rows.span[c, 2 * half], rows.span[c, 2 * half + 1]
        if first == stop:
            continue
        shift -= first
        for i in range(first, reads[1, first]):
            k = reads[0, i]
            add_response(rows.response, shift + k, n, t, u, x, k)
        shift += stop


@kernel
def add_response(R, p, n, t, u, x, k):
    """x[k] += R[p] · (n, t, u); writes x."""
    x[k, 0] += R[p, 0, 0] * n + R[p, 0, 1] * t + R[p, 0, 2] * u
    x[k, 1] += R[p, 1, 0] * n + R[p, 1, 1] * t + R[p, 1, 2] * u
    x[k, 2] += R[p, 2, 0] * n + R[p, 2, 1] * t + R[p, 2, 2] * u


@kernel
def tell_others(scene, bounded, x):
    """What contacts have given since they were last told, and the first `bounded` rows in all.

    Writes x at places that no row reads, and given.
    """
    rows, limits, reads = scene.contacts, scene.unilateral, scene.system.reads
    for c in scene.system.contacts:
        if rows.simple[c]:
            continue
        _tell(rows.response, rows.offset[c], rows.span, rows.given, c, 0, reads, x)
        if rows.rolling[c] > 0.0:
            _tell(rows.response, torque_offset(rows, c), rows.span, rows.given, c, 3, reads, x)
        for i in range(6):
            rows.given[c, i] = 0.0
    for u in range(bounded):
        shift = limits.offset[u]
        for half in range(2):
            first, stop = limits.span[u, 2 * half], limits.span[u, 2 * half + 1]
            if first == stop:
                continue
            for i in range(reads[1, first], stop):
                k = reads[0, i]
                for r in range(3):
                    x[k, r] += limits.change[u] * limits.response[shift + k - first, r]
            shift += stop - first


@kernel
def _tell(R, shift, span, given, c, at, reads, x):
    """x += R · given[at: at + 3] at the others of both components; writes x."""
    n, t, u = given[c, at], given[c, at + 1], given[c, at + 2]
    if n == 0.0 and t == 0.0 and u == 0.0:
        return
    for half in range(2):
        first, stop = span[c, 2 * half], span[c, 2 * half + 1]
        if first == stop:
            continue
        for i in range(reads[1, first], stop):
            k = reads[0, i]
            add_response(R, shift + k - first, n, t, u, x, k)
        shift += stop - first
