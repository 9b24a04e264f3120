"""[Servin06]: beams that are twisted, bent and pulled; energy over time; cost."""

import math
import time
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics import Box, Capsule, World
from sandbox.reproduce.item import (
    NONE,
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

SOURCE = "[Servin06]"
Floats = NDArray[np.float64]
_TETRAHEDRA = (  # of a cube: corners by bits zyx; the second for cubes of the other colour
    ((0, 1, 2, 4), (3, 1, 2, 7), (5, 1, 4, 7), (6, 2, 4, 7), (1, 2, 4, 7)),
    ((1, 0, 3, 5), (2, 0, 3, 6), (4, 0, 5, 6), (7, 3, 5, 6), (0, 3, 5, 6)),
)


def beam_mesh(cells: tuple[int, int, int], size: tuple[float, float, float]) -> tuple[Any, Any]:
    """Nodes and tetrahedra, five a cube: 21 x 1 x 1 cubes are the paper's 88 nodes, 105 of them."""
    nx, ny, nz = (c + 1 for c in cells)
    grid = np.array([(i, j, k) for i in range(nx) for j in range(ny) for k in range(nz)], float)
    nodes = grid * np.array(size) / np.array(cells)

    def number(i: int, j: int, k: int) -> int:
        return (i * ny + j) * nz + k

    tetrahedra = []
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                for corners in _TETRAHEDRA[(i + j + k) % 2]:
                    tet = [number(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1)) for c in corners]
                    tetrahedra.append(_right_handed(nodes, tet))
    return nodes, np.array(tetrahedra)


def _right_handed(nodes: Floats, tet: list[int]) -> list[int]:
    a, b, c, d = nodes[tet]
    if float(np.dot(np.cross(b - a, c - a), d - a)) < 0:
        tet[0], tet[1] = tet[1], tet[0]
    return tet


def volume(x: Floats, tetrahedra: NDArray[np.int64]) -> float:
    a, b, c, d = (x[tetrahedra[:, k]] for k in range(4))
    return float(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a).sum()) / 6.0


def _ends(x: Floats) -> tuple[list[int], list[int]]:
    low, high = x[:, 0].min(), x[:, 0].max()
    return np.flatnonzero(x[:, 0] < low + 1e-9).tolist(), np.flatnonzero(
        x[:, 0] > high - 1e-9
    ).tolist()


def _twisted(material: str, angle: float) -> float:
    """Volume over rest of the paper's beam, its ends turned by ± angle within 2 s."""
    nodes, tetrahedra = beam_mesh((21, 1, 1), (21.0, 1.0, 1.0))
    world = World(rate=60, gravity=(0, 0, 0), sleeping=False)
    beam = world.add_solid("beam", mesh=(nodes, tetrahedra), young=1e6, poisson=0.25,
                           material=material, damping=0.05, stepping="euler", mask=0)  # fmt: skip
    for sign, ends in zip((1.0, -1.0), _ends(nodes), strict=True):
        place = nodes[ends].mean(axis=0)
        plate = world.add_body(f"plate {sign}", Box((0.1, 1, 1)), keyframed=True, position=place,
                               angular_velocity=(sign * angle / 2.0, 0, 0), mask=0)  # fmt: skip
        world.attach(beam, ends, plate)
    world.step(120)
    return volume(world.node_positions(beam), tetrahedra) / volume(nodes, tetrahedra)


@item(
    SOURCE, "Figures 4, 5: a twisted beam, with and without the square of the strain",
    conditions="""The beam of 88 nodes and 105 tetrahedra, ends turned against each other by ±
    90° and ± 180° within 2 s: volume over that at the start, Green strain and linear strain.""",
    left_open="21 x 1 x 1 m, 1e6 Pa, ν = 0.25.",
    why="Five tetrahedra a cell cannot twist without being sheared, and lose some volume.",
)  # fmt: skip
def figures_4_5_twisted_beam(quick: bool) -> Result:
    result = Result()
    for degrees in (90.0,) if quick else (90.0, 180.0):
        angle = math.radians(degrees)
        kept = _twisted("stvk", angle)
        result.add(f"± {degrees:.0f}°, Green strain: volume", "kept", short(kept, 4),
                   near(kept, 1.0, 0.05))  # fmt: skip
        try:
            blown = _twisted("linear", angle)
        except ValueError:
            result.add(f"± {degrees:.0f}°, linear strain", "unrealistic", "not offered", NONE)
            continue
        result.add(f"± {degrees:.0f}°, linear strain: volume", "unrealistic", short(blown, 4),
                   holds(abs(blown - 1.0) > 2 * abs(kept - 1.0)))  # fmt: skip
    return result


