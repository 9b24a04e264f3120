"""The levels of soft bodies over a long time: [Tournier15]'s trampoline, and the loaded hammock."""

import numpy as np
import pytest

from levels import load


def bounce(seconds: float) -> None:
    """A limp person on the trampoline at h = 0.01: never through the mat, never more energy."""
    session = load("trampoline").session()
    start = session.world.energy().total
    steps = round(seconds * session.world.rate)
    for _ in range(steps):
        session.step()
        assert session.stretch("mat") < 0.01
    assert session.is_finite()
    assert session.energy_gain() < 0.01
    assert session.world.energy().total < start
    assert min(point[1] for point in session.positions("jumper")) > 0.0
    assert session.guard_count() < 0.02 * steps


def test_ragdoll_bounces_on_the_trampoline() -> None:
    bounce(2.0)


@pytest.mark.slow
def test_ragdoll_bounces_on_the_trampoline_for_a_minute() -> None:
    bounce(60.0)


@pytest.mark.parametrize("load_kg", [10.0, 160.0])
def test_hammock_carries_any_weight(load_kg: float) -> None:
    """A kilogram of cloth, the first of three weights that come to nearly 500 times as much.

    It hangs clear of the bars: one that pushes it out stretches the threads between its pins.
    """
    session = load("hammock").session(load=load_kg)
    for _ in range(150):
        session.step()
        assert session.energy_gain() < 1e-6
    assert session.is_finite()
    assert session.stretch("hammock") < 0.02
    low = min(point[1] for point in session.positions("hammock"))
    assert session.position("ball")[1] > low
    assert np.linalg.norm(session.world.velocity("ball")) < 5.0
