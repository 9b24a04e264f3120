"""Pulley: φ = l_a + ρ l_b - L over two fixed wheels. See rows/pulley.py for J and K̃.

A rope that runs ρ times between the second wheel and its load (a tackle) gives way ρ metres at the
first end for one metre of the load, and pulls ρ times as hard there. With slack it only pulls, λ ≤
0: a rope, which holds in the steps in which it is taut. A winch changes the length while running.

An end that is drawn up to its wheel knocks against it and hangs there: l_a ≥ r and l_b ≥ r, λ ≥ 0.
At l = 0 the way has a kink, u turns round, and a step across it has no solution.
"""

import math

import numpy as np

from physics.constraints.coordinates import Coordinate, Parameters
from physics.constraints.registry import (
    UNILATERAL,
    Element,
    Frame,
    Parameter,
    Row,
    joint_kind,
    soft,
)
from physics.constraints.rows import PULLEY
from physics.portable import norm
from physics.state import Floats

_STOP = 0.05  # m, r: what is tied into the end of a rope, a thimble and its shackle


def _legs(a: Floats, b: Floats, parameters: Parameters) -> tuple[Floats, Floats]:
    """From the wheels to the anchors, m."""
    first, second = parameters["wheel_a"], parameters["wheel_b"]
    return a - np.asarray(first), b - np.asarray(first if second is None else second)


def _way(a: Floats, b: Floats, axis: Floats, parameters: Parameters) -> float:
    """l_a + ratio·l_b, m."""
    first, second = _legs(a, b, parameters)
    return float(norm(first) + parameters["ratio"] * norm(second))


def _gradient(
    a: Floats, b: Floats, axis: Floats, parameters: Parameters
) -> tuple[Floats, Floats, Floats]:
    first, second = _legs(a, b, parameters)
    share = parameters["ratio"] / max(norm(second), 1e-300)
    return first / max(norm(first), 1e-300), share * second, np.zeros(3)


over_wheels = Coordinate(_way, _gradient)


@joint_kind(
    "pulley",
    Parameter(
        "wheel_a",
        "The rope from the first body runs over a wheel at this point of the world, in m.",
        "m",
        kind="point",
    ),
    Parameter(
        "wheel_b",
        "The rope from the second body runs over a wheel at this point of the world, in m; left "
        "out, it is the same wheel.",
        "m",
        None,
        kind="point",
    ),
    Parameter(
        "ratio",
        "This many strands run to the second body, from 0.001 to 1000; a loose pulley has 2.",
        "",
        1.0,
        1e-3,
        1e3,
    ),
    Parameter(
        "length",
        "The length l_a + ratio·l_b of the rope is this, in m; left out, it is what it is at the "
        "start.",
        "m",
        None,
        0.0,
    ),
    Parameter(
        "slack",
        "If true, it is a rope, which pulls but never pushes; if false, it keeps its length both "
        "ways.",
        "",
        True,
        kind="flag",
    ),
    anchors="separate",
    particles=True,
    directed=False,
    coordinate=over_wheels,
    inextensible=True,
    way="the way over the wheels is {:.4g} m long",
    drawn="rope",
    over=("wheel_a", "wheel_b"),
)
def pulley(frame: Frame, parameters: Parameters) -> list[Element]:
    """A rope from one body over fixed wheels to another; with a ratio, a tackle."""
    first, ratio, slack = parameters["wheel_a"], parameters["ratio"], parameters["slack"]
    second = first if parameters["wheel_b"] is None else parameters["wheel_b"]
    length = parameters["length"]
    if length is None:
        length = math.dist(frame.point_a, first) + ratio * math.dist(frame.point_b, second)
    wheel = np.array([first, second])
    row = Row(
        PULLEY,
        wheel=wheel,
        ratio=ratio,
        rest=length,
        upper=0.0 if slack else math.inf,
        **soft(parameters),
    )
    legs = ((0.0, math.dist(frame.point_a, first)), (math.inf, math.dist(frame.point_b, second)))
    stops = tuple(
        Row(PULLEY, wheel=wheel, ratio=alone, rest=min(_STOP, leg), lower=0.0)
        for alone, leg in legs
    )
    return [Element((row,)), Element(stops, UNILATERAL, part="limit")]
