"""What keeps a group that did not converge from throwing what it holds.

With w₀ the speeds that contacts meet with and S what they give way by, impulses μ change

    f(μ) = ½ μᵀ S μ + μᵀ w₀,      ½ vᵀM v by f less μᵀ bias, what pushing out was asked to give.

A solution has f ≤ 0. Along μ itself f is least at s μ with

    s = -μᵀw₀ / μᵀSμ,

1 or more for a solution, a little less for sweeps that were stopped, which the next step carries
on. Where s is small impulses have jammed: friction between points that press against each other can
grow without bound. Then they are begun anew, by sweeps of which each lowers f: a step along -w,
projected on the friction cone, for the convex problem

    min f(μ)  over  |μ_t| ≤ μ_f μ_n,

which is the same where all sticks; what slides parts a little. With s no less than the largest
eigenvalue of a contact's own S, w/s never steps too far.
"""

import math

from physics.contact.solver.row_update import apply_impulse, speeds
from physics.jit import kernel

_LITTLE = 0.1  # of the impulses: where no more makes sense, they are begun anew
_SWEEPS = 40  # of the convex problem


@kernel
def _work(rows, x, first, stop):
    """μᵀ w of a group at the speeds x."""
    total, mu = 0.0, rows.mu
    for i in range(first, stop):
        c = rows.order[i]
        w0, w1, w2 = speeds(rows, c, x)
        total += mu[c, 0] * w0 + mu[c, 1] * w1 + mu[c, 2] * w2
    return total


@kernel
def _apply_all(rows, x, first, stop, scale):
    """x += scale·A⁻¹Jᵀμ of a group; writes x."""
    mu = rows.mu
    for i in range(first, stop):
        c = rows.order[i]
        if mu[c, 0] != 0.0 or mu[c, 1] != 0.0 or mu[c, 2] != 0.0:
            apply_impulse(rows, c, scale * mu[c, 0], scale * mu[c, 1], scale * mu[c, 2], x)


@kernel
def mend_jammed(rows, x, first, stop):
    """Finds other impulses for a group that has jammed; writes mu and x."""
    after = _work(rows, x, first, stop)
    if after <= 0.0:  # f = ½ (μᵀw₀ + μᵀw), μᵀw₀ = μᵀw - μᵀSμ
        return
    _apply_all(rows, x, first, stop, -1.0)
    before = _work(rows, x, first, stop)
    if not -before >= _LITTLE * (after - before):
        _solve_convex(rows, x, first, stop)
    else:
        _apply_all(rows, x, first, stop, 1.0)


@kernel
def _solve_convex(rows, x, first, stop):
    """Impulses from nothing, without which x is given; writes mu and x."""
    mu = rows.mu
    for i in range(first, stop):
        c = rows.order[i]
        mu[c, 0], mu[c, 1], mu[c, 2] = 0.0, 0.0, 0.0
    for _ in range(_SWEEPS):
        for i in range(first, stop):
            c = rows.order[i]
            s = rows.block[c, 0, 0] + rows.block[c, 1, 1] + rows.block[c, 2, 2]
            if not s > 0.0:
                continue
            w0, w1, w2 = speeds(rows, c, x)
            n, t, u = on_cone(
                mu[c, 0] - w0 / s, mu[c, 1] - w1 / s, mu[c, 2] - w2 / s, rows.friction[c]
            )
            apply_impulse(rows, c, n - mu[c, 0], t - mu[c, 1], u - mu[c, 2], x)
            mu[c, 0], mu[c, 1], mu[c, 2] = n, t, u


@kernel
def on_cone(n, t, u, friction):
    """The impulse of the friction cone that is nearest to (n, t, u)."""
    size = math.sqrt(t * t + u * u)
    if size <= friction * n:
        return n, t, u
    if friction * size <= -n:
        return 0.0, 0.0, 0.0
    along = (n + friction * size) / (1.0 + friction * friction)
    return along, friction * along * t / size, friction * along * u / size
