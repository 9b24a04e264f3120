"""The wheels that ropes of pulley joints run over."""

from typing import Any

import numpy as np
import numpy.typing as npt

from physics import JOINTS
from sandbox.render.decorate import Groups, merged, wheel

Point = npt.NDArray[np.floating]
_SIZE = np.array((0.14, 0.14, 0.05))  # m, half: the axle lies along z, towards the viewer


def wheels_of(info: Any) -> list[Point]:
    """Where the wheels of a joint are that its rope runs over, if there are any."""
    given = (info.parameters[name] for name in JOINTS[info.kind].over)
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
