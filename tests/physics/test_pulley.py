"""A rope over fixed wheels: Atwood's machine, the tackle, slack, winding, breaking, and a load of a
million kilograms on a rope whose links weigh one.

An Atwood machine moves in straight lines under a constant force, where one step is exact: the
tolerances are those of round-off, scaled by the mass ratio where two large forces cancel.
"""

from itertools import pairwise

import numpy as np
import pytest

from physics import Box, Handle, Sphere, World

GRAVITY = 9.81
HEIGHT = 20.0  # of the wheels over the loads, m
SIDES = {"a": -1.0, "b": 1.0}


def machine(
    mass_a: float, mass_b: float, h: float = 1 / 60, dimension: int = 3, **parameters: object
) -> tuple[World, Handle]:
    """Two boxes side by side under two wheels."""
    world = World(rate=1 / h, dimension=dimension)
    for (name, x), mass in zip(SIDES.items(), (mass_a, mass_b), strict=True):
        world.add_body(name, Box((0.2, 0.2, 0.2)), mass=mass, position=(x, 0, 0))
    wheels = {f"wheel_{name}": (x, HEIGHT, 0) for name, x in SIDES.items()}
    joint = world.add_joint("pulley", "a", "b", **wheels, **parameters)
    return world, joint


def energy(world: World) -> float:
    return float(world.energy().total)


def speeds(world: World) -> tuple[float, float]:
    return world.velocity("a")[1], world.velocity("b")[1]


@pytest.mark.parametrize("slack", [True, False])
@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 2.0), (1.0, 1e6), (1e6, 1.0)])
@pytest.mark.parametrize("dimension", [2, 3])
def test_atwood_machine(masses: tuple[float, float], slack: bool, dimension: int) -> None:
    """a = g (m_b - m_a)/(m_a + m_b), T = 2 m_a m_b g/(m_a + m_b)."""
    a, b = masses
    world, rope = machine(a, b, dimension=dimension, slack=slack)
    world.step(60)
    expected = GRAVITY * (b - a) / (a + b)
    assert speeds(world) == pytest.approx((expected, -expected), abs=1e-11)
    tension = world.joint_force(rope)[0]
    assert tension == pytest.approx([0.0, 2 * a * b * GRAVITY / (a + b), 0.0], rel=1e-9)
    assert world.joint_value(rope) == pytest.approx(2 * HEIGHT, abs=1e-9)


@pytest.mark.parametrize("ratio", [2.0, 4.0])
def test_tackle_balances_a_load_of_ratio_times_the_weight(ratio: float) -> None:
    world, rope = machine(5.0, 5.0 * ratio, ratio=ratio)
    world.step(120)
    assert np.abs(speeds(world)).max() < 1e-12
    assert np.linalg.norm(world.joint_force(rope)[0]) == pytest.approx(5.0 * GRAVITY, rel=1e-12)
    assert world.joint_value(rope) == pytest.approx(HEIGHT * (1 + ratio), rel=1e-12)


def test_tackle_lifts_slowly_what_falls_fast() -> None:
    """m_a ẍ_a = m_a g - T, m_b ẍ_b = m_b g - ρT, ẍ_a = -ρ ẍ_b (down positive)."""
    a, b, ratio = 8.0, 10.0, 2.0
    world, _ = machine(a, b, ratio=ratio)
    world.step(60)
    expected = GRAVITY * (ratio * a - b) / (ratio**2 * a + b)  # of b, upwards
    assert speeds(world) == pytest.approx((-ratio * expected, expected), rel=1e-9)


def test_slack_rope_lets_a_lifted_load_fly() -> None:
    """Thrown up, the load is free until the rope is taut again; then it is caught without bounce:
    what the two have afterwards is what an inelastic pull leaves."""
    world, rope = machine(1.0, 1.0)
    world.set_velocity("a", (0, 0, 0))
    world.set_velocity("b", (0, 5.0, 0))
    world.add_body("floor", Box((4, 0.2, 4)), fixed=True, position=(-1, -0.21, 0))
    world.step(30)
    assert world.joint_value(rope) < 2 * HEIGHT - 0.5
    assert np.linalg.norm(world.joint_force(rope)[0]) == 0.0
    assert speeds(world)[0] == pytest.approx(0.0, abs=1e-9)
    before = energy(world)
    world.step(60)
    assert world.joint_value(rope) < 2 * HEIGHT + 1e-9
    assert energy(world) <= before + 1e-9


