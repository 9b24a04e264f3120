"""The full geometric stiffness of [Tournier15, Eq. 21], made positive semi-definite.

sym(λ̂ŝ) has a positive eigenvalue even in tension, so the sum over a body is projected; a body in
compression, which buckles, would otherwise make M̃ indefinite.
"""

from physics.constraints.rows import add_stiffness, add_vector_stiffness, is_summed
from physics.jit import kernel
from physics.linalg import project_positive
from physics.stabilization.clear import zero_element
from physics.state import DYNAMIC


@kernel
def add_projected_stiffness(bodies, elements, system, h):
    """added, K ← positive part of -h² sym(K̃): per body for rows that hold points (balls, cables),
    per element for others."""
    start, rows = system.list_start, system.list_rows
    add_vector_stiffness(bodies, elements, system, -h * h)
    A, V, out = system.scratch[0], system.scratch[1], system.scratch[2]
    for b in system.bodies:
        if bodies.kind[b] == DYNAMIC:
            n = 2 * b + 1
            for i in range(3):
                for j in range(3):
                    A[i, j] = system.added[n, i, j]
            project_positive(A, 3, V, out)
            for i in range(3):
                for j in range(3):
                    system.added[n, i, j] = out[i, j] * bodies.free[n, i] * bodies.free[n, j]
    add_stiffness(bodies, elements, start, rows, elements.lam, elements.K)
    for e in system.coupled:
        if is_summed(elements, e):
            zero_element(elements.K, e)
        else:
            _project_element(elements, system, e, h)


@kernel
def _project_element(elements, system, e, h):
    """K[e] ← positive part of -h² sym(K[e]) over the slots whose nodes are unknown."""
    A, V, out = system.scratch[0], system.scratch[1], system.scratch[2]
    K = elements.K
    for i in range(4):
        for j in range(4):
            used = system.k_block[e, i, i] != -1 and system.k_block[e, j, j] != -1
            for r in range(3):
                for c in range(3):
                    value = -0.5 * h * h * (K[e, i, j, r, c] + K[e, j, i, c, r])
                    A[3 * i + r, 3 * j + c] = value if used else 0.0
    project_positive(A, 12, V, out)
    for i in range(4):
        for j in range(4):
            for r in range(3):
                for c in range(3):
                    K[e, i, j, r, c] = out[3 * i + r, 3 * j + c]
