"""The angle of b about an axis n of a: one row (axial lock, hinge limits, motors, servos, springs).

With u fixed on a and perpendicular to n, v = n × u, and w fixed on b:

    φ  = atan2(s, c) - rest,   s = v·w,  c = u·w
    ∇φ = (c ∇s - s ∇c)/ρ²,     ρ² = s² + c²,   ∇(p·w) = ((p × w)ᵀ, -(p × w)ᵀ) in θ_a, θ_b
    K̃  = λ [ (c K̃_s - s K̃_c)/ρ² - 2sc/ρ⁴ (∇s∇sᵀ - ∇c∇cᵀ) + (s² - c²)/ρ⁴ (∇s∇cᵀ + ∇c∇sᵀ) ]

where K̃_s, K̃_c are dot-1 stiffnesses. Where the axes of a and b agree this is the axial constraint
of [Andrews17]: J = (0, -nᵀ, 0, nᵀ). The papers' J = (0, nᵀ, 0, -nᵀ) at every pose is not the
gradient of anything; with the exact one a lock cannot creep. The angle is unwrapped against the
previous value, so that limits and servos work beyond half a turn.
"""

import math

from physics.compiled import kernel
from physics.constraints.rows.blocks import add_dot1, set_row
from physics.linalg import cross, rotate

_FULL_TURN = 2.0 * math.pi
_DEGENERATE = 1e-12  # ρ² below which b points along n and the angle means nothing


@kernel
def _geometry(e, r, bodies, elements):
    """u, v, w in world axes, s, c and 1/ρ²."""
    a, b = elements.body[e, 0], elements.body[e, 1]
    nx, ny, nz = rotate(bodies.rotation, a, elements.axis_a, e, r)
    ux, uy, uz = rotate(bodies.rotation, a, elements.axis_c, e, r)
    wx, wy, wz = rotate(bodies.rotation, b, elements.axis_b, e, r)
    vx, vy, vz = cross(nx, ny, nz, ux, uy, uz)
    s = vx * wx + vy * wy + vz * wz
    c = ux * wx + uy * wy + uz * wz
    inverse = 1.0 / max(s * s + c * c, _DEGENERATE)
    return ux, uy, uz, vx, vy, vz, wx, wy, wz, s, c, inverse


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        ux, uy, uz, vx, vy, vz, wx, wy, wz, s, c, inverse = _geometry(e, r, bodies, elements)
        value = math.atan2(s, c)
        value += _FULL_TURN * round((elements.value[e, r] - value) / _FULL_TURN)
        elements.value[e, r] = value
        elements.phi[e, r] = value - elements.rest[e, r]
        sx, sy, sz = cross(vx, vy, vz, wx, wy, wz)
        cx, cy, cz = cross(ux, uy, uz, wx, wy, wz)
        gx = (c * sx - s * cx) * inverse
        gy = (c * sy - s * cy) * inverse
        gz = (c * sz - s * cz) * inverse
        set_row(J, e, 0, r, 0.0, 0.0, 0.0)
        set_row(J, e, 1, r, gx, gy, gz)
        set_row(J, e, 2, r, 0.0, 0.0, 0.0)
        set_row(J, e, 3, r, -gx, -gy, -gz)


@kernel
def _add_outer(K, e, scale, ax, ay, az, bx, by, bz):
    """K += scale · (a, -a)(b, -b)ᵀ in the angular blocks."""
    p = (ax, ay, az)
    q = (bx, by, bz)
    for i in range(3):
        for j in range(3):
            term = scale * p[i] * q[j]
            K[e, 1, 1, i, j] += term
            K[e, 1, 3, i, j] -= term
            K[e, 3, 1, i, j] -= term
            K[e, 3, 3, i, j] += term


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        ux, uy, uz, vx, vy, vz, wx, wy, wz, s, c, inverse = _geometry(e, r, bodies, elements)
        force = lam[e, r]
        add_dot1(K, e, force * c * inverse, vx, vy, vz, wx, wy, wz)
        add_dot1(K, e, -force * s * inverse, ux, uy, uz, wx, wy, wz)
        sx, sy, sz = cross(vx, vy, vz, wx, wy, wz)
        cx, cy, cz = cross(ux, uy, uz, wx, wy, wz)
        curl = -2.0 * force * s * c * inverse * inverse
        shear = force * (s * s - c * c) * inverse * inverse
        _add_outer(K, e, curl, sx, sy, sz, sx, sy, sz)
        _add_outer(K, e, -curl, cx, cy, cz, cx, cy, cz)
        _add_outer(K, e, shear, sx, sy, sz, cx, cy, cz)
        _add_outer(K, e, shear, cx, cy, cz, sx, sy, sz)
