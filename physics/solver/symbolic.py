"""Everything about the linear system that depends on topology only, computed when that changes.

From bodies and elements: which nodes are unknowns, the graph they form, the elimination order, the
pattern of L and U with the table of updates, and where each J and K block of an element goes.
"""

import numpy as np

from physics.jit import kernel
from physics.solver.graph import (
    components,
    couples,
    graph,
    group_by_role,
    list_rows,
    number_vertices,
    owners,
    touches,
)
from physics.solver.ordering import minimum_degree
from physics.state import (
    DEAD,
    KEYFRAMED,
    LENGTH,
    NO_ROW,
    TIES,
    VECTOR,
    Bodies,
    Elements,
    System,
)
from physics.structs import bodies_ref, elements_ref


def analyse(bodies: Bodies, elements: Elements, planar: bool) -> System:
    """The system of a topology, all numeric arrays zero."""
    parts = _analyse(bodies_ref(bodies), elements_ref(elements), planar)
    (unknown, position_of, row_of, column_start, row_index, pair_start, pair_target) = parts[:7]
    lone = np.zeros(len(unknown), np.uint8)
    rows = unknown < 0
    lone[rows] = (elements.primitive[-1 - unknown[rows], 1:] == NO_ROW).all(axis=1)
    (j_block, j_below, k_block, k_below, lists, groups, loops, component, span) = parts[7:]
    n, p = len(unknown), len(row_index)
    nodes = len(position_of)
    bilateral, unilateral, stiffness, coupled, links = groups
    live = np.flatnonzero(elements.role != DEAD)
    masked = bodies.masked[elements.body[live]].any(axis=1)
    keyframed = (bodies.kind[elements.body[live]] == KEYFRAMED).any(axis=1)
    keyed = np.zeros(len(elements.role), np.uint8)
    keyed[live] = keyframed
    driven = keyframed | elements.drives[live].astype(bool)
    return System(
        size=np.array([n, p], np.int64),
        position_of=position_of,
        row_of=row_of,
        unknown=unknown,
        lone=lone,
        column_start=column_start,
        row_index=row_index,
        narrow=lone[row_index],
        pair_start=pair_start,
        pair_target=pair_target,
        j_block=j_block,
        j_below=j_below,
        k_block=k_block,
        k_below=k_below,
        list_start=lists[0],
        list_rows=lists[1],
        bilateral=bilateral,
        unilateral=unilateral,
        stiffness=stiffness,
        masked=live[masked],
        keyed=keyed,
        driven=live[driven],
        breakable=live[np.isfinite(elements.breaks_at[live])],
        coupled=coupled,
        ropes=bilateral[elements.rope[bilateral] != 0],
        keyframed=np.flatnonzero(bodies.kind == KEYFRAMED),
        bodies=np.zeros(0, np.int64),
        ranges=np.zeros(0, np.int64),
        contacts=np.zeros(0, np.int64),
        reads=np.zeros((2, max(n, nodes)), np.int64),
        links=links,
        loops=loops,
        component=component,
        span=span,
        mass=np.zeros((nodes, 3, 3)),
        added=np.zeros((nodes, 3, 3)),
        diagonal=np.zeros((n, 3, 3)),
        inverse=np.zeros((n, 3, 3)),
        below=np.zeros((p, 3, 3)),
        above=np.zeros((p, 3, 3)),
        x=np.zeros((n, 3)),
        residual=np.zeros((n, 3)),
        momentum=np.zeros((nodes, 3)),
        scratch=np.zeros((4, 16, 16)),
    )


@kernel
def _analyse(bodies, elements, planar):
    role = elements.role
    bilateral, unilateral, stiffness = group_by_role(role)
    lists = list_rows(elements)
    vertex_of_node, vertex_of_element, count = number_vertices(bodies, bilateral)
    others = _without_rows(elements, stiffness, unilateral)
    start, neighbours, is_row, supports = graph(
        bodies, elements, bilateral, others, vertex_of_node, vertex_of_element, count, planar
    )
    component, loops = components(bodies, elements, bilateral, others)
    owner = owners(elements, bilateral, component, vertex_of_node, vertex_of_element, count)
    order, pattern_start, pattern = minimum_degree(start, neighbours, is_row, supports)
    # components one after the other: each is then a range of places
    order_by_owner = np.argsort(owner[order], kind="mergesort")
    place = np.empty(count, np.int64)
    for k in range(count):
        place[order[order_by_owner[k]]] = k
    column_start, row_index = _columns(order_by_owner, pattern_start, pattern, place)
    span = _spans(component, owner, place)
    pair_start, pair_target = _updates(column_start, row_index)
    position_of = np.full(len(vertex_of_node), -1, np.int64)
    row_of = np.full(len(role), -1, np.int64)
    unknown = np.empty(count, np.int64)
    for node in range(len(vertex_of_node)):
        if vertex_of_node[node] >= 0:
            position_of[node] = place[vertex_of_node[node]]
            unknown[position_of[node]] = node
    for e in bilateral:
        row_of[e] = place[vertex_of_element[e]]
        unknown[row_of[e]] = -1 - e
    j_block, j_below = _jacobian_map(
        elements, bilateral, position_of, row_of, column_start, row_index
    )
    coupled, links = _coupled_elements(bodies, elements, bilateral, others)
    k_block, k_below = _stiffness_map(elements, coupled, position_of, column_start, row_index)
    groups = (bilateral, unilateral, stiffness, coupled, links)
    return (
        unknown, position_of, row_of, column_start, row_index, pair_start, pair_target,
        j_block, j_below, k_block, k_below, lists, groups, loops, component, span,
    )  # fmt: skip


