"""Contact problems with known answers, and walls of boxes."""

import math
from typing import Any

from physics import Box, Plane, Sphere, World
from sandbox.engines import boxes
from sandbox.reproduce.item import SHOWN, Chart, Result, Series, item, short, within

SOURCE = "SimBenchmark and contacts"


def _ground(world: World, **surface: Any) -> None:
    world.add_body("ground", Plane((0, 1, 0)), fixed=True, **surface)


@item(
    SOURCE, "Bouncing: restitution and the height of a ball",
    conditions="""A ball dropped on the ground with e = 0, 0.1, 0.25, 0.5, 0.75, 0.9, 1: speed
    after the first bounce over that before. And with e = 1 for 20 s from 1 m (60 Hz): highest
    point of the last 2 s.""",
    left_open="1 kg, 0.1 m, h = 1/240 s for the first part.",
)  # fmt: skip
def bouncing(quick: bool) -> Result:
    result = Result()
    for e in (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0):
        world = World(rate=240, gravity=(0, 0, 0), sleeping=False)
        _ground(world, restitution=e)
        world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 0.5, 0), velocity=(0, -3, 0),
                       restitution=e)  # fmt: skip
        world.step(60)
        error = abs(float(world.velocity("ball")[1]) - 3 * e)
        result.add(f"e = {e}: |v + e v₀|, m/s", "0", short(error), within(error, 1e-9))
    world = World(rate=60, sleeping=False)
    _ground(world, restitution=1.0)
    world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 1.1, 0), restitution=1.0)
    world.step(60 * (4 if quick else 18))
    heights = []
    for _ in range(120):
        world.step()
        heights.append(float(world.position("ball")[1]))
    result.add("e = 1: highest of the last 2 s, m", "1.1", short(max(heights), 4),
               within(abs(max(heights) - 1.1), 0.02))  # fmt: skip
    return result


@item(
    SOURCE, "A tilting plane",
    conditions="""A box on a plane of 30°: it stays for μ = 0.60 and slides for μ = 0.55 (tan
    30° = 0.577), with g (sin θ - μ cos θ); 2 s, h = 0.01 s.""",
    left_open="a cube of 0.2 m, gravity turned instead of the plane.",
)  # fmt: skip
def tilting_plane(quick: bool) -> Result:
    result = Result()
    angle = math.radians(30)
    for mu in (0.60, 0.55, 0.3):
        gravity = (9.81 * math.sin(angle), -9.81 * math.cos(angle), 0)
        world = World(rate=100, gravity=gravity, sleeping=False)
        _ground(world, friction=mu)
        world.add_body("cube", Box((0.2, 0.2, 0.2)), mass=1.0, position=(0, 0.1, 0), friction=mu)
        world.step(200)
        expected = max(0.0, 9.81 * (math.sin(angle) - mu * math.cos(angle))) * 2.0
        speed = float(world.velocity("cube")[0])
        result.add(f"μ = {mu}: speed after 2 s, m/s", short(expected), short(speed),
                   within(abs(speed - expected), 0.01 + 0.01 * expected))  # fmt: skip
    return result


@item(
    SOURCE, "Walls of boxes, beside other engines",
    conditions="""Walls of 10, 55 and 210 boxes (and 1,035; --quick: 10 and 55, 2 s) begin 2 cm
    apart and 1 cm above each other, fall together and stand, 60 Hz, nothing sleeps, 4 s: how far
    the worst box drifts after the first second, how far one sinks for each row below it, energy
    lost over what falling together sets free (1 is right), and processor time of a step: the
    median of the second half, and the longest; all engines in turn.""",
    left_open=f"boxes of 0.5 m and 1 kg, friction 0.5. {boxes.FAIR}",
    limit=900, with_peers=True, alone=True,
)  # fmt: skip
def walls_of_boxes(quick: bool) -> Result:
    result = Result()
    lines: dict[str, tuple[list[float], list[float]]] = {}
    for count in (10, 55) if quick else (10, 55, 210, 1035):
        found = list(boxes.stood(count, 2.0 if quick else 4.0))
        for one in found:
            _add_wall(result, one)
            x, y = lines.setdefault(f"{one.engine}, {one.setting}", ([], []))
            if one.stands:  # a time counts with what it was worth
                x.append(float(one.boxes))
                y.append(one.milliseconds)
        _add_ratio(result, found)
    curves = [Series(name, x, y) for name, (x, y) in lines.items() if x]
    result.charts.append(
        Chart("Walls that stand", "boxes", "ms of processor a step", curves,
              log_x=True, log_y=True)
    )  # fmt: skip
    return result


def _add_wall(result: Result, one: boxes.Stood) -> None:
    ours = one.engine == "Taut"
    name = f"{one.boxes} boxes, {one.engine}" + ("" if ours else f", {one.setting}")
    told = (
        f"{'stands' if one.stands else 'does not stand'}: drifts {short(1e3 * one.drift)} mm, "
        f"sinks {short(1e3 * one.sunk)} mm a row, energy lost {one.lost:.2f}"
    )
    verdict = within(1e3 * one.drift, 1.0) if ours else SHOWN
    result.add(name, "drift < 1 mm (our aim)" if ours else "", told, verdict)
    times = f"{short(one.milliseconds)}, longest {short(one.worst)}"
    result.add(f"{name}: ms a step", "", times, SHOWN, True)


def _add_ratio(result: Result, found: list[boxes.Stood]) -> None:
    times = {(one.engine, one.setting): one.milliseconds for one in found}
    peer = times.get(("Rapier", "20 iterations"))
    if peer is not None:
        ratio = times["Taut", "shipped"] / peer
        result.add(f"{found[0].boxes} boxes: time over Rapier's with 20 iterations",
                   "≤ 1 (our aim)", short(ratio), within(ratio, 1.0), True)  # fmt: skip
