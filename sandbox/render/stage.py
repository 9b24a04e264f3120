"""World and level in, scenes out: the only module here that knows physics' public interface.

`Stage` looks at a world once (and again when something was added, cut or broken), decides how
everything is drawn, and then places it from poses every frame. It reads, and never writes.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from levels.alike import alike
from physics import JOINTS
from physics.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Hull,
    Plane,
    Sphere,
    TriangleMesh,
    parts_of,
)
from physics.shapes.base import Shape
from sandbox.render import meshes
from sandbox.render.lattices import lattices
from sandbox.render.level_look import level_look, scenery_parts, zone_marks
from sandbox.render.look import CYCLE
from sandbox.render.model import (
    WORLD,
    AttachedParts,
    Coils,
    Node,
    Poses,
    Ropes,
    RopeStyle,
)
from sandbox.render.ornaments import ORNAMENTS, ornament_parts
from sandbox.render.pivots import Pivots
from sandbox.render.prop_appearance import VisualPart, half_extents, prop_parts
from sandbox.render.ray_picking import ray_parts
from sandbox.render.rope_lines import (
    attach,
    find_or_none,
    joints_of,
    line_style,
    lowest_swing,
    rope_chains,
    rope_style,
    wheel_parts,
    wheels_of,
)
from sandbox.render.scene import (
    Parts,
    Scene,
    Sheet,
    box,
    capsule,
    cylinder,
    part,
    placed,
    sphere,
)
from sandbox.render.scenery import shade
from sandbox.render.soft_sheets import SOFT, Softs, soft_handles

if TYPE_CHECKING:
    from levels.level_tables import Appearance
    from levels.plan import Group, Plan
    from levels.view_tables import Look
    from physics import Handle
    from sandbox.protocols import DrawnWorld

Vector = npt.NDArray[np.floating]
Paint = dict[str, Any]  # how parts are drawn: color, pattern, gloss
Known = dict[str, tuple[tuple[Any, ...], dict[str, Parts]]]  # body: what it was drawn from, and as

_MASONRY = ("wall", "tower", "dominoes")  # no two bricks come out of the kiln alike
_SIMPLE = (
    "box",
    "sphere",
    "capsule",
    "cylinder",
    "cone",
    "particle",
)  # shapes whose parts are all there is to them
_ORIGIN, _UPRIGHT = np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]])


class Stage:
    """Draws one world. `plan` (of the level) says how things look; without one they are plain."""

    def __init__(
        self,
        world: "DrawnWorld",
        plan: "Plan | None" = None,
        look: "Look | None" = None,
        before: "Stage | None" = None,
    ) -> None:
        """`before`: of a level that was nearly the same; what is alike is not made again."""
        self.world = world
        self.plan = plan
        self.look = level_look(look, world.dimension)
        self._scenery = [
            (getattr(piece, "on", None), scenery_parts(piece))
            for piece in getattr(look, "scenery", None) or ()
        ]
        self._drawn_as: dict[Handle, dict[str, Parts]] = {}  # what bodies are drawn as
        self._known: Known = {} if before is None else before._known
        self.softs = Softs()
        self.backdrop: dict[str, Parts] = {}  # set by who knows where the camera is
        self.rebuild()

    def rebuild(self) -> None:
        """Look at the world anew: after bodies or joints came or went."""
        self._parts: dict[str, AttachedParts] = {}
        self._meshes: dict[str, meshes.Mesh] = {}
        self.ropes = Ropes()
        self._coils = Coils()
        self._pivots = Pivots(self.world)
        self.ground: float | None = None
        self._drawn_joints: set[Handle] = set()
        poses = self.poses()
        props = self.plan.groups.values() if self.plan is not None else ()
        self._group_of = {member: group for group in props for member in group.members}
        hidden = self._add_groups()
        self._lattices = lattices(self.world, self.plan, poses)
        hidden |= {handle for lattice in self._lattices for handle in lattice.handles}
        self._add_softs(poses)
        for number, handle in enumerate(self._bodies()):
            if handle not in hidden:
                self._add_body(handle, number)
        self._add_loose_joints()
        self.center, self.radius = self._bounds(poses)
        self._marks = zone_marks(self.plan, self.ground)
        for carrier, groups in self._scenery:
            slot = self._carrier(carrier)
            if slot is not None:
                self._attach(slot, groups)

    def poses(self) -> Poses:
        """Of all slots, then of the nodes of cloths and solids, then of the world."""
        positions, orientations = self.world.poses()
        nodes = [self.world.node_positions(handle) for handle in soft_handles(self.world)]
        return Poses(np.vstack((positions, *nodes, _ORIGIN)), np.vstack((orientations, _UPRIGHT)))

    def scene(self, poses: Poses) -> Scene:
        """The picture of the world at the given poses."""
        scene = Scene(look=self.look, ground=None if self.look.flat else self.floor)
        scene.backdrop = self.backdrop
        scene.parts = {mesh: group.place(poses) for mesh, group in self._parts.items()}
        scene.still = frozenset(mesh for mesh, group in self._parts.items() if group.still)
        scene.tubes, scene.coils = self.ropes.place(poses), self._coils.place(poses)
        scene.sheets = self.softs.scene(self.world, poses)
        scene.sheets += [lattice.place(poses) for lattice in self._lattices]
        scene.meshes, scene.marks = self._meshes, self._marks
        scene.center, scene.radius = self.center, self.radius
        return scene

    @property
    def floor(self) -> float:
        """Height of the level's ground, or of the one drawn below levels that have none."""
        return self.ground if self.ground is not None else self._floor

    def slots_of(self, mesh: str) -> npt.NDArray[np.intp]:
        """The slot each part of a mesh belongs to."""
        return self._parts[mesh].slots

    def of_slots(self, mesh: str, slots: list[int]) -> npt.NDArray[np.bool_]:
        """Which parts of a mesh belong to one of the slots."""
        return np.isin(self._parts[mesh].slots, slots)

    def moving(self, mesh: str) -> npt.NDArray[np.bool_]:
        """Which parts of a mesh belong to something that can move."""
        free = [handle.slot for handle in self._bodies() if not self.world.is_fixed(handle)]
        return self.of_slots(mesh, free)

    def drawn(self, handles: "list[Handle]") -> tuple[dict[str, Parts], list[Sheet]]:
        """What bodies, cloths and solids are drawn as, for their outline."""
        slots = [handle.slot for handle in handles if handle.kind not in SOFT]
        surfaces = [self.softs.of(handle) for handle in handles if handle.kind in SOFT]
        return self._selection(slots), [s.sheet for s in surfaces if s is not None]

    def _selection(self, slots: list[int]) -> dict[str, Parts]:
        """The parts of bodies as they were last placed."""
        found = {}
        for mesh, group in self._parts.items():
            rows = group.rows[np.isin(group.slots, slots)]
            if len(rows):
                found[mesh] = rows
        return found

    def pick(self, origin: Vector, direction: Vector, *but: int) -> tuple[int, float] | None:
        """The slot whose parts, as last placed, a ray meets first, and how far away; parts of the
        slots `but` let it through."""
        best: tuple[int, float] | None = None
        for mesh, group in self._parts.items():
            if not len(group.rows):
                continue
            own = self._meshes.get(mesh)
            distance = ray_parts(origin, direction, group.rows, None if own is None else own.corner)
            distance[group.slots == WORLD] = np.inf
            if but:
                distance[np.isin(group.slots, but)] = np.inf
            i = int(np.argmin(distance))
            if np.isfinite(distance[i]) and (best is None or distance[i] < best[1]):
                best = (int(group.slots[i]), float(distance[i]))
        for lattice in self._lattices:
            met = lattice.pick(origin, direction)
            if met is not None and (best is None or met[1] < best[1]):
                best = met
        return best

    # --- building ------------------------------------------------------------------------------

    def _bodies(self) -> "list[Handle]":
        return [*self.world.handles("body"), *self.world.handles("particle")]

    def _attach(self, slot: int, groups: Mapping[str, Parts]) -> None:
        for mesh, rows in groups.items():
            self._parts.setdefault(mesh, AttachedParts()).add(slot, rows)

    def _carrier(self, name: str | None) -> int | None:
        """The slot that scenery rides on: the world's if no body is named, None if it is gone."""
        if name is None:
            return WORLD
        full = self.plan.find(name) if self.plan is not None else name
        body = find_or_none(self.world, full) if full is not None else None
        return body.slot if body is not None else None

    def _look_of(self, name: str) -> "Appearance | None":
        planned = self.plan.movable(name) if self.plan is not None else None
        return planned.look if planned is not None else None

    def _joint_look(self, handle: "Handle") -> "Appearance | None":
        planned = self.plan.joints.get(self.world.name(handle)) if self.plan is not None else None
        return planned.look if planned is not None else None

    def _add_body(self, handle: "Handle", number: int) -> None:
        """Parts are made once: a winch that takes in a piece of cable must not cost a frame."""
        groups = self._drawn_as.get(handle)
        if groups is None:
            groups = self._known_parts(handle, number)
            if getattr(self.world.shape(handle), "name", "particle") in _SIMPLE:
                self._drawn_as[handle] = groups
        self._attach(handle.slot, groups)

    def _known_parts(self, handle: "Handle", number: int) -> dict[str, Parts]:
        """As it was drawn in a stage before, if all that decides about its looks is the same."""
        name, shape = self.world.name(handle), self.world.shape(handle)
        planned = self.plan.movable(name) if self.plan is not None else None
        if planned is None or getattr(shape, "name", "particle") not in _SIMPLE:
            return self._appearance_parts(handle, number)
        group = self._group_of.get(name)
        made_from = (
            (shape, planned.look, planned.options, self._pivots.of(handle, group))
            + (() if group is None else (group.name, group.kind))
            + (number if group is not None and group.kind in _MASONRY else number % len(CYCLE),)
        )
        known = self._known.get(name)
        if known is None or not alike(known[0], made_from):
            known = self._known[name] = (made_from, self._appearance_parts(handle, number))
        return known[1]

    def _appearance_parts(self, handle: "Handle", number: int) -> dict[str, Parts]:
        name = self.world.name(handle)
        look = self._look_of(name)
        if look is not None and look.hidden:
            return {}
        shape = self.world.shape(handle)
        fixed = self.world.is_fixed(handle)
        plain = "concrete" if fixed else CYCLE[number % len(CYCLE)]
        color = getattr(look, "color", None) or plain
        group = self._group_of.get(name)
        if group is not None and group.kind in _MASONRY:
            color = shade(color, 0.8 + 0.36 * ((0.618 * number) % 1.0))
        options: Paint = {"color": color}
        if look is not None and look.pattern:
            options["pattern"] = look.pattern
        if look is not None and look.gloss is not None:
            options["gloss"] = look.gloss
        groups = self._special_parts(handle, name, shape, look)
        return self._shape_parts(handle, shape, options) if groups is None else groups

    def _special_parts(
        self, handle: "Handle", name: str, shape: Shape | None, look: "Appearance | None"
    ) -> dict[str, Parts] | None:
        """The ornament the level asks for, or how such a prop looks; None: its plain shape."""
        color, ornament = getattr(look, "color", None), getattr(look, "ornament", None)
        if ornament in ORNAMENTS:
            return ornament_parts(ornament, half_extents(shape), color or "grey")
        group = self._group_of.get(name)
        part_name = name.removeprefix(f"{group.name}.") if group is not None else name
        kind = group.kind if group is not None else ""
        pattern = getattr(look, "pattern", None)
        visual = VisualPart(part_name, shape, color, pattern, self._pivots.of(handle, group))
        return prop_parts(kind, visual)

    def _shape_parts(
        self, handle: "Handle", shape: Shape | None, options: Paint
    ) -> dict[str, Parts]:
        if shape is None:  # a particle
            return {"ball": sphere(0.06, **options)}
        if isinstance(shape, Plane):
            return self._add_plane(handle, shape, options)
        center, name = self.world.center_of_mass(handle), f"mesh {self.world.name(handle)}"
        groups: dict[str, list[Parts]] = {}
        for number, piece in enumerate(parts_of(shape)):
            mesh, rows = self._piece(f"{name} {number}", piece.shape, options)
            at = np.array(piece.position) - center
            groups.setdefault(mesh, []).append(placed(rows, at, piece.orientation))
        return {mesh: np.concatenate(rows) for mesh, rows in groups.items()}

    def _piece(self, name: str, shape: Shape, options: Paint) -> tuple[str, Parts]:
        """A shape about its own origin: the mesh it is drawn with, and its rows."""
        if isinstance(shape, Box):
            bevel = shape.rounding if shape.rounding > 0.0 else None
            return "box", box(shape.size, bevel=bevel, **options)
        if isinstance(shape, Sphere):
            return "ball", sphere(shape.radius, **options)
        if isinstance(shape, Capsule):
            return "ball", capsule(shape.radius, shape.length, **options)
        if isinstance(shape, Cylinder):
            bevel = min(0.01, 0.1 * shape.length, 0.1 * shape.radius)
            return "cylinder", cylinder(shape.radius, shape.length, bevel=bevel, **options)
        if isinstance(shape, Cone):
            return "cone", part(half=(shape.radius, shape.length / 2, shape.radius), **options)
        return self._add_mesh(name, shape, options)

    def _add_plane(self, handle: "Handle", shape: Plane, options: Paint) -> dict[str, Parts]:
        """Level ground is the scene's own; in two dimensions it is a slab one can see."""
        normal = np.asarray(shape.normal, np.float64)
        at = np.asarray(self.world.position(handle), float)
        height = float(at @ normal + shape.offset) if normal[1] > 0.99 else None
        if height is None:
            return {}
        self.ground = height if self.ground is None else max(height, self.ground)
        if not self.look.flat:
            return {}
        depth, turf_depth = 30.0, 0.22
        slab = box((800.0, depth, 2.4), bevel=0.0, color="#cdbfa6", gloss=0.0)
        slab["position"] = (0.0, height - turf_depth - depth / 2 - float(at[1]), 0.0)
        turf = box((800.0, turf_depth, 2.4), bevel=0.0, color="#8fa77a", gloss=0.0)
        turf["position"] = (0.0, height - turf_depth / 2 - float(at[1]), 0.0)
        return {"box": np.concatenate((slab, turf))}

    def _add_mesh(self, name: str, shape: Shape, options: Paint) -> tuple[str, Parts]:
        if isinstance(shape, HeightField):
            self._meshes[name] = meshes.faceted(*shape.surface())
        elif isinstance(shape, (Hull, TriangleMesh)):
            self._meshes[name] = meshes.faceted(shape.vertices, shape.triangles)
        elif shape.finite_convex:
            self._meshes[name] = meshes.convex_hull(shape.core()[0])
        else:  # a plane within a compound
            return "box", box((1.0, 1.0, 1.0), **options)[:0]
        return name, part(half=(1.0, 1.0, 1.0), **options)

    def _add_groups(self) -> "set[Handle]":
        """Ropes of the level's props; returns the bodies they stand for."""
        hidden: set[Handle] = set()
        groups = self.plan.groups.values() if self.plan is not None else ()
        for group in groups:
            chains = rope_chains(self.world, group)
            for chain in chains:
                style = rope_style(group)
                self.ropes.add(chain.nodes, style, chain.joints)
                hidden |= chain.members
                if style.links:
                    self._add_links(chain.members, group, style)
                self._drawn_joints.update(j for j in chain.joints if j is not None)
            self._drawn_joints |= joints_of(self.world, group)
        return hidden

    def _add_links(self, members: "set[Handle]", group: "Group", style: RopeStyle) -> None:
        """Oval rings through each other, every other one turned by a right angle."""
        wire, wide = 0.6 * group.radius, 1.9 * group.radius
        for number, name in enumerate(group.members):
            handle = find_or_none(self.world, name)
            shape = None if handle is None else self.world.shape(handle)
            if handle not in members or not isinstance(shape, Capsule):
                continue
            ring = part(
                half=(wide, shape.length / 2 + 2 * wire, wire),
                radius=wire,
                color=style.color,
                pattern=style.pattern,
                gloss=0.5 if style.gloss is None else style.gloss,
            )
            ring["orientation"] = _UPRIGHT if number % 2 else (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
            self._attach(handle.slot, {"link": ring})

    def _add_softs(self, poses: Poses) -> None:
        """Cloths and solids: their nodes follow the slots in the poses. Springs as coils."""
        self.softs.rebuild(self.world, self.plan, poses, len(poses.orientations) - 1)
        for surface in self.softs.surfaces:
            for node, point in self.world.springs(surface.handle):
                end = Node(WORLD, (float(point[0]), float(point[1]), float(point[2])))
                self._coils.ends.append((Node(int(surface.rows[node]), bare=True), end))

    def _add_loose_joints(self) -> None:
        """Ropes and springs between two bodies that no prop has drawn."""
        for handle in self.world.handles("joint"):
            if handle in self._drawn_joints or self.world.is_broken(handle):
                continue
            info = self.world.joint(handle)
            drawn, look = JOINTS[info.kind].drawn, self._joint_look(handle)
            if not drawn or info.a is None or (look is not None and look.hidden):
                continue
            ends = (
                attach(self.world, info.a, np.asarray(info.anchor_a, float)),
                attach(self.world, info.b, np.asarray(info.anchor_b, float)),
            )
            if drawn == "coil":
                self._coils.ends.append((ends[0], ends[1]))
                continue
            wheels = wheels_of(info)
            if wheels:
                self._attach(WORLD, wheel_parts(wheels))
            nodes = [ends[0], *(attach(self.world, None, wheel) for wheel in wheels), ends[1]]
            style = line_style(drawn, look, np.subtract(info.anchor_a, info.anchor_b))
            for run in pairwise(nodes):  # straight between the wheels
                self.ropes.add(list(run), style, [handle])

    def _bounds(self, poses: Poses) -> tuple[tuple[float, float, float], float]:
        """A ball around everything of ordinary size; the ground and backdrops don't count."""
        points = [poses.positions[surface.rows] for surface in self.softs.surfaces]
        points += [poses.positions[lattice.slots] for lattice in self._lattices]
        if len(self.ropes):
            points.append(self.ropes.points(poses))
        for group in self._parts.values():
            rows = group.place(poses)
            ordinary = rows[np.max(rows["half"], axis=1) < 60.0]
            points += [ordinary["position"] + s * ordinary["half"] for s in (-1, 1)]
        cloud = np.concatenate(points) if any(map(len, points)) else np.zeros((1, 3))
        low, high = np.percentile(cloud, 1, axis=0), np.percentile(cloud, 99, axis=0)
        middle = (low + high) / 2
        # Where the level has no ground the picture still has one, below all that swings.
        swing = min(float(low[1]), lowest_swing(self.world, self._bodies(), poses))
        self._floor = swing - 0.15 * float(np.linalg.norm(high - low))
        radius = float(np.clip(0.55 * np.linalg.norm(high - low), 3.0, 120.0))
        return (float(middle[0]), float(middle[1]), float(middle[2])), radius
