"""[Servin06]: the cube of eight particles, and what is as stiff as diamond."""

import math
from itertools import combinations, product

import numpy as np

from physics import World
from sandbox.reproduce import nets
from sandbox.reproduce.item import SHOWN, Chart, Result, Series, holds, item, near, short
from sandbox.reproduce.scenes import OURS

SOURCE = "[Servin06]"
STATED, IMPLIED = 1e5, 2e4  # N m: as the text says, and as its figures say
FIXED, WATCHED = 2, 5


def _edges(x: nets.Floats) -> list[tuple[int, int]]:
    """The twelve sides of a unit cube and one diagonal of each face, those of five tetrahedra."""
    odd = [int(sum(point)) % 2 for point in x.round().astype(int)]
    found = []
    for i, j in combinations(range(8), 2):
        length = float(np.linalg.norm(x[i] - x[j]))
        if length < 1.1 or (length < 1.5 and odd[i] == odd[j] == 1):
            found.append((i, j))
    return found


def cube(stiffness: float) -> nets.Net:
    x = np.array(list(product((0.0, 1.0), repeat=3)))[:, ::-1].copy()
    edges = np.array(_edges(x))
    length = np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1)
    return nets.Net(x, edges, stiffness / length**2, np.ones(8), [FIXED], gravity=10.0)


def _first_minimum(heights: list[float], h: float) -> float:
    """When the height is lowest for the first time, between steps by a parabola; inf without."""
    for k in range(1, len(heights) - 1):
        before, least, after = heights[k - 1 : k + 2]
        if before > least <= after and least < 0.5:
            bend = before - 2 * least + after
            return h * (k + 1 + (0.5 * (before - after) / bend if bend else 0.0))
    return math.inf


def _minimum(stepper: nets.Stepper, h: float, stiffness: float) -> tuple[float, Series]:
    net = cube(stiffness)
    places, _ = nets.run(net, stepper, h, 2.0)
    if len(places) < round(2.0 / h) or max(float(np.abs(x).max()) for x in places) > 20.0:
        return math.inf, Series("", [], [])
    heights = [float(x[WATCHED, 1]) for x in places]
    curve = Series("", [h * (k + 1) for k in range(len(heights))], heights, points=h > 0.01)
    return _first_minimum(heights, h), curve


def _engine_minimum(h: float, stiffness: float) -> float:
    net = cube(stiffness)
    world = World(rate=1.0 / h, gravity=(0, -10, 0), sleeping=False, stabilization=OURS)
    for i, place in enumerate(net.position):
        world.add_particle(f"p{i}", position=place, fixed=i == FIXED)
    for (i, j), k in zip(net.edges, net.stiffness, strict=True):
        world.add_joint("distance", f"p{i}", f"p{j}", compliance=1.0 / k)
    heights = []
    for _ in range(round(2.0 / h)):
        world.step()
        heights.append(float(world.position(f"p{WATCHED}")[1]))
    return _first_minimum(heights, h)


@item(
    SOURCE, "Figures 2, 3: the cube that swings",
    conditions="""Eight particles of 1 kg, 18 edges, k = 1e5 N m, g = 10 m/s², one fixed; h =
    0.05 and 0.005 s: when the opposite corner is lowest for the first time. Symplectic,
    linearly implicit and regularised steps as the paper defines them, and this engine.""",
    left_open="which corner is fixed and which is watched; 2e4 N m is run as well.",
    why="""With 1e5 N m the stiffest mode has ω = 563/s, so that symplectic Euler cannot hold at
    0.005 s as the paper says; with about a fifth of it text and figures agree.""",
)  # fmt: skip
def figures_2_3_cube(quick: bool) -> Result:
    result, curves = Result(), []
    names = {
        "symplectic": nets.symplectic_euler,
        "implicit": nets.linearly_implicit,
        "regularised": nets.regularised,
    }
    for stiffness in (STATED, IMPLIED):
        found = {}
        for name, stepper in names.items():
            for h in (0.05, 0.005):
                found[name, h], curve = _minimum(stepper, h, stiffness)
                if stiffness == STATED and name != "symplectic":
                    curves.append(Series(f"{name}, {h:g} s", curve.x, curve.y, curve.points))
        k = f"k = {stiffness:.0e}"
        lost = not math.isfinite(found["symplectic", 0.05])
        result.add(f"{k}: symplectic at 0.05 s", "explodes", "explodes" if lost else "holds",
                   holds(lost))  # fmt: skip
        same = math.isfinite(found["symplectic", 0.005])
        result.add(f"{k}: symplectic at 0.005 s", "as the regularised",
                   "holds" if same else "explodes", holds(same))  # fmt: skip
        later = 100 * (found["implicit", 0.05] / found["implicit", 0.005] - 1)
        result.add(f"{k}: implicit at 0.05 s falls longer, %", "35", short(later),
                   near(later, 35.0, 0.2))  # fmt: skip
        times = found["regularised", 0.05], found["regularised", 0.005]
        result.add(f"{k}: regularised, first minimum, s", "nearly the same",
                   f"{times[0]:.3f} and {times[1]:.3f}", near(*times, 0.08))  # fmt: skip
        ours = _engine_minimum(0.05, stiffness), _engine_minimum(0.005, stiffness)
        result.add(f"{k}: this engine, first minimum, s", "nearly the same",
                   f"{ours[0]:.3f} and {ours[1]:.3f}", near(ours[0], ours[1], 0.08))  # fmt: skip
    result.charts.append(Chart("Height of a corner", "time, s", "m", curves))
    return result


