"""Gears on moving carriers against Willis' formula and closed forms.

(ω_b - ω_c) = ρ (ω_a - ω_c) holds for wheels in mesh whose bearings turn with ω_c. Tolerances are
those of round-off and of the joint solve, or of the step's second order where they say so.
"""

import math

import numpy as np
import pytest

from physics import Box, Handle, Sphere, World

UP = (0.0, 1.0, 0.0)
SUN, PLANET = 0.3, 0.2  # pitch radii, m
ARM = SUN + PLANET
RING = SUN + 2 * PLANET
SIZES = {"arm": (1.0, 0.1, 0.1), "sun": (0.4, 0.1, 0.4), "planet": (0.3, 0.1, 0.3)}


def planetary(gravity: float = 0.0, tumbling: bool = False, **sizes: float) -> World:
    """A sun on the carrier's axis, an arm that turns about it, and a planet on the arm.

    Upright on a bearing of the world, or free in space.
    """
    world = World(rate=240, gravity=(0, -gravity, 0))
    mass = sizes.get("arm", 2.0)
    world.add_body("arm", Box(SIZES["arm"]), mass=mass, position=(0, 0, 0), mask=0)
    world.add_body("sun", Box(SIZES["sun"]), mass=3.0, position=(0, 0.1, 0), mask=0)
    planet = sizes.get("planet", 1.0)
    world.add_body("planet", Box(SIZES["planet"]), mass=planet, position=(ARM, 0.1, 0), mask=0)
    world.add_joint("hinge", "arm", "sun", at=(0, 0.1, 0), axis=UP)
    world.add_joint("hinge", "arm", "planet", at=(ARM, 0.1, 0), axis=UP)
    if not tumbling:
        world.add_joint("hinge", "arm", at=(0, 0, 0), axis=UP)
    return world


def mesh(world: World, a: str, b: str | None, ratio: float, **more: object) -> Handle:
    """Between the wheels' centres; with one body, with a wheel that stands still about the sun."""
    at_b = (0.0, 0.1, 0.0) if b is None else world.position(b)
    return world.add_joint(
        "epicyclic_gear",
        a,
        b,
        at_a=world.position(a),
        at_b=at_b,
        **{"axis": UP, "ratio": ratio, **more},
    )


def rate(world: World, name: str) -> float:
    return float(world.angular_velocity(name)[1])


def test_a_planet_rolls_round_a_sun_that_is_held() -> None:
    """ω_sun = 0: the planet turns (1 - ρ) times as fast as its arm, here 1 + 0.3/0.2 = 2.5."""
    world = planetary()
    world.add_joint("hinge", "sun", at=(0, 0.1, 0), axis=UP, motor={"speed": 0.0})
    mesh(world, "sun", "planet", -SUN / PLANET)
    for _ in range(480):
        world.apply_torque("arm", (0, 1.0, 0))
        world.step()
    assert rate(world, "arm") > 1.0
    assert rate(world, "planet") == pytest.approx((1 + SUN / PLANET) * rate(world, "arm"), rel=1e-6)
    assert world.stats.guard["frozen"] == 0


def test_sun_ring_and_carrier_are_a_reduction() -> None:
    """A ring that stands still: the arm turns sun/(sun + ring) times as fast as the sun, and the
    inertia the sun feels is I_s + I_arm/i² + m_p R²/i² + I_p (ω_p/ω_s)², i = 1 + ring/sun."""
    world = planetary()
    mesh(world, "sun", "planet", -SUN / PLANET)
    mesh(world, "planet", None, PLANET / RING)
    steps, torque = 480, 2.0
    for _ in range(steps):
        world.apply_torque("sun", (0, torque, 0))
        world.step()
    i = 1 + RING / SUN
    assert rate(world, "arm") == pytest.approx(rate(world, "sun") / i, rel=1e-6)
    planet = (1 - RING / PLANET) / i  # turns of the planet for one of the sun
    assert rate(world, "planet") == pytest.approx(planet * rate(world, "sun"), rel=1e-6)
    inertia = (
        3.0 * 2 * 0.4**2 / 12
        + 2.0 * (1.0 + 0.01) / 12 / i**2
        + ARM**2 / i**2
        + 2 * 0.3**2 / 12 * planet**2
    )
    assert rate(world, "sun") == pytest.approx(torque * steps / 240 / inertia, rel=1e-4)


