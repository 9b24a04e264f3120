"""Scenes used all over the tests: chains, nets, loops, pendulums, cranes.

Every body is made with mask=0, so that nothing collides: these tests are about joints.
"""

import math
from typing import Any

import numpy as np

from physics import Box, Sphere, World
from sandbox.reproduce.scenes import RADIUS as LOAD_RADIUS
from sandbox.reproduce.scenes import G, Scene, about
from sandbox.reproduce.scenes import chain as paper_chain


def make_world(h: float, **settings: Any) -> World:
    return World(rate=1.0 / h, **settings)


def chain(ratio: float, h: float, **settings: Any) -> Scene:
    """A chain from the origin with a sphere of mass `ratio` at its end, in a world as it comes."""
    return paper_chain(ratio, h, **{"sleeping": True, **settings})


def folded_chain(ratio: float, h: float, *, links: int = 10, **settings: Any) -> Scene:
    """A slack chain: links zigzag below the anchor; the load drops and pulls them straight."""
    length, mass = 0.5, 1.0
    scene = Scene(make_world(h, **settings))
    fold = math.radians(80.0)
    point = np.zeros(3)
    previous = None
    for i in range(links):
        side = 1.0 if i % 2 == 0 else -1.0
        along = np.array([side * math.sin(fold), -math.cos(fold), 0.0])
        centre = point + 0.5 * length * along
        body = scene.world.add_body(
            f"link {i}",
            Box((length, 0.05, 0.05)),
            mass=mass,
            position=centre,
            orientation=about((0, 0, 1), math.atan2(along[1], along[0])),
            mask=0,
        )
        scene.joints.append(scene.world.add_joint("ball", body, previous, at=point))
        scene.links.append(body)
        scene.releasable += mass * G * ((i + 0.5) * length + centre[1])
        point = point + length * along
        previous = body
    centre = point - np.array([0.0, LOAD_RADIUS, 0.0])
    scene.load = scene.world.add_body(
        "load", Sphere(LOAD_RADIUS), mass=ratio, position=centre, mask=0
    )
    scene.joints.append(scene.world.add_joint("ball", scene.load, previous, at=point))
    scene.releasable += ratio * G * (links * length + LOAD_RADIUS + centre[1])
    return scene


def loop(ratio: float, h: float, *, links: int = 16, **settings: Any) -> Scene:
    """A closed ring of links hung at one point, the load at the opposite one, released sideways."""
    length, mass = 0.5, 1.0
    scene = Scene(make_world(h, **settings))
    radius = 0.5 * length / math.sin(math.pi / links)
    # corners start at the anchor; the ring lies to its right, so that it falls
    angles = math.pi + 2.0 * math.pi * np.arange(links + 1) / links
    corners = np.stack([radius + radius * np.cos(angles), radius * np.sin(angles), 0 * angles], 1)
    for i in range(links):
        along = corners[i + 1] - corners[i]
        body = scene.world.add_body(
            f"link {i}",
            Box((length, 0.05, 0.05)),
            mass=mass,
            position=0.5 * (corners[i] + corners[i + 1]),
            orientation=about((0, 0, 1), math.atan2(along[1], along[0])),
            mask=0,
        )
        scene.links.append(body)
    for i in range(links):
        pair = scene.links[i], scene.links[i - 1]
        scene.joints.append(scene.world.add_joint("ball", *pair, at=corners[i]))
    scene.joints.append(scene.world.add_joint("ball", scene.links[0], at=corners[0]))
    far = corners[links // 2]
    centre = far - np.array([0.0, LOAD_RADIUS, 0.0])
    scene.load = scene.world.add_body(
        "load", Sphere(LOAD_RADIUS), mass=ratio, position=centre, mask=0
    )
    scene.joints.append(scene.world.add_joint("ball", scene.load, scene.links[links // 2], at=far))
    lowest = 0.5 * links * length + LOAD_RADIUS
    scene.releasable = ratio * G * (lowest + centre[1]) + links * mass * G * 0.5 * lowest
    return scene


def net(ratio: float, h: float, *, side: int = 6, **settings: Any) -> Scene:
    """A square net of particles and distance rows held at two corners, the load at a free one."""
    spacing, mass = 0.5, 1.0
    scene = Scene(make_world(h, **settings))
    grid = []
    for i in range(side):
        for j in range(side):
            corner = i == 0 and j in (0, side - 1)
            heavy = i == side - 1 and j == side // 2
            node = scene.world.add_particle(
                f"node {i} {j}",
                mass=ratio if heavy else mass,
                position=(spacing * j, 0.0, spacing * i),
                fixed=corner,
            )
            grid.append(node)
            if heavy:
                scene.load = node
            elif not corner:
                scene.links.append(node)
    for i in range(side):
        for j in range(side):
            here = grid[i * side + j]
            for neighbour in ([grid[i * side + j + 1]] if j + 1 < side else []) + (
                [grid[(i + 1) * side + j]] if i + 1 < side else []
            ):
                if not (scene.world.is_fixed(here) and scene.world.is_fixed(neighbour)):
                    scene.joints.append(scene.world.add_joint("distance", here, neighbour))
    deepest = spacing * (2 * side)
    scene.releasable = (ratio + mass * (side * side - 3)) * G * deepest
    return scene


def pendulum(
    length: float, angle: float, h: float, *, radius: float = 0.1, **settings: Any
) -> Scene:
    """A sphere on a ball joint at the origin, `length` away and `angle` from the vertical."""
    scene = Scene(make_world(h, **settings))
    place = length * np.array([math.sin(angle), -math.cos(angle), 0.0])
    scene.load = scene.world.add_body("bob", Sphere(radius), mass=1.0, position=place, mask=0)
    scene.joints.append(scene.world.add_joint("ball", scene.load, at=(0.0, 0.0, 0.0)))
    scene.releasable = G * length * (1.0 - math.cos(angle))
    return scene


def open_gap(scene: Scene) -> float:
    """Largest distance of two anchors that should coincide, from the poses alone (m)."""
    gaps = []
    for joint in scene.joints:
        info = scene.world.joint(joint)
        gaps.append(float(np.linalg.norm(info.anchor_a - info.anchor_b)))
    return max(gaps)


def momentum(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum (N s) and angular momentum about the origin (N m s) of the bodies."""
    bodies = scene.world._bodies.arrays
    linear, angular = np.zeros(3), np.zeros(3)
    for handle in scene.bodies:
        p = scene.world.mass(handle) * scene.world.velocity(handle)
        R = bodies.rotation[handle.slot]
        spin = R @ bodies.inertia[handle.slot] @ R.T @ scene.world.angular_velocity(handle)
        linear += p
        angular += np.cross(scene.world.position(handle), p) + spin
    return linear, angular
