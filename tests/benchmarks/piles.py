"""Pyramids and a pour: time of a step with many contacts, beside MuJoCo and PyBullet.

Two scenes, written once and built in every engine: a pyramid of 210 boxes and a pour of 1,000 mixed
shapes into an open box, both in three dimensions with steps of 0.01 s. Every engine takes the run
once and alone on one thread, but no longer than a minute; printed are the mean processor time of a
step, ours over it in the same steps, the deepest overlap of the last step and of all, how far the
worst body went, and how many escaped; then the same ratio by parts of the run, because a pour that
still falls and one that lies are different things.
Nothing may sleep, so that resting bodies are paid for in full; our own last line shows what
sleeping saves. Peers that are not installed (`pip install taut[bench]`, `pip install pybullet`) are
left out.

With `--threads` instead: separate piles by one thread and by two, in turn, and whether both came to
the same bits.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from physics import Box, Capsule, Plane, Sphere, World
from physics.jit.threads import cores, use_threads
from physics.state import Floats

STEP = 0.01  # s
FRICTION = 0.5
PATIENCE = 60.0  # s of processor time for one engine and scene
PARTS = 16  # of a run, each with a ratio of its own
PEERS = ("MuJoCo", "PyBullet")
SHARE_OF_PEER = 0.5  # the aim: at most half of MuJoCo's time


class Part(NamedTuple):
    """A body of 1 kg, or an immovable box where `fixed`."""

    kind: str  # box, sphere, capsule
    size: tuple[float, ...]  # edges; radius; radius and length of the straight part
    position: tuple[float, float, float]
    orientation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    fixed: bool = False


@dataclass
class Scene:
    """Parts above a floor at y = 0."""

    name: str
    steps: int
    parts: list[Part] = field(default_factory=list)
    wall: float = math.inf  # m: beyond it sideways, or below the floor, a body has escaped


class Result(NamedTuple):
    seconds: Floats  # of every step
    overlap: float  # m, in the last step
    deepest: float  # m, in any step
    drift: float  # m
    escaped: int


def pyramid(rows: int = 20, size: float = 0.5, steps: int = 500) -> Scene:
    """Rows of boxes, one more in each lower row: 210 for 20 rows."""
    scene = Scene(f"pyramid of {rows * (rows + 1) // 2}", steps)
    for row in range(rows):
        for k in range(rows - row):
            x = (k - 0.5 * (rows - row - 1)) * 1.05 * size
            scene.parts.append(Part("box", (size,) * 3, (x, (row + 0.5) * size, 0.0)))
    return scene


def piles(count: int = 20, rows: int = 8, steps: int = 10) -> Scene:
    """Pyramids far from each other: as many groups of contacts of the same size."""
    scene = Scene(f"{count} piles of {rows * (rows + 1) // 2}", steps)
    for part in pyramid(rows).parts:
        for k in range(count):
            x, y, z = part.position
            scene.parts.append(part._replace(position=(x, y, z + 3.0 * k)))
    return scene


def pour(count: int = 1000, steps: int = 400) -> Scene:
    """Boxes, balls and capsules dropped in layers of 64 into an open box 4 m wide."""
    rng = np.random.default_rng(7)
    scene = Scene(f"pour of {count}", steps, wall=2.6)
    for side in (-1.0, 1.0):
        scene.parts.append(Part("box", (0.5, 8.0, 5.0), (2.25 * side, 4.0, 0.0), fixed=True))
        scene.parts.append(Part("box", (4.0, 8.0, 0.5), (0.0, 4.0, 2.25 * side), fixed=True))
    kinds = (("box", (0.3, 0.25, 0.2)), ("sphere", (0.15,)), ("capsule", (0.1, 0.2)))
    for k in range(count):
        layer, cell = divmod(k, 64)
        x, z = 0.46 * (cell % 8 - 3.5), 0.46 * (cell // 8 - 3.5)
        at = (x + rng.uniform(-0.03, 0.03), 0.4 + 0.46 * layer, z + rng.uniform(-0.03, 0.03))
        turn = rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        kind, size = kinds[k % 3]
        scene.parts.append(Part(kind, size, at, (turn[0], turn[1], turn[2], turn[3])))
    return scene


_SHAPES: dict[str, Callable[..., Any]] = {
    "box": lambda *size: Box(size),
    "sphere": Sphere,
    "capsule": Capsule,
}

# --- the engines --------------------------------------------------------------------------------


class Engine(NamedTuple):
    """How to run a scene in one engine."""

    step: Callable[[int], None]
    positions: Callable[[], Floats]  # of the moving parts
    overlap: Callable[[], float]


def ours(scene: Scene, sleeping: bool = False) -> Engine:
    world = World(rate=1.0 / STEP, sleeping=sleeping)
    world.add_body("floor", Plane(), fixed=True, friction=FRICTION)
    moving = []
    for k, part in enumerate(scene.parts):
        shape = _SHAPES[part.kind](*part.size)
        handle = world.add_body(
            f"part {k}",
            shape,
            mass=None if part.fixed else 1.0,
            position=part.position,
            orientation=part.orientation,
            fixed=part.fixed,
            friction=FRICTION,
        )
        if not part.fixed:
            moving.append(handle.slot)
    return Engine(
        world.step,
        lambda: world.poses()[0][moving],
        lambda: float(world.contacts()["depth"].max(initial=0.0)),
    )


def mujoco_engine(scene: Scene) -> Engine:
    """With MuJoCo's defaults but for the step and the axis of gravity."""
    import mujoco

    bodies = []
    for part in scene.parts:
        # MuJoCo's capsules lie along z, ours along y: a quarter turn about x
        turned = ' quat="0.70710678 -0.70710678 0 0"' if part.kind == "capsule" else ""
        half = " ".join(f"{0.5 * edge:.9g}" for edge in part.size)
        if part.kind == "sphere":
            half = f"{part.size[0]:.9g}"
        elif part.kind == "capsule":
            half = f"{part.size[0]:.9g} {0.5 * part.size[1]:.9g}"
        joint = "" if part.fixed else "<freejoint/>"
        bodies.append(
            f'<body pos="{_text(part.position)}" quat="{_text(part.orientation)}">{joint}'
            f'<geom type="{part.kind}" size="{half}"{turned} mass="1"/></body>'
        )
    text = (
        f'<mujoco><size memory="2G"/><option timestep="{STEP}" gravity="0 -9.81 0"/>'
        f'<default><geom friction="{FRICTION} 0.005 0.0001"/></default>'
        '<worldbody><geom type="plane" size="50 50 1" zaxis="0 1 0"/>'
        f"{''.join(bodies)}</worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    moving = [k + 1 for k, part in enumerate(scene.parts) if not part.fixed]

    def overlap() -> float:
        return max((-float(distance) for distance in data.contact.dist), default=0.0)

    return Engine(
        lambda n: mujoco.mj_step(model, data, n), lambda: data.xpos[moving].copy(), overlap
    )


def bullet_engine(scene: Scene) -> Engine:
    """With PyBullet's defaults but for the step, the axis of gravity and sleeping, which is off."""
    import pybullet as bullet

    if bullet.isConnected():
        bullet.disconnect()  # calls go to the first connection unless told otherwise
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, -9.81, 0)
    bullet.setTimeStep(STEP)
    plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=[0, 1, 0])
    floor = bullet.createMultiBody(0, plane)
    bullet.changeDynamics(floor, -1, lateralFriction=FRICTION)
    shapes: dict[Any, int] = {}
    moving = []
    for part in scene.parts:
        key = (part.kind, part.size)
        if key not in shapes:
            shapes[key] = _bullet_shape(bullet, part)
        x, y, z = part.orientation[1:]
        body = bullet.createMultiBody(
            0 if part.fixed else 1, shapes[key], -1, part.position, (x, y, z, part.orientation[0])
        )
        bullet.changeDynamics(body, -1, lateralFriction=FRICTION)
        if not part.fixed:
            moving.append(body)

    def step(n: int) -> None:
        for _ in range(n):
            bullet.stepSimulation()

    def positions() -> Floats:
        return np.array([bullet.getBasePositionAndOrientation(body)[0] for body in moving])

    def overlap() -> float:
        found = bullet.getContactPoints()
        return max((-point[8] for point in found), default=0.0)

    return Engine(step, positions, overlap)