def test_the_carrier_may_tumble() -> None:
    """Free in space, turning about all axes: Willis' formula holds in the axes of the carrier, and
    energy and angular momentum stay."""
    world = planetary(tumbling=True)
    joint = mesh(world, "sun", "planet", -SUN / PLANET)
    world.set_angular_velocity("sun", (0.0, 6.0, 0.0))
    world.set_angular_velocity("arm", (1.5, 0.5, 0.8))
    world.step()
    before, spin = world.energy().kinetic, _momentum(world)
    for _ in range(480):
        world.step()
    turn = world.angular_velocity("arm")
    axis = world.joint(joint).axis
    sun, planet = (world.angular_velocity(name) - turn for name in ("sun", "planet"))
    assert abs(sun @ axis) > 0.5
    assert planet @ axis == pytest.approx(-SUN / PLANET * (sun @ axis), rel=1e-3)
    assert world.joint_speed(joint) == pytest.approx(sun @ axis, rel=1e-3)
    assert world.joint_error(joint) < 1e-6
    assert world.energy().kinetic == pytest.approx(before, rel=1e-2)
    assert _momentum(world) == pytest.approx(spin, rel=0, abs=1e-2 * np.abs(spin).max())


def _axes(world: World, name: str) -> np.ndarray:
    """The axes of a body as columns."""
    middle = world.to_world(name, (0, 0, 0))
    return np.array([world.to_world(name, unit) - middle for unit in np.eye(3)]).T


def _momentum(world: World) -> np.ndarray:
    """About the origin, kg m²/s."""
    total = np.zeros(3)
    for name in ("arm", "sun", "planet"):
        R, size = _axes(world, name), np.array(SIZES[name])
        inertia = world.mass(name) / 12 * (size @ size - size**2)
        total += world.mass(name) * np.cross(world.position(name), world.velocity(name))
        total += R @ (inertia * (R.T @ world.angular_velocity(name)))
    return total


@pytest.mark.parametrize("drive", [(1.0, 1.0), (1.0, -1.0), (2.0, 0.5)])
def test_a_differential_shares_out_torque_and_adds_speeds(drive: tuple[float, float]) -> None:
    """Bevel wheels: ω_left + ω_right = 2 ω_cage, whatever brakes the two sides."""
    world = World(rate=240, gravity=(0, 0, 0))
    side, spider = 0.2, 0.1  # where the middles are; axes x and y cross in the origin
    world.add_body("cage", Box((0.3, 0.5, 0.3)), mass=2.0, position=(0, 0, 0), mask=0)
    world.add_joint("hinge", "cage", at=(0, 0, 0), axis=(1, 0, 0))
    for name, at, axis in (
        ("left", (-side, 0, 0), (1, 0, 0)),
        ("right", (side, 0, 0), (1, 0, 0)),
        ("spider", (0, spider, 0), (0, 1, 0)),
    ):
        world.add_body(name, Box((0.1, 0.1, 0.1)), mass=1.0, position=at, mask=0)
        world.add_joint("hinge", "cage", name, at=at, axis=axis)
    for name, ratio in (("left", 1.0), ("right", -1.0)):
        mesh(world, name, "spider", ratio, axis=(1, 0, 0), second_axis=(0, 1, 0))
    for _ in range(240):
        world.apply_torque("cage", (3.0, 0, 0))
        for name, brake in zip(("left", "right"), drive, strict=True):
            world.apply_torque(name, (-0.3 * brake, 0, 0))
        world.step()
    left, right, cage = (world.angular_velocity(name)[0] for name in ("left", "right", "cage"))
    assert cage > 1.0
    assert left + right == pytest.approx(2 * cage, rel=1e-6)
    if drive[0] == drive[1]:
        assert left == pytest.approx(right, rel=1e-6)
    else:
        assert abs(left - right) > 0.1 * cage


def test_a_gearbox_in_a_car_that_turns() -> None:
    """A `gear` counts turns against the world; one on a carrier does not mind where it drives."""
    world = World(rate=240, gravity=(0, 0, 0))
    world.add_body("car", Box((1, 0.4, 0.6)), mass=20.0, position=(0, 0, 0), mask=0)
    for name, x, motor in (("input", -0.2, {"speed": 5.0}), ("output", 0.2, None)):
        world.add_body(name, Box((0.2, 0.2, 0.1)), mass=1.0, position=(x, 0, 0), mask=0)
        world.add_joint("hinge", "car", name, at=(x, 0, 0), axis=(0, 0, 1), motor=motor)
    mesh(world, "input", "output", -2.0, axis=(0, 0, 1))
    world.set_angular_velocity("car", (0.2, 1.0, 0.3))
    world.step(480)
    turn = world.angular_velocity("car")
    axis = _axes(world, "car")[:, 2]
    assert (world.angular_velocity("input") - turn) @ axis == pytest.approx(5.0, rel=1e-2)
    assert (world.angular_velocity("output") - turn) @ axis == pytest.approx(-10.0, rel=1e-2)


