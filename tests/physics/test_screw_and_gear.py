"""A nut on a bolt and wheels that mesh, against what is known of them in closed form.

A screw about a fixed axis moves under a constant force with a constant acceleration, where one step
is exact; so do gears on bearings. Tolerances are those of round-off and of the joint solve.
"""

import math

import pytest

from physics import Box, Handle, Sphere, World

PITCH = 0.05  # m
GRAVITY = 9.81
MASS = 3.0
SIZE = (0.4, 0.2, 0.4)
INERTIA = MASS * (SIZE[0] ** 2 + SIZE[2] ** 2) / 12  # about the bolt, kg m²
UP = (0.0, 1.0, 0.0)


def nut(pitch: float = PITCH, **parameters: object) -> tuple[World, Handle]:
    """A nut on an upright bolt. The nut is body b, so that its own turn is measured."""
    world = World(rate=120)
    world.add_body("bolt", Sphere(0.1), position=(0, 0, 0), fixed=True, mask=0)
    world.add_body("nut", Box(SIZE), mass=MASS, position=(0, 1, 0), mask=0)
    joint = world.add_joint(
        "screw", "bolt", "nut", at=(0, 1, 0), axis=UP, pitch=pitch, **parameters
    )
    return world, joint


def turn_rate(world: World, name: str) -> float:
    return float(world.angular_velocity(name)[1])


# --- screw ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", [PITCH, -PITCH, 2.0])
def test_a_loose_nut_winds_itself_down(pitch: float) -> None:
    """(m κ² + I) θ̈ = -m g κ with κ = pitch/2π."""
    world, joint = nut(pitch)
    steps, h = 240, 1 / 120
    world.step(steps)
    kappa = pitch / (2 * math.pi)
    acceleration = -MASS * GRAVITY * kappa / (MASS * kappa**2 + INERTIA)
    assert turn_rate(world, "nut") == pytest.approx(acceleration * steps * h, rel=1e-9)
    turned = world.joint_value(joint)
    assert turned == pytest.approx(0.5 * acceleration * (h * steps) ** 2, rel=1e-6)
    assert world.position("nut")[1] - 1 == pytest.approx(kappa * turned, abs=1e-9)
    assert world.joint_error(joint) < 1e-9


@pytest.mark.parametrize("share", [0.9, 1.0, 1.1])
def test_torque_becomes_force(share: float) -> None:
    """τ = F pitch/2π holds a weight of F; less lets it down, more lifts it."""
    world, _ = nut()
    held = MASS * GRAVITY * PITCH / (2 * math.pi)
    for _ in range(60):
        world.apply_torque("nut", (0, share * held, 0))
        world.step()
    kappa = PITCH / (2 * math.pi)
    expected = (share - 1) * held / (MASS * kappa**2 + INERTIA) * 60 / 120
    assert turn_rate(world, "nut") == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_motor_lifts_by_the_pitch_for_every_turn() -> None:
    world, joint = nut(motor={"speed": 4 * math.pi})
    world.step(120)
    world.step(600)  # five seconds at two turns a second
    turns = world.joint_value(joint) / (2 * math.pi)
    assert turns == pytest.approx(12.0, abs=0.05)
    assert world.position("nut")[1] - 1 == pytest.approx(PITCH * turns, abs=1e-8)
    force, torque = world.joint_force(joint)  # on the bolt
    assert force[1] == pytest.approx(-MASS * GRAVITY, rel=1e-6)
    assert abs(torque[1]) < 1e-6 * MASS * GRAVITY * PITCH + 1e-9  # thread and motor together


def test_a_weak_motor_cannot_lift_what_is_too_heavy() -> None:
    held = MASS * GRAVITY * PITCH / (2 * math.pi)
    for share, rises in ((0.8, False), (1.2, True)):
        world, _ = nut(motor={"speed": 5.0, "max_force": share * held})
        world.step(120)
        assert (world.position("nut")[1] > 1) == rises


def test_limits_stop_the_nut_after_whole_turns() -> None:
    low = -7 * math.pi  # three and a half turns down
    world, joint = nut(pitch=1.0, limits=(low, 1.0))
    world.step(600)
    assert world.joint_value(joint) == pytest.approx(low, abs=1e-3)
    assert world.position("nut")[1] - 1 == pytest.approx(low / (2 * math.pi), abs=1e-3)


