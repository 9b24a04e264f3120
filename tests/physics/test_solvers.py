"""solver="pgs", the way most engines work, beside the direct solve; switching while running."""

import numpy as np
import pytest

from physics import SOLVERS, STABILIZATIONS
from tests.physics.scenes import chain, pendulum


def test_all_rows_iterated_agree_with_the_direct_solve_on_an_easy_problem() -> None:
    """One joint needs a few sweeps: the same motion but for the steering back."""
    direct, iterated = (
        pendulum(2.0, 0.5, 1 / 120, solver=solver, stabilization="none").world for solver in SOLVERS
    )
    direct.step(120)
    iterated.step(120)
    np.testing.assert_allclose(iterated.position("bob"), direct.position("bob"), rtol=0, atol=5e-3)


def test_iteration_cannot_hold_a_heavy_load_and_the_direct_solve_can() -> None:
    """R = 1e4: fifty sweeps leave the chain centimetres open; that is why the solver is direct."""
    gaps = {}
    for solver, stabilization in (
        ("direct", "adaptive"),
        ("pgs", "geometric"),
        ("pgs", "adaptive"),
    ):
        scene = chain(1e4, 1 / 60, solver=solver, stabilization=stabilization)
        scene.world.step(60)
        gaps[solver, stabilization] = scene.world.constraint_error()
    print(gaps)
    assert gaps["direct", "adaptive"] < 1e-8
    assert gaps["pgs", "geometric"] > 0.01
    assert gaps["pgs", "adaptive"] > 0.01


@pytest.mark.parametrize("stabilization", STABILIZATIONS)
def test_iteration_is_stable_for_a_light_load(stabilization: str) -> None:
    scene = chain(1.0, 1 / 120, solver="pgs", stabilization=stabilization)
    scene.world.step(240)
    assert not scene.world.diverged
    assert scene.world.constraint_error() < 0.1


def test_everything_can_be_switched_while_running() -> None:
    """Through all stabilizations and solvers and back; what is left is still one chain."""
    scene = chain(20.0, 1 / 120)
    world = scene.world
    for solver in (*SOLVERS, "direct"):
        world.solver = solver
        for stabilization in (*STABILIZATIONS, "adaptive"):
            world.stabilization = stabilization
            world.step(12)
            assert world.stats.stabilization == stabilization
            assert world.stats.solver == solver
            assert not world.diverged
    world.step(60)
    assert world.constraint_error() < 1e-7


def test_stats_count_what_happened() -> None:
    scene = chain(100.0, 1 / 60)
    scene.world.step(30)
    stats = scene.world.stats
    assert stats.steps == 30
    assert stats.factorisations >= 30
    assert stats.newton >= 30
    assert stats.error < 1e-6
    assert set(stats.guard) == {"halved", "drained", "implicit", "frozen"}
    assert all(seconds >= 0 for seconds in stats.times.values())
    assert sum(stats.times.values()) > 0


def test_an_empty_world_steps() -> None:
    from physics import World

    world = World()
    world.step(10)
    assert world.time == pytest.approx(10 / 60)
    assert world.energy().total == 0.0
    assert world.constraint_error() == 0.0
