"""Larger scenes with contacts: a ragdoll on stairs, a card house, a pour, a wrecking ball."""

import math

import numpy as np
from scipy.spatial.transform import Rotation

from physics import Box, Capsule, Handle, Hull, Sphere, World
from tests.physics.contact.scenes import on_ground, turned_z

ROCK = np.random.default_rng(5).normal(size=(12, 3))
ROCK = 0.17 * ROCK / np.linalg.norm(ROCK, axis=1, keepdims=True)


def ragdoll(world: World, at: tuple[float, float, float]) -> tuple[list[Handle], list[Handle]]:
    """Eleven limited parts, standing with the pelvis at `at`; returns (bodies, joints)."""
    origin = np.array(at)
    joints: list[Handle] = []

    def part(name: str, shape: object, y: float, mass: float, z: float = 0.0) -> Handle:
        return world.add_body(
            name,
            shape,
            mass=mass,
            position=origin + np.array([0, y, z]),
            friction=0.6,
            group=2,
            mask=0xFFFD,
        )

    def ball(a: Handle, b: Handle, y: float, swing: float, z: float = 0.0) -> None:
        place = origin + np.array([0, y, z])
        twist = (-0.8, 0.8)
        joints.append(
            world.add_joint("ball", a, b, at=place, swing_limit=swing, twist_limits=twist)
        )

    def hinge(a: Handle, b: Handle, y: float, limits: tuple[float, float], z: float) -> None:
        place = origin + np.array([0, y, z])
        joints.append(world.add_joint("hinge", a, b, at=place, axis=(0, 0, 1), limits=limits))

    pelvis = part("pelvis", Box((0.2, 0.2, 0.3)), 0.0, 11.0)
    chest = part("chest", Box((0.2, 0.4, 0.36)), 0.32, 27.0)
    head = part("head", Sphere(0.12), 0.72, 5.0)
    ball(chest, pelvis, 0.1, 0.6)
    ball(head, chest, 0.56, 0.7)
    bodies = [pelvis, chest, head]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        z, far = 0.09 * sign, 0.25 * sign
        thigh = part(f"thigh {side}", Capsule(0.07, 0.3), -0.3, 8.0, z)
        shin = part(f"shin {side}", Capsule(0.055, 0.3), -0.72, 4.5, z)
        upper = part(f"upper arm {side}", Capsule(0.05, 0.22), 0.34, 2.5, far)
        lower = part(f"forearm {side}", Capsule(0.045, 0.22), 0.02, 1.8, far)
        ball(thigh, pelvis, -0.1, 1.2, z)
        hinge(shin, thigh, -0.51, (-2.4, 0.0), z)
        ball(upper, chest, 0.5, 1.7, far)
        hinge(lower, upper, 0.18, (0.0, 2.4), far)
        bodies += [thigh, shin, upper, lower]
    return bodies, joints


def stairs(world: World, steps: int = 10) -> None:
    """Steps of 0.3 x 0.2 m that fall towards +x, with floors at both ends."""
    for k in range(steps):
        world.add_body(
            f"stair {k}", Box((0.3, 4, 4)), fixed=True, position=(0.3 * k, -2 - 0.2 * k, 0)
        )
    world.add_body("landing", Box((3, 4, 4)), fixed=True, position=(-1.65, -2, 0))
    below = 0.2 * (steps - 1)
    world.add_body(
        "floor", Box((20, 4, 20)), fixed=True, position=(0.3 * steps + 9.85, -2 - below, 0)
    )


def worst_limit(world: World, joints: list[Handle]) -> float:
    """By how much angles of hinges, and swings and twists of balls, exceed their limits, rad."""
    worst = 0.0
    for joint in joints:
        info = world.joint(joint)
        if info.kind == "hinge":
            low, high = info.parameters["limits"]
            angle = world.joint_value(joint)
            worst = max(worst, low - angle, angle - high)
        else:
            frame = world._joints.joints[joint.slot].frame
            turns = world._bodies.arrays.rotation
            a = turns[info.a.slot] @ np.array([frame.u_a, frame.v_a, frame.n_a]).T
            b = turns[info.b.slot] @ np.array([frame.u_b, frame.v_b, frame.n_b]).T
            x, y, z, w = Rotation.from_matrix(a.T @ b).as_quat()
            # of a quaternion, (w, z) is the twist about the axis and (x, y) the swing
            swing = 2.0 * math.atan2(math.hypot(x, y), math.hypot(z, w))
            worst = max(worst, swing - info.parameters["swing_limit"])
            twist = 2.0 * math.atan2(math.copysign(1.0, w) * z, abs(w))
            low, high = info.parameters["twist_limits"]
            worst = max(worst, low - twist, twist - high)
    return worst


