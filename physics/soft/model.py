"""A soft body as flat arrays: constant `Model`, changing `State`, and the builder that makes both.

Elements of all kinds share one node graph; `*_slot` says which edge block of the matrix belongs to
each node pair of an element, pairs in the order (0,1), (0,2), …, (1,2), ….
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.portable import norm
from physics.soft import bending, membrane, tetrahedra
from physics.soft.mesh import nodal_volume, unique_edges
from physics.soft.principal import MATERIALS
from physics.soft.weak import USUAL_STEP, is_weak, spanned, squared_frequency

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Model(NamedTuple):
    """What does not change while stepping (except by cutting: stiffness set to zero)."""

    mass: Floats  # (n,) kg
    edges: Ints  # (E, 2) node pairs with a matrix block, smaller node first
    link_nodes: Ints  # (m, 2)
    link_length: Floats  # (m,) m
    link_stiffness: Floats  # (m,) N/m = 1/C
    link_slot: Ints  # (m,) -1: too weak for the matrix, physics/soft/weak.py
    link_count: Floats  # (n,) links on each node
    tet_nodes: Ints  # (m, 4)
    tet_gradient: Floats  # (m, 4, 3) 1/m
    tet_volume: Floats  # (m,) m³
    tet_lame: Floats  # (m, 2) Pa
    tet_kind: Ints  # (m,) principal.MATERIALS
    tet_slot: Ints  # (m, 6)
    tri_nodes: Ints  # (m, 3)
    tri_gradient: Floats  # (m, 3, 2) 1/m
    tri_area: Floats  # (m,) m²
    tri_stiffness: Floats  # (m, 3, 3) N/m
    tri_slot: Ints  # (m, 3)
    hinge_nodes: Ints  # (m, 4)
    hinge_rest: Floats  # (m,) rad
    hinge_stiffness: Floats  # (m,) N m/rad
    hinge_slot: Ints  # (m, 6)


class State(NamedTuple):
    """What a step changes, and what the caller sets between steps."""

    x: Floats  # (n, 3) m
    v: Floats  # (n, 3) m/s
    mean: Floats  # (n, 3) running average of v
    lam: Floats  # (links,) N, negative in tension
    force: Floats  # (n, 3) N, external; the caller clears it
    pinned: NDArray[np.bool_]  # (n,) nodes with prescribed velocity
    pin_velocity: Floats  # (n, 3) m/s, used where pinned


def pair_slots(nodes: Ints, edges: Ints, count: int) -> Ints:
    """Number of the edge of each node pair of each element."""
    k = nodes.shape[1]
    key = edges[:, 0] * count + edges[:, 1]
    pairs = [(a, b) for a in range(k) for b in range(a + 1, k)]
    slots = np.zeros((len(nodes), len(pairs)), np.int64)
    for at, (a, b) in enumerate(pairs):
        low, high = np.minimum(nodes[:, a], nodes[:, b]), np.maximum(nodes[:, a], nodes[:, b])
        slots[:, at] = np.searchsorted(key, low * count + high)
    return slots


class Builder:
    """Collects nodes and elements, then makes the arrays."""

    def __init__(self, position: Floats) -> None:
        self.position = np.array(position, dtype=float)
        n = len(self.position)
        self.mass = np.zeros(n)
        self.surface: Ints = np.zeros((0, 3), np.int64)  # triangles that can touch and be drawn
        self._links: list[tuple[Ints, Floats, Floats]] = []
        self._tets: list[tuple[Ints, Floats, Floats, Floats, Ints]] = []
        self._tris: list[tuple[Ints, Floats, Floats, Floats]] = []
        self._hinges: list[tuple[Ints, Floats, Floats]] = []

    def add_mass(self, mass: float | Floats, nodes: Sequence[int] | Ints | None = None) -> None:
        """Add point masses: the same to every given node, or one value each."""
        if nodes is None:
            self.mass += mass
        else:
            np.add.at(self.mass, np.asarray(nodes), mass)

    def add_links(self, pairs: Ints, stiffness: float, length: Floats | None = None) -> None:
        """Distance links; rest length from the positions unless given."""
        pairs = np.asarray(pairs, np.int64).reshape(-1, 2)
        if length is None:
            length = norm(self.position[pairs[:, 0]] - self.position[pairs[:, 1]])
        if len(pairs) and length.min() <= 0.0:
            raise ValueError("a link needs a positive rest length")
        self._links.append((pairs, np.asarray(length, float), np.full(len(pairs), stiffness)))

    def add_tetrahedra(
        self,
        nodes: Ints,
        young: float,
        poisson: float,
        *,
        material: str = "stvk",
        density: float = 0.0,
    ) -> None:
        """Solid elements at rest in the present positions; their mass is lumped to the nodes."""
        if material not in MATERIALS:
            raise ValueError(f"unknown material {material!r}, one of {sorted(MATERIALS)}")
        if not -1.0 < poisson < 0.5:
            raise ValueError(f"Poisson's ratio must lie in (-1, 0.5), got {poisson}")
        gradient, volume = tetrahedra.shape_gradients(self.position, nodes)
        if volume.min() <= 0.0:
            raise ValueError("tetrahedra must have positive volume")
        m = len(nodes)
        lame = np.tile(tetrahedra.lame(young, poisson), (m, 1))
        kind = np.full(m, MATERIALS[material])
        self._tets.append((np.asarray(nodes, np.int64), gradient, volume, lame, kind))
        self.mass += density * nodal_volume(len(self.position), nodes, volume)

    def add_triangles(
        self,
        nodes: Ints,
        stiffness: Floats,
        *,
        warp: Floats | None = None,
        area_density: float = 0.0,
    ) -> None:
        """Membrane elements with D (3, 3) in N/m, e.g. of `membrane.isotropic`."""
        gradient, area = membrane.shape_gradients(self.position, nodes, warp)
        D = np.broadcast_to(stiffness, (len(nodes), 3, 3)).copy()
        self._tris.append((np.asarray(nodes, np.int64), gradient, area, D))
        self.mass += area_density * nodal_volume(len(self.position), nodes, area)

    def add_hinges(self, nodes: Ints, rigidity: float, *, flat: bool = False) -> None:
        """Bending of rigidity B (N m) over interior edges; rest angle as placed, or flat."""
        nodes = np.asarray(nodes, np.int64).reshape(-1, 4)
        X = self.position[nodes]
        edge = norm(X[:, 1] - X[:, 0])
        areas = sum(0.5 * norm(np.cross(X[:, 0] - X[:, k], X[:, 1] - X[:, k])) for k in (2, 3))
        rest = np.zeros(len(nodes)) if flat else np.array([bending.angle(one) for one in X])
        self._hinges.append((nodes, rest, rigidity * edge**2 / areas))

    def build(self) -> tuple[Model, State]:
        """The arrays; every node must have mass by now."""
        if self.mass.min() <= 0.0:
            raise ValueError(f"node {int(self.mass.argmin())} has no mass")
        n = len(self.position)
        links = _joined(self._links, (np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0)))
        tets = _joined(
            self._tets,
            (np.zeros((0, 4), np.int64), np.zeros((0, 4, 3)), np.zeros(0), np.zeros((0, 2)),
             np.zeros(0, np.int64)),
        )  # fmt: skip
        tris = _joined(
            self._tris,
            (np.zeros((0, 3), np.int64), np.zeros((0, 3, 2)), np.zeros(0), np.zeros((0, 3, 3))),
        )
        hinges = _joined(self._hinges, (np.zeros((0, 4), np.int64), np.zeros(0), np.zeros(0)))
        elements = tets[0], tris[0], hinges[0], self.surface
        weak = is_weak(squared_frequency(self.mass, links[0], links[2]), USUAL_STEP)
        weak[weak] = spanned(n, unique_edges(links[0][~weak], *elements), links[0][weak])
        edges = unique_edges(links[0][~weak], *elements)
        slots = [pair_slots(group[0], edges, n) for group in (links, tets, tris, hinges)]
        slots[0][weak] = -1
        count = np.bincount(links[0].ravel(), minlength=n).astype(float)
        model = Model._make(
            (self.mass.copy(), edges, *links, slots[0][:, 0], count,
             *tets, slots[1], *tris, slots[2], *hinges, slots[3])
        )  # fmt: skip
        state = State(
            self.position.copy(), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(len(links[0])),
            np.zeros((n, 3)), np.zeros(n, np.bool_), np.zeros((n, 3)),
        )  # fmt: skip
        return model, state


def _joined(groups: Sequence[tuple[NDArray[Any], ...]], empty: tuple[NDArray[Any], ...]) -> Any:
    """Concatenate groups of element arrays field by field."""
    return tuple(
        np.ascontiguousarray(np.concatenate(fields)) for fields in zip(empty, *groups, strict=True)
    )
