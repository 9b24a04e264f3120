"""Error against processor time, for this engine and others on the same mechanisms."""

import math
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from physics import STABILIZATIONS, World
from sandbox.engines import exact, flex, planar
from sandbox.engines.engine import ENGINES, Engine, energy, gap
from sandbox.reproduce.item import SHOWN, Chart, Result, Series, item, short, within
from sandbox.reproduce.scenes import OURS

SOURCE = "Work and precision"
STEPS = (1 / 30, 1 / 60, 0.01, 0.005, 0.0025, 0.001, 0.0005, 0.00025)
LOST = 0.5  # m: farther off than this is no answer
CONDITIONS = """Error of the {what} after {seconds:g} s against the same equations solved to eleven
    digits; processor time of that run, the engine's stepping alone, on one thread, the better of
    two. A point is left out where an engine diverged or is off by more than 0.5 m. Energy is what
    it lost (-) or gained (+) at its best point, in % of what can be released. Every engine runs
    with its shipped and its best settings, undamped but for PyBullet as shipped and what is called
    damped; two-dimensional ones solve a third of the
    unknowns, and Rapier and Box2D compute in single precision."""


def _variants() -> Iterator[tuple[Engine, str]]:
    for engine in ENGINES.values():
        if engine.installed:
            settings = tuple(STABILIZATIONS) if engine.name == "taut" else engine.settings
            yield from ((engine, setting) for setting in settings)


def _point(
    engine: Engine, setting: str, scene: planar.Mechanism, h: float, goal: NDArray[np.float64]
) -> tuple[float, float, float, float]:
    """Processor time, error, energy gained (share) and gap of one run; inf where it is lost."""
    spent = math.inf
    for _ in range(2):
        running = engine.build(scene, h, setting)
        start = energy(scene, running)
        count = round(scene.seconds / h)
        began = time.process_time()
        running.step(count)
        spent = min(spent, time.process_time() - began)
    place = running.places()[scene.watched, :2]
    if not np.isfinite(running.speeds()).all() or not np.isfinite(place).all():
        return spent, math.inf, math.inf, math.inf
    error = float(np.hypot(*(place - goal)))
    gain = (energy(scene, running) - start) / scene.releasable()
    return spent, error, gain, gap(scene, running)


def _steps(quick: bool) -> tuple[float, ...]:
    return STEPS[1:7:2] if quick else STEPS


def _measured(scene: planar.Mechanism, quick: bool) -> Result:
    result, curves = Result(), []
    goal = exact.solve(scene)[-1][scene.watched, :2]
    fastest: dict[str, float] = {}
    for engine, setting in _variants():
        if quick and setting not in (engine.shipped, engine.best, OURS):
            continue
        times, errors, best = [], [], (math.inf, math.inf, 0.0, 0.0)
        for h in _steps(quick):
            if setting == "400 iterations" and h < 0.002:
                continue  # it would take minutes, and single precision is worse there
            found = _point(engine, setting, scene, h, goal)
            if found[1] < LOST:
                times.append(found[0])
                errors.append(found[1])
                best = min(best, found, key=lambda point: point[1])
                if found[1] <= 1e-2:
                    name = f"{engine.title}, {setting}"
                    fastest[name] = min(fastest.get(name, math.inf), found[0])
        name = f"{engine.title}, {setting}"
        if times:
            curves.append(Series(name, times, errors))
        told = (
            f"{short(best[1])} m in {1e3 * best[0]:.1f} ms, energy {100 * best[2]:+.2g} %"
            if times
            else "diverged or off by more than 0.5 m at every step"
        )
        result.add(f"{name}: best", "", told, SHOWN, True)
    for name, spent in sorted(fastest.items(), key=lambda entry: entry[1])[:6]:
        result.add(f"within 1 cm: {name}, ms", "", short(1e3 * spent), SHOWN, True)
    absent = [engine.title for engine in ENGINES.values() if not engine.installed]
    if absent:
        result.notes.append(f"Absent here: {', '.join(absent)} (`pip install 'taut[peers]'`).")
    curves.sort(key=lambda curve: min(curve.y))
    result.charts.append(
        Chart(f"Work and precision: {scene.name}", "processor time, s", "error, m", curves[:16],
              log_x=True, log_y=True)
    )  # fmt: skip
    return result


def _texts(what: str, seconds: float) -> str:
    return CONDITIONS.format(what=what, seconds=seconds)


@item(
    SOURCE, "Light double pendulum", conditions=_texts("lower bar's centre", 2.0), limit=900,
    with_peers=True,
)  # fmt: skip
def precision_double_pendulum(quick: bool) -> Result:
    return _measured(planar.double_pendulum(2.0), quick)


@item(
    SOURCE, "Heavy chain, 1:1000", conditions=_texts("load", 1.0), limit=900, with_peers=True,
)  # fmt: skip
def precision_chain_1e3(quick: bool) -> Result:
    return _measured(planar.chain(1e3, tilt=1.0, seconds=1.0), quick)


