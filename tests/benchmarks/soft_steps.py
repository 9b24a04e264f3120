"""Soft bodies in worlds: median, 99th percentile and worst time of a step.

Milliseconds by the clock and of the processor; on a busy machine only the latter, with
`--threads 1`, can be believed.

4,800 linear tetrahedra and 800 bricks swinging from one end, cloth of 100 x 100 that falls onto a
ball, 50 kg on a jelly of 64 bricks, a jelly pinched by motorised plates, and the level `materials`
with its four cubes thrown at each other. `--only NAME` runs one.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from physics import Box, Plane, Sphere, World
from physics.jit.threads import cores, use_threads

LYING = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)


def beam(elements: str, cells: tuple[int, int, int]) -> World:
    world = World()
    world.add_solid("beam", size=(2, 0.5, 0.5), cells=cells, young=5e5, elements=elements)
    beam = world.soft("beam")
    beam.pin(np.flatnonzero(beam.positions()[:, 0] < -0.99))
    return world


def tetrahedra() -> World:
    return beam("tetrahedra", (20, 5, 8))


def bricks() -> World:
    return beam("hexahedra", (20, 5, 8))


def cloth() -> World:
    world = World()
    world.add_body("ball", Sphere(0.3), fixed=True, position=(0, -0.4, 0))
    world.add_cloth(
        "cloth", size=(2, 2), rows=100, columns=100, mass=1.0, orientation=LYING, radius=0.02
    )
    return world


def free_cloth() -> World:
    world = World()
    world.add_cloth(
        "cloth", size=(2, 2), rows=100, columns=100, mass=1.0, orientation=LYING, pins=[0, 99]
    )
    return world


def jelly() -> World:
    world = World()
    world.add_body("ground", Plane(), fixed=True)
    world.add_solid("jelly", size=(1, 1, 1), cells=(4, 4, 4), young=2e4, position=(0, 0.5, 0))
    world.add_body("weight", Box((0.4, 0.4, 0.4)), mass=50.0, position=(0.05, 1.4, 0))
    return world


def plates() -> World:
    """Two plates on sliders close on a jelly ball with 4 kN each, and nothing falls out."""
    world = World(gravity=(0, 0, 0))
    world.add_solid("ball", ball=0.4, cells=(6, 6, 6), young=3e4, position=(0, 0, 0))
    for name, x in (("left", -0.6), ("right", 0.6)):
        world.add_body(name, Box((0.1, 1.2, 1.2)), mass=20.0, position=(x, 0, 0))
        motor = {"speed": -0.5 * np.sign(x), "max_force": 4000.0}
        world.add_joint("prismatic", name, at=(x, 0, 0), axis=(1, 0, 0), motor=motor)
    return world


def materials() -> World:
    """Four cubes of 0.02 to 5 MPa, thrown at each other."""
    world = World()
    world.add_body("ground", Plane(), fixed=True)
    for k, young in enumerate((2e4, 1e5, 5e5, 5e6)):
        angle = 0.5 * np.pi * k
        place = np.array([np.cos(angle), 0.0, np.sin(angle)])
        world.add_solid(
            f"cube{k}", size=(0.6, 0.6, 0.6), cells=(4, 4, 4), young=young,
            position=0.8 * place + [0, 0.6 + 0.1 * k, 0], velocity=-2.0 * place,
        )  # fmt: skip
    return world


SCENES: dict[str, tuple[Callable[[], World], int]] = {
    "tetrahedra": (tetrahedra, 60),
    "bricks": (bricks, 60),
    "cloth": (cloth, 60),
    "free_cloth": (free_cloth, 60),
    "jelly": (jelly, 240),
    "plates": (plates, 240),
    "materials": (materials, 240),
}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=tuple(SCENES), nargs="*", default=list(SCENES))
    parser.add_argument("--threads", type=int, default=cores())
    given = parser.parse_args(arguments)
    use_threads(given.threads)
    print(f"{given.threads} threads; by the clock, of the processor; ms")
    print("scene         nodes    median      p99    worst    median      p99    worst   gain, J")
    for name in given.only:
        make, steps = SCENES[name]
        make().step(3)  # compiled
        world = make()
        spent, energy = [], [world.energy().total]
        for _ in range(steps):
            began = time.perf_counter(), time.process_time()
            world.step()
            spent.append((time.perf_counter() - began[0], time.process_time() - began[1]))
            energy.append(world.energy().total)
        columns = [
            f"{1e3 * value:9.2f}"
            for times in np.array(spent).T
            for value in (*np.percentile(times, [50, 99]), times.max())
        ]
        gain = float(np.diff(energy).max())
        nodes = world.stats.soft["nodes"]
        print(f"{name:12} {nodes:6} {''.join(columns)}{gain:10.2g}", flush=True)
