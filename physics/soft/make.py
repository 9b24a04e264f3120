"""Cloths and solids for a world, from a few numbers or from a mesh."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.checks import choice, number, vector
from physics.portable import norm, transform
from physics.soft.elements import tetrahedra
from physics.soft.elements.conserving import NEARLY_INCOMPRESSIBLE
from physics.soft.elements.membrane import isotropic, orthotropic
from physics.soft.elements.quads import grid_quads
from physics.soft.meshes import mesh_topology, primitives
from physics.soft.meshes.surface import Surface
from physics.soft.models import (
    CLOTH_MODELS,
    ELEMENTS,
    OURS,
    SOFT_MATERIALS,
    SOLID_PARAMETERS,
    SPLITS_BRICKS,
    STEPPINGS,
    Spring,
    checked,
    material_for,
)
from physics.soft.soft_builder import Builder, pair_slots
from physics.soft.soft_item import Plastic, SoftItem
from physics.soft.solve.linear_system import Options
from physics.soft.solve.soft_body import SoftBody

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# N/m: stiffness in the matrix of links with less compliance than its inverse, down to zero: there
# multipliers are found by repeated solves, and φ = -Cλ exactly. Stiffer loses digits that light
# nodes need.
STIFFEST = 1e8


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


def _add(builder: Builder, pairs: Ints, compliance: float) -> None:
    """Links of exactly this compliance; the matrix knows none stiffer than STIFFEST."""
    if compliance * STIFFEST >= 1.0:
        builder.add_links(pairs, 1.0 / compliance)
    else:
        builder.add_links(pairs, STIFFEST, compliance=compliance)


def cloth_mesh(what: str, given: Mapping[str, Any]) -> tuple[Floats, Ints, primitives.Cloth | None]:
    """Nodes in the cloth's own axes, triangles, and the grid if it is one."""
    if given["mesh"] is None:
        sheet = _grid(what, given["size"], given["rows"], given["columns"])
        return sheet.position, sheet.triangles, sheet
    return *_checked_mesh(what, given["mesh"], 3), None


def make_cloth(what: str, placing: Placing, given: Mapping[str, Any]) -> SoftItem:
    """The keys are those of `World.add_cloth`."""
    model = CLOTH_MODELS[choice(f"model {what}", given["model"], tuple(CLOTH_MODELS))]
    wrong = model.misplaced(given)
    if wrong is not None:
        raise ValueError(f'{wrong.name} {what} means nothing to a cloth of model "{model.name}"')
    position, triangles, sheet = cloth_mesh(what, given)
    springs = list(given["springs"])
    builder = Builder(_with_anchors(placing.place(position), springs))
    count = len(position)
    builder.surface = triangles
    mass = number(f"mass {what}", given["mass"], "kg", positive=True)
    builder.add_mass(mass / count)  # anchors of springs are pinned: their mass does not matter
    values = checked(model.parameters, what, given)
    ADD_ELEMENTS[model.name](builder, sheet, triangles, values)
    _add_springs(what, builder, count, springs)
    return _finished("cloth", what, builder, placing, given, count, False)


Values = Mapping[str, Any]  # checked parameters


def _add_links(
    builder: Builder, sheet: primitives.Cloth | None, triangles: Ints, values: Values
) -> None:
    """Threads, diagonals and bending links; on a mesh all edges are threads."""
    threads = mesh_topology.unique_edges(triangles) if sheet is None else sheet.structural
    _add(builder, threads, values["stretch"])
    if sheet is not None and values["shear"] is not None:
        _add(builder, sheet.shear, values["shear"])
    if values["bend"] is not None:
        over = mesh_topology.hinges(triangles)[:, 2:] if sheet is None else sheet.bend
        _add(builder, over, values["bend"])
    if values["area"] is not None:
        builder.add_areas(triangles, values["area"])


def _sheet_law(values: Values) -> tuple[Floats, Floats | None]:
    """D, N/m, and the direction of its first axis if there is one."""
    young, weft, poisson = values["young"], values["weft"], values["poisson"]
    if weft is None:
        return isotropic(young, poisson, values["thickness"]), None
    shear = min(young, weft) / (2.0 * (1.0 + poisson))
    D = orthotropic(young, weft, poisson, shear, values["thickness"])
    return D, np.array([1.0, 0.0, 0.0])


def _add_membrane(
    builder: Builder, _sheet: primitives.Cloth | None, triangles: Ints, values: Values
) -> None:
    """Triangle elements with dihedral bending."""
    D, warp = _sheet_law(values)
    builder.add_triangles(triangles, D, warp=warp)
    if values["rigidity"]:
        builder.add_hinges(mesh_topology.hinges(triangles), values["rigidity"])


def _add_quads(
    builder: Builder, sheet: primitives.Cloth | None, triangles: Ints, values: Values
) -> None:
    """Bilinear elements with dihedral bending."""
    if sheet is None:
        raise ValueError('a cloth of model "quads" is a grid; for a mesh, model "membrane"')
    D, warp = _sheet_law(values)
    builder.add_quads(grid_quads(*sheet.shape), D, warp=warp)
    if values["rigidity"]:
        builder.add_hinges(mesh_topology.hinges(triangles), values["rigidity"])


ADD_ELEMENTS: dict[str, Callable[[Builder, primitives.Cloth | None, Ints, Values], None]] = {
    "links": _add_links,
    "membrane": _add_membrane,
    "quads": _add_quads,
}


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


def _solid_from_mesh(what: str, given: Any) -> tuple[Floats, Ints]:
    try:
        corners = 8 if len(given[1][0]) == 8 else 4
    except (TypeError, IndexError, KeyError):
        corners = 4
    position, cells = _checked_mesh(what, given, corners)
    if corners == 4:
        cells = mesh_topology.oriented(position, cells)
    return position, cells


