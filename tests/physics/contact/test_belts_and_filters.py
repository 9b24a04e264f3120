"""Conveyor belts, one-way platforms, pairs that never touch, sheets with two sides, overlaps."""

import numpy as np
import pytest

from physics import Box, Cylinder, Part, Plane, Sphere, TriangleMesh, World


def belt_world(**belt) -> World:
    world = World(sleeping=False)
    world.add_body("belt", Box((20, 1, 4)), position=(0, -0.5, 0), friction=0.5, **belt)
    return world


@pytest.mark.parametrize("held", [{"fixed": True}, {"keyframed": True}])
def test_a_box_on_a_belt_speeds_up_by_friction_and_then_runs_along(held) -> None:
    world = belt_world(surface_velocity=(2.0, 0, 0), **held)
    box = world.add_body("box", Box((0.5, 0.5, 0.5)), mass=3.0, position=(0, 0.25, 0), friction=0.5)
    world.step(12)
    assert world.velocity(box)[0] == pytest.approx(0.5 * 9.81 * 0.2, rel=0.02)
    world.step(60)
    np.testing.assert_allclose(world.velocity(box), [2.0, 0, 0], atol=1e-4)
    world.set_surface_velocity("belt", (0, 0, -1.0))
    world.step(120)
    np.testing.assert_allclose(world.velocity(box), [0, 0, -1.0], atol=1e-4)


def test_the_belt_turns_with_its_body_and_moves_what_is_jointed() -> None:
    world = belt_world(
        surface_velocity=(2.0, 0, 0), fixed=True, orientation=(0.5**0.5, 0, 0.5**0.5, 0)
    )
    a = world.add_body("a", Box((0.5, 0.5, 0.5)), mass=3.0, position=(0, 0.25, 0))
    b = world.add_body("b", Box((0.5, 0.5, 0.5)), mass=3.0, position=(0, 0.25, 0.7))
    world.add_joint("fixed", a, b, at=(0, 0.25, 0.35))
    world.step(120)
    np.testing.assert_allclose(world.velocity(a), [0, 0, -2.0], atol=1e-3)
    np.testing.assert_allclose(world.velocity(b), [0, 0, -2.0], atol=1e-3)


def test_a_moving_body_with_a_belt_drives_itself() -> None:
    """A tracked vehicle: its own surface runs backwards, so it goes forward."""
    world = World(sleeping=False)
    world.add_body("floor", Plane(), fixed=True, friction=1.0)
    tank = world.add_body(
        "tank", Box((2, 0.5, 1)), mass=100.0, position=(0, 0.25, 0), friction=1.0,
        surface_velocity=(-1.5, 0, 0),
    )  # fmt: skip
    world.step(120)
    np.testing.assert_allclose(world.velocity(tank), [1.5, 0, 0], atol=1e-3)


@pytest.mark.parametrize("speed", [4.0, 6.5, 30.0])
@pytest.mark.parametrize("shape", [Sphere(0.2), Box((0.4, 0.4, 0.4)), Cylinder(0.2, 0.4)])
def test_a_one_way_platform_is_jumped_through_and_stood_on(shape, speed: float) -> None:
    world = World(sleeping=False)
    world.add_body("platform", Box((3, 0.2, 3)), fixed=True, position=(0, 1, 0), one_way=(0, 1, 0))
    world.add_body("floor", Plane(), fixed=True)
    body = world.add_body("body", shape, mass=1.0, position=(0, 0.3, 0), velocity=(0, speed, 0))
    highest = 0.0
    for _ in range(600):
        world.step()
        highest = max(highest, world.position(body)[1])
    assert highest == pytest.approx(0.3 + speed**2 / 19.62, rel=0.1)
    through = highest > 1.31
    assert world.position(body)[1] == pytest.approx(1.3 if through else 0.2, abs=2e-3)


