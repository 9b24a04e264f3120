"""The wheels that ropes of pulley joints run over."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sandbox.render.decorate import Groups, merged, wheel

Point = npt.NDArray[np.floating]
_SIZE = np.array((0.14, 0.14, 0.05))  # m, half: the axle lies along z, towards the viewer


def pulley_wheels(info: Any) -> list[Point]:
    """Where the wheels of a pulley joint are: one, or one for each of its ropes."""
    given = (info.parameters["wheel_a"], info.parameters["wheel_b"])
    return [np.asarray(point, float) for point in given if point is not None]


def wheel_parts(wheels: list[Point]) -> Groups:
    """Wheels at these points."""
    groups = []
    for point in wheels:
        group = wheel(_SIZE, "steel")
        for rows in group.values():
            rows["position"] += point
        groups.append(group)
    return merged(*groups)