@item(
    SOURCE, "Heavy chain, 1:100000", conditions=_texts("load", 1.0), limit=900, with_peers=True,
)  # fmt: skip
def precision_chain_1e5(quick: bool) -> Result:
    return _measured(planar.chain(1e5, tilt=1.0, seconds=1.0), quick)


@item(
    SOURCE, "Four-bar linkage", conditions=_texts("first bar's centre", 2.0), limit=900,
    with_peers=True,
)  # fmt: skip
def precision_four_bar(quick: bool) -> Result:
    return _measured(planar.four_bars(1, 2.0), quick)


# --- a cantilever, beside MuJoCo's flex -------------------------------------------------------

LENGTH, SIDE, YOUNG, POISSON, DENSITY = 1.0, 0.1, 5e7, 0.3, 1000.0


def sag() -> float:
    """Of the tip at rest by Timoshenko's theory, m: bending and shear."""
    q, EI = DENSITY * SIDE**2 * 9.81, YOUNG * SIDE**4 / 12
    shear = q * LENGTH**2 / (2 * (5 / 6) * YOUNG / (2 * (1 + POISSON)) * SIDE**2)
    return q * LENGTH**4 / (8 * EI) + shear


def _our_cantilever(h: float, across: int, elements: str) -> tuple[float, float]:
    """Mean height of the tip over some periods of ringing, and processor time."""
    world = World(rate=1 / h, sleeping=False)
    cells = (10 * across, across, across)
    beam = world.add_solid("beam", size=(LENGTH, SIDE, SIDE), cells=cells, young=YOUNG,
                           poisson=POISSON, density=DENSITY, elements=elements, mask=0)  # fmt: skip
    start = world.node_positions(beam)
    world.pin_nodes(beam, np.flatnonzero(start[:, 0] < start[:, 0].min() + 1e-9).tolist())
    end = start[:, 0] > start[:, 0].max() - 1e-9
    heights, spent = [], 0.0
    for _ in range(round(1.0 / h)):
        began = time.process_time()
        world.step()
        spent += time.process_time() - began
        heights.append(float((start - world.node_positions(beam))[end, 1].mean()))
    return _middle(heights), spent


def _middle(heights: list[float]) -> float:
    """What it rings about: halfway between the extremes, which an undamped start makes equal."""
    return 0.5 * (max(heights) + min(heights)) if np.isfinite(heights).all() else math.inf


@item(
    SOURCE, "Cantilever, beside MuJoCo's flex",
    conditions="""A beam of 1 x 0.1 x 0.1 m, 50 MPa, ν = 0.3, 1000 kg/m³, let go from the
    straight, 1 s: the height its tip rings about, against Timoshenko's sag at rest; processor
    time of that second. One and two cells across, bricks and tetrahedra here, MuJoCo's flex
    beside.""",
    left_open="""Half of the extremes is the sag of a linear beam; the beam bends by some 0.15
    of its length, where theory is off by about 1 %.""",
    why="Linear tetrahedra lock; what is lost to damping rings about the same height.",
    limit=900, with_peers=True,
)  # fmt: skip
def precision_cantilever(quick: bool) -> Result:
    result, curves = Result(), []
    goal = sag()
    for elements in ("hexahedra", "tetrahedra"):
        points = []
        for across in (1,) if quick else (1, 2):
            for h in (1 / 60, 0.005):
                found, spent = _our_cantilever(h, across, elements)
                error = abs(found / goal - 1)
                points.append((spent, error))
                verdict = within(error, 0.05) if elements == "hexahedra" else SHOWN
                told = f"{100 * error:.2g} % in {1e3 * spent:.0f} ms"
                result.add(f"Taut, {elements}, {across} across, h = {h:.3g} s", "0", told, verdict)
        curves.append(_series(f"Taut, {elements}", points))
    if not ENGINES["mujoco"].installed:
        result.notes.append("MuJoCo is absent: `pip install 'taut[bench]'`.")
        return result
    beam = flex.Beam(LENGTH, SIDE, YOUNG, POISSON, DENSITY)
    for integrator in ("discrete",) if quick else flex.INTEGRATORS:
        points = []
        for across in (1,) if quick else (1, 2):
            for h in (0.002, 0.0005, 0.0001)[: 2 if quick else 3]:
                heights, spent = flex.cantilever(beam, h, across, integrator, 1.0)
                error = abs(_middle(heights) / goal - 1) if heights else math.inf
                told = "diverged" if error == math.inf else f"{100 * error:.2g} %"
                result.add(f"MuJoCo flex, {integrator}, {across} across, h = {h:g} s", "0",
                           f"{told} in {1e3 * spent:.0f} ms", SHOWN)  # fmt: skip
                points += [(spent, error)] if error < 1 else []
        curves.append(_series(f"MuJoCo, {integrator}", points))
    title = "Work and precision: cantilever"
    shown = [curve for curve in curves if curve.x]
    result.charts.append(
        Chart(title, "processor time, s", "error, share", shown, log_x=True, log_y=True)
    )
    return result


def _series(name: str, points: list[tuple[float, float]]) -> Series:
    return Series(name, [t for t, _ in points], [max(e, 1e-5) for _, e in points], points=True)
