"""Groups of contacts that share no body: each is swept by itself and stops by itself.

Bodies are joined by contacts and by bilateral rows (their component). Whatever bounded rows of
joints (limits, motors, hands) act on forms the first group together with those rows.
"""

from physics.jit import kernel
from physics.solver.graph import root, union


@kernel
def group_contacts(scene):
    """Sorts the contacts by group; writes contacts.order, member, group, groups, scene.label."""
    rows, bounded = scene.contacts, scene.unilateral
    parent, number = scene.label[0], scene.label[1]
    component = scene.system.component
    for b in range(len(parent)):
        parent[b] = component[b] if component[b] >= 0 else b
        number[b] = -1
    first = -1  # a body of the group with bounded rows
    for u in range(bounded.count[0]):
        for side in range(2):
            b = scene.elements.body[bounded.element[u], side]
            if component[b] >= 0:
                if first >= 0:
                    union(parent, first, b)
                first = b
    for c in range(rows.count[0]):
        a, b = rows.body_a[c], rows.body_b[c]
        if component[a] >= 0 and component[b] >= 0:
            union(parent, a, b)
    if first >= 0:
        number[root(parent, first)] = 0
    _sort(rows, component, parent, number)


@kernel
def _sort(rows, component, parent, number):
    """Numbers the groups in the order of their first contact and sorts by counting.

    Writes order, member, group and groups.
    """
    count, group = rows.count[0], rows.group
    used = 1
    group[0] = 0
    group[1] = 0
    for c in range(count):
        b = rows.body_a[c] if component[rows.body_a[c]] >= 0 else rows.body_b[c]
        top = root(parent, b)
        if number[top] < 0:
            number[top] = used
            used += 1
            group[used] = 0
        rows.member[c] = number[top]
        group[number[top] + 1] += 1
    for g in range(used):
        group[g + 1] += group[g]  # where each group ends
    for c in range(count - 1, -1, -1):
        g = rows.member[c]
        group[g + 1] -= 1
        rows.order[group[g + 1]] = c
    for g in range(used):
        group[g] = group[g + 1]  # where it starts
    group[used] = count
    rows.groups[0] = used
