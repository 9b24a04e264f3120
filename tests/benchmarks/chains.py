"""Chains, a ragdoll and ropes: time of a step, as ratios beside MuJoCo in the same run.

Every scene is a tree of boxes on ball joints, written once and built in both engines: the same
masses, the same step, no contacts. Times are the best of several runs, alternating between the
engines, because a shared machine is never quiet. Without MuJoCo (`pip install taut[bench]`) only
our times are printed.

A step is only worth its time if it holds. The second table therefore gives the processor time per
simulated second at the longest step at which the engine keeps the scene for 4 s: no divergence,
and no energy gained beyond 2 % of m g times the scene's length.
"""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from physics import Box, World

STEP = 0.01  # s
REPEATS = 7
SHARE_OF_PEER = 0.5  # the aim: at most half of MuJoCo's time
STEPS = (1 / 30, 1 / 60, 0.01, 0.005, 0.002, 0.001)  # s, tried from the longest
HELD_FOR = 4.0  # s
MOST_GAIN = 0.02


@dataclass(frozen=True)
class Link:
    """A box on a ball joint at `anchor`; `parent` is the index of another link, -1 the world."""

    parent: int
    center: tuple[float, float, float]
    anchor: tuple[float, float, float]
    size: tuple[float, float, float]
    mass: float
    swing_limit: float | None = None


@dataclass
class Scene:
    """A named tree of links."""

    name: str
    links: list[Link] = field(default_factory=list)


def chain(count: int, length: float = 0.5, mass: float = 1.0, load: float = 100.0) -> Scene:
    """`count` links released horizontally, a load at the end."""
    scene = Scene(f"chain of {count}")
    for i in range(count):
        center = ((i + 0.5) * length, 0.0, 0.0)
        scene.links.append(Link(i - 1, center, (i * length, 0.0, 0.0), (length, 0.05, 0.05), mass))
    end = count * length
    scene.links.append(Link(count - 1, (end + 0.1, 0, 0), (end, 0, 0), (0.2, 0.2, 0.2), load))
    return scene


def ragdoll_on_liana() -> Scene:
    """[Tournier15] §4.3: ten liana links and twelve limbs with joint limits."""
    scene = chain(10, 0.4, 0.5)
    scene.name = "ragdoll on liana (22)"
    scene.links.pop()
    hand = len(scene.links) - 1
    x = 4.0
    limbs = (
        # parent, centre, anchor, size, mass
        (hand, (x, -0.3, 0), (x, 0, 0), (0.08, 0.6, 0.08), 3.0),
        (10, (x, -0.75, 0), (x, -0.6, 0), (0.3, 0.3, 0.2), 15.0),
        (11, (x, -1.05, 0), (x, -0.9, 0), (0.25, 0.3, 0.2), 12.0),
        (11, (x, -0.5, 0.15), (x, -0.6, 0.15), (0.2, 0.2, 0.2), 5.0),
        (11, (x, -0.8, -0.3), (x, -0.65, -0.2), (0.08, 0.3, 0.08), 2.0),
        (14, (x, -1.1, -0.3), (x, -0.95, -0.3), (0.07, 0.3, 0.07), 1.5),
        (12, (x, -1.4, 0.1), (x, -1.2, 0.1), (0.12, 0.4, 0.12), 7.0),
        (16, (x, -1.8, 0.1), (x, -1.6, 0.1), (0.1, 0.4, 0.1), 4.0),
        (17, (x, -2.05, 0.1), (x, -2.0, 0.1), (0.2, 0.1, 0.1), 1.0),
        (12, (x, -1.4, -0.1), (x, -1.2, -0.1), (0.12, 0.4, 0.12), 7.0),
        (19, (x, -1.8, -0.1), (x, -1.6, -0.1), (0.1, 0.4, 0.1), 4.0),
        (20, (x, -2.05, -0.1), (x, -2.0, -0.1), (0.2, 0.1, 0.1), 1.0),
    )
    for parent, center, anchor, size, mass in limbs:
        scene.links.append(Link(parent, center, anchor, size, mass, swing_limit=1.0))
    return scene


def ropes(count: int = 10, links: int = 50) -> Scene:
    """Ropes side by side: 500 bodies."""
    scene = Scene(f"{count} ropes of {links} ({count * links})")
    for rope in range(count):
        z = float(rope)
        for i in range(links):
            parent = len(scene.links) - 1 if i else -1
            center, anchor = ((i + 0.5) * 0.1, 0.0, z), (i * 0.1, 0.0, z)
            scene.links.append(Link(parent, center, anchor, (0.1, 0.02, 0.02), 0.1))
    return scene


