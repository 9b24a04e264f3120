"""Moving bodies: positions from velocities, the gyroscopic change of angular velocity."""

from physics.jit import kernel
from physics.linalg import cross, quaternion_to_matrix, turn_quaternion, world_inertia
from physics.state import DYNAMIC, FREE_SLOT, KEYFRAMED, PARTICLE


@kernel
def refresh_rotations(bodies):
    """Writes bodies.rotation from the orientations."""
    kind, orientation, rotation = bodies.kind, bodies.orientation, bodies.rotation
    for b in range(len(kind)):
        if kind[b] != FREE_SLOT:
            quaternion_to_matrix(orientation, b, rotation)


@kernel
def refresh_mass(bodies, system):
    """Writes system.mass: m·1 and R I Rᵀ per node, 1 on locked degrees of freedom."""
    for b in range(len(bodies.kind)):
        kind = bodies.kind[b]
        if kind != DYNAMIC and kind != PARTICLE:
            continue
        for r in range(3):
            for c in range(3):
                system.mass[2 * b, r, c] = bodies.mass[b] if r == c else 0.0
        if kind == DYNAMIC:
            world_inertia(bodies.rotation, b, bodies.inertia, system.mass, 2 * b + 1)
        if bodies.masked[b]:
            for node in range(2 * b, 2 * b + 2):
                for r in range(3):
                    for c in range(3):
                        if r != c:
                            keep = bodies.free[node, r] * bodies.free[node, c]
                            system.mass[node, r, c] *= keep


@kernel
def advance(bodies, velocity, h):
    """x ← x ⊕ h·velocity for everything that moves; writes position, orientation, rotation."""
    kinds, position = bodies.kind, bodies.position
    orientation, rotation = bodies.orientation, bodies.rotation
    for b in range(len(kinds)):
        if kinds[b] < KEYFRAMED:
            continue
        for c in range(3):
            position[b, c] += h * velocity[2 * b, c]
        if kinds[b] != PARTICLE:
            w = 2 * b + 1
            turn_quaternion(
                orientation, b, h * velocity[w, 0], h * velocity[w, 1], h * velocity[w, 2]
            )
            quaternion_to_matrix(orientation, b, rotation)


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