def test_winding_lifts_the_load() -> None:
    world = World()
    world.add_body("drum", Box((1, 1, 1)), fixed=True, position=(-1, 0, 0))
    world.add_body("b", Box((0.2, 0.2, 0.2)), mass=1e4, position=(1, 0, 0))
    rope = world.add_joint("pulley", "b", "drum", wheel_a=(1, HEIGHT, 0), wheel_b=(-1, HEIGHT, 0))
    for k in range(60):
        world.set_joint(rope, length=2 * HEIGHT - (k + 1) / 60)
        world.step()
    assert world.position("b")[1] == pytest.approx(1.0, abs=1e-6)


def test_rope_breaks_at_its_load() -> None:
    held, rope = machine(1.0, 2.0, breaks_at=13.2)
    held.step(10)
    assert not held.is_broken(rope)
    torn, rope = machine(1.0, 2.0, breaks_at=13.0)
    torn.step(10)
    assert torn.is_broken(rope)
    assert speeds(torn)[0] < 0.0


def heavy_swing(load: float, h: float, seconds: float, **parameters: object) -> World:
    """A load swings on ten 1 kg links below the wheel, its twin hangs still on the other side."""
    world = World(rate=1 / h)
    links, angle = 10, 0.5
    direction = np.array([np.sin(angle), -np.cos(angle), 0.0])
    world.add_body("twin", Box((1, 1, 1)), mass=load, position=(-5, -6, 0))
    for k in range(links):
        world.add_particle(f"p{k}", mass=1.0, position=direction * (1.0 + 0.5 * k))
    world.add_body("load", Sphere(0.4), mass=load, position=direction * (1.0 + 0.5 * links))
    world.add_joint(
        "pulley", "twin", "p0", wheel_a=(-5, 0, 0), wheel_b=(0, 0, 0), name="rope", **parameters
    )
    names = [*(f"p{k}" for k in range(links)), "load"]
    for a, b in pairwise(names):
        world.add_joint("distance", a, b, length=0.5)
    world.step(round(seconds / h))
    return world


@pytest.mark.parametrize("slack", [True, False])
@pytest.mark.parametrize("load", [1e2, 1e6])
@pytest.mark.parametrize("h", [1 / 60, 0.1])
def test_heavy_load_on_light_links_over_a_wheel(load: float, slack: bool, h: float) -> None:
    """Nothing explodes, without the guard: the mass ratio does not show in any of the bounds.

    Energy: the swing of a step of h wavers by O(h); a gain of at most 1.3 % is what "adaptive"
    promises (physics.md §4). Length: a two-sided rope is solved to 1e-9 m, a one-sided one is
    linearised once a step and errs by ½h²v²/l, v = 4 m/s at most and l ≥ 1 m here.
    """
    world = heavy_swing(load, h, 0.0, slack=slack)
    start, length = energy(world), world.joint_value("rope")
    scale = load * GRAVITY * 6.0 * (1 - np.cos(0.5))
    for _ in range(round(3.0 / h)):
        world.step()
        assert energy(world) - start < 0.013 * scale
        off = abs(world.joint_value("rope") - length)
        assert off < (0.5 * (4.0 * h) ** 2 if slack else 2e-9)
    assert sum(world.stats.guard.values()) == 0
    assert np.linalg.norm(world.velocity("load")) > 1.0


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("masses", [(1.0, 100.0), (100.0, 1.0), (27.0, 45.0), (1.0, 1e4)])
def test_load_drawn_up_to_its_wheel_hangs_below_it(
    masses: tuple[float, float], ratio: float
) -> None:
    """It knocks against the wheel, 5 cm from the point the rope runs over, and both are still: no
    energy is won, the rope keeps its length, and no substep is refused."""
    world, rope = machine(*masses, ratio=ratio)
    start, scale = energy(world), max(masses) * GRAVITY * HEIGHT
    length = HEIGHT * (1 + ratio)
    for _ in range(600):
        world.step()
        assert energy(world) < start + 1e-9 * scale
        assert world.joint_value(rope) < length + 1e-9
    light = "a" if masses[0] * ratio < masses[1] else "b"
    assert world.position(light)[1] == pytest.approx(HEIGHT - 0.05, abs=1e-3)
    assert np.abs(speeds(world)).max() < 1e-6
    assert sum(world.stats.guard.values()) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ratio": 0.0}, "at least 0.001"),
        ({"wheel_a": (0, 1)}, "three finite numbers"),
        ({"wheel_a": None}, "three"),
        ({"wheel": (0, 1, 0)}, 'did you mean "wheel_'),
    ],
)
def test_bad_pulley_is_answered_kindly(wrong: dict[str, object], message: str) -> None:
    world = World()
    for name in "ab":
        world.add_particle(name, mass=1.0, position=(0, 0, 0))
    with pytest.raises(ValueError, match=message):
        world.add_joint("pulley", "a", "b", **{"wheel_a": (0, 5, 0), **wrong})
