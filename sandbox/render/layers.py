"""Layers of parts on the GPU: what is solid, marks, backdrop, outlines, overlays.

A layer is drawn mesh by mesh and pattern by pattern, since each pattern has a program of its own.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.appearance import PATTERNS
from sandbox.render import meshes
from sandbox.render.buffers import Batch, part_batch
from sandbox.render.programs import Programs
from sandbox.render.scene import Parts, Scene
from sandbox.render.view import View

if TYPE_CHECKING:
    import moderngl

Pattern = tuple[int, npt.NDArray[np.intp] | None]  # and which rows have it; None: all of them

_PATTERN = tuple(f"PATTERN={index}" for index in range(len(PATTERNS)))  # the variants of "part"


def unit_meshes(detail: int) -> dict[str, meshes.Mesh]:
    """The built-in meshes at a level of detail; balls show their outline, boxes hardly."""
    return {
        "ball": meshes.rounded_box(detail + 1),
        "head": meshes.rounded_box(detail + 1),  # balls, too; apart from the others, they turn
        "box": meshes.rounded_box(max(1, detail // 2)),
        "cylinder": meshes.cylinder(12 + 4 * detail, max(1, detail // 3)),
        "rod": meshes.rod(4 + detail),
        "cone": meshes.cone(6 + 2 * detail),
        "link": meshes.link(12 + 4 * detail, 4 + detail),
        "drape": meshes.drape(12 + 6 * detail, 3 + detail),
    }


def in_view(view: View, rows: Parts) -> npt.NDArray[np.bool_]:
    """Which parts may be seen: those that reach into the cone around the picture."""
    if view.height is not None:
        return np.ones(len(rows), bool)
    offset = rows["position"].astype(float) - view.eye
    away = offset @ view.axes()[2]
    radius = np.linalg.norm(rows["half"], axis=1)
    aside = np.sqrt(np.maximum(np.sum(offset**2, axis=1) - away**2, 0.0))
    wide, tall = 1.0 + abs(view.shift[0]), 1.0 + abs(view.shift[1])
    slope = np.tan(view.fov / 2) * np.hypot(tall, view.aspect * wide)
    # the distance of a point from the cone's side is (aside - slope away) / √(1 + slope²)
    return np.asarray(aside - slope * away <= radius * np.hypot(1.0, slope))


def nearest_first(view: View, rows: Parts) -> Parts:
    """Parts that may be seen, in an order in which those in front hide the others at once."""
    seen = rows[in_view(view, rows)]
    away = (seen["position"].astype(float) - view.eye) @ view.axes()[2]
    return seen[np.argsort(away - np.linalg.norm(seen["half"], axis=1), kind="stable")]


class Layers:
    """Batches of parts by layer, mesh and pattern."""

    def __init__(self, context: "moderngl.Context", detail: int) -> None:
        self._context = context
        self._unit = unit_meshes(detail)
        self._far = unit_meshes(max(1, detail // 2))  # small on the screen
        self._batches: dict[tuple[str, str, int], Batch] = {}
        self._mesh_of: dict[tuple[str, str, int], meshes.Mesh] = {}
        self._patterns: dict[tuple[str, str], tuple[Parts, list[Pattern]]] = {}
        self._filled: dict[str, object] = {}  # what was last written of each layer that has any

    def has(self, layer: str) -> bool:
        """Is there anything in it?"""
        return any(batch.count for key, batch in self._batches.items() if key[0] == layer)

    def write(self, layer: str, groups: dict[str, Parts], scene: Scene) -> None:
        before = self._filled.get(layer)
        if (not groups and before is None) or (layer == "marks" and groups is before):
            return  # marks never move
        self._filled[layer] = groups or None
        written = set()
        for name, rows in groups.items():
            unit = self._far if layer == "backdrop" else self._unit
            mesh = scene.meshes.get(name) or unit[name]
            same = self._patterns.get((layer, name), (None, []))[0] is rows
            same = same and layer == "parts" and name in scene.still
            for pattern, which in self._by_pattern(layer, name, rows):
                key = (layer, name, pattern)
                written.add(key)
                if self._mesh_of.get(key) is not mesh:
                    self._mesh_of[key] = mesh
                    self._batches[key] = part_batch(self._context, mesh)
                elif same and self._batches[key].count:
                    continue
                self._batches[key].write(rows if which is None else rows[which])
        for key, batch in self._batches.items():
            if key[0] == layer and key not in written:
                batch.count = 0

    def _by_pattern(self, layer: str, name: str, rows: Parts) -> list[Pattern]:
        """The rows of each pattern, since each has a program of its own. Placing moves rows within
        the same array, so this is found once."""
        before, found = self._patterns.get((layer, name), (None, []))
        if before is not rows:
            patterns = np.rint(rows["pattern"]).astype(int)
            kinds = np.unique(patterns).tolist()
            if len(kinds) == 1:
                found = [(kinds[0], None)]
            else:
                found = [(kind, np.flatnonzero(patterns == kind)) for kind in kinds]
            self._patterns[layer, name] = rows, found
        return found

    def draw(self, programs: Programs, layer: str, *variant: str) -> None:
        for (kind, _, pattern), batch in self._batches.items():
            if kind == layer and batch.count:
                program = programs.get("part", *(variant or (_PATTERN[pattern],)))
                batch.draw(program, self._context.TRIANGLES)
