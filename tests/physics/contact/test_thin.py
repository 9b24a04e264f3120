"""Particles and rope segments against every shape."""

import numpy as np
import pytest

from physics import Box, Capsule, Plane, Sphere, World
from physics.shapes import HeightField, Hull, TriangleMesh

RATE = 60
LIE = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # a capsule along z
FIELD = HeightField(np.zeros((9, 9)), 0.5)
GROUNDS = {  # shape, orientation, height of its top over its origin
    "sphere": (Sphere(0.5), (1, 0, 0, 0), 0.5),
    "capsule": (Capsule(0.3, 1.0), LIE, 0.3),
    "box": (Box((1, 1, 1)), (1, 0, 0, 0), 0.5),
    "hull": (Hull(Box((1, 1, 1)).core()[0]), (1, 0, 0, 0), 0.5),
    "plane": (Plane(), (1, 0, 0, 0), 0.0),
    "mesh": (TriangleMesh(*FIELD.surface()), (1, 0, 0, 0), 0.0),
    "field": (FIELD, (1, 0, 0, 0), 0.0),
}


def ground(name: str) -> tuple[World, float]:
    shape, turned, top = GROUNDS[name]
    world = World(sleeping=False)
    world.add_body("ground", shape, orientation=turned, fixed=True, friction=1.0)
    return world, top


@pytest.mark.parametrize("name", GROUNDS)
def test_a_particle_lands_on(name: str) -> None:
    world, top = ground(name)
    world.add_particle("grain", mass=0.1, radius=0.05, position=(0, top + 1.0, 0), friction=1.0)
    world.step(120)
    assert world.position("grain") == pytest.approx((0, top + 0.05, 0), abs=2e-4)
    assert RATE * world.contacts()["impulse"].sum() == pytest.approx(0.1 * 9.81, rel=1e-3)


@pytest.mark.parametrize("name", GROUNDS)
def test_a_rope_of_capsules_comes_to_lie_on(name: str) -> None:
    """Four segments fall across it; nothing passes through, and joints stay together."""
    world, top = ground(name)
    last = None
    for k in range(4):
        at = (-0.3 + 0.2 * k, top + 0.3, 0.0)
        turned = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # along x
        segment = world.add_body(
            f"segment {k}", Capsule(0.04, 0.2), mass=0.2, position=at, orientation=turned
        )
        if last is not None:
            world.add_joint("ball", last, segment, at=(at[0] - 0.1, at[1], 0.0))
        last = segment
    deepest, depth = 0.0, 0.0
    for _ in range(90):
        world.step()
        depth = float(world.contacts()["depth"].max(initial=0.0))
        deepest = max(deepest, depth)
    assert deepest < 0.02  # half the rope's radius, while it is flung around the edge
    assert depth < 1e-3
    assert world.constraint_error() < 1e-5
    if name in ("plane", "mesh", "field"):
        for k in range(4):
            assert world.position(f"segment {k}")[1] == pytest.approx(0.04, abs=1e-3)