def _sag(mass: float, elements: str, cells: tuple[int, int, int]) -> float:
    """Of the middle of a beam of 21 m on two round supports, at rest, m; inf if it slid off."""
    world = World(rate=60, sleeping=False)
    size = (21.0, 1.0, 1.0)
    given: dict[str, Any] = {"size": size, "cells": cells, "elements": elements}
    if elements == "tetrahedra":
        nodes, tetrahedra = beam_mesh(cells, size)
        given = {"mesh": (nodes - np.array(size) / 2, tetrahedra)}
    beam = world.add_solid("beam", young=1e9, poisson=0.25, density=mass / 21.0, damping=0.3,
                           stepping="euler", friction=0.0, material="stvk", **given)  # fmt: skip
    lying = (math.cos(math.pi / 4), math.sin(math.pi / 4), 0, 0)
    for side in (-10.0, 10.0):
        world.add_body(f"support {side}", Capsule(0.5, 2.0), fixed=True, friction=0.0,
                       position=(side, -1.0, 0), orientation=lying)  # fmt: skip
    start = world.node_positions(beam)
    world.step(600)
    now = world.node_positions(beam)
    middle = np.abs(start[:, 0]) < 21.0 / cells[0] * 0.6
    over = np.abs(np.abs(start[:, 0]) - 10.0) < 21.0 / cells[0] * 0.6
    fallen = float((start - now)[over, 1].mean())
    return float((start - now)[middle, 1].mean()) - fallen if fallen < 5.0 else math.inf


@item(
    SOURCE, "Figures 6, 7: a supported beam, 100 t and 900 t",
    conditions="""21 x 1 x 1 m on two round supports 20 m apart, Y = 1 GPa, ν = 0.25, at rest:
    sag of the middle against the supports; linear theory 5 q L⁴/(384 E I), less what hangs
    over.""",
    left_open="""size, supports; a linear theory does not hold for 900 t, whose sag is only
    told.""",
    why="""Linear tetrahedra, one cell high, lock in bending; bricks do not. Under 900 t the beam
    becomes steep at its supports and slides off them, since they have no friction here.""",
    limit=400,
)  # fmt: skip
def figures_6_7_supported_beam(quick: bool) -> Result:
    result = Result()
    q, L, EI = 1e5 * 9.81 / 21.0, 20.0, 1e9 / 12.0
    theory = 5 * q * L**4 / (384 * EI) - q * 0.5**2 / 2 * L**2 / (8 * EI)
    kinds = [("hexahedra", (21, 1, 1)), ("tetrahedra", (21, 1, 1))]
    for elements, cells in kinds[:1] if quick else kinds:
        sag = _sag(1e5, elements, cells)
        result.add(f"100 t, {elements}: sag, m", f"{theory:.2f} (theory)", short(sag),
                   near(sag, theory, 0.1))  # fmt: skip
    if not quick:
        sag = _sag(9e5, "hexahedra", (21, 1, 1))
        result.add("900 t, hexahedra: sag, m", "9 times as heavy: far",
                   short(sag) if math.isfinite(sag) else "slides off its supports",
                   holds(1.5 * theory < sag < 12 * theory))  # fmt: skip
    return result


GEOMETRIES = ((8, 1, 1), (12, 2, 2), (16, 2, 2), (12, 3, 3), (16, 4, 4))


def _stretch(elements: str, cells: tuple[int, int, int], pull: float) -> float:
    """Stretch of a bar by its own weight over ρ g L/(2 Y), hung or standing."""
    size = (2.0, 0.5, 0.5)
    young, density = 1e6, 10.0
    world = World(rate=60, gravity=(pull * 9.81, 0, 0), sleeping=False)
    given: dict[str, Any] = {"size": size, "cells": cells, "elements": elements}
    if elements == "tetrahedra":
        given = {"mesh": beam_mesh(cells, size)}
    bar = world.add_solid("bar", young=young, poisson=0.25, density=density, material="stvk",
                          damping=0.05, stepping="euler", **given)  # fmt: skip
    start = world.node_positions(bar)
    near_end, far_end = _ends(start)
    world.pin_nodes(bar, near_end)
    world.step(240)
    longer = float((world.node_positions(bar) - start)[far_end, 0].mean())
    return longer / (pull * density * 9.81 * 2.0**2 / (2 * young))


