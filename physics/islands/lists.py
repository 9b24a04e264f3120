"""Islands as lists: what hangs together by joints and contacts, and entering one of them.

Islands are the unit of everything: each is solved, judged, repeated, frozen and put to sleep by
itself, and what one does never shows in another. Kernels work on the lists of `System` (bodies,
places, elements, contacts); `enter_island` makes them those of one island, `enter_whole` those of
everything. Within an island everything keeps the order of its numbers, so that its motion does not
depend, not in a bit, on what else there is.
"""

from physics.jit import kernel
from physics.solver.graph import root, union
from physics.state import (
    LIST_BILATERAL,
    LIST_BREAKABLE,
    LIST_COUPLED,
    LIST_DRIVEN,
    LIST_MASKED,
    LIST_ROPES,
    LIST_STIFFNESS,
    LIST_UNILATERAL,
    LISTS,
    PRIMITIVES,
)


@kernel
def build_islands(scene):
    """Joins bodies by joints and contacts and sorts all lists by island; writes islands.

    The lists of elements are made anew only where the partition has changed; contacts are sorted
    in every step.
    """
    islands = scene.islands
    _join(scene)
    n, same = len(islands.parent), True
    for b in range(n):
        top = root(islands.parent, b) if scene.system.component[b] >= 0 else -1
        islands.parent[b] = top if top >= 0 else b
        if islands.known[b] != top:
            same = False
            islands.known[b] = top
    if not same:
        _number(scene)
        _sort_bodies(scene)
        _sort_lists(scene)
        _sort_rows(scene)
    _sort_contacts(scene)


@kernel
def _join(scene):
    """Union-find over components, bounded rows and contacts; writes islands.parent."""
    elements, rows = scene.elements, scene.contacts
    parent, component = scene.islands.parent, scene.system.component
    for b in range(len(parent)):
        parent[b] = component[b] if component[b] >= 0 else b
    islands = scene.islands
    for kind in (LIST_UNILATERAL, LIST_STIFFNESS):
        for i in range(islands.all_start[kind, 1]):
            e = islands.all_lists[kind, i]
            a, b = elements.body[e, 0], elements.body[e, 1]
            if component[a] >= 0 and component[b] >= 0:
                union(parent, a, b)
    for c in range(rows.count[0]):
        a, b = rows.body_a[c], rows.body_b[c]
        if component[a] >= 0 and component[b] >= 0:
            union(parent, a, b)


@kernel
def _island_of(islands, elements, e):
    """The island that moves an element's bodies, or -1."""
    number = islands.number[elements.body[e, 0]]
    return number if number >= 0 else islands.number[elements.body[e, 1]]


@kernel
def _number(scene):
    """Numbers the islands, those with elements first, each kind by its lowest body."""
    islands, elements = scene.islands, scene.elements
    known, number, state = islands.known, islands.number, islands.state
    n = len(known)
    for b in range(n):
        state[b] = 0
    for kind in range(LISTS):
        for i in range(islands.all_start[kind, 1]):
            e = islands.all_lists[kind, i]
            for side in range(2):
                top = known[elements.body[e, side]]
                if top >= 0:
                    state[top] = 1  # it has joints
    used = 0
    for joined in range(2):
        for b in range(n):
            if known[b] == b and state[b] == 1 - joined:
                number[b] = used
                used += 1
        if joined == 0:
            islands.count[1] = used
    islands.count[0] = used
    for b in range(n):
        number[b] = number[known[b]] if known[b] >= 0 else -1


@kernel
def _sort_bodies(scene):
    """Bodies and ranges of places by island; writes islands.bodies and ranges."""
    islands, system = scene.islands, scene.system
    n, count = len(islands.number), islands.count[0]
    bodies, ranges = islands.body_start, islands.range_start
    for i in range(count + 1):
        bodies[i], ranges[i] = 0, 0
    for b in range(n):
        i = islands.number[b]
        if i >= 0:
            bodies[i + 1] += 1
            ranges[i + 1] += 2 * (system.component[b] == b)
    for i in range(count):
        bodies[i + 1] += bodies[i]
        ranges[i + 1] += ranges[i]
    for b in range(n):
        i = islands.number[b]
        if i >= 0:
            islands.bodies[bodies[i]] = b
            bodies[i] += 1
            if system.component[b] == b:
                islands.ranges[ranges[i]] = system.span[b, 0]
                islands.ranges[ranges[i] + 1] = system.span[b, 1]
                ranges[i] += 2
    _shift_back(bodies, count)
    _shift_back(ranges, count)


@kernel
def _shift_back(start, count):
    """Where each began, after filling moved every start to its end; writes start."""
    for i in range(count, 0, -1):
        start[i] = start[i - 1]
    start[0] = 0


