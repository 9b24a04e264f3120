"""Headlines: the stability map, the energy of a swing, the order of accuracy, time of a step."""

import math
from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from physics import World
from sandbox.reproduce.item import SHOWN, Chart, Result, Series, holds, item, near, short, within
from sandbox.reproduce.outcomes import peaks, run
from sandbox.reproduce.scenes import OURS, chain

Floats = NDArray[np.float64]
RATIOS = (1.0, 1e2, 1e3, 1e4, 1e5, 1e6)
STEPS = (0.001, 0.005, 0.01, 1 / 60, 1 / 30, 0.05, 0.1)
GAP, GAIN, LEFT = 1e-4, 0.02, 0.95


@item(
    "Headlines", "Stability map: mass ratio against step",
    conditions="""Ten links of 0.5 m and 1 kg on ball joints, released horizontally, a sphere of
    mass R at the end, "adaptive", 10 s, and 4 s at 0.001 s (--quick: 2 s and 0.5 s). A cell
    holds if it is finite, gaps stay below 1e-4 m and no more than 2 % of the releasable energy
    is gained. Numbers in cells: energy left, %.""",
    limit=400,
)  # fmt: skip
def stability_map(quick: bool) -> Result:
    result, lost, worst_gap, worst_gain, keeps = Result(), 0, 0.0, 0.0, 1.0
    cells = []
    for ratio in RATIOS:
        line = []
        for h in STEPS:
            seconds = (2.0 if h > 0.002 else 0.5) if quick else (10.0 if h > 0.002 else 4.0)
            found = run(chain(ratio, h), seconds)
            good = found.finite and found.gap < GAP and found.gain < GAIN
            lost += not good
            worst_gap, worst_gain = max(worst_gap, found.gap), max(worst_gain, found.gain)
            if good and ratio >= 100 and h <= 1 / 30 + 1e-9:
                keeps = min(keeps, found.left)
            word = "holds" if good else "fails"
            line.append(f"{word} {100 * found.left:.0f}" if found.finite else word)
        cells.append(line)
    count = len(RATIOS) * len(STEPS)
    result.add("cells that hold", f"{count} (our aim)", f"{count - lost}", within(lost, 0))
    result.add("largest gap, m", "< 1e-4 (our aim)", short(worst_gap), within(worst_gap, GAP))
    result.add(
        "largest gain, %", "< 2 (our aim)", short(100 * worst_gain), within(worst_gain, GAIN)
    )
    result.add(
        "least energy left, R ≥ 100, h ≤ 1/30, %", "≥ 95 (our aim)", short(100 * keeps, 4),
        within(LEFT - keeps, 0.0),
    )  # fmt: skip
    result.metrics = {"map_lost": float(lost), "map_gain": worst_gain}
    steps, ratios = [f"{h:.3g}" for h in STEPS], [f"{R:g}" for R in RATIOS]
    title = "Mass ratio against step, adaptive"
    chart = Chart(title, "step, s", "mass ratio", columns=steps, rows=ratios, cells=cells)
    result.charts.append(chart)
    return result


@item(
    "Headlines", "Energy of a swing",
    conditions="""100 kg on 20 links of 0.25 m and 0.2 kg, released 30° from the vertical, h =
    0.01 s, 40 s (10 s with --quick): peaks of the kinetic energy, last over first.""",
    why="""The first peak of a released swing is not yet that of the settled motion where the
    step is of first order; a scheme of second order has no such start.""",
)  # fmt: skip
def energy_of_a_swing(quick: bool) -> Result:
    result = Result()
    scene = chain(100.0, 0.01, links=20, length=0.25, mass=0.2, tilt=math.radians(30))
    scene.releasable *= 1 - math.cos(math.radians(30))
    found = run(scene, 10.0 if quick else 40.0, every=1)
    tops = peaks(found.kinetic)
    share = tops[-1] / tops[0] if len(tops) > 1 else 0.0
    result.add("peak kinetic energy, last/first", "0.98 [Andrews17]; 0.60 [Tournier15]",
               short(share, 5), holds(0.98 <= share <= 1.02))  # fmt: skip
    result.add("largest rise above the start, %", "0", short(100 * found.gain),
               within(found.gain, 0.02))  # fmt: skip
    result.metrics["energy_left"] = min(share, 2.0 - share)
    curve = Series("kinetic energy", found.times, found.kinetic)
    result.charts.append(Chart("Kinetic energy of 100 kg on a cable", "time, s", "J", [curve]))
    return result


def _exact_pendulum(seconds: float) -> tuple[float, float]:
    def motion(_: float, y: list[float]) -> list[float]:
        return [y[1], -9.81 * math.sin(y[0])]

    angle = solve_ivp(motion, (0, seconds), [math.pi / 2, 0], rtol=1e-12, atol=1e-12).y[0, -1]
    return math.sin(angle), -math.cos(angle)