def test_a_screw_keeps_energy_and_its_thread_while_it_flies() -> None:
    """Bolt and nut tumbling freely: momentum stays, and the nut stays on the thread."""
    world = World(rate=240, gravity=(0, 0, 0))
    world.add_body("bolt", Box((0.1, 1.0, 0.1)), mass=2.0, position=(0, 0, 0), mask=0)
    world.add_body("nut", Box(SIZE), mass=MASS, position=(0, 0.3, 0), mask=0)
    joint = world.add_joint("screw", "bolt", "nut", at=(0, 0.3, 0), axis=UP, pitch=0.1)
    world.set_velocity("nut", (0.2, 0.0, 0.1))
    world.set_angular_velocity("nut", (0.3, 6.0, -0.2))
    world.step()
    before, momentum = (
        world.energy().total,
        2.0 * world.velocity("bolt") + MASS * world.velocity("nut"),
    )
    world.step(480)
    after = 2.0 * world.velocity("bolt") + MASS * world.velocity("nut")
    assert world.joint_error(joint) < 1e-7
    assert world.energy().total == pytest.approx(before, rel=2e-2)
    assert after == pytest.approx(momentum, abs=1e-9)


@pytest.mark.parametrize("stabilization", ["none", "geometric", "inertial", "adaptive"])
def test_a_heavy_jack_holds_under_every_stabilization(stabilization: str) -> None:
    world = World(rate=60, stabilization=stabilization)
    world.add_body("nut", Box(SIZE), mass=1.0, position=(0, 1, 0), mask=0)
    world.add_body("load", Box((1, 1, 1)), mass=1000.0, position=(0, 1.6, 0), mask=0)
    joint = world.add_joint(
        "screw", "nut", at=(0, 1, 0), axis=UP, pitch=PITCH, motor={"speed": -2 * math.pi}
    )
    world.add_joint("hinge", "nut", "load", at=(0, 1.1, 0), axis=UP)
    world.step(120)
    assert not world.diverged
    assert abs(world.position("nut")[1] - 1) == pytest.approx(2 * PITCH, abs=0.1 * PITCH)
    assert world.joint_error(joint) < 1e-6


# --- gear -----------------------------------------------------------------------------------------


def wheels(
    ratio: float, axes: tuple[tuple[float, ...], tuple[float, ...]] = (UP, UP), **parameters: object
) -> tuple[World, Handle]:
    """Two boxes on bearings of the world, a of four times the inertia of b."""
    world = World(rate=120)
    for name, x, mass, axis in (("a", 0.0, 4.0, axes[0]), ("b", 1.0, 1.0, axes[1])):
        world.add_body(name, Box((0.5, 0.5, 0.5)), mass=mass, position=(x, 0, 0), mask=0)
        world.add_joint("hinge", name, at=(x, 0, 0), axis=axis)
    second = {} if axes[0] == axes[1] else {"second_axis": axes[1]}
    return world, world.add_joint(
        "gear", "a", "b", axis=axes[0], ratio=ratio, **second, **parameters
    )


I_A, I_B = 4.0 * 0.5**2 / 6, 1.0 * 0.5**2 / 6  # kg m²


@pytest.mark.parametrize("ratio", [-1.0, -2.5, 0.3, 40.0])
def test_gear_reduces_inertia_by_the_square_of_its_ratio(ratio: float) -> None:
    """τ on a: (I_a + ratio² I_b) θ̈_a = τ, θ_b = ratio θ_a, over many turns."""
    world, joint = wheels(ratio)
    torque = 2.0
    for _ in range(240):
        world.apply_torque("a", (0, torque, 0))
        world.step()
    speed = torque * 2.0 / (I_A + ratio**2 * I_B)
    assert turn_rate(world, "a") == pytest.approx(speed, rel=1e-8)
    assert turn_rate(world, "b") == pytest.approx(ratio * speed, rel=1e-8)
    assert world.joint_value(joint) == pytest.approx(speed * 2.0 / 2, rel=1e-6)
    work = torque * world.joint_value(joint)
    assert world.energy().kinetic == pytest.approx(work, rel=1e-6)


def test_gear_conserves_power() -> None:
    """A driven and a braked wheel: in balance τ_b = -τ_a/ratio, and nothing accelerates."""
    ratio = -3.0
    world, joint = wheels(ratio)
    world.set_angular_velocity("a", (0, 1.0, 0))
    world.set_angular_velocity("b", (0, ratio, 0))
    for _ in range(240):
        world.apply_torque("a", (0, 6.0, 0))
        world.apply_torque("b", (0, -6.0 / ratio, 0))
        world.step()
    assert turn_rate(world, "a") == pytest.approx(1.0, rel=1e-9)
    assert turn_rate(world, "b") == pytest.approx(ratio, rel=1e-9)
    torque = world.joint_force(joint)[1]
    assert torque == pytest.approx([0.0, -6.0, 0.0], abs=1e-6)


