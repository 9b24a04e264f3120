"""Joints whose bodies were put apart close gently: within a second, without throwing anything."""

import numpy as np
import pytest

from physics import Box, Sphere, World
from physics.portable import norm

KINDS = ("ball", "hinge", "fixed", "distance")


def apart(kind: str, gap: float, ratio: float, h: float) -> World:
    """A body of 1 kg, joined to one of `ratio` kg that hangs on the world, put away from it."""
    world = World(rate=1.0 / h, gravity=(0, 0, 0))
    big = world.add_body("big", Box((0.4, 0.4, 0.4)), mass=ratio)
    small = world.add_body("small", Box((0.2, 0.2, 0.2)), mass=1.0, position=(0.5, 0, 0))
    if kind == "distance":
        world.add_joint("distance", big, small)
    else:
        axis = (0, 0, 1) if kind == "hinge" else None
        world.add_joint(kind, big, small, at=(0.3, 0, 0), axis=axis)
    world.set_position(small, (0.5 + gap, 0.3 * gap, 0))
    return world


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ratio", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("h", [1 / 30, 1 / 240])
@pytest.mark.parametrize("gap", [0.002, 1.0])
def test_a_gap_closes_gently(kind: str, ratio: float, h: float, gap: float) -> None:
    world = apart(kind, gap, ratio, h)
    assert world.constraint_error() > 0.2 * gap  # also before the first step
    most = 0.0
    for _ in range(round(1.0 / h)):
        world.step()
        most = max(most, world.energy().kinetic)
    assert world.constraint_error() < 1e-6
    # nothing is left of the speed of closing but what turns, and that is slow
    assert most < 0.05 * (1.0 + ratio) * gap**2
    assert world.stats.guard["frozen"] == 0


def test_a_chain_pulled_apart_hangs_again() -> None:
    world = World()
    links = [world.add_body("top", Sphere(0.1), fixed=True, position=(0, 5, 0))]
    for k in range(8):
        at = (0, 4.6 - 0.4 * k, 0)
        links.append(world.add_body(f"link {k}", Box((0.1, 0.3, 0.1)), mass=0.2, position=at))
        world.add_joint("ball", links[-2], links[-1], at=(0, 4.8 - 0.4 * k, 0))
    load = world.add_body("load", Box((0.5, 0.5, 0.5)), mass=2000.0, position=(0, 1.2, 0))
    world.add_joint("ball", links[-1], load, at=(0, 1.6, 0))
    world.set_position(load, (0.3, 0.9, 0))
    begins = world.energy().total
    for _ in range(240):
        world.step()
        assert np.isfinite(world.position(load)).all()
        # lifting the load by the gap is the work of closing it
        assert world.energy().total < begins + 2000.0 * 9.81 * 0.45
    assert world.constraint_error() < 1e-4
    assert norm(world.position(load) - np.array([0.0, 1.2, 0.0])) < 1.5
    assert world.stats.guard["frozen"] == 0