@item(
    "Headlines", "Order of accuracy",
    conditions="""A point pendulum from the horizontal, 1 m, 1 s, at 60, 120, 240 and 480 steps
    a second: distance to the exact place, and the slope of the last halving. And six links of
    0.5 m for 0.5 s against 7680 steps a second.""",
    why="A step that uses the velocity at its start as that of its middle is of first order.",
)  # fmt: skip
def order_of_accuracy(quick: bool) -> Result:
    result = Result()
    x, y = _exact_pendulum(1.0)
    rates = (60, 120, 240, 480)
    errors = []
    for rate in rates:
        world = World(rate=rate, sleeping=False)
        bob = world.add_particle("bob", mass=1.0, position=(1, 0, 0))
        world.add_joint("distance", bob, at_b=(0, 0, 0))
        world.step(rate)
        place = world.position(bob)
        errors.append(math.hypot(place[0] - x, place[1] - y))
    order = math.log2(errors[-2] / errors[-1])
    result.add("pendulum: error at 60 Hz, m", "8.1e-4 (our aim)", short(errors[0]),
               within(errors[0], 1e-3))  # fmt: skip
    result.add("pendulum: order", "2 (our aim)", short(order), within(1.9 - order, 0.0))
    result.metrics["order"] = order
    links = _links_errors(rates, 1920 if quick else 7680)
    slope = math.log2(links[-2] / links[-1])
    result.add("six links: error at 60 Hz, m", "", short(links[0]), near(slope, 2.0, 0.1))
    result.add("six links: order", "2 (our aim)", short(slope), within(1.9 - slope, 0.0))
    steps = [1.0 / rate for rate in rates]
    result.charts.append(
        Chart("Error against step", "step, s", "m", [
            Series("pendulum", steps, errors), Series("six links", steps, links),
        ], log_x=True, log_y=True)
    )  # fmt: skip
    return result


def _links_errors(rates: tuple[int, ...], fine: int) -> list[float]:
    places = []
    for rate in (*rates, fine):
        scene = chain(1.0, 1.0 / rate, links=6)
        scene.world.step(rate // 2)
        places.append(scene.world.position(scene.end))
    return [float(np.linalg.norm(place - places[-1])) for place in places[:-1]]


def _reference_work(a: Floats, n: int) -> float:
    """A fixed piece of work as a step has it: small dense products, one after the other."""
    x = np.ones(6)
    y = np.zeros(6)
    for _ in range(n):
        for i in range(6):
            total = 0.0
            for k in range(6):
                total += a[i, k] * x[k]
            y[i] = total
        size = 0.0
        for i in range(6):
            size += y[i] * y[i]
        size = 1.0 / np.sqrt(size)
        for i in range(6):
            x[i] = y[i] * size
    return float(x[0])


_reference_kernel: Callable[[Floats, int], float] = njit(_reference_work)


TURN, MUJOCO_TURN, REPEATS = 100, 20, 20  # of a turn


@item(
    "Headlines", "Time of a step beside a fixed piece of work and beside MuJoCo",
    conditions="""A chain of 100 links, 100 kg, h = 0.01 s, processor time while nothing else is
    computed here; in turns, each of them the first second of the fall by this engine, the
    reference kernel (2,000 products of 6 x 6), and MuJoCo's first 0.2 s; the best turn of each.""",
    with_peers=True,
    alone=True,
)  # fmt: skip
def time_of_a_step(quick: bool) -> Result:
    from sandbox.engines import planar
    from sandbox.engines.engine import ENGINES, stepping
    from sandbox.engines.turns import Turn, best, in_turn

    result = Result()
    scene = planar.chain(100.0, links=100)
    scene.balls = True
    a = np.random.default_rng(0).normal(size=(6, 6))
    entrants = {
        "ours": Turn(stepping(ENGINES["taut"], scene, 0.01, OURS, TURN), TURN),
        "reference": Turn(lambda: lambda: _reference_kernel(a, 2000 * REPEATS), REPEATS),
    }
    peer = ENGINES["mujoco"]
    if peer.installed:
        make = stepping(peer, scene, 0.01, peer.shipped, MUJOCO_TURN)
        entrants["mujoco"] = Turn(make, MUJOCO_TURN)
    _reference_kernel(a, 10)
    times = best(in_turn(entrants, 9 if quick else 15))
    ratio = times["ours"] / times["reference"]
    result.metrics["chain_over_reference"] = ratio
    result.add("time of a step, µs", "", short(1e6 * times["ours"]), SHOWN, True)
    result.add("over the reference kernel", "", short(ratio), SHOWN, True)
    if "mujoco" in times:
        ratio = times["ours"] / times["mujoco"]
        result.metrics["chain_over_mujoco"] = ratio
        result.add("over MuJoCo", "≤ 0.08 (our aim)", short(ratio), within(ratio, 0.08), True)
    else:
        result.notes.append("MuJoCo is absent: `pip install 'taut[bench]'`.")
    return result