def test_a_one_way_platform_lets_pass_from_the_side() -> None:
    world = World(gravity=(0, 0, 0))
    world.add_body("platform", Box((1, 0.5, 3)), fixed=True, one_way=(0, 1, 0))
    ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(-2, 0, 0), velocity=(5, 0, 0))
    world.step(60)
    np.testing.assert_allclose(world.velocity(ball), [5, 0, 0], atol=1e-9)


def test_pairs_can_be_told_to_ignore_each_other() -> None:
    world = World()
    world.add_body("floor", Plane(), fixed=True)
    shelf = world.add_body("shelf", Box((2, 0.2, 2)), fixed=True, position=(0, 1, 0))
    a = world.add_body("a", Sphere(0.2), mass=1.0, position=(-0.5, 2, 0))
    b = world.add_body("b", Sphere(0.2), mass=1.0, position=(0.5, 2, 0))
    world.ignore_contacts(a, shelf)
    world.ignore_contacts(shelf, a)  # saying it twice is saying it once
    saved = world.snapshot()
    world.step(120)
    assert world.position(a)[1] == pytest.approx(0.2, abs=1e-3)
    assert world.position(b)[1] == pytest.approx(1.3, abs=1e-3)
    world.restore(saved)
    world.ignore_contacts(a, shelf, False)
    world.step(120)
    assert world.position(a)[1] == pytest.approx(1.3, abs=1e-3)
    with pytest.raises(ValueError, match="itself"):
        world.ignore_contacts(a, a)
    world.ignore_contacts(a, b)
    world.remove(a)
    world.add_body("c", Sphere(0.2), mass=1.0, position=world.position(b) + np.array([0, 1, 0]))
    world.step(120)
    assert world.position("c")[1] > 1.5  # the slot of a forgets what a ignored


QUAD = ([(-2, 0, -2), (2, 0, -2), (2, 0, 2), (-2, 0, 2)], [(0, 2, 1), (0, 3, 2)])


@pytest.mark.parametrize("shape", [Sphere(0.2), Box((0.4, 0.3, 0.4)), Cylinder(0.2, 0.4)])
@pytest.mark.parametrize("speed", [0.0, 3.0, 60.0])
def test_a_sheet_with_two_sides_holds_from_both(shape, speed: float) -> None:
    for side in (1.0, -1.0):
        world = World(gravity=(0, -9.81 * side, 0))
        world.add_body("sheet", TriangleMesh(*QUAD, two_sided=True), fixed=True)
        body = world.add_body(
            "body", shape, mass=1.0, position=(0.3, side * 1.0, 0.2), velocity=(0, -side * speed, 0)
        )
        world.step(200)
        assert 0.1 < side * world.position(body)[1] < 0.25
    world = World()
    world.add_body("sheet", TriangleMesh(*QUAD), fixed=True)
    body = world.add_body("body", shape, mass=1.0, position=(0.3, -1, 0.2), velocity=(0, 20, 0))
    world.step(10)
    assert world.position(body)[1] > 1.0  # with one side it passes from below


def test_overlaps_name_pairs_and_depths_and_change_nothing() -> None:
    world = World()
    world.add_body("floor", Plane(), fixed=True)
    world.add_body("ball", Sphere(0.5), mass=1.0, position=(0, 0.4, 0))
    world.add_body("box", Box((1, 1, 1)), mass=1.0, position=(0.9, 0.5, 0))
    world.add_body("far", Box((1, 1, 1)), mass=1.0, position=(5, 3, 0))
    world.add_body(
        "two", parts=[Part(Sphere(0.3)), Part(Sphere(0.3), (0.2, 0, 0))], density=1.0,
        position=(-3, 3, 0),
    )  # fmt: skip
    mark = world.hash()
    found = {(a.name, b.name): depth for a, b, depth in world.overlaps()}
    assert found == {
        ("floor", "ball"): pytest.approx(0.1), ("ball", "box"): pytest.approx(0.1),
    }  # fmt: skip
    assert world.hash() == mark
    world.ignore_contacts("ball", "box")
    assert [(a.name, b.name) for a, b, _ in world.overlaps()] == [("floor", "ball")]
    assert world.overlaps(0.2) == []
