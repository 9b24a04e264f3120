"""Moving bodies: positions from velocities, and turning within a step.

Motion is leapfrog: forces at x_n kick the velocity from half a step before x_n to half a step after
it, and that velocity moves positions on. A body that turns keeps its angular momentum L in the axes
of the world between kicks; over a step h its mean angular velocity ω satisfies

    L = I_mid ω = E (I_n ω),      E: turn by ½h ω, as ω itself does not change under that turn

which is symmetric in time, so that it is of second order, and keeps L exactly. What is stored is ω;
`lag` seconds after its middle, at the present orientation, L = E(-lag ω) (I ω).
"""

import math

from physics.jit import kernel
from physics.linalg import cross, quaternion_to_matrix, turn_quaternion, world_inertia
from physics.params import SPIN_TOLERANCE, STILL_TURN
from physics.state import DYNAMIC, PARTICLE


@kernel
def refresh_rotations(bodies, system):
    """Writes bodies.rotation from the orientations."""
    for b in system.bodies:
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
    for b in system.keyframed:
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)


@kernel
def refresh_mass(bodies, system):
    """Writes system.mass: m·1 and R I Rᵀ per node, 1 on locked degrees of freedom."""
    for b in system.bodies:
        for r in range(3):
            for c in range(3):
                system.mass[2 * b, r, c] = bodies.mass[b] if r == c else 0.0
        if bodies.kind[b] == DYNAMIC:
            world_inertia(bodies.rotation, b, bodies.inertia, system.mass, 2 * b + 1)
        if bodies.masked[b]:
            for node in range(2 * b, 2 * b + 2):
                for r in range(3):
                    for c in range(3):
                        if r != c:
                            keep = bodies.free[node, r] * bodies.free[node, c]
                            system.mass[node, r, c] *= keep


@kernel
def advance(bodies, system, velocity, h):
    """x ← x ⊕ h·velocity for everything that moves; writes position, orientation, rotation."""
    for b in system.bodies:
        _move(bodies, b, velocity, h)
    for b in system.keyframed:
        _move(bodies, b, velocity, h)


@kernel
def _move(bodies, b, velocity, h):
    position, orientation, w = bodies.position, bodies.orientation, 2 * b + 1
    for c in range(3):
        position[b, c] += h * velocity[2 * b, c]
    if bodies.kind[b] != PARTICLE:
        turn_quaternion(orientation, b, h * velocity[w, 0], h * velocity[w, 1], h * velocity[w, 2])
        quaternion_to_matrix(orientation, b, bodies.rotation)


@kernel
def turn_coefficients(square):
    """sin θ/θ, (1 - cos θ)/θ² and (θ - sin θ)/θ³ of θ²."""
    a = square
    if a < 0.01:  # by their series: exact to rounding, without a call
        return (
            1.0 - a / 6.0 * (1.0 - a / 20.0 * (1.0 - a / 42.0 * (1.0 - a / 72.0))),
            0.5 - a / 24.0 * (1.0 - a / 30.0 * (1.0 - a / 56.0 * (1.0 - a / 90.0))),
            (1.0 - a / 20.0 * (1.0 - a / 42.0 * (1.0 - a / 72.0 * (1.0 - a / 110.0)))) / 6.0,
        )
    angle = math.sqrt(a)
    sine = math.sin(angle)
    return sine / angle, (1.0 - math.cos(angle)) / a, (angle - sine) / (a * angle)


@kernel
def turned(x, y, z, wx, wy, wz, time):
    """The vector (x, y, z) turned by time·w: Rodrigues."""
    s, c, _ = turn_coefficients(time * time * (wx * wx + wy * wy + wz * wz))
    s, c = time * s, time * time * c
    ax, ay, az = cross(wx, wy, wz, x, y, z)
    bx, by, bz = cross(wx, wy, wz, ax, ay, az)
    return x + s * ax + c * bx, y + s * ay + c * by, z + s * az + c * bz


@kernel
def angular_momentum(bodies, mass, b, wx, wy, wz, time):
    """E(time·ω) I ω in the axes of the world; mass[2b + 1] is I."""
    n = 2 * b + 1
    lx = mass[n, 0, 0] * wx + mass[n, 0, 1] * wy + mass[n, 0, 2] * wz
    ly = mass[n, 1, 0] * wx + mass[n, 1, 1] * wy + mass[n, 1, 2] * wz
    lz = mass[n, 2, 0] * wx + mass[n, 2, 1] * wy + mass[n, 2, 2] * wz
    if bodies.spherical[b] or bodies.masked[b] or time == 0.0:
        return lx, ly, lz
    return turned(lx, ly, lz, wx, wy, wz, time)


