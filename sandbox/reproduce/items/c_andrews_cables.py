"""[Andrews17]: energy, vibration, damping and torsion of cables."""

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics import STABILIZATIONS, Handle
from sandbox.reproduce.item import (
    SHOWN,
    Chart,
    Result,
    Series,
    at_least,
    holds,
    item,
    near,
    short,
)
from sandbox.reproduce.outcomes import Outcome, peaks, run
from sandbox.reproduce.scenes import CONSTRAINT, INERTIAL, OURS, PAPERS, UNTREATED, Scene, chain

SOURCE = "[Andrews17]"
SEGMENTS, LENGTH, MASS = 20, 0.3825, 0.2  # m, kg: a cable of 7.65 m
CABLE: dict[str, Any] = {
    "axial_stiffness": 1e12, "bend_stiffness": 10.0, "twist_stiffness": 10.0, "along": True,
}  # fmt: skip


def cable(load: float, h: float, tilt: float, kind: str = "cable", **settings: Any) -> Scene:
    flexible = {"cable": CABLE}.get(kind, {})
    given = {"links": SEGMENTS, "length": LENGTH, "mass": MASS, "thickness": 0.05, **settings}
    return chain(load, h, tilt=tilt, kind=kind, joint=flexible, **given)


def _swing(name: str, kind: str, seconds: float) -> tuple[float, Outcome]:
    scene = cable(100.0, 0.01, math.radians(30), kind, stabilization=name)
    found = run(scene, seconds, every=1)
    tops = peaks(found.kinetic)
    return (tops[-1] / tops[0] if found.finite and len(tops) > 1 else math.nan), found


@item(
    SOURCE, "Figure 8: energy of a swinging cable",
    conditions="""100 kg on a cable, axial stiffness 1e12, bending and twist 10; h = 0.01 s, 40
    s (10 s with --quick, and the paper's losses scaled to that). Peaks of the kinetic energy,
    last over first, for every stabilization; also on ball joints.""",
    left_open="""20 segments of 0.3825 m and 0.2 kg (7.65 m), released at rest 30° from the
    vertical.""",
    why="""The loss of "geometric" depends on length and angle, which the paper does not give.
    The aim of "adaptive" is to lose less than both of the paper's.""",
    limit=400,
)  # fmt: skip
def figure_8_energy_of_a_cable(quick: bool) -> Result:
    result, curves = Result(), []
    seconds = 10.0 if quick else 40.0
    for kind in ("cable",) if quick else ("cable", "ball"):
        for name in STABILIZATIONS:
            share, found = _swing(name, kind, seconds)
            ours = f"{100 * (share - 1):+.2f} %" if share == share else "diverged"
            told, verdict = _judge(name, share, seconds / 40.0)
            result.add(f"{kind} joints, {name}", told, ours, verdict)
            if "cable" in kind and name != UNTREATED and found.finite:
                curves.append(Series(name, found.times, found.kinetic))
    result.charts.append(Chart("Kinetic energy of 100 kg on a cable", "time, s", "J", curves))
    return result


def _judge(name: str, share: float, part: float) -> tuple[str, str]:
    """What the paper says of a stabilization, as a share of its 40 s."""
    loss = 1.0 - share
    if name == PAPERS:
        return "-40 %", near(loss, 1 - 0.6**part, 0.25)
    if name == CONSTRAINT:
        return "-2 %", holds(abs(loss) <= 0.04 * max(part, 0.5))
    if name == OURS:
        return "≤ 2 % (our aim)", holds(abs(loss) <= 0.02 * max(part, 0.5))
    return "", SHOWN


