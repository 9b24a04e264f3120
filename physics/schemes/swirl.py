"""Turning within a step, in the solve: N of integrate.py, its derivative and what Newton missed."""

from physics.integrate import swirl_of, turning_block
from physics.jit import kernel
from physics.params import STILL_TURN
from physics.state import DYNAMIC


@kernel
def _turns(bodies, b, h):
    """Whether a body's turning within the step must be looked at."""
    if bodies.kind[b] != DYNAMIC or bodies.spherical[b] or bodies.masked[b]:
        return False
    v, n = bodies.velocity, 2 * b + 1
    return h * (abs(v[n, 0]) + abs(v[n, 1]) + abs(v[n, 2])) > STILL_TURN


@kernel
def add_turning(bodies, system, h):
    """∂N/∂ω of bodies that turn; writes system.diagonal and spin_matrix."""
    for b in system.bodies:
        if _turns(bodies, b, h):
            n = 2 * b + 1
            k, v, m = system.position_of[n], bodies.velocity, system.mass
            block = turning_block(m, n, v[n, 0], v[n, 1], v[n, 2], h)
            for r in range(3):
                for c in range(3):
                    system.diagonal[k, r, c] += block[3 * r + c] - m[n, r, c]
            for c in range(3):
                bodies.spin_matrix[b, c] = v[n, c]


@kernel
def load_turning(bodies, system, x, h):
    """The matrix holds I + ∂N/∂ω, the momentum p - N(ω₀): adds ∂N/∂ω ω₀; writes x and swirl.

    N is taken about the present velocity, so that the first solve is a Newton step.
    """
    for b in system.bodies:
        if not _turns(bodies, b, h):
            continue
        n, v, m = 2 * b + 1, bodies.velocity, system.mass
        k = system.position_of[n]
        block = turning_block(m, n, v[n, 0], v[n, 1], v[n, 2], h)
        new = swirl_of(bodies, m, b, h)
        for r in range(3):
            for c in range(3):
                x[k, r] += (block[3 * r + c] - m[n, r, c]) * v[n, c]
            x[k, r] += bodies.swirl[b, r] - new[r]
        for c in range(3):
            bodies.swirl[b, c], bodies.spin_last[b, c] = new[c], v[n, c]


@kernel
def load_swirl(bodies, system, x, h):
    """What the momentum of turning bodies misses by: N + ∂N/∂ω δω of the solve, less the true N.

    Writes x, swirl and spin_last. Returns the largest, rad.
    """
    worst = 0.0
    v, m, x_of = bodies.velocity, system.mass, system.position_of
    swirl, last, factored = bodies.swirl, bodies.spin_last, bodies.spin_matrix
    for b in system.bodies:
        if not _turns(bodies, b, h):
            continue
        n = 2 * b + 1
        block = turning_block(m, n, factored[b, 0], factored[b, 1], factored[b, 2], h)
        new = swirl_of(bodies, m, b, h)
        scale = h / bodies.inertia_max[b]
        for r in range(3):
            missed = swirl[b, r] - new[r]
            for c in range(3):
                missed += (block[3 * r + c] - m[n, r, c]) * (v[n, c] - last[b, c])
            x[x_of[n], r] += missed
            error = scale * abs(missed)
            if not error <= worst:
                worst = error
        for c in range(3):
            swirl[b, c], last[b, c] = new[c], v[n, c]
    return worst
