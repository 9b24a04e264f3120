"""Small dense linear algebra for kernels: 3-vectors, 3x3 blocks, quaternions, eigenvalues.

Blocks live in arrays of shape (n, 3, 3) and are addressed by (array, index); every function loads
what it needs into locals before it stores, so source and destination may be the same array.
Quaternions are (w, x, y, z); `hat(a) b = a × b`.
"""

import math

from physics.jit import kernel

# |determinant| over the product of the diagonal below which a block of three is eliminated: by then
# cofactors have lost six of sixteen digits. Smaller loses more, larger costs divisions.
_CANCELS = 1e-6


@kernel
def zero_rows(target):
    """target[:] = 0 for a 2-D array; a plain loop compiles far faster than slices."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = 0.0


@kernel
def cross(ax, ay, az, bx, by, bz):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel
def rotate(R, i, local, e, s):
    """R[i] · local[e, s] for an (m, k, 3) array of vectors, as a tuple."""
    x, y, z = local[e, s, 0], local[e, s, 1], local[e, s, 2]
    return (
        R[i, 0, 0] * x + R[i, 0, 1] * y + R[i, 0, 2] * z,
        R[i, 1, 0] * x + R[i, 1, 1] * y + R[i, 1, 2] * z,
        R[i, 2, 0] * x + R[i, 2, 1] * y + R[i, 2, 2] * z,
    )


@kernel
def set_hat(out, i, j, x, y, z):
    """Writes out[i, j] = hat((x, y, z)) into an (m, 4, 3, 3) array."""
    out[i, j, 0, 0] = 0.0
    out[i, j, 0, 1] = -z
    out[i, j, 0, 2] = y
    out[i, j, 1, 0] = z
    out[i, j, 1, 1] = 0.0
    out[i, j, 1, 2] = -x
    out[i, j, 2, 0] = -y
    out[i, j, 2, 1] = x
    out[i, j, 2, 2] = 0.0


@kernel
def quaternion_to_matrix(q, i, R):
    """Writes R[i], the rotation matrix of the unit quaternion q[i]."""
    w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
    R[i, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    R[i, 0, 1] = 2.0 * (x * y - w * z)
    R[i, 0, 2] = 2.0 * (x * z + w * y)
    R[i, 1, 0] = 2.0 * (x * y + w * z)
    R[i, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    R[i, 1, 2] = 2.0 * (y * z - w * x)
    R[i, 2, 0] = 2.0 * (x * z - w * y)
    R[i, 2, 1] = 2.0 * (y * z + w * x)
    R[i, 2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def turn_quaternion(q, i, rx, ry, rz):
    """q[i] ← exp(r) q[i] for the world rotation vector r, normalised; writes q[i]."""
    angle2 = rx * rx + ry * ry + rz * rz
    if angle2 < 0.01:
        # cos(θ/2) and sin(θ/2)/θ as series: exact to rounding below 0.1 rad, without a call
        w = 1.0 - angle2 / 8.0 * (1.0 - angle2 / 48.0 * (1.0 - angle2 / 120.0))
        k = 0.5 - angle2 / 48.0 * (1.0 - angle2 / 80.0 * (1.0 - angle2 / 168.0))
    else:
        angle = math.sqrt(angle2)
        w = math.cos(0.5 * angle)
        k = math.sin(0.5 * angle) / angle
    x, y, z = k * rx, k * ry, k * rz
    qw, qx, qy, qz = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
    nw = w * qw - x * qx - y * qy - z * qz
    nx = w * qx + x * qw + y * qz - z * qy
    ny = w * qy - x * qz + y * qw + z * qx
    nz = w * qz + x * qy - y * qx + z * qw
    inverse = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    q[i, 0] = nw * inverse
    q[i, 1] = nx * inverse
    q[i, 2] = ny * inverse
    q[i, 3] = nz * inverse


@kernel
def rotation_between(p, q, i):
    """The world rotation vector r with q[i] = exp(r) p[i], the short way round, rad."""
    a, b, c, d = p[i, 0], -p[i, 1], -p[i, 2], -p[i, 3]
    e, f, g, k = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
    w = e * a - f * b - g * c - k * d
    x = e * b + f * a + g * d - k * c
    y = e * c - f * d + g * a + k * b
    z = e * d + f * c - g * b + k * a
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 if sine < 1e-12 else 2.0 * math.atan2(sine, abs(w)) / sine
    if w < 0.0:
        scale = -scale
    return scale * x, scale * y, scale * z


@kernel
def invert_block(A, i, out, k):
    """Writes out[k] = A[i]⁻¹; returns the determinant. By cofactors, unless these cancel.

    Rows of one joint that repeat what others hold leave a block of eigenvalues 1, ε, ε: its
    determinant ε² is less than the rounding of the products it is the difference of.
    """
    a, b, c = A[i, 0, 0], A[i, 0, 1], A[i, 0, 2]
    d, e, f = A[i, 1, 0], A[i, 1, 1], A[i, 1, 2]
    g, h, j = A[i, 2, 0], A[i, 2, 1], A[i, 2, 2]
    c00 = e * j - f * h
    c01 = f * g - d * j
    c02 = d * h - e * g
    det = a * c00 + b * c01 + c * c02
    if abs(det) < _CANCELS * abs(a * e * j):
        return _eliminate_block(A, i, out, k)
    s = 1.0 / det
    out[k, 0, 0] = c00 * s
    out[k, 0, 1] = (c * h - b * j) * s
    out[k, 0, 2] = (b * f - c * e) * s
    out[k, 1, 0] = c01 * s
    out[k, 1, 1] = (a * j - c * g) * s
    out[k, 1, 2] = (c * d - a * f) * s
    out[k, 2, 0] = c02 * s
    out[k, 2, 1] = (b * g - a * h) * s
    out[k, 2, 2] = (a * e - b * d) * s
    return det


@kernel
def _eliminate_block(A, i, out, k):
    """Writes out[k] = A[i]⁻¹ by elimination in place, largest pivot of the diagonal first.

    Returns the determinant. Exact to rounding in every eigenvalue of a definite block.
    """
    det, left = 1.0, 7
    for r in range(3):
        for c in range(3):
            out[k, r, c] = A[i, r, c]
    for _ in range(3):
        n, largest = -1, -1.0
        for r in range(3):
            if left >> r & 1 and abs(out[k, r, r]) > largest:
                n, largest = r, abs(out[k, r, r])
        if n < 0:
            return math.nan
        left -= 1 << n
        pivot = out[k, n, n]
        det *= pivot
        out[k, n, n] = 1.0
        for c in range(3):
            out[k, n, c] /= pivot
        for r in range(3):
            if r != n:
                factor = out[k, r, n]
                out[k, r, n] = 0.0
                for c in range(3):
                    out[k, r, c] -= factor * out[k, n, c]
    return det


@kernel
def multiply_block(A, i, B, j, out, k):
    """Writes out[k] = A[i] · B[j]; out may be A or B."""
    b00, b01, b02 = B[j, 0, 0], B[j, 0, 1], B[j, 0, 2]
    b10, b11, b12 = B[j, 1, 0], B[j, 1, 1], B[j, 1, 2]
    b20, b21, b22 = B[j, 2, 0], B[j, 2, 1], B[j, 2, 2]
    for r in range(3):
        x, y, z = A[i, r, 0], A[i, r, 1], A[i, r, 2]
        out[k, r, 0] = x * b00 + y * b10 + z * b20
        out[k, r, 1] = x * b01 + y * b11 + z * b21
        out[k, r, 2] = x * b02 + y * b12 + z * b22


@kernel
def subtract_product(A, i, B, j, out, k):
    """out[k] -= A[i] · B[j]; writes out[k], which must be neither A[i] nor B[j]."""
    b00, b01, b02 = B[j, 0, 0], B[j, 0, 1], B[j, 0, 2]
    b10, b11, b12 = B[j, 1, 0], B[j, 1, 1], B[j, 1, 2]
    b20, b21, b22 = B[j, 2, 0], B[j, 2, 1], B[j, 2, 2]
    for r in range(3):
        x, y, z = A[i, r, 0], A[i, r, 1], A[i, r, 2]
        out[k, r, 0] -= x * b00 + y * b10 + z * b20
        out[k, r, 1] -= x * b01 + y * b11 + z * b21
        out[k, r, 2] -= x * b02 + y * b12 + z * b22


@kernel
def world_inertia(R, i, inertia, out, k):
    """Writes out[k] = R[i] · inertia[i] · R[i]ᵀ."""
    for r in range(3):
        tx = (
            R[i, r, 0] * inertia[i, 0, 0]
            + R[i, r, 1] * inertia[i, 1, 0]
            + R[i, r, 2] * inertia[i, 2, 0]
        )
        ty = (
            R[i, r, 0] * inertia[i, 0, 1]
            + R[i, r, 1] * inertia[i, 1, 1]
            + R[i, r, 2] * inertia[i, 2, 1]
        )
        tz = (
            R[i, r, 0] * inertia[i, 0, 2]
            + R[i, r, 1] * inertia[i, 1, 2]
            + R[i, r, 2] * inertia[i, 2, 2]
        )
        for c in range(3):
            out[k, r, c] = tx * R[i, c, 0] + ty * R[i, c, 1] + tz * R[i, c, 2]


@kernel
def symmetric_range(a, b, c, d, e, f):
    """Smallest and largest eigenvalue of the symmetric matrix [[a, d, e], [d, b, f], [e, f, c]].

    Closed form (trigonometric solution of the characteristic cubic).
    """
    off = d * d + e * e + f * f
    mean = (a + b + c) / 3.0
    u, v, w = a - mean, b - mean, c - mean
    p2 = u * u + v * v + w * w + 2.0 * off
    if p2 == 0.0:
        return mean, mean
    p = math.sqrt(p2 / 6.0)
    det = u * (v * w - f * f) - d * (d * w - f * e) + e * (d * f - v * e)
    r = min(1.0, max(-1.0, det / (2.0 * p * p * p)))
    angle = math.acos(r) / 3.0
    largest = mean + 2.0 * p * math.cos(angle)
    smallest = mean + 2.0 * p * math.cos(angle + 2.0943951023931953)
    return smallest, largest


@kernel
def jacobi_eigen(A, n, V):
    """Eigenvalues of the symmetric A[:n, :n] on its diagonal, eigenvectors in the columns of V.

    Cyclic Jacobi rotations: slow but allocation free and accurate; writes A and V.
    """
    for i in range(n):
        for j in range(n):
            V[i, j] = 1.0 if i == j else 0.0
    for _sweep in range(30):
        off = 0.0
        scale = 0.0
        for i in range(n):
            scale += A[i, i] * A[i, i]
            for j in range(i):
                off += A[i, j] * A[i, j]
        if off <= 1e-30 * (scale + off):
            return
        for p in range(n - 1):
            for q in range(p + 1, n):
                _jacobi_rotation(A, n, V, p, q)


@kernel
def _jacobi_rotation(A, n, V, p, q):
    if A[p, q] == 0.0:
        return
    theta = (A[q, q] - A[p, p]) / (2.0 * A[p, q])
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    if theta < 0.0:
        t = -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(n):
        x, y = A[k, p], A[k, q]
        A[k, p] = c * x - s * y
        A[k, q] = s * x + c * y
    for k in range(n):
        x, y = A[p, k], A[q, k]
        A[p, k] = c * x - s * y
        A[q, k] = s * x + c * y
    for k in range(n):
        x, y = V[k, p], V[k, q]
        V[k, p] = c * x - s * y
        V[k, q] = s * x + c * y


@kernel
def project_positive(A, n, V, out):
    """Writes out = the positive semi-definite part of the symmetric A[:n, :n]; destroys A."""
    jacobi_eigen(A, n, V)
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                if A[k, k] > 0.0:
                    total += A[k, k] * V[i, k] * V[j, k]
            out[i, j] = total


@kernel
def row_velocity(node, J, e, r, velocity):
    """J v of one row; `node` is elements.node, J (m, 4, 3, 3)."""
    total = 0.0
    for s in range(4):
        n = node[e, s]
        total += (
            J[e, s, r, 0] * velocity[n, 0]
            + J[e, s, r, 1] * velocity[n, 1]
            + J[e, s, r, 2] * velocity[n, 2]
        )
    return total