def _vibration(h: float, name: str, slack: float, seconds: float) -> tuple[Any, Any]:
    """Distance of the cable's middle from the line to the load, once pulled straight: times, m."""
    scene = cable(5000.0, h, 0.0, "cable", stabilization=name)
    world = scene.world
    _bend(scene, slack)
    middle = scene.links[SEGMENTS // 2]
    count = round(seconds / h)
    every = max(1, round(0.01 / h))
    times: list[float] = []
    places: list[float] = []
    for k in range(0, count, every):
        world.step(every)
        if world.diverged:
            return np.array(times), np.full(len(times), np.nan)
        times.append((k + every) * h)
        x, y, _ = world.position(middle)
        way = world.position(scene.end)
        places.append(float((x * way[1] - y * way[0]) / math.hypot(way[0], way[1])))
    return np.array(times), np.array(places)


def _bend(scene: Scene, angle: float) -> None:
    """Set the links in zigzag by ± angle, joints closed, so that the load drops a little."""
    world = scene.world
    point = np.zeros(3)
    for k, link in enumerate(scene.links):
        turn = angle if k % 2 == 0 else -angle
        along = np.array([math.sin(turn), -math.cos(turn), 0.0])
        world.set_position(link, point + 0.5 * LENGTH * along)
        half = (turn - math.pi / 2) / 2
        world.set_orientation(link, (math.cos(half), 0, 0, math.sin(half)))
        point = point + LENGTH * along
    assert scene.load is not None
    world.set_position(scene.load, np.add(point, (0, -0.25, 0)))


def _spread(values: NDArray[np.float64], times: NDArray[np.float64], after: float) -> float:
    """Root mean square of what it does about its mean after some time, m."""
    there = values[times >= after]
    return float(np.std(there)) if len(there) and np.isfinite(there).all() else math.inf


def _spectrum(name: str, places: NDArray[np.float64]) -> Series:
    """Amplitudes by frequency of what was seen every 0.01 s, less its mean."""
    window = np.hanning(len(places))
    sizes = 4.0 * np.abs(np.fft.rfft(window * (places - places.mean()))) / len(places)
    return Series(name, np.fft.rfftfreq(len(places), 0.01)[1:].tolist(), sizes[1:].tolist())


@item(
    SOURCE, "Figure 9: vibrations of a cable",
    conditions="""5000 kg dropped straight down on a cable that is bent in zigzag by 5°:
    distance of its middle from the line to the load, 0.3 s to 2 s, at h = 0.01 s against h =
    1e-5 s without stabilization: how wide it swings, and the strongest frequency of its
    spectrum.""",
    left_open="""The slack (5°), the cable of Figure 8, the part of the motion that is looked
    at; with --quick a reference of 2e-4 s, to 1 s.""",
    why="""Modes whose period is shorter than two steps cannot be kept at 0.01 s by anybody;
    what can be kept is how wide the cable swings sideways.""",
    limit=500,
)  # fmt: skip
def figure_9_vibrations(quick: bool) -> Result:
    result, curves, spread = Result(), [], {}
    spectra: list[Series] = []
    fine = 2e-4 if quick else 1e-5
    runs = [("reference", fine, UNTREATED)]
    runs += [(name, 0.01, name) for name in STABILIZATIONS if name != UNTREATED]
    for title, h, name in runs:
        times, places = _vibration(h, name, math.radians(5.0), 1.0 if quick else 2.0)
        spread[title] = 1e3 * _spread(places, times, 0.3)
        if math.isfinite(spread[title]):
            curves.append(Series(title, times.tolist(), places.tolist()))
            spectra.append(_spectrum(title, places[times >= 0.3]))
    reference = spread.pop("reference")
    result.add("reference, rms mm", "vibrates", short(reference), holds(reference > 1.0))
    for name, value in spread.items():
        keeps = near(value, reference, 0.6)
        if name == PAPERS:
            result.add(f"{name}, rms mm", "over-damped", short(value),
                       holds(value < 0.5 * reference))  # fmt: skip
        else:
            told = "kept" if name == CONSTRAINT else "kept (our aim)"
            result.add(f"{name}, rms mm", told, short(value), keeps)
    for one in spectra:
        strongest = one.x[int(np.argmax(one.y))]
        result.add(f"{one.name}: strongest frequency, Hz", "", short(strongest), SHOWN)
    result.charts.append(Chart("The middle of a cable", "time, s", "sideways, m", curves))
    result.charts.append(Chart("Its spectrum", "Hz", "m", spectra, log_y=True))
    return result


@item(
    SOURCE, "Figure 10: damping over time",
    conditions="""The cable of Figure 8 with 10, 100 and 1000 kg, "constraint", 10 s: damping of
    the middle link at every step, and the share of steps in which it is above zero.""",
    left_open="""which link: the eleventh of twenty; segments of 2 kg, with which 10 kg need
    little damping, as in the paper.""",
    why="How often a coefficient is above zero depends on the length and mass of the segments.",
)  # fmt: skip
def figure_10_damping(quick: bool) -> Result:
    result, curves, shares = Result(), [], []
    for load in (10.0, 100.0, 1000.0):
        scene = cable(load, 0.01, math.radians(30), stabilization=CONSTRAINT, mass=2.0)
        joint = _joint_of(scene, scene.links[SEGMENTS // 2])
        values = []
        for _ in range(300 if quick else 1000):
            scene.world.step()
            damping = scene.world.added_by_stabilization()[1]
            values.append(float(damping[joint.slot]))
        shares.append(float(np.mean(np.array(values) > 0)))
        curves.append(Series(f"{load:g} kg", [0.01 * k for k in range(len(values))], values))
    for load, share, paper in zip(
        (10, 100, 1000), shares, ("mostly zero", "more often", "more often still"), strict=True
    ):
        verdict = holds(share < 0.5) if load == 10 else holds(share >= shares[0])
        result.add(f"{load} kg: share of steps with damping", paper, short(share), verdict)
    rising = shares[0] <= shares[1] <= shares[2]
    result.add("grows with the load", "yes", "yes" if rising else "no", holds(rising))
    result.charts.append(Chart("Damping of a link", "time, s", "N m s/rad", curves))
    return result


def _joint_of(scene: Scene, link: Handle) -> Handle:
    world = scene.world
    return next(j for j in world.handles("joint") if link in (world.joint(j).a, world.joint(j).b))


@item(
    SOURCE, "Constraint-space against inertial damping: torsion of a cable",
    conditions="""The cable of Figure 8, the ball spun about the cable's axis at 10 rad/s and
    the cable released 30° off the vertical, h = 0.01 s, 2.5 s (half a swing, 1 s with --quick):
    spin about its axis that is left, against a run with h = 0.0005 s without stabilization.""",
    left_open="speed of the spin, time.",
    why="Added inertia that acts alike in all directions also brakes the turn about the axis.",
)  # fmt: skip
def torsion_of_a_cable(quick: bool) -> Result:
    result, left = Result(), {}
    for name, h in [("reference", 5e-4), *((name, 0.01) for name in STABILIZATIONS)]:
        if name == UNTREATED:
            continue
        stabilization = UNTREATED if name == "reference" else name
        scene = cable(100.0, h, math.radians(30), stabilization=stabilization)
        assert scene.load is not None
        along = scene.world.position(scene.load)
        along = along / np.linalg.norm(along)
        scene.world.set_angular_velocity(scene.load, 10.0 * along)
        scene.world.step(round((1.0 if quick else 2.5) / h))
        if scene.world.diverged:
            left[name] = math.nan
            continue
        now = scene.world.position(scene.load)
        now = now / np.linalg.norm(now)
        left[name] = float(scene.world.angular_velocity(scene.load) @ now)
    for name, spin in left.items():
        if name == "reference":
            result.add("reference: spin left, rad/s", "", short(spin), SHOWN)
        else:
            told = {INERTIAL: "severely damped"}.get(name, "plausible")
            share = spin / left["reference"]
            verdict = holds(share < 0.8) if name == INERTIAL else at_least(share, 0.95)
            result.add(f"{name}: share of it", told, short(share), verdict)
    return result


def _works(scene: Scene) -> tuple[float, float]:
    """½ vᵀ K̃ v of all joint forces, and the same with the norms of its columns as a diagonal, J.

    A force f on a body at the arm r turns with it: its block of K̃ is [f]ₓ[r]ₓ, about the centre.
    """
    world = scene.world
    blocks: dict[Handle, NDArray[np.float64]] = {}
    for k, joint in enumerate(scene.joints):
        a = scene.bodies[k]
        held, place = (a, -0.5) if k < SEGMENTS else (scene.links[-1], 0.5)
        at = world.to_world(held, (place * LENGTH, 0, 0))
        force, _ = world.joint_force(joint)
        for body, sign in ((a, 1.0), (scene.bodies[k - 1] if k else None, -1.0)):
            if body is not None:
                arm = at - world.position(body)
                block = sign * _cross(force) @ _cross(arm)
                blocks[body] = blocks.get(body, np.zeros((3, 3))) + block
    work = bound = 0.0
    for body, block in blocks.items():
        omega = world.angular_velocity(body)
        work += 0.5 * float(omega @ block @ omega)
        bound += 0.5 * float(np.linalg.norm(block, axis=0) @ omega**2)
    return abs(work), bound


def _cross(v: Any) -> NDArray[np.float64]:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


@item(
    SOURCE, "Figure 3: work of the geometric stiffness and of its diagonal bound",
    conditions="""The heavy ball of Figure 8 on 20 links, on ball joints and on hinges, h = 0.01 s,
    5 s (2 s with --quick): ½ vᵀ K̃ v of the joints' forces at every step, and the same with the
    norms of the columns of K̃ as a diagonal (Eq. 12). Then what the bound is for: energy that every
    scheme gains.""",
    left_open="""Of the hinges' K̃ the part of the forces; the torques that keep their axes add to
    it. Motion by "adaptive", so that the numbers are those of a sound motion.""",
    why="""With cable joints and with the paper's schemes at this step the swing gains energy: the
    bound says how stiff a spring may be, not what the scheme makes of it.""",
)  # fmt: skip
def figure_3_work_of_the_stiffness(quick: bool) -> Result:
    result, curves = Result(), []
    count = 200 if quick else 500
    for kind in ("ball", "hinge"):
        scene = cable(100.0, 0.01, math.radians(30), kind, stabilization=OURS)
        works = []
        for _ in range(count):
            scene.world.step()
            works.append(_works(scene))
        work, bound = np.array(works).T
        held = float(np.mean(work <= bound + 1e-9))
        result.add(f"{kind}: steps in which the diagonal bounds the work, %", "100",
                   short(100 * held), holds(held == 1.0))  # fmt: skip
        close = float(np.sum(bound) / np.sum(work))
        result.add(f"{kind}: bound over work, mean", "close for hinges", short(close), SHOWN)
        times = [0.01 * (k + 1) for k in range(count)]
        curves += [Series(f"{kind}, K̃", times, work.tolist())]
        curves += [Series(f"{kind}, diagonal", times, bound.tolist())]
    for kind in ("hinge", "cable"):
        for name in STABILIZATIONS:
            if name == UNTREATED:
                continue
            scene = cable(100.0, 0.01, math.radians(30), kind, stabilization=name)
            found = run(scene, 2.0 if quick else 5.0, every=1)
            told = short(100 * found.gain / (1 - math.cos(math.radians(30))))
            result.add(f"{kind}, {name}: energy gained, %", "bounded", told,
                       holds(found.finite and found.gain < 0.02))  # fmt: skip
    result.charts.append(Chart("Work of the geometric stiffness", "time, s", "J", curves))
    return result


def seconds_of(work: Any, count: int) -> float:
    """Best processor time of a call."""
    best = math.inf
    for _ in range(count):
        began = time.thread_time()
        work()
        best = min(best, time.thread_time() - began)
    return best