def solid_mesh(what: str, given: Mapping[str, Any]) -> tuple[Floats, Ints]:
    """Nodes in the solid's own axes, and tetrahedra (m, 4) or hexahedra (m, 8)."""
    if given["mesh"] is not None:
        return _solid_from_mesh(what, given["mesh"])
    bricks = choice(f"elements {what}", given["elements"], tuple(ELEMENTS)) == "hexahedra"
    bricks = bricks and given["stepping"] not in SPLITS_BRICKS
    if given["ball"] is not None:
        radius = number(f"ball {what}", given["ball"], "m", positive=True)
        count = int(given["cells"][0])
        return primitives.brick_ball(count, radius) if bricks else primitives.ball(count, radius)
    size = tuple(number(f"size {what}", value, "m", positive=True) for value in given["size"])
    cells = tuple(int(value) for value in given["cells"])
    if len(size) != 3 or len(cells) != 3 or min(cells) < 1:
        raise ValueError(f"size and cells {what} must be three positive numbers each")
    corner = tuple(-0.5 * value for value in size)
    make: Any = primitives.bricks if bricks else primitives.box
    position, found = make(cells, size, corner=corner)
    return position, found


def _add_edge_springs(what: str, kind: str, builder: Builder, cells: Ints, values: Values) -> None:
    """A spring on every edge of tetrahedra, as stiff as the solid around it.

    Springs in all directions with Σ kL² = κ a volume are a solid of λ = μ = κ/15, so E = κ/6 and
    ν = 1/4: k = 6E V_e/L², where an edge has a sixth of the volume of each of its tetrahedra.

    "volumes" have Σ kL² = 15μ, and rows of volume with the modulus λ - μ, which is what they lack
    of λ: none for ν = 1/4, and springs alone cannot have less.
    """
    if cells.shape[1] != 4:
        raise ValueError(f"springs {what} need a mesh of tetrahedra, not of hexahedra")
    if values["yield_strain"] is not None:
        raise ValueError(f"yield_strain {what} means nothing to springs")
    _, volume = tetrahedra.shape_gradients(builder.position, cells)
    pairs = mesh_topology.unique_edges(cells)
    slots = pair_slots(cells, pairs, len(builder.position))
    around = np.zeros(len(pairs))
    np.add.at(around, slots, np.repeat(volume[:, None] / 6.0, 6, axis=1))
    length = norm(builder.position[pairs[:, 0]] - builder.position[pairs[:, 1]])
    builder.add_mass(
        values["density"] * mesh_topology.nodal_volume(len(builder.position), cells, volume)
    )
    young = values["young"]
    if kind == "volumes":
        poisson = min(values["poisson"], NEARLY_INCOMPRESSIBLE)
        if poisson < 0.25:
            raise ValueError(f"poisson {what} is {poisson:g}; volumes need at least 0.25")
        first, second = tetrahedra.lame(young, poisson)
        young = 2.5 * second
        if first > second:
            builder.add_volumes(cells, first - second)
    builder.add_links(pairs, 6.0 * young * around / length**2)


def make_solid(what: str, placing: Placing, given: Mapping[str, Any]) -> SoftItem:
    """The keys are those of `World.add_solid`."""
    values = checked(SOLID_PARAMETERS.values(), what, given)
    asked = choice(f"material {what}", given["material"], SOFT_MATERIALS)
    position, cells = solid_mesh(what, given)
    builder = Builder(placing.place(position))
    builder.surface = mesh_topology.surface(cells)
    kind = given["elements"]
    if kind in ("springs", "volumes"):
        _add_edge_springs(what, kind, builder, cells, values)
    else:
        add = builder.add_hexahedra if cells.shape[1] == 8 else builder.add_tetrahedra
        add(
            cells,
            values["young"],
            values["poisson"],
            material=material_for(asked, values["young"]),
            density=values["density"],
        )
    item = _finished("solid", what, builder, placing, given, len(position), True)
    if values["yield_strain"] is not None:
        item.plastic = Plastic(values["yield_strain"], values["creep"])
    return item


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
    stepping = choice(f"stepping {what}", given["stepping"], tuple(STEPPINGS))
    if stepping not in OURS and damping > 0.0:
        raise ValueError(f'damping {what} means nothing to the stepping "{stepping}"')
    integrator = stepping if stepping in OURS else "euler"
    body = SoftBody(builder, Options(damping=damping, integrator=integrator))
    if given.get("start") is not None:
        start = np.array(given["start"], dtype=float)
        if start.shape != (count, 3) or not np.isfinite(start).all():
            raise ValueError(f"start {what} must be finite and of shape ({count}, 3)")
        body.x[:count] = placing.place(start)
    body.v[:count] = placing.velocity
    pins = np.asarray(list(given["pins"]), np.int64)
    if len(pins) and (pins.min() < 0 or pins.max() >= count):
        raise ValueError(f"pins {what} name nodes beyond 0 … {count - 1}")
    body.pin(pins)
    body.pin(np.arange(count, len(body.x)))
    surface = Surface(
        builder.surface,
        number(f"radius {what}", given["radius"]),
        number(f"friction {what}", given["friction"]),
        given.get("restitution", 0.0),
        given["group"],
        given["mask"],
        solid,
        builder.position[:count].copy() if given.get("self_collision") else None,
    )
    item = SoftItem(kind, body, surface)
    item.nodes = count
    if stepping not in OURS:
        item.set_stepping(what, stepping)
    if given.get("breaks_at") is not None:
        item.breaks_at = number(f"breaks_at {what}", given["breaks_at"], "N", positive=True)
    return item
