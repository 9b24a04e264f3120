"""Things that stand must go on standing, whatever their masses."""

import numpy as np
import pytest

from physics import Box, Sphere, World
from physics.state import BILATERAL
from tests.physics.contact.scenes import deepest, on_ground, positions, pyramid


@pytest.mark.parametrize("rows", [4, 10, pytest.param(20, marks=pytest.mark.slow)])
def test_pyramid_stands_still(rows: int) -> None:
    """10, 55 and 210 boxes; nothing may sleep."""
    world = on_ground(sleeping=False)
    boxes = pyramid(world, rows)
    start = positions(world, boxes)
    world.step(300)
    drift = np.linalg.norm(positions(world, boxes) - start, axis=1).max()
    assert drift < 2e-3
    assert deepest(world) < 5e-4
    assert max(np.linalg.norm(world.velocity(box)) for box in boxes) < 1e-3


def test_a_tonne_on_a_kilogram() -> None:
    world = on_ground()
    small = world.add_body("small", Box((0.5, 0.5, 0.5)), mass=1.0, position=(0, 0.25, 0))
    big = world.add_body("big", Box((0.8, 0.8, 0.8)), mass=1000.0, position=(0, 0.9, 0))
    world.step(300)
    assert deepest(world) < 1e-3
    assert abs(world.position(small)[1] - 0.25) < 1e-3
    assert abs(world.position(big)[1] - 0.9) < 2e-3


def test_weight_is_carried() -> None:
    world = on_ground()
    pyramid(world, 3)
    world.step(120)
    floor = world.contacts()
    below = floor[(floor["a"] == 1) | (floor["b"] == 1)]
    assert below["impulse"].sum() / world.h == pytest.approx(6 * 9.81, rel=1e-3)


def leaning_load(load: float, **settings) -> World:
    """A chain of ten links that holds a load which leans on a rough wall and slides along it."""
    world = World(**settings)
    world.add_body("wall", Box((1, 40, 10)), fixed=True, position=(0.79, -5, 0))
    above = None
    for k in range(10):
        link = world.add_body(
            f"link {k}", Sphere(0.05), mass=1.0, position=(0, -0.5 * k - 0.25, 0), mask=0
        )
        world.add_joint("ball", link, above, at=(0, -0.5 * k, 0))
        above = link
    weight = world.add_body(
        "load", Sphere(0.3), mass=load, position=(0.0, -5.2, 0), velocity=(1.0, 0, 0.2)
    )
    world.add_joint("ball", weight, above, at=(0, -5.0, 0))
    return world


@pytest.mark.parametrize("load", [1e2, 1e3, 1e4, 1e5, 1e6])
def test_sweeps_do_not_depend_on_the_load(load: float) -> None:
    """Joints are solved exactly, so that sweeps see one contact and nothing else."""
    world = leaning_load(load)
    world.step(2)
    most = touched = 0
    for _ in range(20):
        before = world.stats.sweeps
        world.step()
        most = max(most, world.stats.sweeps - before)
        touched += world.stats.contacts > 0
    assert touched > 10
    assert most <= 5
    assert world.constraint_error() < 1e-6


def test_sweeps_over_all_rows_do_not_converge(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same scene as most engines solve it: a thousand sweeps leave the joints moving apart."""
    monkeypatch.setattr("physics.world_settings.PGS_SWEEPS", 1000)
    apart = {}
    for solver in ("pgs", "direct"):
        world = leaning_load(1e6, solver=solver, stabilization="none")
        world.step()
        elements, velocity = world._joints.arrays, world._bodies.arrays.velocity
        live = np.flatnonzero(elements.role == BILATERAL)
        moving = np.einsum("esrc,esc->er", elements.J_start[live], velocity[elements.node[live]])
        apart[solver] = np.abs(moving).max()
    assert apart["pgs"] > 1e-3
    assert apart["direct"] < 1e-9
