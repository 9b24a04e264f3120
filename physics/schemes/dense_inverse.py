"""(M - h²K̃)⁻¹ over all nodes, by low-rank updates of the block-diagonal M⁻¹ [Andrews17, §3]."""

from physics.constraints.rows.distance import geometry
from physics.constraints.rows.pulley import leg
from physics.jit import kernel
from physics.linalg import invert_block, rotate, zero_rows
from physics.solver.lowrank import (
    angle_pairs,
    ball_pairs,
    distance_pairs,
    dot1_pairs,
    dot2_pairs,
    leg_pairs,
    sherman_morrison,
)
from physics.state import ANGLE, DISTANCE, DOT1, POINT, PULLEY


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
    for p in range(POINT, PULLEY + 1):
        for k in range(system.list_start[p], system.list_start[p + 1]):
            e, r = system.list_rows[k] // 3, system.list_rows[k] % 3
            pairs = row_pairs(scene, p, e, r)
            for i in range(pairs):
                _update(scene, e, i, -h * h, inverse)


@kernel
def row_pairs(scene, primitive, e, r):
    """K̃ of a row (of a POINT, all three) as products; writes system.scratch[0], [1].

    Returns how many pairs a[i], b[i] there are.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    a, b, work = system.scratch[0], system.scratch[1], system.scratch[2]
    i, j = elements.body[e, 0], elements.body[e, 1]
    R = bodies.rotation
    lam = elements.lam[e, r]
    if primitive == POINT:
        used = ball_pairs(
            elements.lam[e], rotate(R, i, elements.anchor, e, 0), 1, 1.0, work[0], work[1], a, b
        )
        return used + ball_pairs(
            elements.lam[e],
            rotate(R, j, elements.anchor, e, 1),
            3,
            -1.0,
            work[0],
            work[1],
            a[used:],
            b[used:],
        )
    if primitive == DISTANCE:
        ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
        return distance_pairs(
            lam, length, (ax, ay, az), (bx, by, bz), (ux, uy, uz), work[0], work[1], a, b
        )
    if primitive == PULLEY:
        used = 0
        for side in range(2):
            sx, sy, sz, ux, uy, uz, length, share = leg(e, r, side, bodies, elements)
            s, u, force = (sx, sy, sz), (ux, uy, uz), share * lam
            used += leg_pairs(force, length, s, u, side, work[0], work[1], a[used:], b[used:])
        return used
    n = rotate(R, i, elements.axis_a, e, r)
    if primitive == DOT1:
        return dot1_pairs(lam, n, rotate(R, j, elements.axis_b, e, r), a, b)
    if primitive == ANGLE:
        return angle_pairs(lam, n, rotate(R, j, elements.axis_d, e, r), work[0], work[1], a, b)
    x = bodies.position
    s = rotate(R, j, elements.anchor, e, 1)
    lever = (x[j, 0] + s[0] - x[i, 0], x[j, 1] + s[1] - x[i, 1], x[j, 2] + s[2] - x[i, 2])
    return dot2_pairs(lam, n, s, lever, work[0], work[1], a, b)


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