@kernel
def swirl_of(bodies, mass, b, h):
    """N(ω) = E(½h ω) I ω - I ω at the present velocity of a body."""
    if bodies.spherical[b] or bodies.masked[b] or bodies.kind[b] == PARTICLE:
        return 0.0, 0.0, 0.0
    n = 2 * b + 1
    wx, wy, wz = bodies.velocity[n, 0], bodies.velocity[n, 1], bodies.velocity[n, 2]
    ax, ay, az = angular_momentum(bodies, mass, b, wx, wy, wz, 0.5 * h)
    bx, by, bz = angular_momentum(bodies, mass, b, wx, wy, wz, 0.0)
    return ax - bx, ay - by, az - bz


@kernel
def free_spin(bodies, mass, b, lx, ly, lz, h):
    """N of the angular velocity with which a body of angular momentum L turns freely for h.

    Newton on E(½h ω) I ω = L from the present ω.
    """
    n = 2 * b + 1
    x, y, z = bodies.velocity[n, 0], bodies.velocity[n, 1], bodies.velocity[n, 2]
    turn = h * (abs(x) + abs(y) + abs(z))
    if bodies.spherical[b] or bodies.masked[b] or turn < STILL_TURN:
        return 0.0, 0.0, 0.0
    for _ in range(8):
        ex, ey, ez = angular_momentum(bodies, mass, b, x, y, z, 0.5 * h)
        qx, qy, qz = solve_turning(mass, n, x, y, z, h, lx - ex, ly - ey, lz - ez)
        x, y, z = x + qx, y + qy, z + qz
        if h * (abs(qx) + abs(qy) + abs(qz)) <= SPIN_TOLERANCE * turn:
            break
    ax, ay, az = angular_momentum(bodies, mass, b, x, y, z, 0.0)
    return lx - ax, ly - ay, lz - az


@kernel
def turning_block(mass, n, x, y, z, h):
    """The derivative of E(θ) I ω, θ = ½h ω, row by row: E I - ½h hat(E I ω) A(θ).

    A(θ) = 1 + (1 - cos θ)/θ² θ̂ + (θ - sin θ)/θ³ θ̂² is what changes of θ turn by.
    """
    m, half = mass[n], 0.5 * h
    s, c, d = turn_coefficients(half * half * (x * x + y * y + z * z))
    s, c, d = half * s, half * half * c, half * half * half * d
    lx = m[0, 0] * x + m[0, 1] * y + m[0, 2] * z
    ly = m[1, 0] * x + m[1, 1] * y + m[1, 2] * z
    lz = m[2, 0] * x + m[2, 1] * y + m[2, 2] * z
    lx, ly, lz = _spun(lx, ly, lz, x, y, z, 1.0, s, c)
    # columns of ½h A, then of the derivative
    ax, ay, az = _spun(1.0, 0.0, 0.0, x, y, z, half, c, d)
    bx, by, bz = _spun(0.0, 1.0, 0.0, x, y, z, half, c, d)
    gx, gy, gz = _spun(0.0, 0.0, 1.0, x, y, z, half, c, d)
    px, py, pz = _spun(m[0, 0], m[1, 0], m[2, 0], x, y, z, 1.0, s, c)
    qx, qy, qz = _spun(m[0, 1], m[1, 1], m[2, 1], x, y, z, 1.0, s, c)
    rx, ry, rz = _spun(m[0, 2], m[1, 2], m[2, 2], x, y, z, 1.0, s, c)
    return (
        px - (ly * az - lz * ay), qx - (ly * bz - lz * by), rx - (ly * gz - lz * gy),
        py - (lz * ax - lx * az), qy - (lz * bx - lx * bz), ry - (lz * gx - lx * gz),
        pz - (lx * ay - ly * ax), qz - (lx * by - ly * bx), rz - (lx * gy - ly * gx),
    )  # fmt: skip


@kernel
def _spun(x, y, z, wx, wy, wz, first, second, third):
    """first·v + second·(w × v) + third·(w × (w × v)) of v = (x, y, z)."""
    ax, ay, az = cross(wx, wy, wz, x, y, z)
    bx, by, bz = cross(wx, wy, wz, ax, ay, az)
    return (
        first * x + second * ax + third * bx,
        first * y + second * ay + third * by,
        first * z + second * az + third * bz,
    )


