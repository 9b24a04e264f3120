"""Islands at rest fall asleep, cost nothing, and wake when anything concerns them."""

import numpy as np
import pytest

from physics import Box, Sphere, World
from physics.params import PILE_SUBSTEPS
from tests.physics.contact.scenes import on_ground, pyramid


def settled(world: World, seconds: float = 3.0) -> None:
    for _ in range(int(seconds * world.rate)):
        world.step()


def two_piles() -> World:
    """Two piles of two boxes, asleep."""
    world = on_ground()
    for name, x in (("left", -3.0), ("right", 3.0)):
        for k in range(2):
            world.add_body(
                f"{name} {k}", Box((0.5, 0.5, 0.5)), mass=1.0, position=(x, 0.25 + 0.5 * k, 0)
            )
    settled(world)
    assert world.stats.asleep == 4
    return world


def test_a_pile_falls_asleep_and_stays_where_it_is() -> None:
    world = on_ground()
    boxes = pyramid(world, 3)
    settled(world, 2.0)
    assert all(world.asleep(box) for box in boxes)
    before = world.hash()
    places = world.poses()[0]
    world.step(600)
    assert np.array_equal(world.poses()[0], places)
    assert world.hash() != before  # time goes on
    assert world.stats.steps == 720


def test_what_moves_does_not_sleep() -> None:
    world = on_ground()
    world.add_body("ball", Sphere(0.2), mass=1.0, position=(0, 0.2, 0), velocity=(0.05, 0, 0))
    world.add_joint(
        "ball",
        world.add_body("bob", Sphere(0.1), mass=1.0, position=(3, 3, 0), mask=0),
        at=(0, 3, 0),
    )
    settled(world, 4.0)
    assert world.stats.asleep == 0
    assert world.stats.islands == 2


def test_sleeping_can_be_switched_off() -> None:
    world = two_piles()
    world.sleeping = False
    assert world.stats.asleep == 0
    settled(world)
    assert world.stats.asleep == 0


@pytest.mark.parametrize(
    "edit",
    [
        lambda world: world.set_velocity("left 0", (0, 0.1, 0)),
        lambda world: world.set_position("left 1", (-3, 0.75, 0)),
        lambda world: world.apply_force("left 1", (1, 0, 0)),
        lambda world: world.apply_impulse("left 0", (0, 0.1, 0)),
        lambda world: world.apply_torque("left 0", (0, 0.1, 0)),
        lambda world: world.grab("left 0", (-3, 0.25, 0)),
        lambda world: world.add_joint("spring", "left 0", at_b=(-3, 3, 0), stiffness=1.0),
        lambda world: world.remove("left 0"),
        lambda world: world.wake("left 0"),
    ],
)
def test_edits_wake_the_island_they_touch_and_no_other(edit) -> None:
    world = two_piles()
    edit(world)
    world.step()
    assert not world.asleep("left 1")
    assert world.asleep("right 0")


def test_gravity_wakes_everything() -> None:
    world = two_piles()
    world.gravity = (0, -9.81, 0)
    assert world.stats.asleep == 4
    world.gravity = (0.1, -9.81, 0)
    world.step()
    assert world.stats.asleep == 0


def test_a_falling_ball_wakes_the_pile_it_hits() -> None:
    world = two_piles()
    world.add_body("ball", Sphere(0.2), mass=1.0, position=(-3, 3, 0))
    world.step(20)
    assert world.asleep("left 0")
    world.step(40)
    assert not world.asleep("left 0")
    assert not world.asleep("left 1")
    assert world.asleep("right 0")
    settled(world, 4.0)
    assert world.asleep("left 0")


def test_a_moving_platform_wakes_what_it_touches() -> None:
    world = two_piles()
    world.add_body("ram", Box((1, 1, 1)), keyframed=True, position=(-5, 0.55, 0))
    world.step()
    assert world.asleep("left 0")
    world.set_velocity("ram", (1.0, 0, 0))
    world.step(120)
    assert world.position("left 0")[0] > -2.9
    assert world.asleep("right 0")


def test_removing_the_support_wakes_what_stood_on_it() -> None:
    world = World()
    world.add_body("table", Box((2, 0.2, 2)), fixed=True)
    ball = world.add_body("box", Box((0.2, 0.2, 0.2)), mass=1.0, position=(0, 0.2, 0))
    settled(world)
    assert world.asleep(ball)
    world.remove("table")
    world.step(30)
    assert world.position(ball)[1] < -0.5


def test_a_pulled_rope_wakes_what_hangs_on_it() -> None:
    world = on_ground()
    above = None
    for k in range(8):
        link = world.add_body(
            f"link {k}", Box((0.05, 0.4, 0.05)), mass=0.2, position=(0, 4.8 - 0.4 * k, 0), mask=0
        )
        world.add_joint("ball", link, above, at=(0, 5 - 0.4 * k, 0))
        above = link
    load = world.add_body("load", Sphere(0.2), mass=50.0, position=(0, 1.6, 0))
    world.add_joint("ball", load, above, at=(0, 1.8, 0))
    settled(world)
    assert world.asleep(load)
    hand = world.grab("link 3", (0, 3.6, 0))
    world.move_grab(hand, (0.5, 3.6, 0))
    world.step(30)
    assert not world.asleep(load)
    assert abs(world.position(load)[0]) > 1e-3


def test_a_motor_wakes_what_it_drives() -> None:
    world = World()
    wheel = world.add_body("wheel", Sphere(0.3), mass=1.0)
    motor = {"speed": 0.0, "max_force": 10.0}
    joint = world.add_joint("hinge", wheel, at=(0, 0, 0), axis=(0, 0, 1), motor=motor)
    settled(world)
    assert world.asleep(wheel)
    world.set_joint(joint, motor={"speed": 2.0})
    world.step(30)
    assert world.angular_velocity(wheel)[2] == pytest.approx(-2.0, abs=0.1) or (
        world.angular_velocity(wheel)[2] == pytest.approx(2.0, abs=0.1)
    )


def test_waking_keeps_the_impulses() -> None:
    """A pile that wakes goes on as it stood: nothing moves, and every contact presses as before."""
    world = two_piles()
    weight = world.contacts()["impulse"].sum()
    assert weight == pytest.approx((2 * 2 + 1 * 2) * 9.81 / 60, rel=1e-3)
    places = [world.position(name) for name in ("left 0", "left 1", "right 0", "right 1")]
    world.wake()
    world.step()
    # asleep, velocities were those of the positions: the first kick lasts half a substep less
    kicks = 1.0 - 0.5 / PILE_SUBSTEPS
    assert world.contacts()["impulse"].sum() == pytest.approx(kicks * weight, rel=1e-3)
    for name, place in zip(("left 0", "left 1", "right 0", "right 1"), places, strict=True):
        assert world.position(name) == pytest.approx(place, abs=5e-6)
    assert not world.events()


def test_a_sleeping_world_restores_bit_by_bit() -> None:
    world = two_piles()
    saved = world.snapshot()
    world.add_body("ball", Sphere(0.2), mass=1.0, position=(-3, 3, 0))
    ends = []
    for _ in range(2):
        world.restore(saved)
        world.apply_impulse("left 1", (0.5, 0, 0))
        world.step(50)
        ends.append(world.hash())
        assert world.asleep("right 0")
    assert ends[0] == ends[1]


def test_sleeping_bodies_keep_their_energy() -> None:
    world = two_piles()
    asleep = world.energy()
    world.wake()
    assert world.energy().total == pytest.approx(asleep.total, rel=1e-12)
