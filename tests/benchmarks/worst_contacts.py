"""Scenes that are hard on contacts: the slowest step, what was refused, energy from nothing.

Overlapping boxes of 0.1-100 kg, stacks of 1…1000 kg with gaps, cylinders, random levels with
joints, ropes and motors, crossing chains of 100,000 : 1, nets under a ball, a gate that jams, mixed
shapes poured. Every step is timed by itself in processor time. Printed are the median, the 99th
percentile and the worst step, worst over median, substeps refused, steps of an island frozen, and
the most energy above what there was at the start and what motors gave, as a share of the most
kinetic energy there was. `--only WORD` takes the scenes whose names have it.
"""

import argparse
import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from physics import Box, Capsule, Cylinder, Handle, Plane, Sphere, World

SECONDS = 3.0
DRIVEN = ("level", "gate")  # motors do work there: energy that grows is not from nothing


class Result(NamedTuple):
    """Of one scene."""

    milliseconds: np.ndarray
    refused: Mapping[str, int]
    guard: Mapping[str, int]
    gained: float  # J
    kinetic: float  # J, the most
    contacts: int  # the most in a step


def floor(world: World) -> None:
    world.add_body("floor", Plane(), fixed=True, friction=0.6)


def overlapping(count: int = 40, seed: int = 3) -> World:
    """Boxes of 0.1-100 kg thrown into each other at the start."""
    rng, world = np.random.default_rng(seed), World(rate=60)
    floor(world)
    for k in range(count):
        world.add_body(
            f"box {k}",
            Box(rng.uniform(0.2, 0.6, 3)),
            mass=10.0 ** rng.uniform(-1, 2),
            position=rng.uniform((-0.8, 0.3, -0.8), (0.8, 2.0, 0.8)),
        )
    return world


def stack(count: int = 12, most: float = 1000.0, gap: float = 0.01) -> World:
    """Boxes, the lightest below, with gaps."""
    world = World(rate=60)
    floor(world)
    for k in range(count):
        mass = most ** (k / (count - 1))
        world.add_body(
            f"box {k}", Box((0.5, 0.5, 0.5)), mass=mass, position=(0, 0.25 + k * (0.5 + gap), 0)
        )
    return world


def alternating(count: int = 30, most: float = 1e3) -> World:
    """A stack of light and heavy boxes in turn."""
    world = World(rate=60)
    floor(world)
    for k in range(count):
        mass = most if k % 2 else 1.0
        world.add_body(
            f"box {k}", Box((0.5, 0.2, 0.5)), mass=mass, position=(0, 0.1 + k * 0.203, 0)
        )
    return world


def heavy_on_wall(rows: int = 10) -> World:
    """A ton on a wall of boxes of a kilogram."""
    world = World(rate=60)
    floor(world)
    for row in range(rows):
        for k in range(6):
            x = (k - 2.5 + 0.5 * (row % 2)) * 0.42
            world.add_body(
                f"box {row} {k}", Box((0.4, 0.2, 0.3)), mass=1.0, position=(x, 0.1 + row * 0.202, 0)
            )
    top = 0.25 + rows * 0.202
    world.add_body("ton", Box((2.4, 0.4, 0.4)), mass=1000.0, position=(0, top + 0.05, 0))
    return world


def cylinders(count: int = 30) -> World:
    """Cylinders stacked with gaps, three on each layer."""
    world = World(rate=60)
    floor(world)
    for k in range(count):
        layer, at = divmod(k, 3)
        angle = 2.1 * at + 0.5 * layer
        place = (0.25 * math.cos(angle), 0.21 + 0.41 * layer, 0.25 * math.sin(angle))
        world.add_body(f"can {k}", Cylinder(0.2, 0.4), mass=1.0, position=place)
    return world