def test_bevel_gears_turn_about_different_axes() -> None:
    across = (1.0, 0.0, 0.0)
    world, _ = wheels(2.0, (UP, across))
    for _ in range(120):
        world.apply_torque("a", (0, 1.0, 0))
        world.step()
    speed = 1.0 / (I_A + 4.0 * I_B)
    assert world.angular_velocity("a") == pytest.approx([0, speed, 0], rel=1e-8, abs=1e-9)
    assert world.angular_velocity("b") == pytest.approx([2 * speed, 0, 0], rel=1e-8, abs=1e-9)


def test_a_train_multiplies_its_ratios() -> None:
    world = World(rate=120)
    ratios = (-2.0, -1.5, -3.0)
    for k in range(4):
        world.add_body(f"w{k}", Box((0.3, 0.1, 0.3)), mass=1.0, position=(0.4 * k, 0, 0), mask=0)
        world.add_joint("hinge", f"w{k}", at=(0.4 * k, 0, 0), axis=UP)
    for k, ratio in enumerate(ratios):
        world.add_joint("gear", f"w{k}", f"w{k + 1}", axis=UP, ratio=ratio)
    for _ in range(240):
        world.apply_torque("w0", (0, 0.5, 0))
        world.step()
    turned = [turn_rate(world, f"w{k}") for k in range(4)]
    assert turned[0] > 0.1
    assert turned[3] / turned[0] == pytest.approx(math.prod(ratios), rel=1e-9)


def test_gears_of_two_dimensions_are_in_the_plane() -> None:
    world = World(rate=60, dimension=2)
    for name, x in (("a", 0.0), ("b", 1.0)):
        world.add_body(name, Box((0.5, 0.5, 0.5)), mass=1.0, position=(x, 0, 0), mask=0)
        world.add_joint("hinge", name, at=(x, 0, 0), axis=(0, 0, 1))
    world.add_joint("gear", "a", "b", axis=(0, 0, 1), ratio=-4.0)
    for _ in range(60):
        world.apply_torque("a", (0, 0, 1.0))
        world.step()
    ratio = world.angular_velocity("b")[2] / world.angular_velocity("a")[2]
    assert ratio == pytest.approx(-4.0, rel=1e-9)


@pytest.mark.parametrize("solver", ["direct", "pgs"])
@pytest.mark.parametrize("stabilization", ["none", "geometric", "constraint", "adaptive"])
def test_a_heavy_flywheel_behind_a_light_wheel(stabilization: str, solver: str) -> None:
    world, _ = wheels(0.1, compliance=0.0)
    world.stabilization, world.solver = stabilization, solver
    for _ in range(120):
        world.apply_torque("b", (0, 1.0, 0))
        world.step()
    speeds = turn_rate(world, "a"), turn_rate(world, "b")
    assert not world.diverged
    assert speeds[1] == pytest.approx(0.1 * speeds[0], rel=1e-3 if solver == "pgs" else 1e-8)
    assert speeds[0] > 0


def test_a_wheel_without_a_bearing_may_turn_over() -> None:
    """At half a turn of swing the twist is singular: the row is disabled, and holds again later."""
    world = World(rate=120, gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 1.0)):
        world.add_body(name, Box((0.5, 0.4, 0.3)), mass=1.0, position=(x, 0, 0), mask=0)
    world.add_joint("hinge", "b", at=(1, 0, 0), axis=UP)
    world.add_joint("gear", "a", "b", axis=UP, ratio=-2.0)
    world.set_angular_velocity("a", (4.0, 0.5, 0.3))
    world.step()
    before = world.energy().kinetic
    world.step(480)
    assert world.stats.guard["frozen"] == world.stats.guard["implicit"] == 0
    assert 0.5 * before < world.energy().kinetic < 1.02 * before


def test_the_ratio_of_turning_wheels_cannot_change() -> None:
    """The angles so far would no longer fit: the wheels would be thrown round."""
    world, joint = wheels(-1.0)
    with pytest.raises(ValueError, match=r'"ratio" .* cannot be changed while running'):
        world.set_joint(joint, ratio=2.0)
    world.set_joint(joint, breaks_at=50.0)


@pytest.mark.parametrize(
    ("kind", "wrong", "message"),
    [
        ("screw", {}, "pitch"),
        ("screw", {"pitch": math.inf}, "finite"),
        ("gear", {"ratio": 1e9}, "at most 1000"),
        ("gear", {"second_axis": (0, 0, 0)}, "no length"),
        ("gear", {"second_axis": "up"}, "three numbers"),
    ],
)
def test_bad_screws_and_gears_are_answered_kindly(
    kind: str, wrong: dict[str, object], message: str
) -> None:
    world = World()
    for name in "ab":
        world.add_body(name, Sphere(0.1), mass=1.0, position=(0, 0, 0))
    with pytest.raises(ValueError, match=message):
        world.add_joint(kind, "a", "b", at=(0, 0, 0), axis=UP, **wrong)
