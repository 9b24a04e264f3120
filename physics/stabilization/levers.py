"""The symmetric part of λ̂ŝ: how a force on a lever resists turning the lever."""

from physics.jit import kernel


@kernel
def add_lever(block, node, sign, fx, fy, fz, sx, sy, sz):
    """block[node] += sign · sym(f̂ŝ) = sign · ((s fᵀ + f sᵀ)/2 - (f·s) 1)."""
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