def level(seed: int) -> World:
    """50-300 bodies, a third of them jointed, with ropes, motors and a range of masses."""
    rng, world = np.random.default_rng(seed), World(rate=60)
    floor(world)
    side = 4.0
    for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        world.add_body(f"wall {x} {z}", Plane((-x, 0, -z), -side), fixed=True)
    count = int(rng.integers(50, 300))
    bodies: list[Handle] = []
    cells = math.ceil(count ** (1 / 3)) + 1
    for k in range(count):
        cell = np.array((k % cells, k // cells**2, k // cells % cells))
        place = (cell - (0.5 * cells, -0.8, 0.5 * cells)) * 0.8 + rng.uniform(-0.1, 0.1, 3)
        kind, size = rng.integers(4), rng.uniform(0.15, 0.35)
        shape = (
            Sphere(size),
            Box(size * rng.uniform(1, 2, 3)),
            Capsule(0.5 * size, size),
            Cylinder(size, size),
        )[kind]
        mass = 10.0 ** rng.uniform(-1, 1.5)
        bodies.append(world.add_body(f"body {k}", shape, mass=mass, position=place, friction=0.5))
    for k in range(count // 3):
        a, b = bodies[k], bodies[k + 1]
        middle = 0.5 * (world.position(a) + world.position(b))
        kind = rng.integers(5)
        if kind == 0:
            world.add_joint("ball", a, b, at=middle)
        elif kind == 1:
            world.add_joint("distance", a, b, slack=True)
        elif kind == 2:
            world.add_joint(
                "hinge",
                a,
                b,
                at=middle,
                axis=rng.normal(size=3),
                motor={"speed": 3.0, "max_force": 20.0},
            )
        elif kind == 3:
            world.add_joint("hinge", a, b, at=middle, axis=(0, 0, 1), limits=(-0.5, 0.5))
    return world


def crossing_chains(links: int = 20, ratio: float = 1e5) -> World:
    """Two chains that cross; the upper one has 100,000 times a link at either end."""
    world = World(rate=60)
    for name, along, height in (("low", 0, 0.0), ("high", 2, 0.12)):
        before, length = None, 0.2
        for k in range(links):
            place = np.zeros(3)
            place[along], place[1] = (k - 0.5 * (links - 1)) * length, height
            turn = (
                (math.sqrt(0.5), 0, 0, math.sqrt(0.5))
                if along == 0
                else (math.sqrt(0.5), math.sqrt(0.5), 0, 0)
            )
            link = world.add_body(
                f"{name} {k}",
                Capsule(0.04, length - 0.08),
                mass=0.01,
                position=place,
                orientation=turn,
                friction=0.3,
            )
            end = np.zeros(3)
            end[along] = 0.5 * length
            if before is not None:
                world.add_joint("ball", before, link, at=place - end)
            elif name == "low":
                world.add_joint("ball", link, None, at=place - end)
            before = link
            if k == links - 1 and name == "low":
                world.add_joint("ball", link, None, at=place + end)
        if name == "high":
            for sign, body in ((-1.0, f"{name} 0"), (1.0, f"{name} {links - 1}")):
                at = np.array((0.0, height, sign * 0.5 * links * length))
                load = world.add_body(
                    f"load {sign}",
                    Sphere(0.2),
                    mass=0.01 * ratio,
                    position=at - 0.25 * np.array((0, 1, 0)),
                )
                world.add_joint("ball", body, load, at=at)
    return world


def net(ratio: float = 100, slack: bool = True, side: int = 8) -> World:
    """A ball falls on a net that hangs by its corners."""
    world, nodes, d, fold = World(rate=60), {}, 0.25, 0.04
    dx = math.sqrt(d * d - 4 * fold * fold)
    for i in range(side):
        for j in range(side):
            y = fold if (i + j) % 2 else -fold
            held = i in (0, side - 1) and j in (0, side - 1)
            nodes[i, j] = world.add_particle(
                f"p{i}_{j}", mass=0.05, position=(dx * j, y, dx * i), radius=0.04, fixed=held
            )
    for (i, j), node in nodes.items():
        for other in ((i + 1, j), (i, j + 1)):
            if other in nodes:
                world.add_joint("distance", node, nodes[other], slack=slack, length=d)
    middle = dx * (side - 1) / 2
    world.add_body("ball", Sphere(0.4), mass=0.05 * ratio, position=(middle, 0.8, middle))
    return world


def gate() -> World:
    """A motor closes a gate on a heap of boxes between it and a post."""
    world = World(rate=60)
    floor(world)
    world.add_body("post", Box((0.2, 2.0, 2.0)), fixed=True, position=(1.6, 1.0, 0))
    leaf = world.add_body("leaf", Box((0.1, 1.6, 1.8)), mass=20.0, position=(0, 0.9, 0))
    world.add_joint(
        "prismatic",
        leaf,
        None,
        at=(0, 0.9, 0),
        axis=(1, 0, 0),
        motor={"speed": 1.0, "max_force": 5000.0},
    )
    rng = np.random.default_rng(1)
    for k in range(40):
        place = (0.3 + 0.35 * (k % 3), 0.2 + 0.32 * (k // 9), -0.6 + 0.5 * (k // 3 % 3))
        world.add_body(
            f"box {k}",
            Box(rng.uniform(0.15, 0.3, 3)),
            mass=10.0 ** rng.uniform(-1, 1.3),
            position=place,
        )
    return world


def lying_chains(count: int = 10, links: int = 12) -> World:
    """Chains that fall in a heap, each with a weight of a thousand links at its end."""
    world = World(rate=60)
    floor(world)
    for n in range(count):
        before, angle = None, 0.7 * n
        along = np.array((math.cos(angle), 0.0, math.sin(angle)))
        turn = (math.sqrt(0.5), math.sqrt(0.5) * along[2], 0.0, -math.sqrt(0.5) * along[0])
        for k in range(links):
            place = along * (k - 0.5 * links) * 0.2 + (0.0, 0.3 + 0.25 * n, 0.0)
            link = world.add_body(
                f"link {n} {k}", Capsule(0.05, 0.1), mass=0.1, position=place, orientation=turn
            )
            if before is not None:
                world.add_joint("ball", before, link, at=place - 0.1 * along)
            before = link
        end = along * (0.5 * links * 0.2 + 0.1) + (0.0, 0.3 + 0.25 * n, 0.0)
        load = world.add_body(f"load {n}", Sphere(0.12), mass=100.0, position=end)
        world.add_joint("ball", before, load, at=end - 0.1 * along)
    return world


def pour(count: int = 1000) -> World:
    """Mixed shapes dropped in layers into an open box."""
    rng, world = np.random.default_rng(7), World(rate=60, sleeping=False)
    floor(world)
    for side in (-1.0, 1.0):
        world.add_body(f"x {side}", Box((0.5, 8, 5)), fixed=True, position=(2.25 * side, 4, 0))
        world.add_body(f"z {side}", Box((4, 8, 0.5)), fixed=True, position=(0, 4, 2.25 * side))
    shapes = (Box((0.3, 0.25, 0.2)), Sphere(0.15), Capsule(0.1, 0.2), Cylinder(0.12, 0.25))
    for k in range(count):
        layer, cell = divmod(k, 64)
        x, z = 0.46 * (cell % 8 - 3.5), 0.46 * (cell // 8 - 3.5)
        turn = rng.normal(size=4)
        world.add_body(
            f"part {k}",
            shapes[k % 4],
            mass=1.0,
            position=(x, 0.4 + 0.46 * layer, z),
            orientation=turn / np.linalg.norm(turn),
        )
    return world


SCENES: dict[str, Callable[[], World]] = {
    "overlapping 40": overlapping,
    "overlapping 150": lambda: overlapping(150, 5),
    "stack 1-1000": stack,
    "stack alternating": alternating,
    "ton on a wall": heavy_on_wall,
    "cylinders": cylinders,
    "crossing chains": crossing_chains,
    "lying chains": lying_chains,
    "net of ropes": net,
    "net of rods": lambda: net(1000, False),
    "gate": gate,
    **{f"level {seed}": partial(level, seed) for seed in range(10)},
    "pour 1000": pour,
}


def run(world: World, seconds: float = SECONDS, patience: float = 20.0) -> Result:
    """Steps one by one, or as many as fit into that much processor time."""
    world.step(1)
    start, most, kinetic, contacts = world.energy().total, -math.inf, 0.0, 0
    times: list[float] = []
    while len(times) < seconds * world.rate and sum(times) < patience:
        began = time.process_time()
        world.step()
        times.append(time.process_time() - began)
        energy = world.energy()
        most, kinetic = max(most, energy.total), max(kinetic, energy.kinetic)
        contacts = max(contacts, world.stats.contacts)
    stats = world.stats
    return Result(
        1e3 * np.array(times), stats.refused, stats.guard, most - start, kinetic, contacts
    )


def report(only: str) -> None:
    """Prints the table."""
    print(
        f"{'':18} {'contacts':>8} {'median':>8} {'p99':>8} {'worst':>8} {'ratio':>6} "
        f"{'refused':>8} {'frozen':>7} {'gained':>8} {'of most kinetic':>16}"
    )
    for name, make in SCENES.items():
        if only not in name:
            continue
        found = run(make())
        ms = found.milliseconds
        share = found.gained / max(found.kinetic, 1e-9)
        gained = f"{found.gained:8.2g} {100 * share:14.2f} %"
        if name.startswith(DRIVEN):
            gained = f"{'motors':>8}"
        print(
            f"{name:18} {found.contacts:8d} {np.median(ms):8.2f} {np.percentile(ms, 99):8.2f} "
            f"{ms.max():8.2f} {ms.max() / np.median(ms):6.1f} {sum(found.refused.values()):8d} "
            f"{found.guard['frozen']:7d} {gained}  "
            + " ".join(f"{reason} {n}" for reason, n in found.refused.items() if n),
            flush=True,
        )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description="Scenes that are hard on contacts: worst steps, refusals, energy.",
        prog="python -m tests.benchmarks worst_contacts",
        epilog="example: python -m tests.benchmarks worst_contacts --only overlapping",
    )
    parser.add_argument("--only", default="", help="scenes whose names have this word")
    World().step(1)  # compiles, or loads what is compiled
    report(parser.parse_args(arguments).only)
