"""Lattices of particles (flat elastic solids) drawn as the sheet they span."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from physics.records import Handle
from sandbox.render.look import linear
from sandbox.render.model import Poses
from sandbox.render.ray_picking import ray_triangles
from sandbox.render.scene import Sheet

if TYPE_CHECKING:
    from levels.level_tables import Appearance
    from levels.plan import Plan
    from sandbox.protocols import DrawnWorld

Array = npt.NDArray[np.floating]


@dataclass
class Lattice:
    """A sheet whose points are the slots of particles."""

    sheet: Sheet
    slots: npt.NDArray[np.intp]
    handles: list[Handle]

    def place(self, poses: Poses) -> Sheet:
        self.sheet.points = poses.positions[self.slots]
        return self.sheet

    def pick(self, origin: Array, direction: Array) -> tuple[int, float] | None:
        """The slot of the particle nearest to where a ray meets the sheet, and how far away."""
        triangles, points = self.sheet.triangles, np.asarray(self.sheet.points)
        distances = ray_triangles(origin, direction, points[triangles])
        met = int(np.argmin(distances))
        if not np.isfinite(distances[met]):
            return None
        place = origin + direction * distances[met]
        corners = triangles[met]
        near = corners[np.linalg.norm(points[corners] - place, axis=1).argmin()]
        return int(self.slots[near]), float(distances[met])


def lattices(world: "DrawnWorld", plan: "Plan | None", poses: Poses) -> list[Lattice]:
    """Those of the level's props whose particles are all there."""
    found = []
    known = {world.name(handle): handle for handle in world.handles("particle")}
    for group in plan.groups.values() if plan is not None else ():
        for rows, columns, names in group.sheets:
            if all(name in known for name in names):
                handles = [known[name] for name in names]
                slots = np.array([handle.slot for handle in handles], np.intp)
                sheet = _sheet(rows, columns, poses.positions[slots], group.look)
                found.append(Lattice(sheet, slots, handles))
    return found


def _sheet(
    rows: int, columns: int, points: npt.NDArray[np.floating], look: "Appearance | None"
) -> Sheet:
    """Two triangles a cell; uv in metres of the material as it was made."""
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[:-1, 1:], index[1:, 1:]
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (b, d, c))])
    color = linear(getattr(look, "color", None) or "mint")
    return Sheet(points, triangles, (points - points.min(axis=0))[:, :2], color, color, "plain")