@item(
    SOURCE, "Figure 8: pull and push",
    conditions="""A bar of 2 x 0.5 x 0.5 m pulled and pushed by its own weight, clamped at one
    end: change of length over ρ g L²/(2 Y), for several meshes.""",
    left_open="""The load: its own weight, since F/YA holds slice by slice; ν = 0.25. The clamp
    holds its end from getting narrower, which makes a bar of four widths stiffer by some 3 %.""",
    why="The clamp, and at the coarsest mesh the shape of the elements.",
)  # fmt: skip
def figure_8_pull_and_push(quick: bool) -> Result:
    result, curves = Result(), []
    shown = GEOMETRIES[:2] if quick else GEOMETRIES
    for elements in ("hexahedra", "tetrahedra"):
        ratios = []
        for cells in shown:
            both = [_stretch(elements, cells, pull) for pull in (1.0, -1.0)]
            ratios.append(float(np.mean(both)))
            told = f"{both[0]:.3f} and {both[1]:.3f}"
            result.add(f"{elements} {cells}: pull, push over theory", "1", told,
                       near(ratios[-1], 1.0, 0.06))  # fmt: skip
        curves.append(Series(elements, [float(np.prod(c)) for c in shown], ratios))
    result.charts.append(Chart("Stretch over theory", "cells", "ratio", curves, log_x=True))
    return result


def _twist(elements: str, cells: tuple[int, int, int]) -> float:
    """Twist of a square beam by a torque at its free end over 2τL(1+ν)/(YK)."""
    length, side, young, poisson, torque = 4.0, 0.5, 1e6, 0.25, 5.0
    size = (length, side, side)
    world = World(rate=60, gravity=(0, 0, 0), sleeping=False)
    given: dict[str, Any] = {"size": size, "cells": cells, "elements": elements}
    if elements == "tetrahedra":
        nodes, tetrahedra = beam_mesh(cells, size)
        given = {"mesh": (nodes - np.array(size) / 2, tetrahedra)}
    bar = world.add_solid("bar", young=young, poisson=poisson, density=100.0, material="stvk",
                          damping=0.05, stepping="euler", mask=0, **given)  # fmt: skip
    start = world.node_positions(bar)
    near_end, far_end = _ends(start)
    world.pin_nodes(bar, near_end)
    place = start[far_end].mean(axis=0)
    plate = world.add_body("plate", Box((0.05, side, side)), mass=5.0, position=place, mask=0)
    world.attach(bar, far_end, plate)
    for _ in range(240):
        world.apply_torque(plate, (torque, 0, 0))
        world.step()
    now, angles = world.node_positions(bar), []
    for share in (0.25, 0.75):  # away from the ends
        at = start[:, 0].min() + share * length
        there = np.abs(start[:, 0] - at) < 1e-6
        arm, moved = start[there, 1:], now[there, 1:]
        across = arm[:, 0] * moved[:, 1] - arm[:, 1] * moved[:, 0]
        angles.append(math.atan2(float(across.sum()), float((arm * moved).sum())))
    theory = 2 * torque * 0.5 * length * (1 + poisson) / (young * 0.1406 * side**4)
    return (angles[1] - angles[0]) / theory


@item(
    SOURCE, "Figure 9: twist",
    conditions="""A square beam of 4 x 0.5 x 0.5 m twisted by 5 N m at a rigid plate on its free
    end: angle between a quarter and three quarters of it over 2τL(1+ν)/(YK), K = 0.1406 a⁴.""",
    left_open="size, torque, ν = 0.25.",
    why="""Linear tetrahedra lock, the more the fewer there are across; the paper says so, too.
    One or two bricks across cannot warp, and twist as if K were a⁴/6: 0.844 of theory.""",
)  # fmt: skip
def figure_9_twist(quick: bool) -> Result:
    result, curves = Result(), []
    meshes = ((16, 1, 1), (16, 4, 4)) if quick else ((16, 1, 1), (16, 2, 2), (16, 4, 4))
    for elements in ("hexahedra", "tetrahedra"):
        ratios = [_twist(elements, cells) for cells in meshes]
        for cells, ratio in zip(meshes, ratios, strict=True):
            if elements == "hexahedra" and cells == meshes[-1]:
                result.add(f"{elements} {cells}: over theory", "1", short(ratio),
                           near(ratio, 1.0, 0.1))  # fmt: skip
            else:
                result.add(f"{elements} {cells}: over theory", "mesh dependent", short(ratio),
                           SHOWN)  # fmt: skip
        rising = all(b > a for a, b in pairwise(ratios))
        result.add(f"{elements}: nearer to theory with finer meshes", "expected",
                   "yes" if rising else "no", holds(rising))  # fmt: skip
        curves.append(Series(elements, [float(c[1]) for c in meshes], ratios))
    result.charts.append(Chart("Twist over theory", "cells across", "ratio", curves))
    return result


