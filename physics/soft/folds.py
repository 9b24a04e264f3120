"""Where a cloth may touch itself in the coming step, and the room in its matrix for that."""

import numpy as np
from numpy.typing import NDArray

from physics.soft.body import SoftBody
from physics.soft.rows import grown
from physics.soft.self_contact import LAYERS, add_self_rows, near_pairs
from physics.soft.surface import MARGIN, Surface

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RINGS = 2.1  # edges: what is nearer than this in the rest shape never touches
FAST = 2.0  # edges: motion in one step beyond which contacts may be missed
CELLS = 8  # cells of the grid per node at most


class Folds:
    """Finds contacts of a surface with itself; owns the workspace for it."""

    def __init__(self, surface: Surface, slot: Ints, nodes: int) -> None:
        assert surface.rest is not None
        self.surface, self._slot, self._rest = surface, slot, surface.rest
        self._nodes = len(surface.rest)
        self._found = np.full((nodes, LAYERS), -1, np.int64)
        self._best, self._normal = np.zeros((nodes, LAYERS)), np.zeros((nodes, LAYERS, 3))
        self._sorted, self._cell = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        self._start = np.zeros(CELLS * nodes + 2, np.int64)

    def find(self, body: SoftBody, spacing: float, h: float) -> None:
        """Contacts of the coming step after those with shapes, with edges in the matrix."""
        surface, nodes = self.surface, self._nodes
        thickness, margin = 2.0 * surface.radius, MARGIN * spacing
        x, v = body.x, body.v
        drift = v[:nodes].mean(axis=0)
        fastest = float(np.linalg.norm(v[:nodes] - drift, axis=1).max())
        reach = thickness + margin + min(2.0 * h * fastest, FAST * spacing)
        low, high = x[:nodes].min(axis=0), x[:nodes].max(axis=0)
        size, cells = self._grid(high - low, max(spacing, 0.5 * reach))
        near_pairs(
            x, v, self._rest, surface.triangles, nodes, max(RINGS * spacing, 2.0 * thickness),
            thickness, margin, reach, h, low, size, cells,
            self._start[: int(np.prod(cells)) + 1], self._sorted, self._cell,
            self._found, self._best, self._normal,
        )  # fmt: skip
        first = int(body.rows.count[0])
        while True:
            body.rows.count[0] = first
            needed = add_self_rows(
                x, surface.triangles, self._slot, nodes, body.state.pinned, thickness,
                surface.friction, self._found, self._best, self._normal, body.rows,
            )  # fmt: skip
            if needed <= len(body.rows.gap):
                break
            body.rows = grown(body.rows, 2 * needed)
        self._couple(body, first)

    def _grid(self, span: Floats, size: float) -> tuple[float, Ints]:
        """Size of the cells and their number each way: no more than there is room for."""
        while True:
            cells = np.maximum((span / size).astype(np.int64) + 1, 1)
            if np.prod(cells.astype(float)) <= CELLS * self._nodes:
                return size, cells
            size *= 1.26  # twice the volume

    def _couple(self, body: SoftBody, first: int) -> None:
        rows, count = body.rows, int(body.rows.count[0])
        if count > first:
            node = rows.node[first:count]
            pairs = np.stack([np.repeat(node[:, 0], 3), node[:, 1:].reshape(-1)], axis=1)
            rows.slot[first:count, :3] = body.couple(pairs).reshape(-1, 3)
