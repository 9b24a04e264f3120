"""Dots and needles: what overlays are drawn with, unlit and on top of everything."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.scene import PART, Parts

if TYPE_CHECKING:
    from sandbox.app.player import Player

Array = npt.NDArray[np.floating]


def dots(points: Array, radius: Array | float, colors: Array) -> Parts:
    rows = np.zeros(len(points), PART)
    rows["position"], rows["orientation"] = points, (1.0, 0.0, 0.0, 0.0)
    rows["radius"] = radius
    rows["half"] = np.broadcast_to(np.asarray(radius)[..., None], (len(points), 3))
    rows["color"], rows["gloss"] = colors, 0.95
    return rows


def needles(start: Array, end: Array, radius: float, colors: Array) -> Parts:
    along = end - start
    length = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    rows = np.zeros(len(start), PART)
    rows["position"] = 0.5 * (start + end)
    rows["orientation"] = rotations.between(np.array((0.0, 1.0, 0.0)), along / length[:, None])
    rows["half"] = np.stack(
        (np.full(len(start), radius), length / 2, np.full(len(start), radius)), 1
    )
    rows["color"], rows["gloss"] = colors, 0.9
    return rows


def thickness(player: "Player") -> float:
    """m of a thin line, as far away as what is looked at."""
    return 0.0022 * player.camera.pose.distance
