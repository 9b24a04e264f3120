"""[Andrews17]: the low-rank inverse, the crane, the robot, a million to one."""

import math

import numpy as np
from numpy.typing import NDArray

from physics import STABILIZATIONS
from sandbox.reproduce.item import (
    NONE,
    SHOWN,
    Chart,
    Result,
    Series,
    at_least,
    at_most,
    holds,
    item,
    short,
    within,
)
from sandbox.reproduce.items.c_andrews_cables import seconds_of
from sandbox.reproduce.outcomes import run, step_seconds
from sandbox.reproduce.played import judge_level
from sandbox.reproduce.scenes import (
    INERTIAL,
    OURS,
    REACH,
    SEGMENT_LENGTH,
    SEGMENTS,
    SIDE,
    UNTREATED,
    Scene,
    chain,
    crane,
)

SOURCE = "[Andrews17]"
GAINS = {10: 9.81, 50: 13.13, 100: 18.87}
KINDS = ("ball", "hinge", "universal", "cable")


def _inverses(kind: str, joints: int) -> tuple[float, float] | None:
    """Seconds of LAPACK's inverse of a matrix of that size, and of the engine's; None without it.

    The engine's is reached by its own module, which is no part of the public interface: where it
    has moved, there is nothing to measure.
    """
    try:
        from physics.schemes.dense_inverse import invert_with_stiffness
    except ImportError:
        return None
    joint = {"cable": {"along": True}}.get(kind, {})
    scene = chain(100.0, 0.01, links=joints - 1, tilt=1.0, kind=kind, joint=joint, solver="pgs",
                  stabilization="geometric")  # fmt: skip
    scene.world.step(2)
    try:
        stepper = scene.world._stores.stepping.ensure()
        h = scene.world.h
        low = seconds_of(lambda: invert_with_stiffness(stepper.scene, h), 60)
    except (AttributeError, TypeError, KeyError):
        return None
    A = _matrix_like(6 * joints)
    return seconds_of(lambda: np.linalg.inv(A), 15), low


def _matrix_like(size: int) -> NDArray[np.float64]:
    """A well conditioned symmetric matrix: LAPACK takes the same time for any."""
    numbers = np.random.default_rng(0).normal(size=(size, size))
    return numbers @ numbers.T + size * np.eye(size)


@item(
    SOURCE, "Table 2, Figures 4, 6, 7: the inverse by low-rank updates",
    conditions="""Inverse of M - h²K̃ of chains with 10, 50 and 100 joints: full by LAPACK on
    one thread, and by low-rank updates; processor time, best of many.""",
    left_open="which full inverse is meant: LAPACK's, of a dense matrix of that size.",
    why="""Gains depend on how good the full inverse is that one compares with. Balls and hinges
    keep the inverse block by block; a cable joint's K̃ is not sparse, as the paper says.""",
)  # fmt: skip
def table_2_low_rank(quick: bool) -> Result:
    result, curves = Result(), []
    for kind in KINDS[:2] if quick else KINDS:
        found = []
        for joints, paper in GAINS.items():
            times = _inverses(kind, joints)
            if times is None:
                result.add(f"{kind}, {joints}", f"{paper:.1f} x", "not reachable", NONE, True)
                continue
            full, low = times
            gain = full / low
            found.append(gain)
            told = f"{1e3 * full:.3f} → {1e3 * low:.3f} ms, {gain:.1f} x"
            if "cable" in kind:
                result.add(f"{kind}, {joints}", "no gain", told, SHOWN, True)
            else:
                result.add(f"{kind}, {joints}", f"{paper:.1f} x", told, at_least(gain, paper, 1.25),
                           True)  # fmt: skip
        if found:
            curves.append(Series(kind, [float(n) for n in GAINS][: len(found)], found))
    result.charts.append(Chart("Gain of the low-rank inverse", "joints", "times", curves))
    return result


def _stretch(scene: Scene) -> float:
    """How much longer than the cable the way from the boom's tip to the vehicle is, m."""
    world = scene.world
    tip = world.to_world("boom", (REACH / 2, 0, 0))
    full = SEGMENTS * SEGMENT_LENGTH + SIDE / 2
    return float(np.linalg.norm(world.position("vehicle") - tip)) - full


