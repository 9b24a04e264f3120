"""Which pairs of shapes may touch in this step, in an order that depends on the slots only.

Every shape walks what comes after it in the box tree (`tree.py`); planes, which have no box, are
tried against every movable shape directly. Pairs are then sorted by counting on the first slot, so
the order of everything downstream is the same however the tree happens to be shaped.
"""

from physics.collision.arrays import (
    ASLEEP,
    DEAD,
    DRIVEN,
    GROW_PAIRS,
    MOVING,
    OK,
    PLANE,
    SPHERE,
)
from physics.collision.tree import (
    fill_tree,
    leaf_count,
    overlap,
    radix_sort,
    skip,
    write_codes,
)
from physics.collision.vec import length, to_world, vector
from physics.jit import kernel


@kernel
def body_key(a, b):
    """One number for an unordered pair of bodies."""
    return (min(a, b) << 32) | max(a, b)


@kernel
def contains(keys, key):
    """Binary search in ascending keys."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < len(keys) and keys[low] == key


@kernel
def may_collide(excluded, a, b):
    """Groups, masks, excluded bodies, and points without size against each other."""
    moves = a.movable == MOVING or b.movable == MOVING
    disturbs = a.movable + b.movable == ASLEEP + DRIVEN  # no other two kinds add up to it
    if not (moves or disturbs) or a.body == b.body:
        return False
    if a.group & b.mask == 0 or b.group & a.mask == 0:
        return False
    if a.kind == SPHERE and b.kind == SPHERE and a.radius + b.radius == 0.0:
        return False
    return not contains(excluded, body_key(a.body, b.body))


@kernel
def walks(shape):
    """Whether the shape may come to others; fixed and sleeping ones only wait for them."""
    return shape.movable == MOVING or shape.movable == DRIVEN


@kernel
def build_tree(shapes, space):
    """Writes the order, the tree over the boxes and the list of planes."""
    count, planes = 0, 0
    for s in range(space.span[0]):
        if shapes[s].kind == PLANE:
            planes += 1
            space.planes[planes] = s
        elif shapes[s].kind != DEAD:
            space.order[0, count] = s
            count += 1
    space.planes[0] = planes
    leaves = leaf_count(count)
    space.leaves[0] = leaves
    space.leaves[1] = count
    write_codes(shapes.box, space.order, count, space.code)
    radix_sort(space.code, count, space.bucket, space.order)
    fill_tree(shapes.box, space.order[0], count, leaves, space.tree_box)
    for k in range(leaves):
        space.tree_moves[leaves + k] = k < count and walks(shapes[space.order[0, k]])
    for i in range(leaves - 1, 0, -1):
        space.tree_moves[i] = space.tree_moves[2 * i] or space.tree_moves[2 * i + 1]


@kernel
def _try_pair(shapes, excluded, a, b, n, pairs):
    """Appends the pair as the n-th if it may collide and there is room; returns the next n."""
    if not may_collide(excluded, shapes[a], shapes[b]):
        return n
    if n < pairs.shape[1]:
        pairs[1, n, 0] = min(a, b)
        pairs[1, n, 1] = max(a, b)
    return n + 1


@kernel
def _walk(shapes, excluded, k, leaves, order, tree_box, tree_moves, n, pairs):
    """Pairs of the shape at leaf k with later leaves; what does not move looks for what does.

    Returns how many there are with the n before.
    """
    s = order[k]
    b, moves = shapes[s].box, walks(shapes[s])
    box = (b[0], b[1], b[2], b[3], b[4], b[5])
    node = skip(leaves + k)
    while node != 1:
        if (moves or tree_moves[node]) and overlap(box, tree_box, node):
            if node < leaves:
                node *= 2
                continue
            n = _try_pair(shapes, excluded, s, order[node - leaves], n, pairs)
        node = skip(node)
    return n


@kernel
def plane_distance(plane, box):
    """Height of the lowest point of the box above the plane [m]."""
    n = to_world(plane.matrix, vector(plane.extent))
    distance = 0.0
    for axis in range(3):
        corner = box[axis] if n[axis] > 0.0 else box[axis + 3]
        distance += n[axis] * (corner - plane.position[axis])
    return distance


@kernel
def _try_planes(shapes, excluded, s, planes, n, pairs):
    for p in range(1, planes[0] + 1):
        plane = shapes[planes[p]]
        if plane_distance(plane, shapes[s].box) <= length(vector(plane.motion)):
            n = _try_pair(shapes, excluded, s, planes[p], n, pairs)
    return n


@kernel
def _sort_pairs(span, space):
    """Sorts pairs[1] into pairs[0] by the first slot (counting), then the second (insertion)."""
    count = space.pair_count[0]
    row = space.pair_row
    row[: span + 1] = 0
    for k in range(count):
        row[space.pairs[1, k, 0] + 1] += 1
    for s in range(span):
        row[s + 1] += row[s]
    for k in range(count):
        a, b = space.pairs[1, k]
        at = row[a]
        row[a] += 1
        space.pairs[0, at, 0] = a
        space.pairs[0, at, 1] = b
    for k in range(1, count):
        a, b = space.pairs[0, k]
        at = k
        while at > 0 and space.pairs[0, at - 1, 0] == a and space.pairs[0, at - 1, 1] > b:
            space.pairs[0, at, 1] = space.pairs[0, at - 1, 1]
            at -= 1
        space.pairs[0, at, 1] = b


@kernel
def find_pairs(shapes, excluded, space):
    """Writes tree and sorted pairs; GROW_PAIRS if `pairs` is too short for pair_count."""
    build_tree(shapes, space)
    leaves, order, pairs = space.leaves[0], space.order[0], space.pairs
    tree_box, tree_moves, planes = space.tree_box, space.tree_moves, space.planes
    n = 0
    for k in range(space.leaves[1]):
        n = _walk(shapes, excluded, k, leaves, order, tree_box, tree_moves, n, pairs)
        if walks(shapes[order[k]]):
            n = _try_planes(shapes, excluded, order[k], planes, n, pairs)
    space.pair_count[0] = n
    if space.pair_count[0] > space.pairs.shape[1]:
        return GROW_PAIRS
    _sort_pairs(space.span[0], space)
    return OK
