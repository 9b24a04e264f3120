"""Things that are not there yet, seen through."""

import numpy as np
import numpy.typing as npt

from sandbox.render.scene import Scene

_OPACITY = 0.45


def add_ghost(scene: Scene, mesh: str, rows: npt.NDArray[np.void]) -> None:
    rows = rows.copy()
    rows["gloss"] = _OPACITY
    old = scene.ghosts.get(mesh)
    scene.ghosts[mesh] = rows if old is None else np.concatenate((old, rows))
