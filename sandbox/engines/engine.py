"""What an engine is: it builds a mechanism at some step and setting, steps it, and tells of it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.engines.planar import G, Mechanism

Floats = NDArray[np.float64]


class Running(Protocol):
    """A mechanism in an engine."""

    def step(self, n: int) -> None: ...
    def places(self) -> Floats:
        """(bars, 3): x, y, θ."""
        ...

    def speeds(self) -> Floats:
        """(bars, 3): vx, vy, ω; not finite once the engine has given up."""
        ...


@dataclass(frozen=True)
class Engine:
    """`settings` are those that are compared; `shipped` is what one gets without asking.

    `best` is the one that holds most of the chains at some cost, as its own manual advises.
    """

    name: str
    title: str
    package: str
    module: str
    settings: tuple[str, ...]
    shipped: str
    best: str
    notes: str

    @property
    def installed(self) -> bool:
        return find_spec(self.package) is not None

    def build(self, mechanism: Mechanism, h: float, setting: str) -> Running:
        make: Callable[[Mechanism, float, str], Running]
        make = import_module(f"sandbox.engines.{self.module}").build
        return make(mechanism, h, setting)


def energy(mechanism: Mechanism, running: Running) -> float:
    """Mechanical energy by the same formula for everybody, J."""
    places, speeds = running.places(), running.speeds()
    total = 0.0
    for bar, place, speed in zip(mechanism.bars, places, speeds, strict=True):
        total += 0.5 * bar.mass * float(speed[0] ** 2 + speed[1] ** 2)
        total += 0.5 * bar.inertia * float(speed[2] ** 2) + bar.mass * G * float(place[1])
    return total


def gap(mechanism: Mechanism, running: Running) -> float:
    """Largest distance of two points that a pin holds together, m."""
    places = running.places()

    def point(bar: int, x: float, y: float) -> tuple[float, float]:
        if bar < 0:
            return x, y
        lx, ly = mechanism.bars[bar].local(x, y)
        px, py, angle = places[bar]
        c, s = np.cos(angle), np.sin(angle)
        return px + c * lx - s * ly, py + s * lx + c * ly

    worst = 0.0
    for pin in mechanism.pins:
        (ax, ay), (bx, by) = point(pin.a, pin.x, pin.y), point(pin.b, pin.x, pin.y)
        worst = max(worst, float(np.hypot(ax - bx, ay - by)))
    return worst


def stepping(
    engine: Engine, mechanism: Mechanism, h: float, setting: str, steps: int, warm: int = 2
) -> Callable[[], Callable[[], object]]:
    """Builds the mechanism anew, and steps it: for comparing times."""

    def prepare() -> Callable[[], object]:
        running = engine.build(mechanism, h, setting)
        running.step(warm)
        return lambda: running.step(steps)

    return prepare


ENGINES = {
    engine.name: engine
    for engine in (
        Engine(
            "taut", "Taut", "physics", "run_taut", (), "adaptive", "adaptive",
            "maximal coordinates, direct solve, double precision",
        ),
        Engine(
            "mujoco", "MuJoCo", "mujoco", "run_mujoco",
            ("Euler", "implicitfast", "RK4", "discrete", "implicitfast, damped"), "Euler", "RK4",
            "minimal coordinates, double precision; loops are soft equalities with the shortest "
            "time constant it allows; auto-reset is switched off; damped: 0.1 N m s/rad at "
            "every joint",
        ),
        Engine(
            "rapier", "Rapier", "rapier3d", "run_rapier",
            ("shipped", "20 iterations", "400 iterations"), "shipped",
            "400 iterations", "single precision; an iteration is a substep of the solver",
        ),
        Engine(
            "pybullet", "PyBullet", "pybullet", "run_pybullet",
            ("shipped", "undamped", "10 substeps"), "shipped", "10 substeps",
            "minimal coordinates, double precision; shipped with damping (0.04/s), which the other "
            "settings switch off; loops are point-to-point constraints",
        ),
        Engine(
            "pymunk", "pymunk", "pymunk", "run_pymunk",
            ("shipped", "100 iterations", "10 substeps"), "shipped", "10 substeps",
            "two dimensions, double precision",
        ),
        Engine(
            "box2d", "Box2D 2.3", "Box2D", "run_box2d",
            ("shipped", "100 iterations", "100 substeps"), "shipped", "100 substeps",
            "two dimensions, single precision",
        ),
    )
}  # fmt: skip