def _bullet_shape(bullet: Any, part: Part) -> int:
    if part.kind == "sphere":
        return int(bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=part.size[0]))
    if part.kind == "box":
        half = [0.5 * edge for edge in part.size]
        return int(bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half))
    # capsules along y
    turn = (-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    return int(
        bullet.createCollisionShape(
            bullet.GEOM_CAPSULE,
            radius=part.size[0],
            height=part.size[1],
            collisionFrameOrientation=turn,
        )
    )


def _text(numbers: Any) -> str:
    return " ".join(f"{number:.9g}" for number in numbers)


# --- measuring ----------------------------------------------------------------------------------


def run(engine: Engine, scene: Scene) -> Result:
    """The whole run once, in processor time, or as much of it as fits into a minute."""
    engine.step(1)
    start = engine.positions()
    seconds: list[float] = []
    deepest = 0.0
    while len(seconds) < scene.steps and sum(seconds) < PATIENCE:
        began = time.process_time()
        engine.step(1)
        seconds.append(time.process_time() - began)
        deepest = max(deepest, engine.overlap())
    end = engine.positions()
    drift = float(np.linalg.norm(end - start, axis=1).max())
    outside = (np.abs(end[:, [0, 2]]) > scene.wall).any(axis=1) | ~(end[:, 1] > -0.5)
    return Result(np.array(seconds), engine.overlap(), deepest, drift, int(outside.sum()))


def compare(scene: Scene) -> Iterator[tuple[str, Result | None]]:
    """(engine, result) one after the other; None where a peer is not installed."""
    makers: tuple[tuple[str, Callable[[Scene], Engine]], ...] = (
        ("ours", ours),
        ("MuJoCo", mujoco_engine),
        ("PyBullet", bullet_engine),
        ("ours, sleeping", lambda given: ours(given, sleeping=True)),
    )
    for name, make in makers:
        try:
            engine = make(scene)
        except ImportError:
            yield name, None
            continue
        yield name, run(engine, scene)


def report(scenes: list[Scene]) -> None:
    """Prints the table."""
    print(
        f"{'':32} {'steps':>6} {'ms a step':>10} {'ours/peer':>10} {'overlap':>10} {'at most':>10} "
        f"{'drift':>9} {'escaped':>8}"
    )
    for scene in scenes:
        base = np.zeros(0)
        for name, result in compare(scene):
            label = f"{scene.name}, {name}"
            if result is None:
                print(f"{label:32} not installed")
                continue
            if name == "ours":
                base = result.seconds
            steps = len(result.seconds)
            print(
                f"{label:32} {steps:6d} {1e3 * result.seconds.mean():10.2f} "
                f"{base[:steps].mean() / result.seconds.mean():10.2f} "
                f"{1e3 * result.overlap:7.2f} mm {1e3 * result.deepest:7.2f} mm "
                f"{1e3 * result.drift:6.1f} mm {result.escaped:8d}",
                flush=True,
            )
            if name in PEERS:
                _report_parts(base, result.seconds, max(scene.steps // PARTS, 1))
    print(f"aim: at most {SHARE_OF_PEER} of MuJoCo's time at equal or less overlap")


def _report_parts(base: Floats, peer: Floats, length: int) -> None:
    """Prints the ratio of times for every part of the run that both have taken."""
    text = []
    for first in range(0, len(peer), length):
        own, other = base[first : first + length], peer[first : first + length]
        if len(own) == len(other):
            text.append(f"{own.mean() / other.mean():.2f}")
    print(f"    by parts of {length} steps: {' '.join(text)}")


def report_threads(scene: Scene, turns: int = 6) -> None:
    """Prints time by one and by two threads, the fastest turn of each.

    Every turn begins anew, where impulses must be found and sweeps are most of a step. Beside real
    time, which is of use on a machine with nothing else to do, the processor time of the calling
    thread with its waiting: what remains for it when another takes part.
    """
    real, own = (dict.fromkeys((1, 2), math.inf) for _ in range(2))
    end = {}
    try:
        for turn in range(turns):
            for threads in (1, 2):
                use_threads(threads)
                engine = ours(scene)
                engine.step(1)  # groups are known only then
                began, began_own = time.perf_counter(), time.thread_time()
                engine.step(scene.steps)
                if turn > 0:  # the first turn loads what is compiled
                    real[threads] = min(real[threads], time.perf_counter() - began)
                    own[threads] = min(own[threads], time.thread_time() - began_own)
                end[threads] = engine.positions()
    finally:
        use_threads(cores())
    same = "the same bits" if np.array_equal(end[1], end[2]) else "NOT THE SAME"
    for name, spent in (("real time", real), ("caller's processor time", own)):
        one, two = (1e3 * spent[threads] / scene.steps for threads in (1, 2))
        print(
            f"{scene.name}, {name}: {one:.2f} ms a step by one thread, {two:.2f} by two: "
            f"{two / one:.2f} of it, {same}"
        )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description="Time of a step with many contacts, beside MuJoCo and PyBullet.",
        prog="python -m tests.benchmarks piles",
        epilog="example: python -m tests.benchmarks piles --share 0.2",
    )
    parser.add_argument("--share", type=float, default=1.0, help="share of the steps of a full run")
    parser.add_argument("--threads", action="store_true", help="one thread against two instead")
    chosen = parser.parse_args(arguments)
    share = chosen.share
    scenes = [piles(), piles(2, 20)] if chosen.threads else [pyramid(), pour()]
    for scene in scenes:
        scene.steps = max(10, int(scene.steps * share))
    World(rate=1.0 / STEP).step(1)  # compiles, or loads what is compiled
    if chosen.threads:
        for scene in scenes:
            report_threads(scene)
    else:
        use_threads(1)  # as the peers; a waiting helper would count as processor time
        report(scenes)
