"""What the world says about contacts: events, lists, queries, saving, removal."""

import math
from functools import partial

import numpy as np
import pytest

from physics import Box, Plane, Sphere, World
from tests.counting import calls
from tests.physics.contact.scenes import on_ground, pyramid


def test_same_world_same_bits() -> None:
    def run() -> str:
        world = on_ground()
        pyramid(world, 4)
        world.add_body("ball", Sphere(0.2), mass=5.0, position=(-2, 0.8, 0.1), velocity=(8, 0, 0))
        world.step(90)
        return world.hash()

    assert run() == run()


def test_restored_world_goes_on_bit_by_bit() -> None:
    world = on_ground()
    pyramid(world, 3)
    world.add_body("ball", Sphere(0.2), mass=5.0, position=(-2, 0.8, 0.1), velocity=(8, 0, 0))
    world.step(20)
    saved = world.snapshot()
    world.step(30)
    end = world.hash()
    world.restore(saved)
    world.step(30)
    assert world.hash() == end


def test_begin_and_end_are_reported_once() -> None:
    world = on_ground()
    ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 0.3, 0), restitution=0.8)
    seen = []
    for _ in range(40):
        world.step()
        seen += world.events()
    kinds = [event[0] for event in seen]
    assert kinds[:2] == ["contact_begin", "contact_end"]
    _, a, b, point, impulse = seen[0]
    assert {world.name(a), world.name(b)} == {"ground", "ball"}
    assert ball in (a, b)
    assert abs(point[1]) < 0.05
    assert impulse > 1.0


def test_queries() -> None:
    world = on_ground()
    box = world.add_body("box", Box((1, 1, 1)), mass=1.0, position=(0, 0.5, 0))
    hit = world.raycast((0, 5, 0), (0, -1, 0))
    assert hit is not None
    assert hit.handle == box
    assert hit.distance == pytest.approx(4.0)
    assert world.overlap((0, 1.2, 0), 0.3) == [box]
    assert world.raycast((5, 5, 0), (0, 1, 0)) is None


def test_cast_shapes_meet_the_first_body() -> None:
    world = on_ground()
    box = world.add_body("box", Box((1, 1, 1)), mass=1.0, position=(0, 0.5, 0))
    hit = world.shapecast(Sphere(0.25), (0.2, 5, 0.1), (0, -10, 0))
    assert hit is not None
    assert hit.handle == box
    assert hit.distance == pytest.approx(3.75, abs=2e-4)  # stops a tenth of a millimetre before
    assert hit.normal == pytest.approx((0, 1, 0), abs=1e-6)
    assert hit.point == pytest.approx((0.2, 1.25, 0.1), abs=2e-4)
    corner_first = (math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8))
    hit = world.shapecast(Box((1, 1, 1)), (0, 5, 0), (0, -10, 0), corner_first)
    assert hit is not None
    assert hit.distance == pytest.approx(4.0 - math.sqrt(0.5), abs=2e-4)
    assert world.shapecast(Sphere(0.25), (3, 5, 0), (0, -4, 0)) is None
    with pytest.raises(ValueError, match="convex"):
        world.shapecast(Plane(), (0, 5, 0), (0, -10, 0))


def test_statistics_tell_of_contacts() -> None:
    world = on_ground()
    for k in range(3):
        world.add_body(f"box {k}", Box((1, 1, 1)), mass=1.0, position=(3 * k, 0.5, 0))
    world.step(16)
    stats = world.stats
    assert stats.contacts == 12
    assert stats.islands == 3
    assert stats.sweeps > 0
    assert 0.0 <= stats.residual < 1e-4
    assert sum(stats.guard.values()) == 0
    assert stats.times["detect"] > 0.0
    assert stats.times["project"] > 0.0
    world.step(200)
    assert world.stats.asleep == 3


def test_jointed_bodies_pass_through_each_other_unless_asked() -> None:
    for collide in (False, True):
        world = World(gravity=(0, 0, 0))
        a = world.add_body("a", Sphere(0.5), mass=1.0)
        b = world.add_body("b", Sphere(0.5), mass=1.0, position=(0.9, 0, 0))
        joint = world.add_joint("spring", a, b, stiffness=1.0, collide=collide)
        world.step(30)
        apart = np.linalg.norm(world.position(b) - world.position(a))
        assert (apart > 0.95) == collide
        world.remove(joint)
        world.step(30)
        assert np.linalg.norm(world.position(b) - world.position(a)) > 0.95


def test_masks() -> None:
    world = World()
    world.add_body("ground", Plane(), fixed=True, group=2)
    ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 0.1, 0), mask=1)
    world.step(30)
    assert world.position(ball)[1] < -0.5


def test_removed_support_lets_go() -> None:
    world = World()
    world.add_body("table", Box((2, 0.2, 2)), fixed=True)
    ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 0.2, 0))
    world.step(30)
    assert world.position(ball)[1] == pytest.approx(0.2, abs=1e-4)
    world.remove("table")
    world.step(30)
    assert world.position(ball)[1] < -0.5


def test_a_plane_cannot_move() -> None:
    with pytest.raises(ValueError, match="fixed=True"):
        World().add_body("ground", Plane(), mass=1.0)


def test_planar_world_with_contacts() -> None:
    world = on_ground(dimension=2)
    box = world.add_body("box", Box((0.5, 0.5, 0.5)), mass=1.0, position=(0, 0.4, 0))
    world.step(60)
    assert world.position(box) == pytest.approx([0, 0.25, 0], abs=1e-3)


@pytest.mark.parametrize("stabilization", ["none", "geometric", "inertial", "constraint"])
def test_every_stabilization_stands_on_the_floor(stabilization: str) -> None:
    world = on_ground(stabilization=stabilization)
    box = world.add_body("box", Box((0.5, 0.5, 0.5)), mass=1.0, position=(0, 0.3, 0))
    world.step(60)
    assert world.position(box)[1] == pytest.approx(0.25, abs=1e-3)


def test_many_contacts_grow_the_arrays() -> None:
    world = on_ground()
    pyramid(world, 8)
    world.step(2)
    assert world.stats.contacts > 100
    assert not any(world.stats.guard.values())


def test_solver_over_all_rows_stands_on_the_floor_too() -> None:
    world = on_ground(solver="pgs")
    box = world.add_body("box", Box((0.5, 0.5, 0.5)), mass=1.0, position=(0, 0.3, 0))
    world.step(60)
    assert world.position(box)[1] == pytest.approx(0.25, abs=1e-3)


def test_many_steps_are_one_step_many_times() -> None:
    """The compiled loop comes back for events, growth and sleep, and goes on as if it had not."""

    def run(at_once: int) -> str:
        world = on_ground()
        pyramid(world, 4)
        world.add_body("ball", Sphere(0.2), mass=5.0, position=(-2, 0.8, 0.1), velocity=(8, 0, 0))
        for _ in range(240 // at_once):
            world.step(at_once)
        return world.hash()

    assert run(1) == run(16) == run(240)


def test_steps_with_detection_are_looped_in_compiled_code() -> None:
    """Ten times the steps of a flying chain that may touch itself are no more calls from Python."""
    world = World()
    above = None
    for k in range(10):
        at = ((k + 0.5) * 0.5, 0, 0)
        link = world.add_body(f"link {k}", Box((0.5, 0.05, 0.05)), mass=1.0, position=at)
        world.add_joint("ball", link, above, at=(0.5 * k, 0, 0))
        above = link
    world.step(5)
    few, many = (calls(partial(world.step, count)) for count in (3, 30))
    assert many <= few + 10