def card_house(world: World, floors: int = 3) -> list[Handle]:
    """Leaning cards of 2 mm on rough ground, lying ones between the floors."""
    cards: list[Handle] = []
    lean, tall, thick, wide = math.radians(20), 0.088, 0.002, 0.063
    half_base = 0.5 * tall * math.sin(lean) + 0.5 * thick * math.cos(lean)
    rise = tall * math.cos(lean) + thick * math.sin(lean)
    pitch = 4.0 * half_base + 0.001

    def card(x: float, y: float, turn: float) -> None:
        shape = Box((thick, tall, wide))
        cards.append(
            world.add_body(
                f"card {len(cards)}",
                shape,
                mass=0.0018,
                position=(x, y, 0),
                orientation=turned_z(turn),
                friction=0.8,
            )
        )

    for floor in range(floors):
        y = floor * (rise + thick)
        tents = floors - floor
        for k in range(tents):
            x = (k - 0.5 * (tents - 1)) * pitch
            card(x - half_base, y + 0.5 * rise, -lean)
            card(x + half_base, y + 0.5 * rise, lean)
        for k in range(tents - 1):
            x = (k - 0.5 * (tents - 2)) * pitch
            card(x, y + rise + 0.5 * thick, math.pi / 2)
    return cards


def pour(world: World, count: int) -> list[Handle]:
    """Mixed shapes above an open box whose inside is 4 m wide (2 m for fewer than 300)."""
    wide, cells = (4.0, 8) if count >= 300 else (2.0, 4)
    out = 0.5 * wide + 0.25
    for side in (-1.0, 1.0):
        world.add_body(
            f"wall x {side}", Box((0.5, 12, wide + 1)), fixed=True, position=(out * side, 6, 0)
        )
        world.add_body(
            f"wall z {side}", Box((wide, 12, 0.5)), fixed=True, position=(0, 6, out * side)
        )
    shapes = (Box((0.3, 0.25, 0.2)), Sphere(0.15), Capsule(0.1, 0.2), Hull(ROCK))
    rng = np.random.default_rng(1)
    bodies = []
    for k in range(count):
        layer, cell = divmod(k, cells * cells)
        x, z = (0.46 * (i - 0.5 * (cells - 1)) for i in (cell % cells, cell // cells))
        turn = rng.normal(size=4)
        bodies.append(
            world.add_body(
                f"piece {k}",
                shapes[k % 4],
                density=1000.0,
                position=(x + rng.uniform(-0.03, 0.03), 0.4 + 0.46 * layer, z),
                orientation=turn / np.linalg.norm(turn),
            )
        )
    return bodies


def wrecking_ball(
    segments: int = 20, ball: float = 1e4, wall: int = 10
) -> tuple[World, list[Handle]]:
    """A ball of 10 t on a cable of 0.2 kg segments, drawn back, and a wall of wall² boxes."""
    world = on_ground()
    top, length = np.array([0.0, 12.0, 0.0]), 10.0
    way = np.array([-math.sin(1.1), -math.cos(1.1), 0.0])
    above = None
    for k in range(segments):
        link = world.add_body(
            f"segment {k}",
            Capsule(0.03, 0.9 * length / segments),
            mass=0.2,
            position=top + way * length * (k + 0.5) / segments,
            orientation=turned_z(-1.1),
            group=4,
            mask=0,
        )
        world.add_joint("ball", link, above, at=top + way * length * k / segments)
        above = link
    weight = world.add_body("ball", Sphere(0.8), mass=ball, position=top + way * (length + 0.8))
    world.add_joint("ball", weight, above, at=top + way * length)
    boxes = []
    for row in range(wall):
        for k in range(wall):
            z = (k - 0.5 * (wall - 1) + 0.25 * (row % 2)) * 0.41
            boxes.append(
                world.add_body(
                    f"brick {row} {k}",
                    Box((0.4, 0.4, 0.4)),
                    mass=20.0,
                    position=(1.2, 0.2 + 0.4 * row, z),
                )
            )
    return world, boxes
