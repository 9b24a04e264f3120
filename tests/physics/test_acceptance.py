"""Which steps are accepted, and that a refused one is taken by other means."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from physics import World
from physics import state as st
from physics.acceptance import accept_step
from physics.energy import energies
from physics.recovery import Recovery
from physics.step_context import StepContext
from tests.physics.scenes import chain

H = 1 / 120


def settings_of(world: World) -> st.Settings:
    return world._stores.settings.of_step(H)


@pytest.fixture
def world() -> World:
    """A chain of ten links in full swing."""
    world = chain(10.0, H).world
    world.step(40)
    return world


def context_of(world: World) -> StepContext:
    return world._stores.stepping.ensure().context


def is_accepted(world: World, before: float = 0.0) -> bool:
    """Asks again about the step just taken; `before`: J less at its start than now."""
    context, settings = context_of(world), settings_of(world)
    kinetic, potential, elastic = energies(context.scene, settings.gravity)
    total = kinetic + potential + elastic - before
    return bool(accept_step(context.scene, settings, total, kinetic, True))


def test_a_good_step_is_accepted(world: World) -> None:
    assert is_accepted(world)


def test_energy_from_nothing_is_refused(world: World) -> None:
    assert not is_accepted(world, before=1e3)


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


@pytest.mark.parametrize("spoil", [open_joint, lose_state, run_away, jump])
def test_a_bad_step_is_refused(world: World, spoil: Callable[[StepContext], None]) -> None:
    spoil(context_of(world))
    assert not is_accepted(world)


def test_relaxed_tolerances_accept_wider_gaps(world: World) -> None:
    context = context_of(world)
    context.measures[st.ERROR] = 5e-4
    assert not is_accepted(world)
    context.counters[st.RELAXED_UNTIL] = context.counters[st.STEPS] + 1
    assert is_accepted(world)


def test_recovery_takes_the_refused_step(world: World) -> None:
    """A step that would have been accepted: recovery ends where the plain step does."""
    start = world.snapshot()
    world.step()
    plain = world.poses()[0].copy()
    world.restore(start)
    context = context_of(world)
    steps = int(context.counters[st.STEPS])
    outcome = Recovery(context).recover(settings_of(world))
    assert outcome.counter == st.HALVED
    assert len(outcome.stuck) == 0
    assert context.counters[st.STEPS] == steps + 1
    assert world.stats.guard == {"halved": 1, "implicit": 0, "impact": 0, "frozen": 0}
    assert np.abs(world.poses()[0] - plain).max() < 1e-4
    assert world.constraint_error() < 1e-6


def test_recovery_that_nothing_solves_freezes(world: World) -> None:
    """A state that is not finite: everything stands still, and the step counts as taken."""
    context = context_of(world)
    context.bodies.force[2 * last_body(context)] = math.nan
    steps = int(context.counters[st.STEPS])
    outcome = Recovery(context).recover(settings_of(world))
    assert outcome.counter == st.FROZEN
    assert context.counters[st.STEPS] == steps + 1
    assert not context.bodies.velocity.any()
    assert np.isfinite(world.poses()[0]).all()