@kernel
def _sort_lists(scene):
    """Every list of elements by island; writes islands.lists and list_start."""
    islands, elements = scene.islands, scene.elements
    count = islands.count[0]
    for kind in range(LISTS):
        start, out = islands.list_start[kind], islands.lists[kind]
        for i in range(count + 1):
            start[i] = 0
        for k in range(islands.all_start[kind, 1]):
            i = _island_of(islands, elements, islands.all_lists[kind, k])
            if i >= 0:
                start[i + 1] += 1
        for i in range(count):
            start[i + 1] += start[i]
        for k in range(islands.all_start[kind, 1]):
            e = islands.all_lists[kind, k]
            i = _island_of(islands, elements, e)
            if i >= 0:
                out[start[i]] = e
                start[i] += 1
        _shift_back(start, count)


@kernel
def _sort_rows(scene):
    """Rows by island and primitive; writes islands.rows and row_start (absolute)."""
    islands, elements = scene.islands, scene.elements
    start, whole, rows = islands.row_start, islands.whole_start, islands.whole_rows
    joined = islands.count[1]
    for i in range(joined):
        for p in range(PRIMITIVES + 1):
            start[i, p] = 0
    for p in range(PRIMITIVES):
        for k in range(whole[p], whole[p + 1]):
            i = _island_of(islands, elements, rows[k] // 3)
            if i >= 0:
                start[i, p] += 1
    total = 0
    for i in range(joined):
        for p in range(PRIMITIVES):
            size = start[i, p]
            start[i, p] = total
            total += size
        start[i, PRIMITIVES] = total
    for p in range(PRIMITIVES):
        for k in range(whole[p], whole[p + 1]):
            i = _island_of(islands, elements, rows[k] // 3)
            if i >= 0:
                islands.rows[start[i, p]] = rows[k]
                start[i, p] += 1
    for i in range(joined):
        for p in range(PRIMITIVES - 1, 0, -1):
            start[i, p] = start[i, p - 1]
        start[i, 0] = start[i - 1, PRIMITIVES] if i > 0 else 0


@kernel
def _sort_contacts(scene):
    """Contacts by island; writes contacts.order and islands.contact_start."""
    rows, islands = scene.contacts, scene.islands
    count, last, start = rows.count[0], islands.count[0], islands.contact_start
    for i in range(last + 1):
        start[i] = 0
    for c in range(count):
        start[_island_of_contact(islands, rows, c) + 1] += 1
    for i in range(last):
        start[i + 1] += start[i]
    for c in range(count):
        i = _island_of_contact(islands, rows, c)
        rows.order[start[i]] = c
        start[i] += 1
    _shift_back(start, last)


@kernel
def _island_of_contact(islands, rows, c):
    number = islands.number[rows.body_a[c]]
    return number if number >= 0 else islands.number[rows.body_b[c]]


@kernel
def enter_island(scene, i):
    """Makes the lists of the system those of island i; writes system."""
    islands, system, rows = scene.islands, scene.system, scene.contacts
    system.bodies = islands.bodies[islands.body_start[i] : islands.body_start[i + 1]]
    system.ranges = islands.ranges[islands.range_start[i] : islands.range_start[i + 1]]
    first, stop = islands.contact_start[i], islands.contact_start[i + 1]
    system.contacts = rows.order[first:stop]
    rows.group[0], rows.group[1] = first, stop
    _set_lists(system, islands.lists, islands.list_start, i)
    joined = i < islands.count[1]
    system.list_start = islands.row_start[i] if joined else islands.no_rows
    system.list_rows = islands.rows


@kernel
def enter_whole(scene):
    """Makes the lists of the system those of everything that is awake; writes system."""
    islands, system, rows = scene.islands, scene.system, scene.contacts
    count = islands.count[0]
    system.bodies = islands.bodies[: islands.body_start[count]]
    system.ranges = islands.ranges[: islands.range_start[count]]
    system.contacts = rows.order[: max(rows.count[0], 0)]
    rows.group[0], rows.group[1] = 0, max(rows.count[0], 0)
    _set_lists(system, islands.all_lists, islands.all_start, 0)
    system.list_start, system.list_rows = islands.whole_start, islands.whole_rows


@kernel
def _set_lists(system, lists, start, i):
    """Writes the lists of elements of the system."""
    k = LIST_BILATERAL
    system.bilateral = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_UNILATERAL
    system.unilateral = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_STIFFNESS
    system.stiffness = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_MASKED
    system.masked = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_DRIVEN
    system.driven = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_BREAKABLE
    system.breakable = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_COUPLED
    system.coupled = lists[k, start[k, i] : start[k, i + 1]]
    k = LIST_ROPES
    system.ropes = lists[k, start[k, i] : start[k, i + 1]]
