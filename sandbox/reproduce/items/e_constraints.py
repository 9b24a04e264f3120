"""[Lecture]: position, length, area and volume as constraints, as penalties and as hard ones."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.reproduce.item import Result, holds, item, short, within

SOURCE = "[Lecture]"
Floats = NDArray[np.float64]
G = np.array([0.0, -9.81, 0.0])
H = 1 / 60


@dataclass(frozen=True)
class Kind:
    """φ(x) of some particles and its gradient; `size` makes φ a share."""

    name: str
    start: Floats
    phi: Callable[[Floats], float]
    gradient: Callable[[Floats], Floats]
    size: float


def _length(x: Floats) -> Floats:
    way = (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])
    return np.stack([-way, way])


def _area(x: Floats) -> float:
    return 0.5 * float(np.linalg.norm(np.cross(x[1] - x[0], x[2] - x[0])))


def _area_gradient(x: Floats) -> Floats:
    across = np.cross(x[1] - x[0], x[2] - x[0])
    normal = across / np.linalg.norm(across)
    return 0.5 * np.stack(
        [np.cross(x[2] - x[1], -normal), np.cross(x[0] - x[2], -normal),
         np.cross(x[1] - x[0], -normal)]
    )  # fmt: skip


def _volume(x: Floats) -> float:
    return float(np.dot(np.cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0])) / 6


def _volume_gradient(x: Floats) -> Floats:
    a, b, c = x[1] - x[0], x[2] - x[0], x[3] - x[0]
    parts = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)]) / 6
    return np.concatenate([-parts.sum(axis=0)[None], parts])


_TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
KINDS = (
    Kind("position", np.array([[1.0, 0, 0]]), lambda x: float(x[0, 1]),
         lambda x: np.array([[0.0, 1, 0]]), 1.0),
    Kind("length", _TETRAHEDRON[:2], lambda x: float(np.linalg.norm(x[1] - x[0])) - 1,
         _length, 1.0),
    Kind("area", _TETRAHEDRON[:3], lambda x: _area(x) - 0.5, _area_gradient, 0.5),
    Kind("volume", _TETRAHEDRON, lambda x: _volume(x) - 1 / 6, _volume_gradient, 1 / 6),
)  # fmt: skip


def _thrown(kind: Kind) -> tuple[Floats, Floats]:
    """At the start, thrown so that it turns and would change its shape."""
    rng = np.random.default_rng(3)
    return kind.start.copy(), rng.normal(size=kind.start.shape)


def _hard(kind: Kind, seconds: float) -> float:
    """Largest |φ| over its size: free steps, drawn back onto φ = 0 by Newton's method."""
    x, v = _thrown(kind)
    worst = 0.0
    for _ in range(round(seconds / H)):
        before = x
        direction = kind.gradient(x)
        x = x + H * (v + H * G)
        for _ in range(20):  # x + Jᵀ λ on φ = 0, with J of the start of the step
            value = kind.phi(x)
            if abs(value) < 1e-14:
                break
            x = x - direction * value / float(np.sum(direction * kind.gradient(x)))
        v = (x - before) / H
        worst = max(worst, abs(kind.phi(x)) / kind.size)
    return worst


def _penalty(kind: Kind, stiffness: float, seconds: float) -> float:
    """The same with a force -k φ ∇φ by symplectic Euler; inf if it explodes."""
    x, v = _thrown(kind)
    worst = 0.0
    for _ in range(round(seconds / H)):
        v = v + H * (G - stiffness * kind.phi(x) * kind.gradient(x))
        x = x + H * v
        error = abs(kind.phi(x)) / kind.size
        if not error < 1e3:
            return math.inf
        worst = max(worst, error)
    return worst


def _gradient_error(kind: Kind) -> float:
    x, _ = _thrown(kind)
    x = x + 0.1 * np.random.default_rng(4).normal(size=x.shape)
    exact, step, worst = kind.gradient(x), 1e-6, 0.0
    for i, k in np.ndindex(*x.shape):
        change = np.zeros_like(x)
        change[i, k] = step
        slope = (kind.phi(x + change) - kind.phi(x - change)) / (2 * step)
        worst = max(worst, abs(slope - float(exact[i, k])))
    return worst


@item(
    SOURCE, "Constraints of position, length, area and volume",
    conditions="""One to four particles of 1 kg, thrown, 2 s at h = 1/60 s: largest error of what is
    to be kept, as a hard constraint (drawn back along its gradient by Newton's method), and as a
    penalty of 1e3 and 1e5 by symplectic Euler. The gradients against differences.""",
    left_open="speeds; what a penalty is multiplied with.",
)  # fmt: skip
def constraints_of_the_lecture(quick: bool) -> Result:
    result = Result()
    for kind in KINDS:
        error = _gradient_error(kind)
        result.add(f"{kind.name}: gradient", "0", short(error), within(error, 1e-8))
        hard = _hard(kind, 2.0)
        result.add(f"{kind.name}, hard: error", "0", short(hard), within(hard, 1e-9))
        soft, stiff = (_penalty(kind, k, 2.0) for k in (1e3, 1e5))
        told = " and ".join("explodes" if math.isinf(e) else short(e) for e in (soft, stiff))
        result.add(f"{kind.name}, penalties of 1e3 and 1e5", "gives way, or explodes", told,
                   holds(soft > 1e3 * hard and stiff > 1e3 * hard))  # fmt: skip
    return result
