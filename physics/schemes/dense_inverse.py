"""(M - h²K̃)⁻¹ over all nodes, by low-rank updates of the block-diagonal M⁻¹ [Andrews17, §3].

Ball joints couple no two nodes, so their updates stay within 3x3 blocks. What other elements couple
grows into groups of nodes; elements are taken in rounds, each joining groups two by two, so that
most updates happen while groups are small: a chain of n hinges costs n², not n³.
"""

import numpy as np

from physics.constraints.rows import row_pairs
from physics.jit import kernel
from physics.linalg import invert_block, zero_rows
from physics.solver.lowrank import update_group, update_node
from physics.state import NO_ROW, VECTOR

_MOST = 12  # products that matter of one element: its K̃ has no higher rank
_ROOM = 48  # products of the rows of one element, at most


@kernel
def invert_with_stiffness(scene, h):
    """Writes scene.dense[:3·nodes] = (M - h²K̃)⁻¹."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    count = len(bodies.velocity)
    inverse = scene.dense[: 3 * count, : 3 * count]
    zero_rows(inverse)
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            invert_block(system.mass, node, system.inverse, k)
            for r in range(3):
                for c in range(3):
                    inverse[3 * node + r, 3 * node + c] = system.inverse[k, r, c]
    couples = np.zeros(len(elements.role), np.int64)
    A, B = np.empty((_ROOM, 16)), np.empty((_ROOM, 16))
    for p in range(len(system.list_start) - 1):
        for k in range(system.list_start[p], system.list_start[p + 1]):
            e, r = system.list_rows[k] // 3, system.list_rows[k] % 3
            if elements.traits[e, r] & VECTOR:
                _update_nodes(scene, p, e, -h * h, A[:4], B[:4], inverse)
            else:
                couples[e] = 1
    used = 0
    for e in range(len(couples)):
        if couples[e]:
            couples[used] = e
            used += 1
    if used > 0:
        _join_groups(scene, couples, used, -h * h, A, B, inverse)


@kernel
def _update_nodes(scene, primitive, e, scale, A, B, inverse):
    """Updates by an element whose products lie in one node each; writes inverse, A and B."""
    elements, system = scene.elements, scene.system
    work = system.scratch[2]
    pairs = row_pairs(primitive, e, 0, scene.bodies, elements, work, A, B)
    for q in range(pairs):
        for s in range(4):
            node = elements.node[e, s]
            own = B[q, 3 * s] != 0.0 or B[q, 3 * s + 1] != 0.0 or B[q, 3 * s + 2] != 0.0
            if own and system.position_of[node] >= 0:
                update_node(inverse, node, A[q], B[q], 3 * s, scale)


@kernel
def _join_groups(scene, pending, used, scale, A, B, inverse):
    """Updates by elements that couple nodes, smallest groups first; writes inverse."""
    size = len(scene.bodies.velocity)
    # groups as linked lists of nodes: the first node of each, its members, who was joined when
    head, tail, follower = np.arange(size), np.arange(size), np.full(size, -1)
    count, joined = np.ones(size, np.int64), np.full(size, -1)
    left, right = np.empty((3 * size, _MOST)), np.empty((_MOST, 3 * size))
    small, nodes, slots = np.empty((_MOST, _MOST)), np.empty(size, np.int64), np.empty(4, np.int64)
    turn = 0
    joint = scene.elements.joint
    while used > 0:
        kept, last = 0, -1
        for i in range(used):
            e = pending[i]
            rank = _products(scene, e, slots, A, B)
            if rank == 0:
                continue
            # all elements of a joint at once: the second would find the group of the first grown
            ready = joint[e] == last or _is_ready(slots, turn, head, count, joined)
            if not ready:
                pending[kept] = e
                kept += 1
                continue
            last = joint[e]
            first = _unite(slots, turn, head, tail, follower, count, joined)
            members, node = 0, first
            while node >= 0:
                nodes[members] = node
                members += 1
                node = follower[node]
            update_group(inverse, nodes, members, slots, A, B, rank, scale, left, right, small)
        used = kept
        turn += 1


@kernel
def _is_ready(slots, turn, head, count, joined):
    """Whether none of an element's groups has grown in this round already."""
    for s in range(4):
        if slots[s] >= 0:
            group = head[slots[s]]
            if joined[group] == turn and count[group] > 4:
                return False
    return True


@kernel
def _unite(slots, turn, head, tail, follower, count, joined):
    """Makes one group of the nodes that an element couples; returns its first node."""
    first = -1
    for s in range(4):
        if slots[s] >= 0 and first < 0:
            first = head[slots[s]]
    for s in range(4):
        if slots[s] >= 0 and head[slots[s]] != first:
            other = head[slots[s]]
            follower[tail[first]] = other
            tail[first] = tail[other]
            count[first] += count[other]
            node = other
            while node >= 0:
                head[node] = first
                node = follower[node]
    joined[first] = turn
    return first


@kernel
def _products(scene, e, slots, A, B):
    """K̃ of an element as at most 12 products; writes A, B and the slots it acts on.

    Returns how many there are.
    """
    elements = scene.elements
    used = 0
    for r in range(3):
        primitive = elements.primitive[e, r]
        if primitive != NO_ROW:
            work = scene.system.scratch[2]
            used += row_pairs(primitive, e, r, scene.bodies, elements, work, A[used:], B[used:])
    own = 0
    for s in range(4):
        node = elements.node[e, s]
        acts = scene.system.position_of[node] >= 0 and _acts(A, B, used, s)
        slots[s] = node if acts else -1
        own += 3 if acts else 0
    if used <= own:
        return used
    # more products than rows of the matrix: its columns, each with a unit vector, are fewer
    K = np.zeros((12, 12))
    for q in range(used):
        for i in range(12):
            for j in range(12):
                K[i, j] += A[q, i] * B[q, j]
    rank = 0
    for s in range(4):
        if slots[s] >= 0 and _column_acts(K, s):
            for c in range(3):
                for i in range(12):
                    A[rank, i] = K[i, 3 * s + c]
                    B[rank, i] = 1.0 if i == 3 * s + c else 0.0
                rank += 1
    return rank


@kernel
def _acts(A, B, used, s):
    """Whether any product has a part in slot s."""
    for q in range(used):
        for c in range(3 * s, 3 * s + 3):
            if A[q, c] != 0.0 or B[q, c] != 0.0:
                return True
    return False


@kernel
def _column_acts(K, s):
    for i in range(12):
        for c in range(3 * s, 3 * s + 3):
            if K[i, c] != 0.0:
                return True
    return False
