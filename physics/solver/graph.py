"""The graph behind the system: who is an unknown, who touches whom, which parts hang together."""

import numpy as np

from physics.jit import kernel
from physics.state import (
    BILATERAL,
    DEAD,
    NO_ROW,
    PRIMITIVES,
    ROLLS,
    STIFFNESS,
    TRANSLATES,
    TURNS,
    UNILATERAL,
    VECTOR,
)


@kernel
def group_by_role(role):
    m = len(role)
    bilateral = np.empty(m, np.int64)
    unilateral = np.empty(m, np.int64)
    stiffness = np.empty(m, np.int64)
    counts = np.zeros(3, np.int64)
    for e in range(m):
        if role[e] == BILATERAL:
            bilateral[counts[0]] = e
            counts[0] += 1
        elif role[e] == UNILATERAL:
            unilateral[counts[1]] = e
            counts[1] += 1
        elif role[e] == STIFFNESS:
            stiffness[counts[2]] = e
            counts[2] += 1
    return (
        bilateral[: counts[0]].copy(),
        unilateral[: counts[1]].copy(),
        stiffness[: counts[2]].copy(),
    )


@kernel
def list_rows(elements):
    """Rows sorted by primitive; of a vector only the first."""
    start = np.zeros(PRIMITIVES + 1, np.int64)
    m = len(elements.role)
    for sweep in range(2):
        if sweep == 1:
            for p in range(PRIMITIVES):
                start[p + 1] += start[p]
            rows = np.empty(start[PRIMITIVES], np.int64)
            fill = start.copy()
        for e in range(m):
            if elements.role[e] == DEAD:
                continue
            for r in range(3):
                p = elements.primitive[e, r]
                if p == NO_ROW or (r > 0 and elements.traits[e, r] & VECTOR):
                    continue
                if sweep == 0:
                    start[p + 1] += 1
                else:
                    rows[fill[p]] = 3 * e + r
                    fill[p] += 1
    return start, rows


@kernel
def number_vertices(bodies, bilateral):
    vertex_of_node = np.full(len(bodies.solved), -1, np.int64)
    count = 0
    for node in range(len(bodies.solved)):
        if bodies.solved[node]:
            vertex_of_node[node] = count
            count += 1
    vertex_of_element = np.full((bilateral.max() + 1) if len(bilateral) else 0, -1, np.int64)
    for e in bilateral:
        vertex_of_element[e] = count
        count += 1
    return vertex_of_node, vertex_of_element, count


@kernel
def touches(elements, e, slot):
    """Whether the slot's node can have a J different from zero."""
    if slot % 2 == 0:
        for r in range(3):
            if elements.traits[e, r] & TRANSLATES:
                return True
        return False
    for r in range(3):
        if elements.traits[e, r] & TURNS:
            return True
    for c in range(3):
        if elements.anchor[e, slot // 2, c] != 0.0:
            return True
    return False


@kernel
def couples(elements, e, i, j):
    """Whether the element's M̃ contribution can couple the nodes of slots i ≠ j."""
    if not (touches(elements, e, i) and touches(elements, e, j)):
        return False
    for r in range(3):
        traits = elements.traits[e, r]
        if traits & VECTOR:
            continue
        if traits & TRANSLATES:
            return True
        if traits & TURNS and i % 2 == 1 and j % 2 == 1:
            return True
    return False


@kernel
def supporting(bodies, elements, e, slot, planar):
    """Whether moving this slot's node alone spans the element's rows."""
    body = elements.body[e, slot // 2]
    if bodies.masked[body] and not planar:
        return False
    angular = True
    for r in range(3):
        if elements.traits[e, r] & TRANSLATES and not elements.traits[e, r] & ROLLS:
            angular = False
    return (slot % 2 == 1) == angular


@kernel
def graph(bodies, elements, bilateral, others, vertex_of_node, vertex_of_element, count, planar):
    """Adjacency without duplicates, from edge lists sorted by (vertex, neighbour).

    `others` couple bodies without a row of their own.
    """
    most = 20 * (len(bilateral) + len(others)) + 1
    keys = np.empty(most, np.int64)
    used = 0
    supported = np.zeros(most, np.uint8)
    for group in range(2):
        for e in bilateral if group == 0 else others:
            for i in range(4):
                vi = vertex_of_node[elements.node[e, i]]
                if vi < 0 or not touches(elements, e, i):
                    continue
                if group == 0:
                    row = vertex_of_element[e]
                    keys[used] = row * count + vi
                    supported[used] = supporting(bodies, elements, e, i, planar)
                    keys[used + 1] = vi * count + row
                    supported[used + 1] = 0
                    used += 2
                for j in range(4):
                    vj = vertex_of_node[elements.node[e, j]]
                    if vj >= 0 and vi != vj and couples(elements, e, i, j):
                        keys[used] = vi * count + vj
                        supported[used] = 0
                        used += 1
    order = np.argsort(keys[:used], kind="mergesort")
    start = np.zeros(count + 1, np.int64)
    neighbours = np.empty(used, np.int64)
    supports = np.zeros(used, np.uint8)
    kept = 0
    last = np.int64(-1)
    for k in order:
        if keys[k] != last:
            last = keys[k]
            neighbours[kept] = last % count
            supports[kept] = supported[k]
            start[last // count + 1] += 1
            kept += 1
    for i in range(count):
        start[i + 1] += start[i]
    is_row = np.zeros(count, np.uint8)
    for e in bilateral:
        is_row[vertex_of_element[e]] = 1
    return start, neighbours[:kept].copy(), is_row, supports[:kept].copy()


@kernel
def components(bodies, elements, bilateral, others):
    """Component of every moving body, and which elements lie in one with a closed loop.

    For loops all static bodies are one vertex (a bridge hung at both ends is a loop), and the
    elements of one joint are one edge. For components static bodies separate.
    """
    n = len(bodies.kind)
    grounded = np.arange(n)
    parent = np.arange(n)
    closed = np.zeros(n, np.uint8)
    previous = np.int64(-1)
    for group in range(2):
        for e in bilateral if group == 0 else others:
            a, b = elements.body[e, 0], elements.body[e, 1]
            if bodies.solved[2 * a] and bodies.solved[2 * b]:
                union(parent, a, b)
            if group == 0 and elements.joint[e] != previous:
                previous = elements.joint[e]
                ra = root(grounded, a if bodies.solved[2 * a] else 0)
                rb = root(grounded, b if bodies.solved[2 * b] else 0)
                both = closed[ra] | closed[rb] | np.uint8(ra == rb)
                union(grounded, ra, rb)
                closed[min(ra, rb)] = both
    component = np.full(n, -1, np.int64)
    for b in range(n):
        if bodies.solved[2 * b]:
            component[b] = root(parent, b)
    loops = np.zeros(len(elements.role), np.uint8)
    for e in bilateral:
        a = elements.body[e, 0]
        loops[e] = closed[root(grounded, a if bodies.solved[2 * a] else 0)]
    return component, loops


@kernel
def union(parent, a, b):
    ra, rb = root(parent, a), root(parent, b)
    parent[max(ra, rb)] = min(ra, rb)


@kernel
def root(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def owners(elements, bilateral, component, vertex_of_node, vertex_of_element, count):
    """Component of every vertex."""
    owner = np.zeros(count, np.int64)
    for node in range(len(vertex_of_node)):
        if vertex_of_node[node] >= 0:
            owner[vertex_of_node[node]] = component[node // 2]
    for e in bilateral:
        a, b = elements.body[e, 0], elements.body[e, 1]
        owner[vertex_of_element[e]] = component[a] if component[a] >= 0 else component[b]
    return owner
