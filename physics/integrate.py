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
def look_ahead(bodies, gravity, h, out):
    """The velocities with which bodies would fly through the coming step; writes out, per node.

    Detection sweeps along them: without the fall within the step it would be late by g h².
    """
    for b in range(len(bodies.kind)):
        for c in range(3):
            fall = 0.0
            if bodies.solved[2 * b]:
                fall = (bodies.lag[b] + 0.5 * h) * bodies.gravity_scale[b] * gravity[c]
            out[2 * b, c] = bodies.velocity[2 * b, c] + fall * bodies.free[2 * b, c]
            out[2 * b + 1, c] = bodies.velocity[2 * b + 1, c]


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
def turned(x, y, z, wx, wy, wz, time):
    """The vector (x, y, z) turned by time·w: Rodrigues."""
    square = wx * wx + wy * wy + wz * wz
    angle = time * math.sqrt(square)
    if abs(angle) < 1e-4:  # sin a / a and (1 - cos a)/a² by their series: no division by nothing
        s, c = time * (1.0 - angle * angle / 6.0), 0.5 * time * time
    else:
        s, c = time * math.sin(angle) / angle, time * time * (1.0 - math.cos(angle)) / angle**2
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

    Newton on E(½h ω) I ω = L from the present ω; the derivative is I + ½h(ω̂ I - hat(I ω)) to
    first order, which contracts by some h|ω|/4 in each round.
    """
    n = 2 * b + 1
    x, y, z = bodies.velocity[n, 0], bodies.velocity[n, 1], bodies.velocity[n, 2]
    turn = h * (abs(x) + abs(y) + abs(z))
    if bodies.spherical[b] or bodies.masked[b] or turn < 1e-9:
        return 0.0, 0.0, 0.0
    for _ in range(8):
        ex, ey, ez = angular_momentum(bodies, mass, b, x, y, z, 0.5 * h)
        qx, qy, qz = solve_turning(mass, n, x, y, z, h, lx - ex, ly - ey, lz - ez)
        x, y, z = x + qx, y + qy, z + qz
        if h * (abs(qx) + abs(qy) + abs(qz)) <= 1e-13 * turn:
            break
    ax, ay, az = angular_momentum(bodies, mass, b, x, y, z, 0.0)
    return lx - ax, ly - ay, lz - az


@kernel
def turning_block(mass, n, x, y, z, h):
    """I + ½h(ω̂ I - hat(I ω)), row by row: the derivative of E(½h ω) I ω to first order."""
    m, s = mass[n], 0.5 * h
    lx = m[0, 0] * x + m[0, 1] * y + m[0, 2] * z
    ly = m[1, 0] * x + m[1, 1] * y + m[1, 2] * z
    lz = m[2, 0] * x + m[2, 1] * y + m[2, 2] * z
    return (
        m[0, 0] + s * (y * m[2, 0] - z * m[1, 0]),
        m[0, 1] + s * (y * m[2, 1] - z * m[1, 1] + lz),
        m[0, 2] + s * (y * m[2, 2] - z * m[1, 2] - ly),
        m[1, 0] + s * (z * m[0, 0] - x * m[2, 0] - lz),
        m[1, 1] + s * (z * m[0, 1] - x * m[2, 1]),
        m[1, 2] + s * (z * m[0, 2] - x * m[2, 2] + lx),
        m[2, 0] + s * (x * m[1, 0] - y * m[0, 0] + ly),
        m[2, 1] + s * (x * m[1, 1] - y * m[0, 1] - lx),
        m[2, 2] + s * (x * m[1, 2] - y * m[0, 2]),
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
