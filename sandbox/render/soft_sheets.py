"""Cloths and elastic solids as sheets: how they look, and where a ray meets them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render.look import linear
from sandbox.render.model import Poses
from sandbox.render.ray_picking import ray_triangles
from sandbox.render.scene import Sheet

if TYPE_CHECKING:
    from levels.plan import Plan, PlannedSoft
    from physics import Handle
    from sandbox.protocols import DrawnWorld

Array = npt.NDArray[np.floating]

SOFT = ("cloth", "solid")


@dataclass
class Surface:
    """One soft body: a sheet whose points are rows of the poses."""

    handle: "Handle"
    sheet: Sheet
    rows: npt.NDArray[np.intp]

    def place(self, poses: Poses) -> Sheet:
        self.sheet.points = poses.positions[self.rows]
        return self.sheet

    def tear(self, world: "DrawnWorld") -> None:
        """Leave out what was cut; after a rewind it is back."""
        self.sheet.triangles = world.triangles(self.handle)

    def meet(self, origin: Array, direction: Array) -> float:
        """How far away a ray meets the sheet as last placed; inf where it does not."""
        corners = np.asarray(self.sheet.points)[self.sheet.triangles]
        return float(ray_triangles(origin, direction, corners).min(initial=np.inf))


class Softs:
    """The soft bodies of a world, drawn."""

    def __init__(self) -> None:
        self.surfaces: list[Surface] = []
        self._first_seen: dict[Handle, Array] = {}  # where nodes lie in the material, m

    def rebuild(self, world: "DrawnWorld", plan: "Plan | None", poses: Poses, first: int) -> None:
        """Look at the world anew; `first` is the row of the first node in the poses."""
        self.surfaces = []
        for handle in soft_handles(world):
            planned = plan.softs.get(world.name(handle)) if plan is not None else None
            rows = first + np.arange(len(world.node_positions(handle)), dtype=np.intp)
            first += len(rows)
            sheet = self._sheet(world, handle, planned, poses.positions[rows])
            self.surfaces.append(Surface(handle, sheet, rows))

    def scene(self, world: "DrawnWorld", poses: Poses) -> list[Sheet]:
        for surface in self.surfaces:
            surface.tear(world)
        return [surface.place(poses) for surface in self.surfaces]

    def of(self, handle: "Handle") -> Surface | None:
        return next((surface for surface in self.surfaces if surface.handle == handle), None)

    def pick(self, origin: Array, direction: Array) -> "tuple[Handle | None, float]":
        """The soft body a ray meets first, and how far away; (None, inf) if it meets none."""
        best: tuple[Handle | None, float] = (None, np.inf)
        for surface in self.surfaces:
            distance = surface.meet(origin, direction)
            if distance < best[1]:
                best = (surface.handle, distance)
        return best

    def _sheet(
        self, world: "DrawnWorld", handle: "Handle", planned: "PlannedSoft | None", points: Array
    ) -> Sheet:
        look = planned.look if planned is not None else None
        cloth = handle.kind == "cloth"
        color = linear((look.color if look is not None else None) or ("coral" if cloth else "mint"))
        pattern = look.pattern if look is not None else None
        striped = pattern in ("stripes", "checker")
        return Sheet(
            points,
            np.asarray(world.triangles(handle)),
            self._material(handle, planned, points),
            color,
            linear("cream") if striped else color,
            pattern or ("weave" if cloth else "plain"),
        )

    def _material(self, handle: "Handle", planned: "PlannedSoft | None", points: Array) -> Array:
        """Where each node lies in the woven material, m: it must not change while cloth moves."""
        options = planned.options if planned is not None else {}
        rows, columns = options.get("rows", 0), options.get("columns", 0)
        if handle.kind == "cloth" and rows * columns == len(points) and options.get("size"):
            width, height = options["size"]
            v, u = np.meshgrid(
                np.linspace(0, height, rows), np.linspace(0, width, columns), indexing="ij"
            )
            return np.stack((u, v), axis=-1).reshape(-1, 2)
        if handle not in self._first_seen:  # along the two axes in which it is widest
            axes = np.sort(np.argsort(np.ptp(points, axis=0))[1:])
            self._first_seen[handle] = points[:, axes] - points[:, axes].min(axis=0)
        return self._first_seen[handle]


def soft_handles(world: "DrawnWorld") -> "list[Handle]":
    return [handle for kind in SOFT for handle in world.handles(kind)]
