"""Adding 3x3 matrices made of cross products into the element arrays."""

from physics.jit import kernel


@kernel
def set_row(J, e, slot, row, x, y, z):
    """Writes one row of the 3x3 block J[e, slot]."""
    J[e, slot, row, 0] = x
    J[e, slot, row, 1] = y
    J[e, slot, row, 2] = z


@kernel
def add_hat(K, e, i, j, scale, x, y, z):
    """K[e, i, j] += scale · hat((x, y, z))."""
    K[e, i, j, 0, 1] -= scale * z
    K[e, i, j, 0, 2] += scale * y
    K[e, i, j, 1, 0] += scale * z
    K[e, i, j, 1, 2] -= scale * x
    K[e, i, j, 2, 0] -= scale * y
    K[e, i, j, 2, 1] += scale * x


@kernel
def add_hat_hat(K, e, i, j, scale, ax, ay, az, bx, by, bz):
    """K[e, i, j] += scale · â b̂, using â b̂ = b aᵀ - (a·b) 1."""
    dot = ax * bx + ay * by + az * bz
    K[e, i, j, 0, 0] += scale * (bx * ax - dot)
    K[e, i, j, 0, 1] += scale * bx * ay
    K[e, i, j, 0, 2] += scale * bx * az
    K[e, i, j, 1, 0] += scale * by * ax
    K[e, i, j, 1, 1] += scale * (by * ay - dot)
    K[e, i, j, 1, 2] += scale * by * az
    K[e, i, j, 2, 0] += scale * bz * ax
    K[e, i, j, 2, 1] += scale * bz * ay
    K[e, i, j, 2, 2] += scale * (bz * az - dot)


@kernel
def add_dot1(K, e, scale, px, py, pz, qx, qy, qz):
    """K̃ of scale · (p·q), p fixed on a and q on b [Andrews17, Eq. 25], η = scale · q̂ p̂."""
    add_hat_hat(K, e, 1, 1, scale, qx, qy, qz, px, py, pz)
    add_hat_hat(K, e, 1, 3, -scale, px, py, pz, qx, qy, qz)
    add_hat_hat(K, e, 3, 1, -scale, qx, qy, qz, px, py, pz)
    add_hat_hat(K, e, 3, 3, scale, px, py, pz, qx, qy, qz)


@kernel
def add_lever(block, node, sign, fx, fy, fz, sx, sy, sz):
    """block[node] += sign · sym(f̂ŝ) = sign · ((s fᵀ + f sᵀ)/2 - (f·s) 1).

    The symmetric part of λ̂ŝ: how a force f on a lever s resists turning the lever.
    """
    dot = fx * sx + fy * sy + fz * sz
    xy = 0.5 * sign * (sx * fy + fx * sy)
    xz = 0.5 * sign * (sx * fz + fx * sz)
    yz = 0.5 * sign * (sy * fz + fy * sz)
    block[node, 0, 0] += sign * (sx * fx - dot)
    block[node, 1, 1] += sign * (sy * fy - dot)
    block[node, 2, 2] += sign * (sz * fz - dot)
    block[node, 0, 1] += xy
    block[node, 1, 0] += xy
    block[node, 0, 2] += xz
    block[node, 2, 0] += xz
    block[node, 1, 2] += yz
    block[node, 2, 1] += yz
