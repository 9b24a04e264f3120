"""Energy and momentum: what must stay, and what each stabilization loses."""

import math

import numpy as np
import pytest

from physics import STABILIZATIONS
from tests.physics.scenes import Scene, chain, momentum

H = 0.01


def swing(stabilization: str, seconds: float = 40.0) -> tuple[list[float], Scene]:
    """100 kg on 20 links of 0.25 m, 0.2 kg, 30° from the vertical: peaks of kinetic energy."""
    scene = chain(
        100.0,
        H,
        links=20,
        length=0.25,
        mass=0.2,
        tilt=math.radians(30),
        stabilization=stabilization,
    )
    energies = []
    for _ in range(round(seconds / H)):
        scene.world.step()
        energies.append(scene.world.energy().kinetic)
    E = np.array(energies)
    peak = (E[1:-1] > E[:-2]) & (E[1:-1] >= E[2:]) & (E[1:-1] > 0.2 * E.max())
    return list(E[1:-1][peak]), scene


@pytest.mark.slow
def test_a_load_on_a_cable_keeps_swinging() -> None:
    """[Andrews17, Fig. 8] reports 98 %; asked for here: 99 % over 40 s (about 17 swings)."""
    peaks, scene = swing("adaptive")
    share = peaks[-1] / peaks[0]
    print(f"adaptive: peak kinetic energy last/first {share:.4f}")
    assert len(peaks) > 10
    assert 0.99 <= share <= 1.005
    assert scene.world.constraint_error() < 1e-6
    assert sum(scene.world.stats.guard.values()) == 0


@pytest.mark.slow
def test_geometric_stiffness_damps_the_swing() -> None:
    """[Tournier15]'s scheme gives away the momentum it adds: [Andrews17] measured -40 %."""
    peaks, _ = swing("geometric")
    share = peaks[-1] / peaks[0]
    print(f"geometric: peak kinetic energy last/first {share:.4f}")
    assert share < 0.7


@pytest.mark.slow
def test_without_stabilization_the_cable_explodes() -> None:
    _, scene = swing("none")
    assert scene.world.diverged or scene.world.constraint_error() > 0.01


def tumbling(stabilization: str) -> Scene:
    """A free chain thrown through empty space, each link with a spin of its own."""
    scene = chain(5.0, H, links=8, tilt=1.0, stabilization=stabilization, gravity=(0, 0, 0))
    world = scene.world
    world.remove(scene.joints.pop(0))
    rng = np.random.default_rng(1)
    for body in scene.bodies:
        world.set_velocity(body, (1.0, 2.0, -0.5) + 0.3 * rng.normal(size=3))
        world.set_angular_velocity(body, rng.normal(size=3))
    world.step()  # the joints take the relative velocities away
    return scene


@pytest.mark.parametrize("stabilization", STABILIZATIONS)
def test_linear_momentum_of_a_free_chain(stabilization: str) -> None:
    """Internal forces cancel in pairs: conserved to 1e-10 relative over 1000 steps.

    The angular momentum is not exactly kept by any of these schemes (forces act along directions
    at the start of the step, positions are at its end); the drift is printed.
    """
    scene = tumbling(stabilization)
    before, turning = momentum(scene)
    scene.world.step(1000)
    after, turned = momentum(scene)
    drift = float(np.linalg.norm(turned - turning) / np.linalg.norm(turning))
    change = float(np.linalg.norm(after - before) / np.linalg.norm(before))
    print(f"{stabilization}: linear {change:.1e}, angular drift {drift:.2e} in 10 s")
    assert not scene.world.diverged
    assert change < 1e-10


def test_angular_momentum_of_the_free_adaptive_chain_drifts_little() -> None:
    """First order in h and oscillating; halving h must not make it worse than a third less."""
    scene = tumbling("adaptive")
    before = momentum(scene)[1]
    scene.world.step(1000)
    drift = np.linalg.norm(momentum(scene)[1] - before) / np.linalg.norm(before)
    assert drift < 0.02


def test_energy_of_a_free_chain() -> None:
    scene = tumbling("adaptive")
    before = scene.world.energy().total
    scene.world.step(1000)
    assert scene.world.energy().total == pytest.approx(before, rel=0.05)
