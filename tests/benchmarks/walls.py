"""Walls of boxes begun with gaps: time of a step and rest, beside Rapier and MuJoCo.

Rows of boxes of 0.5 m and 1 kg, one more in each lower row, begin 2 cm apart and 1 cm above each
other and fall together at 60 Hz; nothing may sleep. Every engine takes the run once, alone and on
one thread. Printed are the median, the worst and the mean processor time of a step of the last
second and of all of them, when everything is slower than 1 cm/s for good, how far the worst box
went sideways, its speed at the end, and the deepest overlap; then ours over Rapier with 20
iterations. Peers that are not installed are left out.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from physics import Box, Plane, World
from physics.state import Floats

RATE = 60
SIZE, BESIDE, ABOVE, FRICTION = 0.5, 0.02, 0.01, 0.5
AT_REST = 0.01  # m/s
TOLERATED = 1.0  # of Rapier's time with 20 iterations


class Run(NamedTuple):
    """What became of a wall."""

    seconds: Floats  # processor time of each step
    rest: float  # s from which on nothing moved
    aside: float  # m
    speed: float  # m/s at the end
    overlap: float  # m at the end, nan if it is not known


def places(count: int) -> Floats:
    """Centres of the boxes: whole rows until there are as many."""
    base = 1
    while base * (base + 1) // 2 < count:
        base += 1
    return np.array(
        [
            (
                (k - (base - row - 1) / 2) * (SIZE + BESIDE),
                SIZE / 2 + ABOVE + row * (SIZE + ABOVE),
                0,
            )
            for row in range(base)
            for k in range(base - row)
        ]
    )


class Watch:
    """Takes the steps of one engine and notes what it sees."""

    def __init__(self, step: Callable[[], object], look: Callable[[], tuple[Floats, Floats]]):
        self.step, self.look = step, look

    def run(self, steps: int, overlap: Callable[[], float]) -> Run:
        start, _ = self.look()
        seconds, moving = np.zeros(steps), 0
        for k in range(steps):
            began = time.process_time()
            self.step()
            seconds[k] = time.process_time() - began
            if np.abs(self.look()[1]).max() > AT_REST:
                moving = k + 1
        at, speed = self.look()
        aside = float(np.abs(at - start)[:, [0, 2]].max())
        rest = moving / RATE if moving < steps else float("inf")
        return Run(seconds, rest, aside, float(np.abs(speed).max()), overlap())


def ours(at: Floats, steps: int) -> Run:
    world = World(rate=RATE, sleeping=False)
    world.add_body("ground", Plane(), fixed=True, friction=FRICTION)
    for k, place in enumerate(at):
        world.add_body(
            f"box {k}", Box((SIZE,) * 3), mass=1.0, position=tuple(place), friction=FRICTION
        )
    slots = [handle.slot for handle in world.handles("body")][1:]
    bodies = world._bodies.arrays
    state = world.snapshot()
    world.step()  # what compiles and allocates does so here
    world.restore(state)

    def look() -> tuple[Floats, Floats]:
        return bodies.position[slots].copy(), bodies.velocity.reshape(-1, 6)[slots, :3]

    def overlap() -> float:
        contacts = world.contacts()
        return float(contacts["depth"].max(initial=0.0))

    return Watch(world.step, look).run(steps, overlap)


def with_rapier(at: Floats, steps: int, iterations: int) -> Run:
    import rapier3d as r

    world = r.PhysicsWorld(gravity=(0.0, -9.81, 0.0))
    world.set_num_threads(1)
    world.integration_parameters.dt = 1.0 / RATE
    world.integration_parameters.num_solver_iterations = iterations
    world.add_collider(
        r.Collider.cuboid(100, 0.5, 100, translation=(0, -0.5, 0), friction=FRICTION)
    )
    half = SIZE / 2
    boxes = [
        world.add_body(
            r.RigidBody.dynamic(translation=tuple(place), can_sleep=False),
            colliders=[r.Collider.cuboid(half, half, half, friction=FRICTION, mass=1.0)],
        )
        for place in at
    ]

    def look() -> tuple[Floats, Floats]:
        found = [world.rigid_bodies[b] for b in boxes]
        position = np.array([tuple(b.translation) for b in found])
        return position, np.array([tuple(b.linvel) for b in found])

    return Watch(world.step, look).run(steps, lambda: float("nan"))


def with_mujoco(at: Floats, steps: int) -> Run:
    import mujoco as m

    half = SIZE / 2
    boxes = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="box" size="{half} {half} {half}" '
        f'mass="1" friction="{FRICTION}"/></body>'
        for x, y, z in at
    )
    model = m.MjModel.from_xml_string(
        f'<mujoco><option timestep="{1 / RATE}" gravity="0 -9.81 0"/><worldbody>'
        f'<geom type="plane" size="0 0 1" zaxis="0 1 0" friction="{FRICTION}"/>{boxes}'
        "</worldbody></mujoco>"
    )
    data = m.MjData(model)

    def look() -> tuple[Floats, Floats]:
        return data.qpos.reshape(-1, 7)[:, :3].copy(), data.qvel.reshape(-1, 6)[:, :3]

    def overlap() -> float:
        return float(-data.contact.dist.min(initial=0.0))

    return Watch(lambda: m.mj_step(model, data), look).run(steps, overlap)


def engines(most: int) -> dict[str, tuple[Callable[..., Run], tuple[Any, ...]]]:
    found: dict[str, tuple[Callable[..., Run], tuple[Any, ...]]] = {"Taut": (ours, ())}
    try:
        import rapier3d  # noqa: F401

        found["Rapier"] = (with_rapier, (4,))
        found["Rapier 20"] = (with_rapier, (20,))
    except ImportError:
        print("Rapier is not installed: pip install rapier3d")
    try:
        import mujoco  # noqa: F401

        if most <= 250:
            found["MuJoCo"] = (with_mujoco, ())
    except ImportError:
        print("MuJoCo is not installed: pip install mujoco")
    return found


def report(name: str, run: Run) -> None:
    ms = 1e3 * run.seconds
    print(
        f"  {name:10} ms median {np.median(ms):8.3f}  worst {ms[1:].max():8.2f}  "
        f"last second {ms[-RATE:].mean():8.3f}  rest {run.rest:5.2f} s  "
        f"aside {1e3 * run.aside:7.2f} mm  speed {run.speed:.1e} m/s  "
        f"overlap {1e3 * run.overlap:5.2f} mm"
    )


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, nargs="+", default=[10, 50, 200, 1000])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--only", help="the engine to run")
    given = parser.parse_args(arguments)
    steps = round(given.seconds * RATE)
    for count in given.boxes:
        at = places(count)
        print(f"{len(at)} boxes")
        runs = {}
        for name, (run, options) in engines(len(at)).items():
            if given.only in (None, name):
                runs[name] = run(at, steps, *options)
                report(name, runs[name])
        if "Taut" in runs and "Rapier 20" in runs:
            share = np.median(runs["Taut"].seconds) / np.median(runs["Rapier 20"].seconds)
            worst = runs["Taut"].seconds[1:].max() / np.median(runs["Taut"].seconds)
            verdict = "within" if share <= TOLERATED else "beyond"
            print(f"  {share:.2f} x Rapier 20 ({verdict} {TOLERATED}), worst {worst:.1f} x median")