def _beam_world(young: float, poisson: float, h: float, stepping: str) -> World:
    world = World(rate=1.0 / h, sleeping=False)
    beam = world.add_solid("beam", size=(2.0, 0.25, 0.25), cells=(8, 1, 1), young=young,
                           poisson=poisson, stepping=stepping)  # fmt: skip
    start = world.node_positions(beam)
    world.pin_nodes(beam, np.flatnonzero(start[:, 0] < start[:, 0].min() + 1e-9).tolist())
    return world


@item(
    SOURCE, "Text: stable beyond diamond",
    conditions="""A clamped beam of 2 x 0.25 x 0.25 m under gravity, h = 0.015 s, Y = 1e12
    (diamond), 1e15 and 1e18 Pa, 2 s: finite, and the tip does not leave its place. And a free
    one spun at 6 rad/s: energy left after 2 s, since only internal motion may be damped.""",
    left_open="the body: 8 cells, 1000 kg/m³.",
    why="""A step of ωh = 0.09 rad along the tangent stretches a stiff body by (ωh)²/2; the
    paper's regularised rows draw that back and take speed with it. Conserving steps do not.""",
)  # fmt: skip
def beyond_diamond(quick: bool) -> Result:
    result = Result()
    for young in (1e12, 1e15, 1e18):
        for stepping in ("servin", "conserving"):
            world = _beam_world(young, 0.25, 0.015, stepping)
            start = world.node_positions("beam")
            world.step(133)
            moved = float(np.abs(world.node_positions("beam") - start).max())
            result.add(f"{stepping}, {young:.0e} Pa: moved, m", "stable", short(moved),
                       holds(moved < 0.01))  # fmt: skip
    for stepping in ("servin", "conserving"):
        world = World(rate=1 / 0.015, gravity=(0, 0, 0), sleeping=False)
        world.add_solid("bar", size=(0.6, 0.2, 0.2), cells=(6, 2, 2), young=1e12, stepping=stepping)
        nodes = world.node_positions("bar")
        spin = np.cross((0.0, 0.0, 6.0), nodes - nodes.mean(axis=0))
        world.set_nodes("bar", nodes, spin)
        before = world.energy().kinetic
        world.step(133)
        share = world.energy().kinetic / before
        result.add(f"{stepping}: kinetic energy of a free spin left", "rigid motion unaffected",
                   short(share), near(share, 1.0, 0.05))  # fmt: skip
    return result


def _volume(world: World, name: str, cells: tuple[int, int, int]) -> float:
    """Of the closed surface, by the divergence theorem, m³."""
    x, faces = world.node_positions(name), world.triangles(name)
    a, b, c = x[faces[:, 0]], x[faces[:, 1]], x[faces[:, 2]]
    return abs(float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0)


@item(
    SOURCE, "Text: incompressible at ν = 0.5",
    conditions="""A soft beam (1e5 Pa) of 1 x 0.25 x 0.25 m, hung by one end, at rest: volume
    over that at the start, for ν = 0.25, 0.49 and 0.5.""",
    left_open="the body and its load (its own weight, 1000 kg/m³).",
)  # fmt: skip
def incompressible(quick: bool) -> Result:
    result, changes = Result(), {}
    for poisson in (0.25, 0.49, 0.5):
        world = World(rate=60, gravity=(9.81, 0, 0), sleeping=False)
        cells = (4, 1, 1) if quick else (8, 2, 2)
        beam = world.add_solid("beam", size=(1.0, 0.25, 0.25), cells=cells, young=1e5,
                               poisson=poisson, damping=0.05, stepping="euler")  # fmt: skip
        start = world.node_positions(beam)
        before = _volume(world, "beam", cells)
        world.pin_nodes(beam, np.flatnonzero(start[:, 0] < start[:, 0].min() + 1e-9).tolist())
        world.step(240)
        changes[poisson] = _volume(world, "beam", cells) / before - 1.0
    for poisson, change in changes.items():
        told, verdict = ("0", holds(abs(change) < 2e-3)) if poisson == 0.5 else ("", SHOWN)
        result.add(f"ν = {poisson}: change of volume, %", told, short(100 * change), verdict)
    return result
