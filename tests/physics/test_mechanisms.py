"""What joints hold together is not pushed apart, and pushing throws nothing heavy."""

import numpy as np
import pytest

from physics import World
from physics.shapes import Capsule, Sphere


def hung_in_its_middle(mass: float, links: int, radius: float) -> World:
    """A ball beside the point it hangs from, on a chain of four metres that ends at its centre."""
    world = World()
    last, length = None, 4.0 / links
    for k in range(links):
        middle = ((k + 0.5) * length, 0.0, 0.0)
        turned = (np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5))
        shape = Capsule(0.02, length)
        link = world.add_body(f"link{k}", shape, mass=0.5, position=middle, orientation=turned)
        if last is None:
            world.add_joint("ball", link, at=(0, 0, 0))
        else:
            world.add_joint("ball", last, link, at=(k * length, 0, 0))
        last = link
    ball = world.add_body("ball", Sphere(radius), mass=mass, position=(4, 0, 0))
    world.add_joint("ball", last, ball, at=(4, 0, 0))
    return world


@pytest.mark.parametrize(("mass", "links"), [(1e6, 20), (1e3, 10), (10.0, 5)])
@pytest.mark.parametrize("radius", [0.5, 3.0])
def test_a_chain_that_begins_in_a_ball_swings_freely(
    mass: float, links: int, radius: float
) -> None:
    world = hung_in_its_middle(mass, links, radius)
    before = world.energy().total
    world.step(60)
    fallen = -mass * 9.81 * world.position("ball")[1]
    assert fallen > 0.0
    assert abs(world.energy().total - before) <= 0.01 * fallen
    assert sum(world.stats.guard.values()) == 0


def test_parts_of_a_chain_touch_once_they_have_parted() -> None:
    """Its first links lie in the ball; the last one falls on it from outside."""
    world = World(gravity=(0, 0, 0))
    ball = world.add_body("ball", Sphere(0.5), mass=1.0)
    within = world.add_body("within", Sphere(0.1), mass=0.1, position=(0.4, 0, 0))
    outside = world.add_body("end", Sphere(0.1), mass=0.1, position=(0.8, 0, 0))
    world.add_joint("ball", ball, within, at=(0, 0, 0))
    world.add_joint("distance", within, outside, length=1.2, slack=True)
    world.set_velocity("end", (-2.0, 0, 0))
    for _ in range(60):
        world.step(1)
        apart = np.linalg.norm(world.position("end") - world.position("ball"))
        assert apart > 0.6 - 2e-3
    assert world.velocity("end")[0] > -1.9


def test_pushing_out_moves_what_it_must_and_no_more() -> None:
    """A light chain that lies in a heavy wheel it does not belong to throws neither of them."""
    world = World(gravity=(0, 0, 0))
    wheel = world.add_body("wheel", Sphere(2.0), mass=1e6)
    world.add_joint("hinge", wheel, at=(0, 0, 0), axis=(0, 0, 1))
    last = None
    for k in range(10):
        link = world.add_body(f"link{k}", Sphere(0.1), mass=0.1, position=(0.2 * k + 0.1, 0, 0))
        if last is None:
            world.add_joint("ball", link, at=(0, 0, 0))
        else:
            world.add_joint("distance", last, link, length=0.2)
        last = link
    for _ in range(120):
        world.step(1)
        assert world.energy().kinetic < 10.0  # the chain as a whole at 1 m/s has half a joule
