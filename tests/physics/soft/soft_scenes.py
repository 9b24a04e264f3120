"""Soft bodies and worlds of them, written once for tests and benchmarks."""

import numpy as np

from physics import Sphere, World
from physics.soft.meshes import primitives
from physics.soft.soft_builder import Builder
from physics.soft.solve.soft_body import SoftBody

STEP = 1.0 / 60.0  # s


def hung_cloth(n: int, bend: bool) -> SoftBody:
    """2 m x 2 m, 1 kg, inextensible, hung by two corners."""
    sheet = primitives.cloth(n, n, (2.0, 2.0))
    builder = Builder(sheet.position)
    builder.add_mass(1.0 / n**2)
    builder.add_links(sheet.structural, 1e7)
    builder.add_links(sheet.shear, 10.0)
    if bend:
        builder.add_links(sheet.bend, 0.05)
    body = SoftBody(builder)
    body.pin([0, n - 1])
    return body


def clamped_beam(cells: tuple[int, int, int], material: str) -> SoftBody:
    """Rubber-like beam, 1 MPa."""
    solid = primitives.box(cells, tuple(0.05 * c for c in cells))  # type: ignore[arg-type]
    builder = Builder(solid.position)
    builder.add_tetrahedra(solid.tetrahedra, 1e6, 0.3, material=material, density=1000.0)
    body = SoftBody(builder)
    body.pin(np.flatnonzero(solid.position[:, 0] < 1e-9))
    return body


def tumbling_beam(cells: tuple[int, int, int], young: float, material: str) -> SoftBody:
    """A free beam that turns by 3.6° in a step."""
    solid = primitives.box(cells, tuple(0.05 * c for c in cells))  # type: ignore[arg-type]
    builder = Builder(solid.position)
    builder.add_tetrahedra(solid.tetrahedra, young, 0.3, material=material, density=1000.0)
    body = SoftBody(builder)
    body.gravity = np.zeros(3)
    body.v[...] = np.cross([1.0, 3.0, 2.0], body.x - body.x.mean(axis=0))
    return body


def hung_curtain(n: int, stiffness: float, speed: float) -> SoftBody:
    """2 m x 2 m, 1 kg, hangs at rest by its upper side and begins to sway."""
    sheet = primitives.cloth(n, n, (2.0, 2.0), down=(0.0, -1.0, 0.0))
    builder = Builder(sheet.position)
    builder.add_mass(1.0 / n**2)
    builder.add_links(sheet.structural, stiffness)
    builder.add_links(sheet.shear, 10.0)
    body = SoftBody(builder)
    body.pin(list(range(n)))
    body.find_equilibrium(1e-6, 30, 10.0)
    body.v[:, 2] = -speed * sheet.position[:, 1] / 2.0
    return body


def cloth_world(n: int, mass: float) -> World:
    """A cloth of 2 m x 2 m held by its corners, and a ball that falls into it."""
    world = World()
    world.add_cloth(
        "cloth",
        size=(2.0, 2.0),
        rows=n,
        columns=n,
        pins=[0, n - 1, n * n - n, n * n - 1],
        orientation=(np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0),
    )
    world.add_body("ball", Sphere(0.2), mass=mass, position=(0.1, 0.4, 0.05))
    return world


def folded_world(n: int, self_collision: bool) -> World:
    """A cloth folded in a half circle: the lower half is held, the upper one falls on it."""
    gap = 0.12
    arc = np.pi * gap / 2
    flat = (1.0 - arc) / 2
    s = np.linspace(0.0, 1.0, n)
    turn = np.clip((s - flat) / arc, 0.0, 1.0) * np.pi
    x = np.where(s <= flat, s - flat, np.where(s >= flat + arc, flat + arc - s, 0.0))
    x += gap / 2 * np.sin(turn)
    y = gap / 2 * (1.0 - np.cos(turn))
    z = np.linspace(-0.5, 0.5, n)
    start = np.stack([np.repeat(x, n), np.repeat(y, n), np.tile(z, n)], axis=1)
    held = np.flatnonzero(start[:, 1] == 0.0).tolist()
    world = World()
    world.add_cloth(
        "cloth", rows=n, columns=n, start=start, pins=held, self_collision=self_collision
    )
    return world


def rope_world(segments: int) -> World:
    """A rope of particles released from the horizontal, 10 kg at its end."""
    world = World()
    world.add_particle("p0", fixed=True)
    for k in range(1, segments + 1):
        mass = 10.0 if k == segments else 0.01
        world.add_particle(f"p{k}", mass=mass, position=(0.05 * k, 0.0, 0.0))
        world.add_joint("distance", f"p{k - 1}", f"p{k}", length=0.05)
    return world


def crossed_world(n: int) -> World:
    """A cloth that falls on another one, held by its corners."""
    world = World()
    flat = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)
    world.add_cloth(
        "lower", rows=n, columns=n, pins=[0, n - 1, n * n - n, n * n - 1], orientation=flat
    )
    world.add_cloth(
        "upper", rows=n, columns=n, size=(0.5, 0.5), position=(0.0, 0.05, 0.0), orientation=flat,
        mass=0.25,
    )  # fmt: skip
    return world
