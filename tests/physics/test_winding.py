"""The twist of a cable: as far as it is wound, at any step, and through a fold of half a turn."""

import math

import numpy as np
import pytest

from physics import Box, Capsule, Sphere, World
from tests.physics.scenes import about

INERTIA = 0.5  # kg m²: 2/5 · 5 kg · (0.5 m)²
TWIST = 10.0  # N m/rad


def torsion_pendulum(rate: float, bend: float = math.inf) -> World:
    """A ball on a piece of cable along y; what is bend-stiff can only turn about it."""
    world = World(rate=rate, gravity=(0, 0, 0))
    world.add_body("base", Box((1, 1, 1)), fixed=True, mask=0)
    world.add_body("ball", Sphere(0.5), mass=5.0, mask=0)
    world.add_joint(
        "cable", "base", "ball", at=(0, 0, 0), axis=(0, 1, 0),
        twist_stiffness=TWIST, bend_stiffness=bend,
    )  # fmt: skip
    return world


@pytest.mark.parametrize("turns", [0.02, 0.2, 0.6, 3.0])
@pytest.mark.parametrize("rate", [60.0, 240.0])
def test_it_pulls_back_as_far_as_it_is_wound(turns: float, rate: float) -> None:
    """T = 2π √(I/k) whatever the amplitude; leapfrog is off by (hω)²/24, 0.2 % at 60 Hz."""
    world = torsion_pendulum(rate)
    omega = math.sqrt(TWIST / INERTIA)
    world.set_angular_velocity("ball", (0.0, 2.0 * math.pi * turns * omega, 0.0))
    period, before, rises = 2.0 * math.pi / omega, -1.0, []
    for i in range(round(4.2 * period * rate)):
        world.step()
        now = float(world.angular_velocity("ball")[1])
        if before < 0.0 <= now:
            rises.append((i + before / (before - now)) / rate)
        before = now
    assert np.diff(rises[1:]) == pytest.approx(period, rel=0.005)
    assert world.energy().total == pytest.approx(
        0.5 * INERTIA * (2.0 * math.pi * turns * omega) ** 2, rel=0.01
    )


@pytest.mark.parametrize("spin", [(6.0, 9.0, 2.0), (25.0, 3.0, 0.0), (14.0, 0.0, 14.0)])
def test_folding_it_over_gains_nothing(spin: tuple[float, float, float]) -> None:
    """It swings through half a turn, where twist means nothing, with the energy it has."""
    world = torsion_pendulum(240.0, bend=TWIST)
    world.set_angular_velocity("ball", spin)
    start, turned = world.energy().total, 0.0
    for _ in range(1200):
        world.step()
        assert world.energy().total < 1.01 * start
        turned = max(turned, 1.0 - float(world.to_world("ball", (0, 1, 0))[1]))
    assert turned > 1.5  # of 2: it did fold
    assert world.stats.guard["frozen"] == 0


def swinging_cable(h: float, stabilization: str) -> World:
    """[Andrews17]: 100 kg on a cable of 20 pieces of 0.2 kg, spun about it, 30° from upright."""
    world = World(rate=1.0 / h, stabilization=stabilization)
    down = np.array([-0.5, -math.cos(math.pi / 6), 0.0])
    turn = about((0, 0, 1), math.atan2(down[0], -down[1]) * -1.0)
    before, piece = None, 0.3825
    for k in range(20):
        world.add_body(
            f"piece{k}", Capsule(0.025, piece - 0.05), mass=0.2, mask=0,
            position=(k + 0.5) * piece * down, orientation=turn,
        )  # fmt: skip
        _join(world, f"piece{k}", before, k * piece * down, down)
        before = f"piece{k}"
    world.add_body("load", Sphere(0.25), mass=100.0, position=20 * piece * down, mask=0)
    _join(world, "load", before, 20 * piece * down, down)
    world.set_angular_velocity("load", 10.0 * down)
    return world


def _join(world: World, body: str, other: str | None, at: np.ndarray, axis: np.ndarray) -> None:
    world.add_joint(
        "cable", body, other, at=at, axis=axis,
        axial_stiffness=1e12, bend_stiffness=10.0, twist_stiffness=10.0,
    )  # fmt: skip


def spin_left(world: World, seconds: float) -> float:
    """Of the load about the line it hangs on, rad/s."""
    world.step(round(seconds * world.rate))
    line = world.position("load") / np.linalg.norm(world.position("load"))
    return float(world.angular_velocity("load") @ line)


@pytest.mark.parametrize("h", [1 / 240, 0.01, 1 / 60, 0.025])
def test_a_swinging_cable_keeps_its_spin(h: float) -> None:
    """Half a swing, within 1 % of the first 10 rad/s of a run with 0.5 ms and no stabilization."""
    fine = spin_left(swinging_cable(5e-4, "none"), 2.5)
    assert spin_left(swinging_cable(h, "adaptive"), 2.5) == pytest.approx(fine, abs=0.1)
