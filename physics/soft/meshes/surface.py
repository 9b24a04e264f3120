"""How a soft body touches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MARGIN = 0.25  # of the surface's spacing: contacts this far off are looked at in every step


@dataclass
class Surface:
    """What touches, and how."""

    triangles: NDArray[np.int64]
    radius: float = 0.01  # m around every node and triangle
    friction: float = 0.5
    restitution: float = 0.0  # share of the speed of an impact with which a point parts
    group: int = 1
    mask: int = 0xFFFF
    solid: bool = False  # its triangles have an inside
    rest: NDArray[np.float64] | None = None  # (n, 3) m: if given it touches itself, but for what
    # is near there