def test_the_force_on_a_tooth_is_that_of_the_lever() -> None:
    """Wheels held against a torque: f = τ/r on each, at the pitch circle."""
    world = planetary()
    world.add_joint("hinge", "sun", at=(0, 0.1, 0), axis=UP, motor={"speed": 0.0})
    joint = mesh(world, "sun", "planet", -SUN / PLANET, breaks_at=1e6)
    world.add_joint("fixed", "arm")
    for _ in range(60):
        world.apply_torque("planet", (0, 4.0, 0))
        world.step()
    force, torque = world.joint_force(joint)
    assert abs(torque[1]) == pytest.approx(4.0 * SUN / PLANET, rel=1e-5)
    assert np.linalg.norm(force) == pytest.approx(4.0 / PLANET, rel=1e-5)


def test_teeth_break_at_their_force() -> None:
    for share, holds in ((0.5, True), (2.0, False)):
        world = planetary()
        world.add_joint("hinge", "sun", at=(0, 0.1, 0), axis=UP, motor={"speed": 0.0})
        world.add_joint("fixed", "arm")
        joint = mesh(world, "sun", "planet", -SUN / PLANET, breaks_at=share * 4.0 / PLANET)
        for _ in range(60):
            world.apply_torque("planet", (0, 4.0 * share**2, 0))
            world.step()
        assert world.is_broken(joint) != holds


@pytest.mark.parametrize("solver", ["direct", "pgs"])
@pytest.mark.parametrize("stabilization", ["none", "geometric", "constraint", "adaptive"])
def test_a_heavy_arm_and_a_light_planet(stabilization: str, solver: str) -> None:
    world = planetary(arm=1000.0, planet=0.1)
    world.stabilization, world.solver = stabilization, solver
    mesh(world, "sun", "planet", -SUN / PLANET)
    for _ in range(120):
        world.apply_torque("planet", (0, 0.01, 0))
        world.step()
    turn = rate(world, "arm")
    expected = -SUN / PLANET * (rate(world, "sun") - turn)
    close = 2e-2 if solver == "pgs" else 1e-5
    assert not world.diverged
    assert rate(world, "planet") - turn == pytest.approx(expected, rel=close)
    assert rate(world, "planet") > 0


def test_wheels_that_no_bearing_holds_may_fly_apart() -> None:
    """Nothing keeps them beside each other: the row may become singular, and nothing explodes."""
    world = World(rate=120, gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 0.5)):
        world.add_body(name, Box((0.5, 0.4, 0.3)), mass=1.0, position=(x, 0, 0), mask=0)
    mesh(world, "a", "b", -2.0)
    world.set_angular_velocity("a", (4.0, 2.5, 0.3))
    world.set_velocity("b", (-0.5, 0.3, 0.1))
    world.step()
    before = world.energy().kinetic
    world.step(480)
    assert not world.diverged
    assert world.energy().kinetic < 1.05 * before


def test_two_dimensions() -> None:
    world = World(rate=120, dimension=2)
    world.add_body("arm", Box((1, 0.1, 0.1)), mass=1.0, position=(0, 0, 0), mask=0)
    world.add_body("planet", Sphere(0.2), mass=1.0, position=(0.5, 0, 0), mask=0)
    world.add_joint("hinge", "arm", at=(0, 0, 0), axis=(0, 0, 1), motor={"speed": 2.0})
    world.add_joint("hinge", "arm", "planet", at=(0.5, 0, 0), axis=(0, 0, 1))
    world.add_joint("epicyclic_gear", "planet", at_b=(0, 0, 0), axis=(0, 0, 1), ratio=-0.2 / 0.3)
    world.step(240)
    assert world.angular_velocity("planet")[2] == pytest.approx(2.0 * 2.5, rel=1e-5)


def test_bad_gears_are_answered_kindly() -> None:
    world = World()
    for name, y in (("a", 0.0), ("b", 1.0)):
        world.add_body(name, Sphere(0.1), mass=1.0, position=(0, y, 0))
    for wrong, message in (
        ({"axis": UP}, "stand beside each other"),
        ({"axis": (1, 0, 0), "second_axis": UP}, "second wheel"),
        ({"axis": (1, 0, 0), "ratio": 1e9}, "at most 1000"),
        ({"axis": (1, 0, 0), "ratio": math.nan}, "NaN"),
    ):
        before = world.hash()
        with pytest.raises(ValueError, match=message):
            world.add_joint("epicyclic_gear", "a", "b", **wrong)
        assert world.hash() == before