def _soft_beam(h: float, stepping: str, cells: tuple[int, int, int] = (10, 2, 2)) -> World:
    """Clamped at one end, 1 x 0.1 x 0.1 m, 10 kg, 8 kPa."""
    nodes, tetrahedra = beam_mesh(cells, (1.0, 0.1, 0.1))
    world = World(rate=1.0 / h, sleeping=False)
    beam = world.add_solid("beam", mesh=(nodes, tetrahedra), young=8e3, poisson=0.25,
                           density=1000.0, material="stvk", stepping=stepping)  # fmt: skip
    world.pin_nodes(beam, _ends(nodes)[0])
    return world


@item(
    SOURCE, "Figure 10: deformation energy of a soft beam",
    conditions="""A beam of 10 kg and 8 kPa, ν = 0.25, clamped at one end, swings under gravity;
    its deformation energy over 4 s at h = 0.005, 0.01, 0.015 and 0.025 s, with the paper's
    step.""",
    left_open="1 x 0.1 x 0.1 m, 200 tetrahedra.",
    why="Ours dissipates internal motion more with longer steps; the paper says less.",
)  # fmt: skip
def figure_10_soft_beam(quick: bool) -> Result:
    result, curves, ends = Result(), [], []
    for h in (0.01, 0.025) if quick else (0.005, 0.01, 0.015, 0.025):
        world = _soft_beam(h, "servin")
        times, energies = [], []
        for k in range(round((2.0 if quick else 4.0) / h)):
            world.step()
            times.append(h * (k + 1))
            energies.append(float(world.energy().elastic))
        ends.append(float(np.mean(energies[-len(energies) // 5 :])))
        curves.append(Series(f"h = {h:g} s", times, energies))
        finite = math.isfinite(energies[-1])
        result.add(f"h = {h:g} s: energy of the last fifth, J", "approaches rest", short(ends[-1]),
                   holds(finite and max(energies) < 1e3))  # fmt: skip
    spread = max(ends) / min(ends)
    result.add("largest over smallest", "alike", short(spread), holds(spread < 1.5))
    result.charts.append(Chart("Deformation energy", "time, s", "J", curves))
    return result


@item(
    SOURCE, "Figure 11: cost of a step against the number of tetrahedra",
    conditions="""Beams of 1 x 1 cells and more, h = 0.015 s, one thread: processor time of a
    step.""",
    left_open="material of 1 MPa, clamped at one end.",
    why="The paper's beam grows in length only, whose matrix is banded.",
)  # fmt: skip
def figure_11_cost(quick: bool) -> Result:
    result, counts, spent = Result(), [], []
    lengths = (100, 200, 400) if quick else (100, 200, 400, 800, 1600)
    for cells in lengths:
        world = _soft_beam(0.015, "servin", (cells, 1, 1))
        world.step(3)
        times = []
        for _ in range(15):
            began = time.thread_time()
            world.step()
            times.append(time.thread_time() - began)
        counts.append(5.0 * cells)
        spent.append(1e3 * float(np.median(times)))
    slope = float(np.polyfit(np.log(counts[-3:]), np.log(spent[-3:]), 1)[0])
    result.add("growth exponent", "1 (linear)", short(slope), near(slope, 1.0, 0.25), True)
    most = max((n for n, t in zip(counts, spent, strict=True) if t <= 15.0), default=0.0)
    result.add("tetrahedra in 15 ms", "200 (2006)", f"{most:.0f}", at_least(most, 200.0), True)
    result.charts.append(
        Chart("Cost of a step", "tetrahedra", "ms", [Series("servin", counts, spent)], log_x=True,
              log_y=True)
    )  # fmt: skip
    return result
