"""Forces of least norm in loops that are held more than once.

Where rows repeat each other (six hinges in a ring, a door on three hinges, a table on four legs)
the forces of the joints are not determined: to any λ with the right Jᵀλ a *self-stress* s may be
added, Jᵀs = 0. What a regularised solve happens to leave of it is of no meaning, but it would go
into K̃, into breaking forces and into what users read. Here λ becomes the least of all with the
same Jᵀλ,

    min Σ d_r λ_r²,   d = diag(J W⁻¹Jᵀ),   W = 1 for moving, L² for turning,

so that newtons count against newton metres over L, the mean length of the levers; masses do not.

With the same pattern as a step's matrix, [[W, -Jᵀ], [-J, -εd]] is factorised; by its solution
x = -(J W⁻¹Jᵀ + εd)⁻¹ y the operator

    P λ = ε (J W⁻¹Jᵀ + εd)⁻¹ d λ

is the projection onto self-stresses but for ε/σ, σ the least eigenvalue of the rest; P is taken
three times, which cubes that, and λ - P³λ twice, which takes away what rounding left.
"""

from physics.jit import kernel
from physics.params import SELF_STRESS_SHIFT
from physics.solver.assembly import clear_blocks
from physics.solver.ldu import factorise, solve_all

_ROUNDS = 2  # of λ ← λ - P³λ
_TIMES = 3  # that P is taken in each


@kernel
def remove_self_stress(elements, system, force):
    """force[e] (m, 3) of the listed bilateral elements ← the least with the same J_startᵀ force.

    Writes force; uses the matrix of the system, system.x and elements.mobility as scratch. To be
    called with the lists of an island that has a loop, when its step has been solved.
    """
    length = _lever_length(elements, system)
    _assemble(elements, system, length)
    if factorise(system, True) > 0:
        return
    x = system.x
    for _ in range(_ROUNDS):
        for e in system.bilateral:
            for r in range(3):
                x[system.row_of[e], r] = force[e, r]
        for _ in range(_TIMES):
            _project(elements, system, x)
        for e in system.bilateral:
            for r in range(3):
                if _counts(elements, e, r):
                    force[e, r] -= x[system.row_of[e], r]


@kernel
def _counts(elements, e, r):
    """Whether the row can bear a self-stress: compliance or a speed give it a force of its own."""
    return (
        elements.idle[e, r] == 0 and elements.compliance[e, r] == 0.0 and elements.mode[e, r] == 0
    )


@kernel
def _project(elements, system, x):
    """x ← P x at the places of rows; writes x."""
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            if system.unknown[k] >= 0:
                for c in range(3):
                    x[k, c] = 0.0
    for e in system.bilateral:
        k = system.row_of[e]
        for r in range(3):
            counts = _counts(elements, e, r)
            x[k, r] *= -SELF_STRESS_SHIFT * elements.mobility[e, r] if counts else 0.0
    solve_all(system, x)


@kernel
def _lever_length(elements, system):
    """Mean length of the levers of rows that move something, m; 1 where there is none."""
    total, count = 0.0, 0
    for e in system.bilateral:
        for s in range(1, 4, 2):
            for r in range(3):
                moved, turned = 0.0, 0.0
                for c in range(3):
                    moved += elements.J_start[e, s - 1, r, c] ** 2
                    turned += elements.J_start[e, s, r, c] ** 2
                if moved > 0.0 and turned > 0.0:
                    total += (turned / moved) ** 0.5
                    count += 1
    return total / count if count > 0 else 1.0


@kernel
def _assemble(elements, system, length):
    """[[W, -Jᵀ], [-J, -εd]] of the listed elements; writes the matrix and elements.mobility."""
    clear_blocks(system)
    inertia = length * length
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            node = system.unknown[k]
            for r in range(3):
                for c in range(3):
                    system.diagonal[k, r, c] = 0.0
                system.diagonal[k, r, r] = -1.0 if node < 0 else (1.0, inertia)[node % 2]
    for e in system.bilateral:
        for r in range(3):
            if _counts(elements, e, r):
                _place_row(elements, system, e, r, inertia)


@kernel
def _place_row(elements, system, e, r, inertia):
    J, k, weight = elements.J_start, system.row_of[e], 0.0
    for s in range(4):
        p = system.j_block[e, s]
        if p < 0:
            continue
        for c in range(3):
            j = J[e, s, r, c]
            weight += j * j / (1.0, inertia)[s % 2]
            if system.j_below[e, s]:
                system.below[p, r, c] = -j
                system.above[p, c, r] = -j
            else:
                system.below[p, c, r] = -j
                system.above[p, r, c] = -j
    elements.mobility[e, r] = weight
    system.diagonal[k, r, r] = -SELF_STRESS_SHIFT * weight if weight > 0.0 else -1.0
