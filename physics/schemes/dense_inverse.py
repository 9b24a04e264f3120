"""(M - h²K̃)⁻¹ over all nodes, by low-rank updates of the block-diagonal M⁻¹ [Andrews17, §3]."""

from physics.constraints.rows import row_pairs
from physics.jit import kernel
from physics.linalg import invert_block, zero_rows
from physics.solver.lowrank import sherman_morrison


@kernel
def invert_with_stiffness(scene, h):
    """Writes scene.dense[:3·nodes] = (M - h²K̃)⁻¹; the last rows of scene.dense are scratch."""
    bodies, system = scene.bodies, scene.system
    size = 3 * len(bodies.velocity)
    inverse = scene.dense[:size, :size]
    zero_rows(inverse)
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            invert_block(system.mass, node, system.inverse, k)
            for r in range(3):
                for c in range(3):
                    inverse[3 * node + r, 3 * node + c] = system.inverse[k, r, c]
    a, b, work = system.scratch[0], system.scratch[1], system.scratch[2]
    for p in range(len(system.list_start) - 1):
        for k in range(system.list_start[p], system.list_start[p + 1]):
            e, r = system.list_rows[k] // 3, system.list_rows[k] % 3
            pairs = row_pairs(p, e, r, bodies, scene.elements, work, a, b)
            for i in range(pairs):
                _update(scene, e, i, -h * h, inverse)


@kernel
def _update(scene, e, i, scale, inverse):
    """One Sherman-Morrison update with pair i of the element; writes inverse."""
    elements, system = scene.elements, scene.system
    size = len(inverse)
    a, b = scene.dense[size, :size], scene.dense[size + 1, :size]
    for k in range(size):
        a[k] = 0.0
        b[k] = 0.0
    for s in range(4):
        node = elements.node[e, s]
        if system.position_of[node] >= 0:
            for c in range(3):
                a[3 * node + c] += system.scratch[0, i, 3 * s + c]
                b[3 * node + c] += system.scratch[1, i, 3 * s + c]
    left, right = scene.dense[size + 2, :size], scene.dense[size + 3, :size]
    sherman_morrison(inverse, a, b, scale, left, right)
