"""Cutting: what a cut goes through, and a soft body without it.

What is cut stays in the arrays with no stiffness, so the pattern of the matrix stays; a link or
element that is gone takes its elastic energy with it. What was drawn and touched of it is gone too.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.portable import dot
from physics.soft.elements import principal
from physics.soft.meshes.mesh_topology import surface as outer_faces

if TYPE_CHECKING:
    from physics.soft.solve.soft_arrays import Model

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Blade(NamedTuple):
    """The rectangle from `start` to `end`, without end along the line of sight."""

    start: Floats
    along: Floats  # 1/m: the share of the way from start to end is (x - start)·along
    across: Floats  # normal of the plane

    def crosses(self, x: Floats, nodes: Ints) -> Bools:
        """Which elements (m, k) have an edge that goes through it."""
        side, place = dot(x - self.start, self.across), dot(x - self.start, self.along)
        crossed = np.zeros(len(nodes), bool)
        for a in range(nodes.shape[1]):
            for b in range(a + 1, nodes.shape[1]):
                i, j = nodes[:, a], nodes[:, b]
                through = side[i] * side[j] < 0.0
                share = side[i] / np.where(through, side[i] - side[j], 1.0)
                at = place[i] + share * (place[j] - place[i])
                crossed |= through & (at >= 0.0) & (at <= 1.0)
        return crossed


def blade(start: Floats, end: Floats, sight: Floats) -> Blade | None:
    """None when the line from start to end is a line of sight itself."""
    way = end - start
    across = np.cross(way, sight)
    return Blade(start, way / dot(way, way), across) if np.any(across) else None


def cells_of(model: "Model") -> tuple[str, Ints]:
    """What a solid is made of: how the fields of Model begin, and the nodes of its cells."""
    return ("hex", model.hex_nodes) if len(model.hex_nodes) else ("tet", model.tet_nodes)


def sheets_of(model: "Model") -> Ints:
    """Nodes of the elements of a sheet: triangles, or quads as often as they have points."""
    return model.quad_nodes if len(model.quad_nodes) else model.tri_nodes


class Holes:
    """Elements that were taken out of a body: triangles or quads, cells, and hinges beside them."""

    def __init__(self, model: "Model") -> None:
        self._model = model
        self._cell, nodes = cells_of(model)
        self.triangles = np.zeros(len(sheets_of(model)), bool)
        self.tetrahedra = np.zeros(len(nodes), bool)
        names = ["tri_stiffness", "quad_stiffness", "hinge_stiffness"]
        names += [f"{self._cell}_{field}" for field in ("volume", "lame", "kind")]
        self._whole = {name: getattr(model, name).copy() for name in names}

    def set(self, triangles: Bools, tetrahedra: Bools) -> None:
        """Exactly these are gone."""
        self.triangles, self.tetrahedra = triangles.copy(), tetrahedra.copy()
        model = self._model
        for name, whole in self._whole.items():
            getattr(model, name)[...] = whole
        sheets = model.quad_stiffness if len(model.quad_nodes) else model.tri_stiffness
        sheets[triangles] = 0.0
        for field in ("volume", "lame"):
            getattr(model, f"{self._cell}_{field}")[tetrahedra] = 0.0
        kind = getattr(model, f"{self._cell}_kind")
        kind[tetrahedra] = principal.GREEN  # polynomials: finite however it is torn
        gone = _keys(_corners(sheets_of(model)[triangles]))
        for beside in ((0, 1, 2), (0, 1, 3)):
            model.hinge_stiffness[np.isin(_keys(model.hinge_nodes[:, beside]), gone)] = 0.0


def _corners(nodes: Ints) -> Ints:
    """All triangles with the corners of elements."""
    if nodes.shape[1] == 3:
        return nodes
    return np.concatenate([np.delete(nodes, k, axis=1) for k in range(nodes.shape[1])])


def _keys(triangles: Ints) -> Any:
    """One value per triangle, whatever the order of its corners."""
    corners = np.ascontiguousarray(np.sort(triangles, axis=1))
    return corners.view([("", corners.dtype)] * 3).ravel()


def surface_left(model: "Model", triangles: Ints, holes: Holes | None) -> Ints:
    """What is left of the triangles that a whole body shows and touches with."""
    cut = model.link_nodes[model.link_stiffness == 0.0]
    if len(cut):
        triangles = triangles[~torn(triangles, cut)]
    if holes is None:
        return triangles
    _, cells = cells_of(model)
    if len(cells):
        return outer_faces(cells[~holes.tetrahedra])
    return triangles[~np.isin(_keys(triangles), _keys(_corners(sheets_of(model)[holes.triangles])))]


def torn(triangles: Ints, cut: Ints) -> Bools:
    """Which triangles have a cut link among their edges; cut (n, 2) are its ends."""
    most = int(triangles.max(initial=0)) + 1

    def keys(a: Ints, b: Ints) -> Ints:
        return np.minimum(a, b) * np.int64(most) + np.maximum(a, b)

    edges = keys(triangles, np.roll(triangles, 1, axis=1))
    return np.asarray(np.isin(edges, keys(cut[:, 0], cut[:, 1])).any(axis=1))
