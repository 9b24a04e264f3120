"""Lengths that joints measure between their anchors, with their gradients."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.portable import dot, norm
from physics.state import Floats

ZERO = np.zeros(3)

Parameters = Mapping[str, Any]  # of a joint, as its kind has checked them
Measure = Callable[[Floats, Floats, Floats, Parameters], float]
Gradient = Callable[[Floats, Floats, Floats, Parameters], tuple[Floats, Floats, Floats]]


@dataclass(frozen=True)
class Coordinate:
    """A length that a joint measures, as a function of its anchors a and b and its axis."""

    value: Measure  # m
    gradient: Gradient  # of the value, by a, b and the axis

    def __call__(self, a: Floats, b: Floats, axis: Floats, parameters: Parameters) -> float:
        return self.value(a, b, axis, parameters)


def _direction_between(a: Floats, b: Floats) -> Floats:
    length = norm(b - a)
    return (b - a) / length if length > 0.0 else np.zeros(3)


# distance of the two anchors, m
span = Coordinate(
    lambda a, b, axis, parameters: float(norm(b - a)),
    lambda a, b, axis, parameters: (-_direction_between(a, b), _direction_between(a, b), ZERO),
)

# offset of b's anchor along the axis, m
slide = Coordinate(
    lambda a, b, axis, parameters: float(dot(b - a, axis)),
    lambda a, b, axis, parameters: (-axis, axis, b - a),
)
