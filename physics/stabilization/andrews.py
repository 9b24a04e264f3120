"""Damping of [Andrews17] §4: per degree of freedom ("inertial") or per row ("constraint")."""

import math

from physics.constraints.rows import add_stiffness
from physics.jit import kernel
from physics.params import NOT_ZERO
from physics.solver.assembly import clear_blocks, place_stiffness, zero_nodes
from physics.stabilization.clear import zero_element
from physics.state import DRAGS, VECTOR


@kernel
def _column_norms(bodies, elements, system, out):
    """out[node] = norms of the columns of the assembled K̃ [Andrews17, Eq. 12]; writes out.

    Uses the matrix storage, which is assembled anew afterwards.
    """
    clear_blocks(system)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            if system.position_of[node] >= 0:
                for r in range(3):
                    for c in range(3):
                        system.diagonal[system.position_of[node], r, c] = 0.0
    K = elements.K
    for e in system.bilateral:
        zero_element(K, e)
    add_stiffness(bodies, elements, system.list_start, system.list_rows, elements.lam, K)
    for e in system.bilateral:
        if elements.traits[e, 0] & VECTOR:
            for s in range(1, 4, 2):
                k = system.position_of[elements.node[e, s]]
                if k >= 0:
                    _add_block(system.diagonal, k, K, e, s)
        else:
            if (elements.traits[e, 0] | elements.traits[e, 1] | elements.traits[e, 2]) & DRAGS:
                _drop_translation(K, e)
            place_stiffness(system, elements, e)
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            node = system.unknown[k]
            if node >= 0:
                for c in range(3):
                    for r in range(3):
                        out[node, c] += system.diagonal[k, r, c] ** 2
            for p in range(system.column_start[k], system.column_start[k + 1]):
                _add_squares(system.below, p, node, out)
                _add_squares(system.above, p, system.unknown[system.row_index[p]], out)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                out[node, c] = math.sqrt(out[node, c])
    for e in system.bilateral:
        zero_element(K, e)


@kernel
def _drop_translation(K, e):
    """Rows that drag damp rotations only, or bodies move as if in treacle [Andrews17, §5.4]."""
    for i in range(4):
        for j in range(0, 4, 2):
            for r in range(3):
                for c in range(3):
                    K[e, i, j, r, c] = 0.0


@kernel
def _add_block(blocks, k, K, e, s):
    for r in range(3):
        for c in range(3):
            blocks[k, r, c] += K[e, s, s, r, c]


@kernel
def _add_squares(blocks, p, node, out):
    if node >= 0:
        for c in range(3):
            for r in range(3):
                out[node, c] += blocks[p, r, c] ** 2


@kernel
def add_inertial(bodies, elements, system, h, alpha):
    """added = h B, B = (h²k - 4αm)₊/2h per degree of freedom; k in bodies.scratch."""
    k = bodies.scratch
    zero_nodes(system, k)
    _column_norms(bodies, elements, system, k)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            if bodies.solved[node]:
                for c in range(3):
                    excess = h * h * k[node, c] - 4.0 * alpha * system.mass[node, c, c]
                    system.added[node, c, c] = 0.5 * max(0.0, excess) * bodies.free[node, c]


@kernel
def add_constraint_damping(bodies, elements, system, h, alpha):
    """added_damping = b' of each row, from m' = (J M⁻¹Jᵀ)⁻¹ and k' = (J K_d⁻¹ Jᵀ)⁻¹.

    The column norms K_d are in bodies.scratch.
    """
    k = bodies.scratch
    zero_nodes(system, k)
    _column_norms(bodies, elements, system, k)
    for e in system.bilateral:
        for r in range(3):
            softness = 0.0
            mobility = 0.0
            for s in range(4):
                node = elements.node[e, s]
                if system.j_block[e, s] < 0:
                    continue
                for c in range(3):
                    j2 = elements.J_start[e, s, r, c] ** 2
                    if j2 > 0.0:
                        softness += j2 / max(k[node, c], NOT_ZERO)
                        mobility += j2 / system.mass[node, c, c]
            elements.added_damping[e, r] = 0.0
            if softness > 0.0:
                excess = h * h / softness - 4.0 * alpha / mobility
                elements.added_damping[e, r] = max(0.0, excess) / (2.0 * h)
