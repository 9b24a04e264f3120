"""A process that steps one scene of the tree it is started in; see revisions.py.

It imports only what every tree has: the engine and its levels. {"scene": name} builds one and is
answered by {"seconds": 0}; {"seconds": s} steps it for about that long and is answered by the
processor seconds of a step, the median.
"""

import json
import os
import sys
import time
from typing import Any

from levels.plain_data import JsonTable
from physics.shapes.base import Shape


def _chain(links: int, load: float, rate: float) -> Any:
    from physics import Box, Sphere, World

    world = World(rate=rate, sleeping=False)
    previous = None
    for i in range(links + 1):
        last = i == links
        shape: Shape = Sphere(0.25) if last else Box((0.5, 0.05, 0.05))
        place = (0.5 * i + 0.25, 0, 0)
        body = world.add_body(f"{i}", shape, mass=load if last else 1.0, position=place, mask=0)
        world.add_joint("ball", body, previous, at=(0.5 * i, 0, 0))
        previous = body
    return world


def _wall(boxes: int) -> Any:
    from physics import Box, Plane, World

    world = World(rate=60, sleeping=False)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    row = 1
    while row * (row + 1) // 2 < boxes:
        row += 1
    for layer in range(row):
        for k in range(row - layer):
            place = (0.52 * (k - 0.5 * (row - layer - 1)), 0.25 + 0.51 * layer, 0)
            world.add_body(f"{layer} {k}", Box((0.5, 0.5, 0.5)), mass=1.0, position=place)
    return world


_MADE = {
    "chain-10": lambda: _chain(10, 100.0, 100),
    "chain-100": lambda: _chain(100, 100.0, 100),
    "chain-1000": lambda: _chain(1000, 100.0, 100),
    "wall-10": lambda: _wall(10),
    "wall-50": lambda: _wall(50),
}


def _stepper(scene: str) -> Any:
    if scene in _MADE:
        return _MADE[scene]().step
    from levels import load
    from levels.runtime import Session

    return Session(load(scene), scripted=True).step


def _median_step(step: Any, seconds: float) -> float:
    spent: list[float] = []
    end = time.perf_counter() + seconds
    while not spent or time.perf_counter() < end:
        began = time.thread_time()
        step()
        spent.append(time.thread_time() - began)
    return sorted(spent)[len(spent) // 2]


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    step: Any = None
    for line in sys.stdin.buffer:
        wanted = json.loads(line)
        try:
            if "scene" in wanted:
                step = _stepper(wanted["scene"])
                for _ in range(10):
                    step()
                answer: JsonTable = {"seconds": 0.0}
            else:
                answer = {"seconds": _median_step(step, wanted["seconds"])}
        except Exception as problem:
            answer = {"problem": str(problem)}
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
