"""A box tree without pointers: the complete binary tree over boxes sorted along a Morton curve.

Neighbours on the curve are neighbours in space, so the union of a run of them is small, whatever
the sizes of the boxes. Nodes sit in heap order: the root is 1, the children of i are 2i and 2i + 1,
leaf k is `leaves + k`; leaves beyond the last box are empty (lower = +inf, upper = -inf). Sorting
is a radix sort, building is one backward loop: both linear, so the tree is simply rebuilt.

A walk needs no stack: after leaving node i, the next subtree in preorder is `skip(i)`, and the walk
is over when that is the root again.
"""

import math

from physics.jit import kernel

_FEW = 128  # below this many, clearing the radix counters costs more than sorting by insertion


@kernel
def skip(i):
    """The node after the subtree of i in preorder; 1 when there is none."""
    i += 1
    while i & 1 == 0:
        i >>= 1
    return i


@kernel
def spread(v):
    """The 11 low bits of v with two zeros put between neighbours."""
    v = (v | (v << 16)) & 0x1F0000FF0000FF
    v = (v | (v << 8)) & 0x100F00F00F00F00F
    v = (v | (v << 4)) & 0x10C30C30C30C30C3
    v = (v | (v << 2)) & 0x1249249249249249
    return v


@kernel
def morton(box, low, cell):
    """Code of the centre of a box on a grid of 2048 cells an axis, 33 bits, starting at low."""
    code = 0
    for axis in range(3):
        x = (0.5 * (box[axis] + box[axis + 3]) - low[axis]) * cell[axis]
        code |= spread(int(min(max(x, 0.0), 2047.0))) << axis
    return code


@kernel
def write_codes(box, order, count, code):
    """Writes the Morton code of every box listed in order[0, :count]."""
    low = (math.inf, math.inf, math.inf)
    high = (-math.inf, -math.inf, -math.inf)
    for k in range(count):
        b = box[order[0, k]]
        c = (0.5 * (b[0] + b[3]), 0.5 * (b[1] + b[4]), 0.5 * (b[2] + b[5]))
        low = (min(low[0], c[0]), min(low[1], c[1]), min(low[2], c[2]))
        high = (max(high[0], c[0]), max(high[1], c[1]), max(high[2], c[2]))
    cell = (
        2048.0 / max(high[0] - low[0], 1e-9),
        2048.0 / max(high[1] - low[1], 1e-9),
        2048.0 / max(high[2] - low[2], 1e-9),
    )
    for k in range(count):
        code[order[0, k]] = morton(box[order[0, k]], low, cell)


@kernel
def _insertion_sort(code, count, order):
    for k in range(1, count):
        s = order[k]
        at = k
        while at > 0 and code[order[at - 1]] > code[s]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = s


@kernel
def radix_sort(code, count, bucket, order):
    """Sorts order[0, :count] by code, stably, in three passes; order[1] and bucket are room."""
    if count <= _FEW:
        _insertion_sort(code, count, order[0])
        return
    source, target = 0, 1
    for shift in (0, 11, 22):
        bucket[:] = 0
        for k in range(count):
            bucket[(code[order[source, k]] >> shift) & 2047] += 1
        before = 0
        for digit in range(2048):
            size = bucket[digit]
            bucket[digit] = before
            before += size
        for k in range(count):
            s = order[source, k]
            digit = (code[s] >> shift) & 2047
            order[target, bucket[digit]] = s
            bucket[digit] += 1
        source, target = target, source
    for k in range(count):  # an odd number of passes ends in row 1
        order[0, k] = order[1, k]


@kernel
def leaf_count(count):
    """Smallest power of two ≥ count."""
    leaves = 1
    while leaves < count:
        leaves *= 2
    return leaves


@kernel
def fill_tree(box, order, count, leaves, tree_box):
    """Writes the leaves in the given order and, backward, the union of each node's children."""
    for k in range(leaves):
        for axis in range(3):
            tree_box[leaves + k, axis] = box[order[k], axis] if k < count else math.inf
            tree_box[leaves + k, axis + 3] = box[order[k], axis + 3] if k < count else -math.inf
    for i in range(leaves - 1, 0, -1):
        for axis in range(3):
            tree_box[i, axis] = min(tree_box[2 * i, axis], tree_box[2 * i + 1, axis])
            tree_box[i, axis + 3] = max(tree_box[2 * i, axis + 3], tree_box[2 * i + 1, axis + 3])


@kernel
def overlap(box, tree_box, i):
    """Whether a box meets box i of the tree."""
    return (
        box[0] <= tree_box[i, 3]
        and tree_box[i, 0] <= box[3]
        and box[1] <= tree_box[i, 4]
        and tree_box[i, 1] <= box[4]
        and box[2] <= tree_box[i, 5]
        and tree_box[i, 2] <= box[5]
    )
