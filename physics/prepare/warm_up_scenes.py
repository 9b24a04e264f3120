"""Small scenes that call everything of their kind once, so that it is compiled and kept."""

import numpy as np

from physics.shapes import Box, Sphere
from physics.soft.models import SOLID_MATERIALS
from physics.world import World


def _ground() -> World:
    world = World()
    world.add_body("ground", Box((4, 1, 4)), position=(0, -0.5, 0), fixed=True)
    return world


def hands() -> None:
    """What hands, sliders and gauges ask of a world."""
    world = _ground()
    ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 0.3, 0))
    box = world.add_body("box", Box((0.2, 0.2, 0.2)), mass=1.0, position=(1, 0.1, 0))
    joint = world.add_joint("distance", ball, box)
    hand = world.grab(ball, (0.0, 0.3, 0.0))
    world.step(2)
    world.move_grab(hand, (0.0, 0.5, 0.0))
    world.step(2)
    world.release_grab(hand)
    world.raycast((0, 2, 0), (0, -1, 0))
    world.shapecast(Sphere(0.1), (0.5, 2, 0), (0, -3, 0))
    world.overlap((0, 0, 0), 1.0)
    world.restore(world.snapshot())
    world.joint_force(joint)
    world.added_by_stabilization()
    world.contacts()
    for measure in (world.energy, world.constraint_error, world.hash):
        measure()
    world.step(2)


def _cloth() -> None:
    """Threads and membranes, pinned, torn and cut, on what is rigid and on themselves."""
    world = _ground()
    world.add_body("box", Box((0.3, 0.3, 0.3)), mass=1.0, position=(0, 0.6, 0))
    flat = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)
    sheet = world.add_cloth(
        "sheet",
        rows=6,
        columns=6,
        position=(0, 0.4, 0),
        orientation=flat,
        bend=0.1,
        self_collision=True,
    )
    world.pin_nodes(sheet, [0, 5])
    world.attach(sheet, [14], "box")
    world.add_cloth(
        "membrane",
        rows=6,
        columns=6,
        position=(2, 0.1, 0),
        orientation=flat,
        model="membrane",
        rigidity=1e-3,
        breaks_at=1e9,
    )
    world.set_wind(sheet, (1.0, 0.0, 0.0))
    hand = world.grab(sheet, world.node_positions(sheet)[20])
    world.step(20)
    world.release_grab(hand)
    world.cut(sheet, (-0.4, 0.4, 0.1), (0.4, 0.4, 0.1), (0, 0, 1))
    world.energy(), world.strain(sheet), world.hash()
    world.restore(world.snapshot())
    world.step(10)
    for name in ("sheet", "membrane"):  # no step of this is accepted: the guard takes it
        places = world.node_positions(name)
        crumpled = np.arange(places.size).reshape(places.shape) % 7 - 3.0
        world.set_nodes(name, places, 500.0 * crumpled)
    world.step(5)


def _solids() -> None:
    """Every material, falling on the ground."""
    world = _ground()
    for i, material in enumerate(SOLID_MATERIALS):
        world.add_solid(
            material,
            size=(0.3, 0.3, 0.3),
            cells=(1, 1, 1),
            position=(i - 1.0, 0.2, 0),
            material=material,
            yield_strain=0.2 if i == 1 else None,
        )
    world.step(20)
    world.energy()


def soft() -> None:
    _cloth()
    _solids()
