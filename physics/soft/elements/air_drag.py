"""Wind and drag on a surface, implicit and therefore stable at any step.

A triangle of area a with unit normal n and mean velocity v in air that moves with w feels

    F = -½ ρ a (c_n |n·u| n·u n + c_t |u| (u - n n·u)),      u = v - w

The speeds |n·u| and |u| are taken at the start of the step, the rest at its end, so that drag adds
a positive semi-definite block to the matrix and can never do more than stop the relative motion.
"""

import math

from physics.jit import kernel


@kernel
def add_air(x, v, triangles, wind, density, normal_drag, tangent_drag, h, diagonal, rhs):
    """Drag of all triangles, shared by their nodes. Written: diagonal, rhs."""
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        ax, ay, az = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        bx, by, bz = x[k, 0] - x[i, 0], x[k, 1] - x[i, 1], x[k, 2] - x[i, 2]
        nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        twice = math.sqrt(nx * nx + ny * ny + nz * nz)
        if twice == 0.0:
            continue
        n = (nx / twice, ny / twice, nz / twice)
        u0 = (v[i, 0] + v[j, 0] + v[k, 0]) / 3.0 - wind[0]
        u1 = (v[i, 1] + v[j, 1] + v[k, 1]) / 3.0 - wind[1]
        u2 = (v[i, 2] + v[j, 2] + v[k, 2]) / 3.0 - wind[2]
        along = abs(n[0] * u0 + n[1] * u1 + n[2] * u2)
        size = math.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
        share = h * 0.5 * density * 0.5 * twice / 3.0
        across = share * tangent_drag * size
        extra = share * normal_drag * along - across
        for a in range(3):
            node = triangles[t, a]
            for c in range(3):
                for d in range(3):
                    value = extra * n[c] * n[d] + (across if c == d else 0.0)
                    diagonal[node, c, d] += value
                    rhs[node, c] += value * wind[d]