def build_ours(scene: Scene, h: float = STEP) -> World:
    world = World(rate=1.0 / h)
    handles: list[Any] = []
    for i, link in enumerate(scene.links):
        body = world.add_body(
            f"link {i}", Box(link.size), mass=link.mass, position=link.center, mask=0
        )
        limits: dict[str, Any] = {}
        if link.swing_limit is not None:
            limits["swing_limit"] = link.swing_limit
        parent = handles[link.parent] if link.parent >= 0 else None
        world.add_joint("ball", body, parent, at=link.anchor, **limits)
        handles.append(body)
    return world


def build_mujoco(scene: Scene, h: float = STEP) -> tuple[Any, Any, Any]:
    """The same tree as an MJCF model."""
    import mujoco

    children: dict[int, list[int]] = {}
    for i, link in enumerate(scene.links):
        children.setdefault(link.parent, []).append(i)

    def element(i: int, origin: Any) -> str:
        link = scene.links[i]
        anchor = np.array(link.anchor, float)
        offset, middle = anchor - origin, np.array(link.center) - anchor
        half = " ".join(f"{0.5 * edge:g}" for edge in link.size)
        limit = ""
        if link.swing_limit is not None:
            limit = f' limited="true" range="0 {link.swing_limit:g}"'
        inner = "".join(element(k, anchor) for k in children.get(i, []))
        return (
            f'<body pos="{_text(offset)}"><joint type="ball"{limit}/>'
            f'<geom type="box" size="{half}" pos="{_text(middle)}" mass="{link.mass:g}" '
            f'contype="0" conaffinity="0"/>{inner}</body>'
        )

    tree = "".join(element(i, np.zeros(3)) for i in children[-1])
    text = (
        f'<mujoco><compiler angle="radian"/><option timestep="{h}" gravity="0 -9.81 0"/>'
        f"<worldbody>{tree}</worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(text)
    return mujoco, model, mujoco.MjData(model)


def _text(vector: Any) -> str:
    return " ".join(f"{part:.9g}" for part in vector)


def _timed(run: Callable[[int], None], steps: int) -> float:
    began = time.process_time()
    run(steps)
    return (time.process_time() - began) / steps


def compare(scene: Scene, seconds: float) -> tuple[float, float]:
    """Seconds per step of ours and MuJoCo's (nan without it): best of alternating runs."""
    world = build_ours(scene)
    world.step(2)
    start = world.snapshot()
    steps = max(3, int(seconds / REPEATS / max(_timed(world.step, 3), 1e-6)))
    steps = min(steps, 200)
    try:
        mujoco, model, data = build_mujoco(scene)
    except ImportError:
        mujoco = None
    best = [math.inf, math.inf]
    for _ in range(REPEATS):
        world.restore(start)
        best[0] = min(best[0], _timed(world.step, steps))
        if mujoco is not None:
            mujoco.mj_resetData(model, data)
            best[1] = min(best[1], _timed(lambda n: mujoco.mj_step(model, data, n), steps))
    return best[0], best[1] if mujoco is not None else math.nan


@dataclass(frozen=True)
class Held:
    """The longest step at which an engine keeps a scene, and what a second of it costs."""

    step: float  # s
    cost: float  # processor seconds per simulated second


def held(
    scene: Scene, build: Callable[[Scene, float], tuple[Callable[[int], None], Callable[[], float]]]
) -> Held | None:
    """`build` gives a function that takes n steps and one that tells the energy, inf if lost."""
    scale = sum(link.mass for link in scene.links) * 9.81 * max(k.center[0] for k in scene.links)
    for h in STEPS:
        advance, energy = build(scene, h)
        start, gain, spent = energy(), 0.0, 0.0
        for _ in range(40):
            steps = max(1, round(HELD_FOR / h / 40))
            spent += steps * _timed(advance, steps)
            gain = max(gain, (energy() - start) / scale)
            if not gain < MOST_GAIN:
                break
        else:
            return Held(h, spent / HELD_FOR)
    return None


def _ours_to_hold(scene: Scene, h: float) -> tuple[Callable[[int], None], Callable[[], float]]:
    world = build_ours(scene, h)
    world.step(2)
    return world.step, lambda: math.inf if world.diverged else world.energy().total


def _mujoco_to_hold(
    integrator: str,
) -> Callable[[Scene, float], tuple[Callable[[int], None], Callable[[], float]]]:
    def build(scene: Scene, h: float) -> tuple[Callable[[int], None], Callable[[], float]]:
        mujoco, model, data = build_mujoco(scene, h)
        model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
        model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        mujoco.mj_forward(model, data)
        lost = data.warning[mujoco.mjtWarning.mjWARN_BADQACC]

        def energy() -> float:
            return math.inf if lost.number else float(data.energy.sum())

        return lambda n: mujoco.mj_step(model, data, n), energy

    return build


def print_held() -> None:
    """Processor time per simulated second at the longest step that each engine holds."""
    try:
        import mujoco
    except ImportError:
        return
    mujoco.set_mju_user_warning(lambda text: None)  # divergence is what the table is about
    print(f"\n{'per simulated second':28} {'ours':>19} {'MuJoCo, best':>26} {'ratio':>7}")
    for scene in (chain(10), ragdoll_on_liana(), chain(100)):
        ours = held(scene, _ours_to_hold)
        found = {name: held(scene, _mujoco_to_hold(name)) for name in ("EULER", "RK4")}
        peers = {name: peer for name, peer in found.items() if peer is not None}
        if ours is None or not peers:
            print(f"{scene.name:28} not held by {'MuJoCo' if ours else 'ours'}")
            continue
        name = min(peers, key=lambda key: peers[key].cost)
        print(
            f"{scene.name:28} {1e3 * ours.cost:6.2f} ms at {ours.step:.3f} s "
            f"{1e3 * peers[name].cost:6.1f} ms at {peers[name].step:.3f} s, {name:5} "
            f"{ours.cost / peers[name].cost:6.2f}",
            flush=True,
        )


def exponent(sizes: list[int], seconds: float) -> tuple[float, list[float]]:
    """Growth of our time with the number of links: slope in the log-log plot."""
    times = []
    for size in sizes:
        world = build_ours(chain(size))
        world.step(2)
        start = world.snapshot()
        steps = max(3, min(100, int(seconds / REPEATS / max(_timed(world.step, 3), 1e-6))))
        best = math.inf
        for _ in range(REPEATS):
            world.restore(start)
            best = min(best, _timed(world.step, steps))
        times.append(best)
    slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    return float(slope), times


def topology_change(count: int = 200) -> tuple[float, float]:
    """Typical and longest step after adding and cutting in a world of `count` bodies, s."""
    world = build_ours(chain(count))
    world.step(2)
    worst = []
    for i in range(20):
        extra = world.add_body(f"extra {i}", Box((0.1, 0.1, 0.1)), mass=1.0, position=(0, -1, 0))
        world.add_joint("ball", extra, f"link {count // 2}", at=(0, -1, 0))
        began = time.process_time()
        world.step(1)
        worst.append(time.process_time() - began)
        world.remove(extra)
    return float(np.median(worst)), max(worst[1:])  # the first one loads kernels


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description="Times of one step, beside MuJoCo where it is installed.",
        prog="python -m tests.benchmarks chains",
        epilog="example: python -m tests.benchmarks chains --seconds 2",
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time per scene and engine")
    seconds = parser.parse_args(arguments).seconds
    print(f"{'scene':28} {'ours':>10} {'MuJoCo':>10} {'ratio':>7}   aim: {SHARE_OF_PEER} or less")
    for scene in (chain(10), ragdoll_on_liana(), chain(100), ropes()):
        ours, peer = compare(scene, seconds)
        ratio = f"{ours / peer:7.2f}" if math.isfinite(peer) else "      -"
        print(f"{scene.name:28} {1e6 * ours:7.1f} µs {1e6 * peer:7.1f} µs {ratio}", flush=True)
    sizes = [10, 30, 100, 300, 1000]
    slope, times = exponent(sizes, seconds)
    listed = ", ".join(f"{n}: {1e6 * t:.0f} µs" for n, t in zip(sizes, times, strict=True))
    print(f"growth with links: exponent {slope:.2f} (aim: 1.1 or less) — {listed}")
    usual, longest = topology_change()
    print(
        f"topology change, 200 bodies: {1e3 * usual:.2f} ms, at most {1e3 * longest:.2f} ms "
        "a step (aim: 5 or less)"
    )
    print_held()