@kernel
def solve_turning(mass, n, x, y, z, h, rx, ry, rz):
    """turning_block⁻¹ r by cofactors."""
    a, b, c, d, e, f, g, i, j = turning_block(mass, n, x, y, z, h)
    c00, c01, c02 = e * j - f * i, f * g - d * j, d * i - e * g
    scale = 1.0 / (a * c00 + b * c01 + c * c02)
    return (
        scale * (c00 * rx + (c * i - b * j) * ry + (b * f - c * e) * rz),
        scale * (c01 * rx + (a * j - c * g) * ry + (c * d - a * f) * rz),
        scale * (c02 * rx + (b * g - a * i) * ry + (a * e - b * d) * rz),
    )


@kernel
def gyroscopic(bodies, b, h):
    """Change of the world angular velocity of body b over h by its own spin.

    Euler's equation in body axes, I Ω̇ = (I Ω) × Ω, by the implicit midpoint rule, which keeps
    both the kinetic energy and |IΩ| exactly; Newton on the 3x3 residual
    F(Ω₊) = I(Ω₊ - Ω) - h (I Ω_m) × Ω_m,  Ω_m = (Ω + Ω₊)/2.
    """
    R = bodies.rotation
    inertia = bodies.inertia
    w = 2 * b + 1
    wx, wy, wz = bodies.velocity[w, 0], bodies.velocity[w, 1], bodies.velocity[w, 2]
    ox = R[b, 0, 0] * wx + R[b, 1, 0] * wy + R[b, 2, 0] * wz
    oy = R[b, 0, 1] * wx + R[b, 1, 1] * wy + R[b, 2, 1] * wz
    oz = R[b, 0, 2] * wx + R[b, 1, 2] * wy + R[b, 2, 2] * wz
    px, py, pz = ox, oy, oz
    a, d, e = inertia[b, 0, 0], inertia[b, 0, 1], inertia[b, 0, 2]
    g, f, k = inertia[b, 1, 1], inertia[b, 1, 2], inertia[b, 2, 2]
    scale = abs(ox) + abs(oy) + abs(oz)
    for _ in range(8):
        mx, my, mz = 0.5 * (ox + px), 0.5 * (oy + py), 0.5 * (oz + pz)
        lx = a * mx + d * my + e * mz
        ly = d * mx + g * my + f * mz
        lz = e * mx + f * my + k * mz
        tx, ty, tz = cross(lx, ly, lz, mx, my, mz)
        ux, uy, uz = px - ox, py - oy, pz - oz
        rx = a * ux + d * uy + e * uz - h * tx
        ry = d * ux + g * uy + f * uz - h * ty
        rz = e * ux + f * uy + k * uz - h * tz
        # derivative: I - h/2 (hat(I m) - hat(m) I), as hat(m) I x = m × (I x)
        s = 0.5 * h
        j00 = a - s * (my * e - mz * d) * -1.0
        j01 = d - s * (-lz - (my * f - mz * g))
        j02 = e - s * (ly - (my * k - mz * f))
        j10 = d - s * (lz - (mz * a - mx * e))
        j11 = g - s * (mz * d - mx * f) * -1.0
        j12 = f - s * (-lx - (mz * e - mx * k))
        j20 = e - s * (-ly - (mx * d - my * a))
        j21 = f - s * (lx - (mx * g - my * d))
        j22 = k - s * (mx * f - my * e) * -1.0
        c00 = j11 * j22 - j12 * j21
        c01 = j12 * j20 - j10 * j22
        c02 = j10 * j21 - j11 * j20
        inverse = 1.0 / (j00 * c00 + j01 * c01 + j02 * c02)
        qx = inverse * (c00 * rx + (j02 * j21 - j01 * j22) * ry + (j01 * j12 - j02 * j11) * rz)
        qy = inverse * (c01 * rx + (j00 * j22 - j02 * j20) * ry + (j02 * j10 - j00 * j12) * rz)
        qz = inverse * (c02 * rx + (j01 * j20 - j00 * j21) * ry + (j00 * j11 - j01 * j10) * rz)
        px -= qx
        py -= qy
        pz -= qz
        if abs(qx) + abs(qy) + abs(qz) <= 1e-14 * scale:
            break
    ux, uy, uz = px - ox, py - oy, pz - oz
    return (
        R[b, 0, 0] * ux + R[b, 0, 1] * uy + R[b, 0, 2] * uz,
        R[b, 1, 0] * ux + R[b, 1, 1] * uy + R[b, 1, 2] * uz,
        R[b, 2, 0] * ux + R[b, 2, 1] * uy + R[b, 2, 2] * uz,
    )
