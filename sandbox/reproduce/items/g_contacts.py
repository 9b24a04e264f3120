"""Contact problems with known answers, and walls of boxes."""

import math
import time
from typing import Any

import numpy as np

from physics import Box, Plane, Sphere, World
from sandbox.reproduce.item import SHOWN, Result, at_most, item, short, within

SOURCE = "SimBenchmark and contacts"


def _ground(world: World, **surface: Any) -> None:
    world.add_body("ground", Plane((0, 1, 0)), fixed=True, **surface)


@item(
    SOURCE, "Bouncing: restitution and the height of a ball",
    conditions="""A ball dropped on the ground with e = 0, 0.1, 0.25, 0.5, 0.75, 0.9, 1: speed
    after the first bounce over that before. And with e = 1 for 20 s from 1 m (60 Hz): highest
    point of the last 2 s.""",
    left_open="1 kg, 0.1 m, h = 1/240 s for the first part.",
)  # fmt: skip
def bouncing(quick: bool) -> Result:
    result = Result()
    for e in (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0):
        world = World(rate=240, gravity=(0, 0, 0), sleeping=False)
        _ground(world, restitution=e)
        world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 0.5, 0), velocity=(0, -3, 0),
                       restitution=e)  # fmt: skip
        world.step(60)
        error = abs(float(world.velocity("ball")[1]) - 3 * e)
        result.add(f"e = {e}: |v + e v₀|, m/s", "0", short(error), within(error, 1e-9))
    world = World(rate=60, sleeping=False)
    _ground(world, restitution=1.0)
    world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 1.1, 0), restitution=1.0)
    world.step(60 * (4 if quick else 18))
    heights = []
    for _ in range(120):
        world.step()
        heights.append(float(world.position("ball")[1]))
    result.add("e = 1: highest of the last 2 s, m", "1.1", short(max(heights), 4),
               within(abs(max(heights) - 1.1), 0.02))  # fmt: skip
    return result


@item(
    SOURCE, "A tilting plane",
    conditions="""A box on a plane of 30°: it stays for μ = 0.60 and slides for μ = 0.55 (tan
    30° = 0.577), with g (sin θ - μ cos θ); 2 s, h = 0.01 s.""",
    left_open="a cube of 0.2 m, gravity turned instead of the plane.",
)  # fmt: skip
def tilting_plane(quick: bool) -> Result:
    result = Result()
    angle = math.radians(30)
    for mu in (0.60, 0.55, 0.3):
        gravity = (9.81 * math.sin(angle), -9.81 * math.cos(angle), 0)
        world = World(rate=100, gravity=gravity, sleeping=False)
        _ground(world, friction=mu)
        world.add_body("cube", Box((0.2, 0.2, 0.2)), mass=1.0, position=(0, 0.1, 0), friction=mu)
        world.step(200)
        expected = max(0.0, 9.81 * (math.sin(angle) - mu * math.cos(angle))) * 2.0
        speed = float(world.velocity("cube")[0])
        result.add(f"μ = {mu}: speed after 2 s, m/s", short(expected), short(speed),
                   within(abs(speed - expected), 0.01 + 0.01 * expected))  # fmt: skip
    return result


def wall(boxes: int) -> World:
    """A pyramid-shaped wall of about that many boxes of 0.5 m, a centimetre above each other."""
    world = World(rate=60, sleeping=False)
    _ground(world)
    row, count, y = 1, 0, 0.0
    while row * (row + 1) // 2 < boxes:
        row += 1
    for layer in range(row):
        for k in range(row - layer):
            x = 0.52 * (k - 0.5 * (row - layer - 1))
            world.add_body(f"box {count}", Box((0.5, 0.5, 0.5)), mass=1.0,
                           position=(x, 0.25 + 0.51 * layer + y, 0))  # fmt: skip
            count += 1
    return world


@item(
    SOURCE, "Walls of boxes",
    conditions="""Walls of 10, 55 and 210 boxes fall by a centimetre and stand, 60 Hz, no
    sleeping, 5 s (--quick: 10, 2 s): time of a step, how far the worst box went, speed at the
    end.""",
    left_open="boxes of 0.5 m and 1 kg, friction 0.5.",
    limit=600,
)  # fmt: skip
def walls_of_boxes(quick: bool) -> Result:
    result = Result()
    for boxes in (10,) if quick else (10, 55, 210):
        world = wall(boxes)
        bodies = world.handles("body")[1:]
        world.step(60)
        start = np.array([world.position(body) for body in bodies])
        spent = []
        for _ in range(60 if quick else 240):
            began = time.thread_time()
            world.step()
            spent.append(time.thread_time() - began)
        moved = np.array([world.position(body) for body in bodies]) - start
        drift = float(np.linalg.norm(moved, axis=1).max())
        speed = max(float(np.linalg.norm(world.velocity(body))) for body in bodies)
        result.add(f"{boxes} boxes: drift after the first second, mm", "< 1 (our aim)",
                   short(1e3 * drift), at_most(1e3 * drift, 1.0))  # fmt: skip
        result.add(f"{boxes} boxes: speed at the end, m/s", "0", short(speed), within(speed, 0.02))
        told = f"{1e3 * float(np.median(spent)):.2f}, at most {1e3 * max(spent):.1f}"
        result.add(f"{boxes} boxes: ms a step", "", told, SHOWN, True)
    return result
