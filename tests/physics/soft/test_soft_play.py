"""Soft scenes of a playground: they go on, stay whole, and gain no energy from nothing."""

import numpy as np
import pytest

from physics import Box, Capsule, Sphere, World

LYING = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)
N = 15


def strain(world, name):
    """Largest of the threads without compliance."""
    body = world.soft_body(name).body
    stiff = body.model.link_stiffness == body.model.link_stiffness.max()
    return float(np.abs(body.strain()[stiff]).max())


@pytest.mark.parametrize(("force", "width"), [(400.0, 0.76), (4000.0, 0.5)])
def test_a_soft_ball_between_motorised_plates_is_squeezed(force, width):
    world = World(gravity=(0, 0, 0))
    world.add_solid("ball", ball=0.4, cells=(4, 4, 4), young=3e4)
    for name, x in (("left", -0.6), ("right", 0.6)):
        world.add_body(name, Box((0.1, 1.2, 1.2)), mass=20.0, position=(x, 0, 0))
        motor = {"speed": -0.5 * np.sign(x), "max_force": force}
        world.add_joint("prismatic", name, at=(x, 0, 0), axis=(1, 0, 0), motor=motor)
    for _ in range(180):
        world.step()
        assert world.stats.soft["factorisations"] <= 24  # bounded, not searched without end
    gap = world.position("right")[0] - world.position("left")[0] - 0.1
    assert np.ptp(world.node_positions("ball")[:, 0]) < gap + 0.02 < width + 0.02


def test_a_cloth_is_drawn_through_a_ring():
    world = World()
    angles = np.linspace(0.0, 2.0 * np.pi, 13)[:-1]
    for k, angle in enumerate(angles):
        place = 0.2 * np.array([np.cos(angle), 0.0, np.sin(angle)])
        world.add_body(f"ring{k}", Sphere(0.06), fixed=True, position=place)
    cloth = world.add_cloth(
        "cloth", size=(0.8, 0.8), rows=N, columns=N, mass=0.2, position=(0, 0.1, 0),
        orientation=LYING, radius=0.015, friction=0.1,
    )  # fmt: skip
    world.add_body("weight", Sphere(0.05), mass=2.0, position=(0, 0.0, 0))
    world.attach_points(cloth, [(0.0, 0.1, 0.0)], "weight")
    world.step(240)
    nodes = world.node_positions("cloth")
    assert np.isfinite(nodes).all()
    assert world.position("weight")[1] < -0.6  # it has passed, and the cloth with it
    assert nodes[:, 1].max() < 0.0


def test_a_cloth_lies_on_a_turning_box():
    world = World()
    world.add_body("box", Box((0.8, 0.2, 0.8)), keyframed=True)
    world.set_angular_velocity("box", (0.0, 1.0, 0.0))
    world.add_cloth(
        "cloth", size=(1, 1), rows=N, columns=N, mass=0.3, position=(0, 0.16, 0),
        orientation=LYING, radius=0.015, friction=0.8,
    )  # fmt: skip
    world.set_wind("cloth", (0, 0, 0), normal_drag=1.0)
    world.step(120)
    start = world.node_positions("cloth")
    world.step(30)
    nodes = world.node_positions("cloth")
    middle = np.abs(start[:, [0, 2]]).max(axis=1) < 0.3
    x, z, now = start[middle, 0], start[middle, 2], nodes[middle]
    angle = np.arctan2(np.sum(z * now[:, 0] - x * now[:, 2]), np.sum(x * now[:, 0] + z * now[:, 2]))
    assert angle == pytest.approx(0.5, abs=0.1)  # carried along
    assert now[:, 1].min() > 0.1 - 1e-3
    assert strain(world, "cloth") < 0.02


def test_a_flag_in_gusts_keeps_its_size():
    world = World()
    world.add_body("pole", Capsule(0.03, 2.0), fixed=True, position=(-0.55, 0, 0))
    world.add_cloth("flag", rows=N, columns=N, mass=0.2, pins=[N * k for k in range(N)])
    worst = 0.0
    for k in range(300):
        gust = 8.0 + 6.0 * np.sin(0.13 * k) * np.sin(0.041 * k)
        world.set_wind("flag", (gust, 0.0, 3.0 * np.sin(0.09 * k)))
        world.step()
        worst = max(worst, strain(world, "flag"))
    assert worst < 0.02
    assert world.node_positions("flag")[:, 0].mean() > -0.3  # it flies
