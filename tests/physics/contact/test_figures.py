"""Larger scenes: card house, pour, ragdoll on stairs, wrecking ball."""

import numpy as np
import pytest

from physics import World
from tests.physics.contact.figures import (
    card_house,
    pour,
    ragdoll,
    stairs,
    worst_limit,
    wrecking_ball,
)
from tests.physics.contact.scenes import deepest, on_ground, positions


def fastest(world: World, bodies: list) -> float:
    return max(float(np.linalg.norm(world.velocity(body))) for body in bodies)


@pytest.mark.parametrize("floors", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_card_house_stands(floors: int) -> None:
    world = on_ground(friction=0.8, sleeping=False)
    cards = card_house(world, floors)
    start = positions(world, cards)
    world.step(300)
    # the cards are set up with gaps below a millimetre, which they may close
    assert np.linalg.norm(positions(world, cards) - start, axis=1).max() < 2e-3
    assert fastest(world, cards) < 1e-3
    assert not world.stats.guard["frozen"]


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_nothing_escapes_from_a_pour(count: int) -> None:
    world = on_ground()
    pieces = pour(world, count)
    wide = 2.0 if count >= 300 else 1.0
    for _ in range(10):
        world.step(30)
        at = positions(world, pieces)
        assert np.isfinite(at).all()
        # centres stay inside the walls and above the floor, by the smallest half width of a piece
        assert np.abs(at[:, [0, 2]]).max() < wide - 0.05
        assert at[:, 1].min() > 0.05
    assert deepest(world) < 5e-3
    assert not world.stats.guard["frozen"]


THROWS = [  # m/s
    (2.5, 0.5, 0.3),
    (4.0, 1.0, 0.5),
    (3.0, 0.0, -0.8),
    (3.2, 0.2, 0.4),
    (2.8, 0.9, -0.3),
    (3.5, 0.8, -0.4),
]


@pytest.mark.parametrize("throw", THROWS)
def test_ragdoll_falls_down_the_stairs(throw: tuple[float, float, float]) -> None:
    world = World()
    stairs(world)
    bodies, joints = ragdoll(world, (-0.4, 1.0, 0))
    for body in bodies:
        world.set_velocity(body, throw)
    exceeded, steps, fell = 0.0, 0, 0
    while steps < 600 and not all(world.asleep(body) for body in bodies):
        world.step()
        steps += 1
        exceeded = max(exceeded, worst_limit(world, joints))
        if fell == 0 and world.position("pelvis")[1] < -1.5:
            fell = steps  # it has come to the foot of the stairs
    assert exceeded < np.radians(2.0)
    assert fastest(world, bodies) < 0.01
    assert all(world.asleep(body) for body in bodies), fastest(world, bodies)
    # at the foot, or caught on a stair on the way: at rest within 5 s of coming there
    assert steps - fell < 300
    assert world.stats.guard["frozen"] == 0
    assert world.constraint_error() < 1e-6


def test_wrecking_ball_goes_through_the_wall() -> None:
    world, boxes = wrecking_ball()
    start = positions(world, boxes)
    worst = 0.0
    for _ in range(150):
        world.step()
        worst = max(worst, world.constraint_error())
    moved = np.linalg.norm(positions(world, boxes) - start, axis=1)
    assert worst < 1e-2
    assert np.count_nonzero(moved > 0.5) > 30
    assert np.isfinite(positions(world, boxes)).all()
    assert not world.stats.guard["frozen"]
