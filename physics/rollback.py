"""The state at the start of a substep and of a frame, and going back to it."""

from physics.integrate import refresh_rotations
from physics.jit import kernel
from physics.linalg import quaternion_to_matrix


@kernel
def _copy_body(b, source, target):
    """The pose of body b; source and target are (position, orientation)."""
    for c in range(3):
        target[0][b, c] = source[0][b, c]
    for c in range(4):
        target[1][b, c] = source[1][b, c]


@kernel
def _copy_motion(b, source, target):
    """The velocities of body b; source and target are (velocity, its means, late)."""
    for node in range(2 * b, 2 * b + 2):
        for c in range(3):
            target[0][node, c] = source[0][node, c]
            target[1][node, c] = source[1][node, c]
            target[2][node, c] = source[2][node, c]
            target[3][node, c] = source[3][node, c]


@kernel
def _copy_angles(e, source, target):
    """Measured angles of element e: they are unwrapped against their value."""
    for r in range(3):
        target[0][e, r] = source[0][e, r]
    for r in range(2):
        target[1][e, r] = source[1][e, r]


@kernel
def _copy_state(system, poses, motions, lags, angles, back):
    """Bodies and elements of the lists; from the first of each pair to the second, or back."""
    i, j = (1, 0) if back else (0, 1)
    for b in system.bodies:
        _copy_body(b, poses[i], poses[j])
        _copy_motion(b, motions[i], motions[j])
        lags[j][b] = lags[i][b]
    for b in system.keyframed:
        _copy_body(b, poses[i], poses[j])
    for e in system.bilateral:
        _copy_angles(e, angles[i], angles[j])
    for e in system.unilateral:
        _copy_angles(e, angles[i], angles[j])


@kernel
def _copy_start(scene, back):
    bodies, elements = scene.bodies, scene.elements
    poses = (
        (bodies.position, bodies.orientation),
        (bodies.start_position, bodies.start_orientation),
    )
    motions = (
        (bodies.velocity, bodies.mean_velocity, bodies.mean_excess, bodies.late),
        (bodies.start_velocity, bodies.start_mean, bodies.start_excess, bodies.start_late),
    )
    angles = ((elements.value, elements.turn), (elements.start_value, elements.start_turn))
    _copy_state(scene.system, poses, motions, (bodies.lag, bodies.start_lag), angles, back)


@kernel
def _copy_frame(scene, back):
    bodies, elements = scene.bodies, scene.elements
    poses = (
        (bodies.position, bodies.orientation),
        (bodies.frame_position, bodies.frame_orientation),
    )
    motions = (
        (bodies.velocity, bodies.mean_velocity, bodies.mean_excess, bodies.late),
        (bodies.frame_velocity, bodies.frame_mean, bodies.frame_excess, bodies.frame_late),
    )
    angles = ((elements.value, elements.turn), (elements.frame_value, elements.frame_turn))
    _copy_state(scene.system, poses, motions, (bodies.lag, bodies.frame_lag), angles, back)


@kernel
def keep_keyframed(scene):
    """Keeps where keyframed bodies are when the step begins; writes key_position …"""
    bodies = scene.bodies
    for b in scene.system.keyframed:
        for c in range(3):
            bodies.key_position[b, c] = bodies.position[b, c]
        for c in range(4):
            bodies.key_orientation[b, c] = bodies.orientation[b, c]


@kernel
def put_keyframed_back(scene):
    """Each island finds keyframed bodies where the step begins; writes their poses."""
    bodies = scene.bodies
    for b in scene.system.keyframed:
        for c in range(3):
            bodies.position[b, c] = bodies.key_position[b, c]
        for c in range(4):
            bodies.orientation[b, c] = bodies.key_orientation[b, c]
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)


@kernel
def save_start(scene):
    """Keeps the state at the start of a substep; writes bodies.start_*, elements.start_*."""
    _copy_start(scene, False)


@kernel
def roll_back(scene):
    """Undoes a substep."""
    _copy_start(scene, True)
    refresh_rotations(scene.bodies, scene.system)


@kernel
def forget_acceleration(scene):
    """What goes wrong does not go on as it did; writes acceleration."""
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                scene.bodies.acceleration[node, c] = 0.0


@kernel
def save_frame(scene):
    """Keeps the state of the moment of detection; writes bodies.frame_*, elements.frame_*."""
    _copy_frame(scene, False)
    _copy_forces(scene, False)


@kernel
def roll_back_frame(scene):
    """Undoes all substeps since detection."""
    _copy_frame(scene, True)
    _copy_forces(scene, True)
    refresh_rotations(scene.bodies, scene.system)


@kernel
def _copy_forces(scene, back):
    """λ, the energy ledger and the impulses that contacts were warm-started with."""
    bodies, elements, rows = scene.bodies, scene.elements, scene.contacts
    for b in scene.system.bodies:
        if back:
            bodies.debt[b] = bodies.frame_debt[b]
        else:
            bodies.frame_debt[b] = bodies.debt[b]
    for listed in (scene.system.bilateral, scene.system.unilateral):
        for e in listed:
            for r in range(3):
                if back:
                    elements.lam[e, r] = elements.frame_lam[e, r]
                else:
                    elements.frame_lam[e, r] = elements.lam[e, r]
    if back:
        for c in scene.system.contacts:
            for r in range(3):
                rows.mu[c, r] = rows.warm[c, r]
