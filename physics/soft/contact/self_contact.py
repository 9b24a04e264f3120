"""Where a cloth may touch itself in the coming step, and the room in its matrix for that."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.portable import norm
from physics.schema import grown
from physics.soft.contact.edge_edge import add_edge_rows, near_edges
from physics.soft.contact.node_triangle import LAYERS, add_self_rows, near_pairs
from physics.soft.meshes.mesh_topology import unique_edges
from physics.soft.meshes.surface import MARGIN, Surface

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RINGS = 2.1  # edges: what is nearer than this in the rest shape never touches
FAST = 2.0  # edges: motion in one step beyond which contacts may be missed
PAIRS = np.array([(a, b) for a in range(4) for b in range(a + 1, 4)])  # of the nodes of a row
CELLS = 8  # cells of the grid per node at most


class SelfContact:
    """Finds contacts of a surface with itself; owns the workspace for it."""

    def __init__(self, surface: Surface, nodes: int) -> None:
        assert surface.rest is not None
        self.surface, self._rest = surface, surface.rest
        self._nodes = len(surface.rest)
        self._found = np.full((nodes, LAYERS), -1, np.int64)
        self._best, self._normal = np.zeros((nodes, LAYERS)), np.zeros((nodes, LAYERS, 3))
        self._sorted, self._cell = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        self._start = np.zeros(CELLS * nodes + 2, np.int64)
        self.never = np.zeros(0, np.int64)  # nodes that touch nothing
        self._edges = unique_edges(surface.triangles)
        self._edge_start = np.searchsorted(self._edges[:, 0], np.arange(nodes + 1))
        self._other = np.full(len(self._edges), -1, np.int64)
        self._room = np.zeros(len(self._edges))

    def find(self, body: "SoftBody", spacing: float, h: float) -> None:
        """Contacts of the coming step after those with shapes, with edges in the matrix."""
        body.fit_matrix(h)
        surface, nodes = self.surface, self._nodes
        thickness, margin = 2.0 * surface.radius, MARGIN * spacing
        x, v = body.x, body.v
        drift = v[:nodes].mean(axis=0)
        fastest = float(norm(v[:nodes] - drift).max())
        reach = thickness + margin + min(2.0 * h * fastest, FAST * spacing)
        low, high = x[:nodes].min(axis=0), x[:nodes].max(axis=0)
        size, cells = self._grid(high - low, max(spacing, 0.5 * reach))
        near = max(RINGS * spacing, 2.0 * thickness)
        start = self._start[: int(np.prod(cells)) + 1]
        near_pairs(
            x, v, self._rest, surface.triangles, nodes, near, thickness, margin, reach, h,
            low, size, cells, start, self._sorted, self._cell,
            self._found, self._best, self._normal,
        )  # fmt: skip
        self._found[self.never] = -1
        first, second = x[self._edges[:, 0]], x[self._edges[:, 1]]
        longest = float(norm(first - second).max(initial=0.0))  # nothing left where all is torn
        near_edges(
            x, v, self._rest, self._edges, self._edge_start, near + spacing, longest, thickness,
            margin, reach, h, low, size, cells, start, self._sorted, self._found, self._best,
            self._other, self._room,
        )  # fmt: skip
        self._add_rows(body, thickness)

    def _add_rows(self, body: "SoftBody", thickness: float) -> None:
        """Rows of what was found, and the blocks of the matrix they need."""
        surface, first, x = self.surface, int(body.rows.count[0]), body.x
        pinned = body.state.pinned
        while True:
            body.rows.count[0] = first
            least = add_self_rows(
                x, surface.triangles, self._nodes, pinned, thickness, surface.friction,
                self._found, self._best, self._normal, body.rows,
            )  # fmt: skip
            needed = add_edge_rows(
                x, body.v, self._edges, pinned, surface.friction, self._other, self._room,
                body.rows,
            )  # fmt: skip
            needed = max(least, needed)
            if needed <= len(body.rows.gap):
                break
            body.rows = grown(body.rows, r=2 * needed)
        self._couple(body, first)

    def _grid(self, span: Floats, size: float) -> tuple[float, Ints]:
        """Size of the cells and their number each way: no more than there is room for."""
        while True:
            cells = np.maximum((span / size).astype(np.int64) + 1, 1)
            if np.prod(cells.astype(float)) <= CELLS * self._nodes:
                return size, cells
            size *= 1.26  # twice the volume

    def _couple(self, body: "SoftBody", first: int) -> None:
        rows, count = body.rows, int(body.rows.count[0])
        if count > first:
            pairs = rows.node[first:count][:, PAIRS].reshape(-1, 2)
            rows.slot[first:count] = body.couple(pairs).reshape(-1, len(PAIRS))
