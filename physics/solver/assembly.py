"""Filling the block system from masses, elements and M̃ contributions, and multiplying by it."""

from physics.jit import kernel
from physics.state import TRANSLATES


@kernel
def assemble(system, elements, epsilon):
    """Writes system.diagonal, below and above: A = [[M̃, -J₀ᵀ], [-J, -Σ - ε]].

    M̃ is system.mass + system.added on the diagonal plus elements.K for coupled pairs; ε (relative
    to the row's own 1/effective mass) is added only in components with closed loops, whose rows
    may be redundant.
    """
    clear_blocks(system)
    unknown, diagonal = system.unknown, system.diagonal
    mass, added = system.mass, system.added
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            node = unknown[k]
            if node >= 0:
                for r in range(3):
                    for c in range(3):
                        diagonal[k, r, c] = mass[node, r, c] + added[node, r, c]
    _place_rows(system, elements, epsilon)
    for e in system.coupled:
        place_stiffness(system, elements, e)


@kernel
def clear_blocks(system):
    """Zeroes the matrix but for its diagonal; writes below and above."""
    below, above, start = system.below, system.above, system.column_start
    for at in range(0, len(system.ranges), 2):
        for p in range(start[system.ranges[at]], start[system.ranges[at + 1]]):
            for r in range(3):
                for c in range(3):
                    below[p, r, c] = 0.0
                    above[p, r, c] = 0.0


@kernel
def _place_rows(system, elements, epsilon):
    """-J, -J₀ᵀ and -Σ - ε of every bilateral element."""
    diagonal, below, above = system.diagonal, system.below, system.above
    row_of, j_block, j_below, loops = system.row_of, system.j_block, system.j_below, system.loops
    sigma, J, J_start = elements.sigma, elements.J, elements.J_start
    for e in system.bilateral:
        k = row_of[e]
        for r in range(3):
            for c in range(3):
                diagonal[k, r, c] = 0.0
            diagonal[k, r, r] = -sigma[e, r]
            if loops[e] and not elements.idle[e, r]:
                diagonal[k, r, r] -= epsilon * inverse_mass_of_row(system, elements, J, e, r)
        for s in range(4):
            p = j_block[e, s]
            if p < 0:
                continue
            for r in range(3):
                if elements.idle[e, r]:
                    continue  # a rope that hangs slack: its blocks stay zero
                if j_below[e, s]:
                    for c in range(3):
                        below[p, r, c] = -J[e, s, r, c]
                        above[p, c, r] = -J_start[e, s, r, c]
                else:
                    for c in range(3):
                        below[p, c, r] = -J_start[e, s, r, c]
                        above[p, r, c] = -J[e, s, r, c]


@kernel
def inverse_mass_of_row(system, elements, J, e, r):
    """J M⁻¹ Jᵀ of one row, with only the diagonal of M: a scale, not an exact value."""
    total = 0.0
    for s in range(4):
        if system.j_block[e, s] < 0:
            continue
        node = elements.node[e, s]
        for c in range(3):
            j = J[e, s, r, c]
            total += j * j / (system.mass[node, c, c] + system.added[node, c, c])
    return total


@kernel
def place_stiffness(system, elements, e):
    """Adds elements.K[e] to the matrix."""
    for i in range(4):
        for j in range(4):
            p = system.k_block[e, i, j]
            if p == -1:
                continue
            if p == -2:
                k = system.position_of[elements.node[e, i]]
                for r in range(3):
                    for c in range(3):
                        system.diagonal[k, r, c] += elements.K[e, i, i, r, c]
            elif system.k_below[e, i, j]:
                for r in range(3):
                    for c in range(3):
                        system.below[p, r, c] += elements.K[e, i, j, r, c]
            else:
                for r in range(3):
                    for c in range(3):
                        system.above[p, r, c] += elements.K[e, i, j, r, c]


@kernel
def multiply_added(system, elements, u, turning, out):
    """out += (M̃ - M) u over nodes, of rows that only turn (M̃ - M) `turning`; writes out."""
    added = system.added
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            if system.position_of[node] >= 0:
                for r in range(3):
                    for c in range(3):
                        out[node, r] += added[node, r, c] * u[node, c]
    for e in system.coupled:
        translates = elements.traits[e, 0] & TRANSLATES
        _multiply_stiffness(system, elements, e, u if translates else turning, out)


@kernel
def _multiply_stiffness(system, elements, e, u, out):
    for i in range(4):
        for j in range(4):
            if system.k_block[e, i, j] == -1:
                continue
            ni, nj = elements.node[e, i], elements.node[e, j]
            for r in range(3):
                for c in range(3):
                    out[ni, r] += elements.K[e, i, j, r, c] * u[nj, c]


@kernel
def add_transpose(elements, J, e, mu, scale, out):
    """out += scale · Jᵀ mu[e] over nodes; writes out."""
    for s in range(4):
        node = elements.node[e, s]
        for c in range(3):
            out[node, c] += scale * (
                J[e, s, 0, c] * mu[e, 0] + J[e, s, 1, c] * mu[e, 1] + J[e, s, 2, c] * mu[e, 2]
            )


@kernel
def multiply_system(system, elements, x, residual):
    """residual -= A x with the matrix as it was before factorisation; writes residual."""
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0:
                for r in range(3):
                    for c in range(3):
                        block = system.mass[node, r, c] + system.added[node, r, c]
                        residual[k, r] -= block * x[k, c]
    for e in system.coupled:
        for i in range(4):
            for j in range(4):
                if system.k_block[e, i, j] != -1:
                    ki = system.position_of[elements.node[e, i]]
                    kj = system.position_of[elements.node[e, j]]
                    for r in range(3):
                        for c in range(3):
                            residual[ki, r] -= elements.K[e, i, j, r, c] * x[kj, c]
    for e in system.bilateral:
        row = system.row_of[e]
        for r in range(3):
            residual[row, r] += elements.sigma[e, r] * x[row, r]
        for s in range(4):
            if system.j_block[e, s] < 0:
                continue
            k = system.position_of[elements.node[e, s]]
            for r in range(3):
                if elements.idle[e, r]:
                    continue
                for c in range(3):
                    residual[row, r] += elements.J[e, s, r, c] * x[k, c]
                    residual[k, c] += elements.J_start[e, s, r, c] * x[row, r]


@kernel
def zero_nodes(system, out):
    """Zeroes what is kept per node, for the bodies of the lists; writes out."""
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                out[node, c] = 0.0
