"""Cloths and solids for a world, from a few numbers or from a mesh."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.checks import choice, number, vector
from physics.portable import transform
from physics.soft.builder import Builder
from physics.soft.elements.membrane import isotropic, orthotropic
from physics.soft.elements.principal import MATERIALS
from physics.soft.item import Plastic, SoftItem
from physics.soft.meshes import primitives, topology
from physics.soft.meshes.surface import Surface
from physics.soft.models import Spring
from physics.soft.solve.linear_system import Options
from physics.soft.solve.soft_body import SoftBody

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CLOTHS = ("links", "membrane")
STIFF = 1e8  # Pa; from here on strains stay small, and rows of Green strain are the right form


@dataclass(frozen=True)
class Placing:
    """Where a soft body is made: x_world = R x + position."""

    position: Floats
    rotation: Floats
    velocity: Floats

    def place(self, points: Floats) -> Floats:
        return transform(self.rotation, points) + self.position


def _checked_mesh(what: str, given: Any, corners: int) -> tuple[Floats, Ints]:
    try:
        position = np.array(given[0], dtype=float)
        cells = np.array(given[1], dtype=np.int64)
    except (TypeError, ValueError, IndexError, KeyError):
        raise ValueError(f"mesh {what} must be (positions, cells), not {type(given)}") from None
    if position.ndim != 2 or position.shape[1] != 3 or not np.isfinite(position).all():
        raise ValueError(f"mesh positions {what} must be finite and of shape (n, 3)")
    if cells.ndim != 2 or cells.shape[1] != corners or len(cells) == 0:
        raise ValueError(f"mesh cells {what} must be of shape (m, {corners})")
    if cells.min() < 0 or cells.max() >= len(position):
        raise ValueError(f"mesh cells {what} name nodes beyond 0 … {len(position) - 1}")
    return position, cells


def _grid(what: str, size: Any, rows: int, columns: int) -> primitives.Cloth:
    """A sheet in the xy plane about the origin, row 0 on top."""
    for key, value in (("rows", rows), ("columns", columns)):
        if not isinstance(value, (int, np.integer)) or value < 2:
            raise ValueError(f"{key} {what} must be a whole number of at least 2, not {value!r}")
    width, height = (number(f"size {what}", value, "m", positive=True) for value in size)
    return primitives.cloth(
        rows, columns, (width, height), corner=(-width / 2, height / 2, 0.0),
        along=(1.0, 0.0, 0.0), down=(0.0, -1.0, 0.0),
    )  # fmt: skip


def _stiffness(what: str, compliance: float) -> float:
    """1/C; C = 0 means as stiff as is useful (physics.md §3: k = 1e7 N/m)."""
    C = number(what, compliance)
    if C < 0.0:
        raise ValueError(f"{what} is {C:g} m/N; it must not be negative")
    return 1.0 / max(C, 1e-7)


def make_cloth(what: str, placing: Placing, given: Mapping[str, Any]) -> SoftItem:
    """The keys are those of `World.add_cloth`."""
    choice(f"model {what}", given["model"], CLOTHS)
    sheet = None
    if given["mesh"] is None:
        sheet = _grid(what, given["size"], given["rows"], given["columns"])
        position, triangles = sheet.position, sheet.triangles
    else:
        position, triangles = _checked_mesh(what, given["mesh"], 3)
    springs = list(given["springs"])
    builder = Builder(_with_anchors(placing.place(position), springs))
    count = len(position)
    builder.surface = triangles
    mass = number(f"mass {what}", given["mass"], "kg", positive=True)
    builder.add_mass(mass / count)  # anchors of springs are pinned: their mass does not matter
    if given["model"] == "links" and given["damping"]:
        raise ValueError(f"damping {what} is for membranes; links lose what the air takes")
    if given["model"] == "links":
        _add_links(what, builder, sheet, triangles, given)
    else:
        _add_membrane(what, builder, triangles, given)
    _add_springs(what, builder, count, springs)
    return _finished("cloth", what, builder, placing, given, count, False)


def _add_links(
    what: str,
    builder: Builder,
    sheet: primitives.Cloth | None,
    triangles: Ints,
    given: Mapping[str, Any],
) -> None:
    """Threads, diagonals and bending links; on a mesh all edges are threads."""
    threads = topology.unique_edges(triangles) if sheet is None else sheet.structural
    builder.add_links(threads, _stiffness(f"stretch {what}", given["stretch"]))
    if sheet is not None and given["shear"] is not None:
        builder.add_links(sheet.shear, _stiffness(f"shear {what}", given["shear"]))
    if given["bend"] is not None:
        stiffness = _stiffness(f"bend {what}", given["bend"])
        over = topology.hinges(triangles)[:, 2:] if sheet is None else sheet.bend
        builder.add_links(over, stiffness)


def _add_membrane(what: str, builder: Builder, triangles: Ints, given: Mapping[str, Any]) -> None:
    """Triangle elements with dihedral bending."""
    young = number(f"young {what}", given["young"], "Pa", positive=True)
    weft = young if given["weft"] is None else number(f"weft {what}", given["weft"], "Pa", True)
    poisson = number(f"poisson {what}", given["poisson"])
    thickness = number(f"thickness {what}", given["thickness"], "m", positive=True)
    if given["weft"] is None:
        D = isotropic(young, poisson, thickness)
    else:
        shear = min(young, weft) / (2.0 * (1.0 + poisson))
        D = orthotropic(young, weft, poisson, shear, thickness)
    warp = np.array([1.0, 0.0, 0.0]) if given["weft"] is not None else None
    builder.add_triangles(triangles, D, warp=warp)
    if given["rigidity"]:
        builder.add_hinges(
            topology.hinges(triangles), number(f"rigidity {what}", given["rigidity"])
        )


def _with_anchors(position: Floats, springs: list[Spring]) -> Floats:
    if not springs:
        return position
    return np.concatenate([position, [vector("spring to", spring.to) for spring in springs]])


def _add_springs(what: str, builder: Builder, count: int, springs: list[Spring]) -> None:
    for k, spring in enumerate(springs):
        if not 0 <= spring.node < count:
            raise ValueError(f"a spring {what} names node {spring.node}, beyond 0 … {count - 1}")
        stiffness = number(f"spring stiffness {what}", spring.stiffness, "N/m", positive=True)
        length = None if spring.length is None else np.array([float(spring.length)])
        builder.add_links(np.array([[spring.node, count + k]]), stiffness, length)


def make_solid(what: str, placing: Placing, given: Mapping[str, Any]) -> SoftItem:
    """The keys are those of `World.add_solid`."""
    young = number(f"young {what}", given["young"], "Pa", positive=True)
    material = choice(f"material {what}", given["material"], ("auto", *MATERIALS))
    if material == "auto":
        material = "stvk" if young >= STIFF else "corotational"
    if given["mesh"] is not None:
        position, tetrahedra = _checked_mesh(what, given["mesh"], 4)
        tetrahedra = topology.oriented(position, tetrahedra)
    elif given["ball"] is not None:
        radius = number(f"ball {what}", given["ball"], "m", positive=True)
        position, tetrahedra = primitives.ball(int(given["cells"][0]), radius)
    else:
        size = tuple(number(f"size {what}", value, "m", positive=True) for value in given["size"])
        cells = tuple(int(value) for value in given["cells"])
        if len(size) != 3 or len(cells) != 3 or min(cells) < 1:
            raise ValueError(f"size and cells {what} must be three positive numbers each")
        corner = tuple(-0.5 * value for value in size)
        position, tetrahedra = primitives.box(cells, size, corner=corner)  # type: ignore[arg-type]
    builder = Builder(placing.place(position))
    builder.surface = topology.surface(tetrahedra)
    density = number(f"density {what}", given["density"], "kg/m³", positive=True)
    builder.add_tetrahedra(
        tetrahedra,
        young,
        number(f"poisson {what}", given["poisson"]),
        material=material,
        density=density,
    )
    return _finished("solid", what, builder, placing, given, len(position), True)


def _finished(
    kind: str,
    what: str,
    builder: Builder,
    placing: Placing,
    given: Mapping[str, Any],
    count: int,
    solid: bool,
) -> SoftItem:
    damping = number(f"damping {what}", given["damping"])
    body = SoftBody(builder, Options(damping=damping))
    if given.get("start") is not None:
        start = np.array(given["start"], dtype=float)
        if start.shape != (count, 3) or not np.isfinite(start).all():
            raise ValueError(f"start {what} must be finite and of shape ({count}, 3)")
        body.x[:count] = placing.place(start)
    body.v[:count] = placing.velocity
    body.state.mean[:] = body.v
    pins = np.asarray(list(given["pins"]), np.int64)
    if len(pins) and (pins.min() < 0 or pins.max() >= count):
        raise ValueError(f"pins {what} name nodes beyond 0 … {count - 1}")
    body.pin(pins)
    body.pin(np.arange(count, len(body.x)))
    surface = Surface(
        builder.surface,
        number(f"radius {what}", given["radius"]),
        number(f"friction {what}", given["friction"]),
        given["group"],
        given["mask"],
        solid,
        builder.position[:count].copy() if given.get("self_collision") else None,
    )
    item = SoftItem(kind, body, surface)
    item.nodes = count
    if given.get("breaks_at") is not None:
        item.breaks_at = number(f"breaks_at {what}", given["breaks_at"], "N", positive=True)
    if given.get("yield_strain") is not None:
        strain = number(f"yield_strain {what}", given["yield_strain"], positive=True)
        item.plastic = Plastic(strain, number(f"creep {what}", given["creep"], "1/s", True))
    return item
