"""Points inside elements held to rigid bodies: linear blend of the corners [Tournier15, §4.3]."""

import numpy as np
import pytest

from physics import Box, Sphere, World
from physics.soft.meshes.embedding import embed


def jelly(world, **options):
    return world.add_solid(
        "jelly", size=(0.6, 0.3, 0.3), cells=(4, 2, 2), density=500.0, young=2e5, **options
    )


def blend(world, seam):
    nodes = world.node_positions("jelly")[list(seam.nodes)]
    return np.array(seam.weights) @ nodes


def test_weights_give_the_point_back():
    world = World()
    jelly(world)
    item = world.soft_body("jelly")
    rng = np.random.default_rng(3)
    for point in rng.uniform((-0.3, -0.15, -0.15), (0.3, 0.15, 0.15), size=(50, 3)):
        nodes, weights = embed(item, point)
        assert np.array(weights) @ item.body.x[list(nodes)] == pytest.approx(point, abs=1e-12)
        assert min(weights) >= 0.0
        assert sum(weights) == pytest.approx(1.0)


def test_a_point_outside_is_moved_onto_the_surface_near_it():
    world = World()
    jelly(world)
    item = world.soft_body("jelly")
    nodes, weights = embed(item, np.array([0.5, 0.02, 0.03]))
    place = np.array(weights) @ item.body.x[list(nodes)]
    assert place[0] == pytest.approx(0.3)
    assert place == pytest.approx([0.3, 0.02, 0.03], abs=0.05)  # a third of a cell


def test_solid_hangs_from_points_between_its_nodes():
    """Held to a fixed body off all nodes: the points stay, and the body carries its weight."""
    world = World()
    jelly(world, damping=0.05)
    world.add_body("hook", Box((0.1, 0.1, 0.1)), fixed=True, position=(0, 1, 0))
    points = [(-0.21, 0.1, 0.03), (0.2, 0.11, -0.04), (0.01, 0.09, 0.07)]
    world.attach_points("jelly", points, "hook")
    item = world.soft_body("jelly")
    world.step(400)
    for seam, point in zip(item.seams, points, strict=True):
        assert blend(world, seam) == pytest.approx(point, abs=1e-4)
    pull = item.body.rows.impulse[:3].sum(axis=0) * world.rate
    assert pull[1] == pytest.approx(item.mass() * 9.81, rel=0.02)


@pytest.mark.parametrize("load", [1.0, 1000.0])
def test_weight_hangs_on_an_embedded_point(load):
    """Both ways: a rigid weight up to 37 times as heavy as the jelly stretches it and stays on."""
    world = World()
    jelly(world, pins=range(9), stepping="euler")
    weight = world.add_body("weight", Sphere(0.1), mass=load, position=(0.4, -0.2, 0), mask=0)
    world.attach_points("jelly", [(0.23, -0.05, 0.02)], weight)
    item = world.soft_body("jelly")
    start = world.energy().total
    for _ in range(90):
        world.step()
        place = world.position(weight) + np.array(
            world._bodies.arrays.rotation[world.find("weight").slot] @ item.seams[0].point
        )
        assert blend(world, item.seams[0]) == pytest.approx(place, abs=2.5e-3)
        late = 0.5 / world.rate * np.linalg.norm(world.velocity(weight))  # half a step of fall
        assert world.energy().total < start + (late + 1e-3) * load * 9.81
    assert world.position(weight)[1] < -0.2


def test_seam_of_points_breaks_and_is_unpicked():
    world = World()
    jelly(world)
    world.add_body("hook", Box((0.1, 0.1, 0.1)), fixed=True, position=(0, 1, 0))
    world.attach_points("jelly", [(0.0, 0.1, 0.0)], "hook", breaks_at=1.0)
    world.step(5)
    assert world.soft_body("jelly").seams == []
    world.attach_points("jelly", [(0.0, 0.1, 0.0)], "hook")
    world.detach("jelly", "hook")
    assert world.soft_body("jelly").seams == []


def test_snapshot_keeps_embedded_points():
    world = World()
    jelly(world)
    world.add_body("ball", Sphere(0.1), mass=2.0, position=(0.0, -0.4, 0.0))
    world.attach_points("jelly", [(0.05, -0.1, 0.02)], "ball")
    world.step(20)
    moment = world.snapshot()
    world.step(20)
    after = world.hash()
    world.restore(moment)
    world.step(20)
    assert world.hash() == after