@item(
    SOURCE, "Figure 1: a crane with a heavy load",
    conditions="""Boom 100 t, 30 cable segments of 0.2 kg, vehicle 15 t, axial stiffness 1e10, h
    = 1/60 s; the vehicle released 30° off plumb, boom held, 10 s.""",
    left_open="""boom 20 m, segments 0.4 m, bending and twist 10; the boom's hinge is held by a
    servo.""",
    why="""Only the paper's scheme with its own adaptation holds this; see Figure 11 for the
    drop.""",
)  # fmt: skip
def figure_1_crane(quick: bool) -> Result:
    result = Result()
    held = {"servo": {"target": 0.0, "stiffness": 1e12, "damping": 1e11}}
    for name in list(STABILIZATIONS)[3 * quick :]:
        scene = crane(1 / 60, 0.0, math.radians(30), boom=held, stabilization=name)
        found = run(scene, 3.0 if quick else 10.0)
        longer = _stretch(scene) if found.finite else math.inf
        ours = f"stretch {short(longer)} m, gain {short(100 * found.gain)} %"
        stable = found.finite and abs(longer) < 0.05 and found.gain < 0.05
        told = "not stable" if name == UNTREATED else "stable, real time"
        result.add(name, told, ours if found.finite else "diverged",
                   holds(stable != (name == UNTREATED)))  # fmt: skip
    scene = crane(1 / 60, 0.0, math.radians(30), boom=held)
    spent = 1e3 * step_seconds(scene.world, 0.2)
    result.add("adaptive: ms a step", "real time (16.7)", short(spent), at_most(spent, 16.7), True)
    return result


@item(
    SOURCE, "Figure 11: a boom dropped at three steps",
    conditions="""The boom of 100 t dropped from 20° with its cable and vehicle, h = 0.1, 0.01
    and 0.001 s: angle of the boom over 1.2 s, and the largest difference to that of 0.001 s.""",
    left_open="As for Figure 1; until the boom is straight down at the latest.",
    why="""The boom falls freely at first; a step of 0.1 s sees a fall of 1.2 s as twelve steps,
    and a scheme of first order is early by half a step.""",
)  # fmt: skip
def figure_11_boom_drop(quick: bool) -> Result:
    result, curves, angles = Result(), [], {}
    for h in (0.001, 0.01, 0.1):
        scene = crane(h, math.radians(20))
        every = round(0.1 / h)
        found = []
        for _ in range(12):
            scene.world.step(every)
            x, y, _ = scene.world.position("boom")
            found.append(math.atan2(y, x) if math.isfinite(x + y) else math.nan)
        angles[h] = np.unwrap(np.array(found))
        curves.append(Series(f"h = {h:g} s", [0.1 * (k + 1) for k in range(12)], list(angles[h])))
    for h in (0.01, 0.1):
        apart = float(np.abs(angles[h] - angles[0.001]).max())
        result.add(f"h = {h:g} s: apart from 0.001 s, rad", "similar motion", short(apart),
                   within(apart, 0.25))  # fmt: skip
    result.charts.append(Chart("Angle of a falling boom", "time, s", "rad", curves))
    return result


@item(
    SOURCE, "Abstract: a million to one at steps up to 0.1 s",
    conditions="""Ten links of 0.5 m and 1 kg, load 1e6 kg, h = 0.1 s, 10 s, from the
    horizontal.""",
    left_open="the scene.",
    why="""The literal Eq. 11 sits on the boundary of stability and does not reach this; what
    adapts and checks its steps does.""",
)  # fmt: skip
def million_to_one(quick: bool) -> Result:
    result = Result()
    for name in (INERTIAL, OURS):
        for h in (0.1, 0.01, 0.001):
            seconds = 2.0 if quick or h < 0.002 else 10.0
            found = run(chain(1e6, h, stabilization=name), seconds)
            ours = f"gap {short(found.gap)} m, gain {short(100 * found.gain)} %"
            result.add(f"{name}, h = {h:g} s", "stable", ours, holds(found.holds()))
    return result


@item(
    SOURCE, "Figure 5: the strong robot",
    conditions="""The level strongman: ball, universal and hinge joints with servos, feet on the
    ground, hands on a cable, a vehicle of 15 t that drives away.""",
    left_open="sizes, masses and gains.",
    limit=600,
)  # fmt: skip
def figure_5_strong_robot(quick: bool) -> Result:
    result = Result()
    judge_level(result, "strongman", 2.0 if quick else 10.0, 60.0)
    return result
