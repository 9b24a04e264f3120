"""Scenes to measure, by name; a level's name stands for that level."""

import math
from collections.abc import Callable

from levels import load
from levels.runtime import Session
from physics import Box, Plane, World
from sandbox.reproduce.scenes import chain, crane

Step = Callable[[], object]


def _ropes() -> World:
    """Ten ropes of fifty links, side by side."""
    world = World(rate=60, sleeping=False)
    for rope in range(10):
        previous = None
        for k in range(50):
            body = world.add_body(
                f"{rope} {k}",
                Box((0.1, 0.02, 0.02)),
                mass=0.1,
                position=((k + 0.5) * 0.1, 0, rope),
                mask=0,
            )
            world.add_joint("ball", body, previous, at=(k * 0.1, 0, rope))
            previous = body
    return world


def wall(boxes: int) -> World:
    """A wall, wider below, of at least that many boxes, a centimetre apart; nothing sleeps."""
    world = World(rate=60, sleeping=False)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    row = math.ceil((math.sqrt(8 * boxes + 1) - 1) / 2)
    for layer in range(row):
        for k in range(row - layer):
            place = (0.52 * (k - 0.5 * (row - layer - 1)), 0.25 + 0.51 * layer, 0)
            world.add_body(f"box {layer} {k}", Box((0.5, 0.5, 0.5)), mass=1.0, position=place)
    return world


def _cloth(n: int) -> World:
    world = World(rate=60, sleeping=False)
    turned = (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0)
    world.add_cloth(
        "cloth", size=(2, 2), rows=n, columns=n, orientation=turned, pins=[0, n - 1], mask=0
    )
    return world


def _solid(cells: tuple[int, int, int]) -> World:
    world = World(rate=60, sleeping=False)
    size = tuple(0.05 * c for c in cells)
    solid = world.add_solid("solid", size=size, cells=cells, young=1e6, mask=0)
    nodes = world.node_positions(solid)
    low = nodes[:, 0].min()
    world.pin_nodes(solid, [k for k, x in enumerate(nodes[:, 0]) if x < low + 1e-9])
    return world


SCENES: dict[str, tuple[str, Callable[[], World]]] = {
    "chain-10": ("ten links, 100 kg, 100 Hz", lambda: chain(100.0, 0.01).world),
    "chain-100": ("a hundred links", lambda: chain(100.0, 0.01, links=100).world),
    "chain-1000": ("a thousand links", lambda: chain(100.0, 0.01, links=1000).world),
    "ropes": ("ten ropes of fifty links", _ropes),
    "crane-swing": ("15 t on thirty segments, 60 Hz", lambda: crane(1 / 60, 0.0, 0.5).world),
    "wall-10": ("ten boxes", lambda: wall(10)),
    "wall-50": ("fifty-five boxes", lambda: wall(50)),
    "wall-200": ("two hundred and ten boxes", lambda: wall(200)),
    "cloth-20": ("20 x 20 nodes", lambda: _cloth(20)),
    "cloth-40": ("40 x 40 nodes", lambda: _cloth(40)),
    "solid-small": ("81 bricks", lambda: _solid((9, 3, 3))),
    "solid-large": ("324 bricks", lambda: _solid((9, 6, 6))),
}
GROWING = ("chain-10", "chain-100", "chain-1000")  # ten times as many bodies each


def world_and_step(name: str) -> tuple[World, Step]:
    """What is stepped, and how: a scene of the list, or a level that plays its own input."""
    if name in SCENES:
        world = SCENES[name][1]()
        return world, world.step
    session = Session(load(name), scripted=True)
    return session.world, session.step
