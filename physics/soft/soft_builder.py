"""Collects nodes and elements of a soft body, then makes its arrays."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.portable import norm
from physics.schema import Floats, Ints, allocate
from physics.soft.elements import bending, hexahedra, membrane, quads, tetrahedra
from physics.soft.elements.conserving import NEARLY_INCOMPRESSIBLE
from physics.soft.meshes.mesh_topology import nodal_volume, unique_edges
from physics.soft.models import SOLID_MATERIALS
from physics.soft.solve.soft_arrays import Model, State
from physics.soft.solve.weak_links import USUAL_STEP, is_weak, spanned, squared_frequency

# kinds, and how their fields of Model begin
ELEMENTS = ("link", "tet", "hex", "tri", "quad", "area", "volume", "hinge")
MADE = {"link_count", *(f"{kind}_slot" for kind in ELEMENTS)}  # fields that `build` finds itself


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


def _material(name: str, young: float, poisson: float, count: int) -> tuple[Ints, Floats]:
    """Codes and Lamé constants of so many cells."""
    if name not in SOLID_MATERIALS:
        raise ValueError(f"unknown material {name!r}, one of {sorted(SOLID_MATERIALS)}")
    if not -1.0 < poisson <= 0.5:
        raise ValueError(f"Poisson's ratio must lie in (-1, 0.5], got {poisson}")
    lame = tetrahedra.lame(young, min(poisson, NEARLY_INCOMPRESSIBLE))
    return np.full(count, SOLID_MATERIALS[name].code), np.tile(lame, (count, 1))


class Builder:
    """Collects nodes and elements, then makes the arrays."""

    def __init__(self, position: Floats) -> None:
        self.position = np.array(position, dtype=float)
        n = len(self.position)
        self.mass = np.zeros(n)
        self.surface: Ints = np.zeros((0, 3), np.int64)  # triangles that can touch and be drawn
        self._parts: defaultdict[str, list[NDArray[Any]]] = defaultdict(list)  # by field of Model

    def add_mass(self, mass: float | Floats, nodes: Sequence[int] | Ints | None = None) -> None:
        """Add point masses: the same to every given node, or one value each."""
        if nodes is None:
            self.mass += mass
        else:
            np.add.at(self.mass, np.asarray(nodes), mass)

    def add_links(
        self,
        pairs: Ints,
        stiffness: float | Floats,
        length: Floats | None = None,
        *,
        compliance: float | None = None,
    ) -> None:
        """Distance links; rest length from the positions unless given.

        With a `compliance` C ≥ 0 (m/N) φ = -Cλ exactly, whatever the stiffness of the matrix.
        """
        pairs = np.asarray(pairs, np.int64).reshape(-1, 2)
        if length is None:
            length = norm(self.position[pairs[:, 0]] - self.position[pairs[:, 1]])
        if len(pairs) and length.min() <= 0.0:
            raise ValueError("a link needs a positive rest length")
        self._add(
            "link", nodes=pairs, length=np.asarray(length, float),
            stiffness=np.full(len(pairs), stiffness),
            memory=np.full(len(pairs), 0.0 if compliance is None else 1.0 - stiffness * compliance),
        )  # fmt: skip

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
        kind, lame = _material(material, young, poisson, len(nodes))
        gradient, volume = tetrahedra.shape_gradients(self.position, nodes)
        if volume.min() <= 0.0:
            raise ValueError("tetrahedra must have positive volume")
        self._add(
            "tet", nodes=np.asarray(nodes, np.int64), gradient=gradient, volume=volume, lame=lame,
            kind=kind,
        )  # fmt: skip
        self.mass += density * nodal_volume(len(self.position), nodes, volume)

    def add_hexahedra(
        self,
        nodes: Ints,
        young: float,
        poisson: float,
        *,
        material: str = "stvk",
        density: float = 0.0,
    ) -> None:
        """The same of hexahedra (m, 8), corners 4x + 2y + z."""
        kind, lame = _material(material, young, poisson, len(nodes))
        shape = hexahedra.shape(self.position, nodes)
        if shape.volume.min() <= 0.0:
            raise ValueError("hexahedra must have positive volume")
        self._add(
            "hex", nodes=np.asarray(nodes, np.int64), gradient=shape.gradient, gamma=shape.gamma,
            length=shape.length, volume=shape.volume, lame=lame, kind=kind,
            young=np.tile([young, poisson], (len(nodes), 1)),
        )  # fmt: skip
        self.mass += density * nodal_volume(len(self.position), nodes, shape.volume)

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
        nodes = np.asarray(nodes, np.int64)
        self._add("tri", nodes=nodes, gradient=gradient, area=area, stiffness=D)
        self.mass += area_density * nodal_volume(len(self.position), nodes, area)

    def add_quads(self, nodes: Ints, stiffness: Floats, *, warp: Floats | None = None) -> None:
        """The same of quads (m, 4), corners around."""
        gradient, area = quads.shape_gradients(self.position, nodes, warp)
        if area.min() <= 0.0:
            raise ValueError("quads must be convex")
        points = np.repeat(np.asarray(nodes, np.int64), quads.POINTS, axis=0)
        D = np.broadcast_to(stiffness, (len(points), 3, 3)).copy()
        self._add("quad", nodes=points, gradient=gradient, area=area, stiffness=D)

    def add_areas(self, nodes: Ints, compliance: float) -> None:
        """Rows that keep the area of triangles, C in m³/N."""
        nodes = np.asarray(nodes, np.int64)
        X = self.position[nodes]
        rest = 0.5 * norm(np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]))
        self._add("area", nodes=nodes, rest=rest, stiffness=np.full(len(nodes), 1.0 / compliance))

    def add_volumes(self, nodes: Ints, modulus: float) -> None:
        """Rows that keep the volume of tetrahedra: energy ½ (modulus, Pa) V₀ (V/V₀ - 1)²."""
        _, rest = tetrahedra.shape_gradients(self.position, nodes)
        nodes = np.asarray(nodes, np.int64)
        self._add("volume", nodes=nodes, rest=rest, stiffness=modulus / rest)

    def add_hinges(self, nodes: Ints, rigidity: float, *, flat: bool = False) -> None:
        """Bending of rigidity B (N m) over interior edges; rest angle as placed, or flat."""
        nodes = np.asarray(nodes, np.int64).reshape(-1, 4)
        X = self.position[nodes]
        edge = norm(X[:, 1] - X[:, 0])
        areas = sum(0.5 * norm(np.cross(X[:, 0] - X[:, k], X[:, 1] - X[:, k])) for k in (2, 3))
        rest = np.zeros(len(nodes)) if flat else np.array([bending.angle(one) for one in X])
        self._add("hinge", nodes=nodes, rest=rest, stiffness=rigidity * edge**2 / areas)

    def _add(self, kind: str, /, **arrays: Any) -> None:
        """Elements of one of ELEMENTS, field by field as in Model."""
        for name, values in arrays.items():
            self._parts[f"{kind}_{name}"].append(np.asarray(values))

    def _joined(self) -> dict[str, NDArray[Any]]:
        """Fields of Model that hold what elements were added with."""
        nothing = allocate(Model, n=0, e=0, l=0, t=0, c=0, s=0, q=0, a=0, u=0, b=0)._asdict()
        return {
            name: np.ascontiguousarray(np.concatenate([nothing[name], *self._parts[name]]))
            for name in nothing
            if name.startswith(ELEMENTS) and name not in MADE
        }

    def build(self) -> tuple[Model, State]:
        """The arrays; every node must have mass by now."""
        if self.mass.min() <= 0.0:
            raise ValueError(f"node {int(self.mass.argmin())} has no mass")
        n, arrays = len(self.position), self._joined()
        pairs, stiffness = arrays["link_nodes"], arrays["link_stiffness"]
        cells = *(arrays[f"{kind}_nodes"] for kind in ELEMENTS[1:]), self.surface
        weak = is_weak(squared_frequency(self.mass, pairs, stiffness), USUAL_STEP)
        weak[weak] = spanned(n, unique_edges(pairs[~weak], *cells), pairs[weak])
        edges = unique_edges(pairs[~weak], *cells)
        slots: dict[str, Any] = {
            f"{kind}_slot": pair_slots(arrays[f"{kind}_nodes"], edges, n) for kind in ELEMENTS
        }
        slots["link_slot"] = np.where(weak, -1, slots["link_slot"][:, 0])
        count = np.bincount(pairs.ravel(), minlength=n).astype(float)
        model = Model(mass=self.mass.copy(), edges=edges, link_count=count, **arrays, **slots)
        return model, allocate(State, {"x": self.position.copy()}, n=n, l=len(pairs))