@kernel
def _spans(component, owner, place):
    """First and one past the last place of every moving body's component."""
    n = len(component)
    first = np.full(n, len(place), np.int64)
    stop = np.zeros(n, np.int64)
    for v in range(len(place)):
        c = owner[v]
        if c >= 0:
            first[c] = min(first[c], place[v])
            stop[c] = max(stop[c], place[v] + 1)
    span = np.zeros((n, 2), np.int64)
    for b in range(n):
        if component[b] >= 0:
            span[b, 0] = first[component[b]]
            span[b, 1] = stop[component[b]]
    return span


@kernel
def _columns(old, pattern_start, pattern, place):
    """Column starts and sorted block rows, with columns renumbered: column k was old[k]."""
    n = len(old)
    column_start = np.zeros(n + 1, np.int64)
    row_index = np.empty(len(pattern), np.int64)
    for k in range(n):
        size = pattern_start[old[k] + 1] - pattern_start[old[k]]
        first = column_start[k]
        column_start[k + 1] = first + size
        for q in range(size):
            row_index[first + q] = place[pattern[pattern_start[old[k]] + q]]
        row_index[first : first + size] = np.sort(row_index[first : first + size])
    return column_start, row_index


@kernel
def _updates(column_start, row_index):
    """For every column and every pair p > q of its blocks: the block (row p, column q)."""
    n = len(column_start) - 1
    pair_start = np.zeros(n + 1, np.int64)
    for k in range(n):
        size = column_start[k + 1] - column_start[k]
        pair_start[k + 1] = pair_start[k] + size * (size - 1) // 2
    target = np.empty(pair_start[n], np.int64)
    for k in range(n):
        fill = pair_start[k]
        for p in range(column_start[k] + 1, column_start[k + 1]):
            for q in range(column_start[k], p):
                target[fill] = find_block(row_index[p], row_index[q], column_start, row_index)
                fill += 1
    return pair_start, target


@kernel
def find_block(row, column, column_start, row_index):
    """Block (row, column) with row > column, by bisection in its column."""
    low, high = column_start[column], column_start[column + 1]
    while low < high:
        middle = (low + high) // 2
        if row_index[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _jacobian_map(elements, bilateral, position_of, row_of, column_start, row_index):
    block = np.full((len(row_of), 4), -1, np.int64)
    below = np.zeros((len(row_of), 4), np.uint8)
    for e in bilateral:
        r = row_of[e]
        for s in range(4):
            c = position_of[elements.node[e, s]]
            if c >= 0 and touches(elements, e, s):
                below[e, s] = r > c
                block[e, s] = find_block(max(r, c), min(r, c), column_start, row_index)
    return block, below


@kernel
def _without_rows(elements, stiffness, unilateral):
    """Elements that put blocks into M̃ but no row beside it: springs, and ropes that can go slack.

    A taut rope stiffens its ends against sideways motion, whether or not it could go slack.
    """
    found = np.empty(len(stiffness) + len(unilateral), np.int64)
    found[: len(stiffness)] = stiffness
    used = len(stiffness)
    for e in unilateral:
        if elements.traits[e, 0] & TIES:
            found[used] = e
            used += 1
    return found[:used].copy()


@kernel
def _coupled_elements(bodies, elements, bilateral, others):
    """Elements that put blocks into M̃ (all but vectors), and lengths per body."""
    coupled = np.empty(len(bilateral) + len(others), np.int64)
    links = np.zeros(len(bodies.kind))
    used = 0
    for group in range(2):
        for e in bilateral if group == 0 else others:
            traits = elements.traits[e, 0]
            if traits & LENGTH:
                links[elements.body[e, 0]] += 1.0
                links[elements.body[e, 1]] += 1.0
            if not traits & VECTOR:
                coupled[used] = e
                used += 1
    return coupled[:used].copy(), links


@kernel
def _stiffness_map(elements, coupled, position_of, column_start, row_index):
    m = len(elements.role)
    block = np.full((m, 4, 4), -1, np.int64)
    below = np.zeros((m, 4, 4), np.uint8)
    for e in coupled:
        for i in range(4):
            ci = position_of[elements.node[e, i]]
            if ci < 0 or not touches(elements, e, i):
                continue
            block[e, i, i] = -2
            for j in range(4):
                cj = position_of[elements.node[e, j]]
                if cj >= 0 and ci != cj and couples(elements, e, i, j):
                    below[e, i, j] = ci > cj
                    block[e, i, j] = find_block(max(ci, cj), min(ci, cj), column_start, row_index)
    return block, below
