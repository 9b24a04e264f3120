"""Which substeps are accepted, and what happens to those that are not."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from physics import Sphere, World
from physics import state as st
from physics.acceptance import KEPT, STRAYED, TOO_MUCH, UNSOLVED, drain, judge
from physics.energy import kinetic_of_island
from physics.step_context import StepContext
from tests.physics.scenes import chain

H = 1 / 120


@pytest.fixture
def world() -> World:
    """A chain of ten links in full swing: one island, its last step a single substep."""
    world = chain(10.0, H).world
    world.step(40)
    return world


def context_of(world: World) -> StepContext:
    return world._stores.stepping.ensure().context


def verdict(world: World) -> int:
    """Asks again about the step just taken."""
    context = context_of(world)
    return int(judge(context.scene, world._stores.settings.of_step(H), H, True, True))


def test_a_good_step_is_kept(world: World) -> None:
    assert verdict(world) == KEPT


def test_energy_from_nothing_is_too_much_and_can_be_drained(world: World) -> None:
    context = context_of(world)
    context.measures[st.KINETIC] -= 20.0
    assert verdict(world) == TOO_MUCH
    before = kinetic_of_island(context.scene)
    excess = float(context.measures[st.EXCESS])
    assert 0.0 < excess < 20.0
    assert not drain(context.scene, 1e-9, H, False)
    assert drain(context.scene, 1.0, H, False)
    assert before - kinetic_of_island(context.scene) == pytest.approx(excess, rel=1e-9)


@pytest.mark.parametrize("way", [0.5, 1e-3])
def test_what_was_thrown_comes_back_with_its_speed(world: World, way: float) -> None:
    """By the share of the speed that it keeps; what came no farther than by pushing out stays."""
    context = context_of(world)
    bodies, b = context.bodies, last_body(context)
    context.measures[st.EXCESS] = 0.75 * kinetic_of_island(context.scene)
    speed = np.linalg.norm(bodies.start_velocity[2 * b])
    far = way + H * speed * (way > 0.1)
    bodies.position[b] = bodies.start_position[b] + (0.0, far, 0.0)
    assert drain(context.scene, 1.0, H, True)
    came = 0.5 * far if way > 0.1 else far  # √(1 - 0.75)
    np.testing.assert_allclose(
        bodies.position[b] - bodies.start_position[b], (0, came, 0), atol=1e-12
    )


def last_body(context: StepContext) -> int:
    return int(np.flatnonzero(context.bodies.kind == st.DYNAMIC)[-1])


def open_joint(context: StepContext) -> None:
    context.measures[st.ERROR] = 1e-3


def lose_state(context: StepContext) -> None:
    context.bodies.velocity[2 * last_body(context) + 1] = math.nan


def run_away(context: StepContext) -> None:
    context.bodies.velocity[2 * last_body(context)] = 1e8


def jump(context: StepContext) -> None:
    context.bodies.position[last_body(context)] += 3.0


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [(open_joint, UNSOLVED), (lose_state, UNSOLVED), (run_away, UNSOLVED), (jump, STRAYED)],
)
def test_a_bad_step_is_refused(
    world: World, spoil: Callable[[StepContext], None], reason: int
) -> None:
    spoil(context_of(world))
    assert verdict(world) == reason
    assert sum(world.stats.refused.values()) == 1


def test_an_island_without_solution_stands_still_alone_and_says_so(world: World) -> None:
    """A force that is not finite: its island stands, the ball beside it falls as if alone."""
    alone = World(rate=1 / H)
    for other in (world, alone):
        other.add_body("ball", Sphere(0.1), mass=1.0, position=(50, 0, 0))
    context = context_of(world)
    link = last_body(context)
    world._bodies.arrays.force[2 * (link - 1)] = math.nan
    world.step()
    alone.step()
    assert world.stats.guard["frozen"] == 1
    assert world.frozen
    assert "ball" not in {handle.name for handle in world.frozen}
    assert [event[0] for event in world.events()] == ["frozen"]
    assert np.array_equal(world.position("ball"), alone.position("ball"))
    assert np.isfinite(world.poses()[0]).all()
    world.step(10)
    assert world.frozen == ()
