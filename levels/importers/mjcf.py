"""MJCF: bodies within bodies, each with joints to its parent, shapes and moments."""

import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from levels.frames import IDENTITY, Quat, Vec, distance, lerp, multiply, scale, subtract
from levels.importers.mesh_hull import Meshes, found, hull_moments, mesh_moments
from levels.importers.mjcf_defaults import Settings, floats, turn_of_z, with_includes
from levels.importers.mjcf_joints import Sites, add_joints, read_actuators, read_rest
from levels.importers.model_bodies import (
    WORLD,
    Articulation,
    Connection,
    Geometry,
    Link,
    Pose,
    fix_roots,
)
from levels.importers.moments import Matrix, Moments, moved, of_shape, together

_UPRIGHT: Quat = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # our y axis along the format's z
_NO_MOMENTS = Moments(0.0, (0.0, 0.0, 0.0), ((0.0,) * 3,) * 3)
_DENSITY = 1000.0  # kg/m³, where a geom says nothing
_SOLVER = ("solref", "solimp", "margin", "gap", "priority", "solmix", "condim", "solreflimit",
           "solimplimit", "solreffriction", "solimpfriction")  # fmt: skip


class MjcfReader:
    """One file, from <worldbody> down."""

    def __init__(self, root: ET.Element, path: Path, meshes: Meshes) -> None:
        with_includes(root, path.parent)
        self._root, self._path, self._meshes = root, path, meshes
        self.settings = Settings.read(root)
        self.model = Articulation(root.get("model") or path.stem)
        self.sites: Sites = {}
        self._assets = {
            self._asset_name(mesh): mesh for asset in root.findall("asset") for mesh in asset
            if mesh.tag == "mesh"
        }  # fmt: skip

    def read(self) -> Articulation:
        for option in self._root.findall("option"):
            x, y, z = floats(option.get("gravity", "0 0 -9.81"))
            self.model.gravity = (x, y, z)
            if {"viscosity", "density", "wind"} & set(option.keys()):
                self.model.lacks("fluid forces (viscosity, density, wind of <option>)")
        for world in self._root.findall("worldbody"):
            self._static(world)
            for body in self._bodies(world):
                self._body(body, WORLD, Pose(), "")
        self._scale_mass()
        read_actuators(self._root, self.model, self.settings)
        read_rest(self._root, self.model, self.settings, self.sites)
        fix_roots(self.model)
        return self.model

    def _bodies(self, element: ET.Element) -> list[ET.Element]:
        for child in element:
            if child.tag in ("frame", "replicate", "composite", "flexcomp", "attach"):
                self.model.lacks(f"<{child.tag}> in {element.get('name', element.tag)}")
        return element.findall("body")

    def _static(self, world: ET.Element) -> None:
        """Shapes of the world itself: each a fixed link."""
        self._note_sites(world, WORLD, Pose(), "")
        for number, geom in enumerate(world.findall("geom")):
            values = self.settings.attributes(geom, "")
            shapes, _ = self._geometry(values, "the world")
            for shape in shapes:
                name = self._fresh(values.get("name", f"static_{number}"))
                placed = Pose(shape.pose.position, shape.pose.turn)
                link = Link(name, placed, _NO_MOMENTS, (replace(shape, pose=Pose()),), fixed=True)
                self.model.links[name] = link
                self.model.joints.append(Connection(f"{name}_weld", "rigid", WORLD, name))

    def _body(self, element: ET.Element, parent: str, above: Pose, inherited: str) -> None:
        inherited = element.get("childclass", inherited)
        values = dict(element.attrib)
        name = self._fresh(values.get("name", f"{parent or 'body'}_part"))
        pose = above.then(self.settings.pose(values))
        shapes: list[Geometry] = []
        moments: list[Moments] = []
        for geom in element.findall("geom"):
            found, weight = self._geometry(self.settings.attributes(geom, inherited), name)
            shapes += found
            moments += weight
        inertial = element.find("inertial")
        if inertial is not None and self.settings.from_shapes != "true":
            moments = [self._inertial(inertial)]
        elif self.settings.from_shapes == "false":
            moments = []
        if values.get("mocap") == "true":
            self.model.lacks(f'body "{name}": mocap (it is fixed)')
        self.model.links[name] = Link(name, pose, together(moments), tuple(shapes))
        add_joints(self.model, self.settings, element, inherited, parent, name)
        self._note_sites(element, name, pose, inherited)
        for child in self._bodies(element):
            self._body(child, name, pose, inherited)

    def _note_sites(self, element: ET.Element, link: str, pose: Pose, inherited: str) -> None:
        for site in element.findall("site"):
            values = self.settings.attributes(site, inherited)
            place = pose.then(self.settings.pose(values)).position
            self.sites[values.get("name", "")] = (link, place)

    def _fresh(self, name: str) -> str:
        """A name that no other link has; dots mean something else in levels."""
        wanted = name.replace(".", "_") or "body"
        number = 2
        found = wanted
        while found in self.model.links:
            found, number = f"{wanted}_{number}", number + 1
        return found

    def _inertial(self, element: ET.Element) -> Moments:
        values = dict(element.attrib)
        mass = float(values.get("mass", "0"))
        if "fullinertia" in values:
            xx, yy, zz, xy, xz, yz = floats(values["fullinertia"])
            rows: Matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        else:
            x, y, z = floats(values.get("diaginertia", "0 0 0"))
            rows = ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))
        pose = self.settings.pose(values)
        return moved(Moments(mass, (0.0, 0.0, 0.0), rows), pose.position, pose.turn)

    def _scale_mass(self) -> None:
        total = sum(link.moments.mass for link in self.model.links.values())
        wanted = self.settings.total_mass
        if wanted is None or total <= 0.0:
            return
        for name, link in self.model.links.items():
            m, share = link.moments, wanted / total
            rows: Matrix = tuple(scale(row, share) for row in m.inertia)  # type: ignore[assignment]
            scaled = Moments(m.mass * share, m.center, rows)
            self.model.links[name] = replace(link, moments=scaled)

    # --- shapes -----------------------------------------------------------------------------------

    def _geometry(self, values: dict[str, str], owner: str) -> tuple[list[Geometry], list[Moments]]:
        """Shapes of a geom and what it weighs."""
        if any(key in values for key in _SOLVER):
            self.model.lacks("solver parameters of contacts (solref, solimp, margin, condim …)")
        kind = values.get("type", "mesh" if "mesh" in values else "sphere")
        friction = floats(values.get("friction", "1"))[0]
        bits = (int(values.get("contype", "1")), int(values.get("conaffinity", "1")))
        mass = float(values["mass"]) if "mass" in values else None
        density = float(values.get("density", _DENSITY))
        if kind == "mesh":
            return self._mesh(values, owner, friction, bits, mass, density)
        made = self._primitive(kind, values)
        if made is None:
            self.model.lacks(f"{kind} geom of {owner}")
            return [], []
        name, size, pose = made
        shape = Geometry(name, size, pose, friction=friction, bits=bits)
        if name == "plane":
            return [shape], []
        moments = moved(of_shape(name, size, mass, density), pose.position, pose.turn)
        if name == "ellipsoid":
            shape = replace(shape, kind="hull", points=_egg(size))
        return [shape], [moments]

    def _primitive(
        self, kind: str, values: dict[str, str]
    ) -> tuple[str, tuple[float, ...], Pose] | None:
        size = floats(values.get("size", "0 0 0"))
        pose = self.settings.pose(values)
        half = size[1] if len(size) > 1 else 0.0
        if "fromto" in values:
            pose, half = _between(floats(values["fromto"]))
        upright = Pose(pose.position, multiply(pose.turn, _UPRIGHT))
        if kind in ("capsule", "cylinder"):
            return kind, (size[0], 2.0 * half), upright
        if kind == "sphere":
            return kind, (size[0],), pose
        if kind == "plane":
            return kind, (), pose
        if kind in ("box", "ellipsoid"):
            third = half if "fromto" in values else size[2]
            halves = (size[0], size[0] if "fromto" in values else size[1], third)
            return kind, tuple((2.0 if kind == "box" else 1.0) * h for h in halves), pose
        return None

    def _mesh(
        self,
        values: dict[str, str],
        owner: str,
        friction: float,
        bits: tuple[int, int],
        mass: float | None,
        density: float,
    ) -> tuple[list[Geometry], list[Moments]]:
        """Hulls of a mesh, and what the mesh itself weighs, or its hulls if it has no volume."""
        asset = self._assets.get(values.get("mesh", ""))
        if asset is None:
            self.model.lacks(f'mesh "{values.get("mesh", "")}" of {owner}')
            return [], []
        stretch = floats(self.settings.attributes(asset, "").get("scale", "1 1 1"))
        folder = self._path.parent / self.settings.mesh_folder
        shapes = self._meshes.shapes(
            self.model, owner, folder, asset.get("file", ""), stretch, self.settings.pose(values)
        )
        touching = [replace(shape, friction=friction, bits=bits) for shape in shapes]
        if mass == 0.0 or (mass is None and density == 0.0) or not shapes:
            return touching, []
        how, path = asset.get("inertia", "legacy"), found(folder, asset.get("file", ""))
        if how == "shell":
            self.model.lacks(f"{owner}: a mesh that is hollow (inertia shell; it counts as solid)")
        if how != "convex" and path is not None:
            pose = self.settings.pose(values)
            whole = mesh_moments(path, stretch, how, mass, density, pose)
            if whole is not None:
                return touching, [whole]
        part = None if mass is None else mass / len(shapes)
        return touching, [hull_moments(shape, part, density) for shape in shapes]

    def _asset_name(self, mesh: ET.Element) -> str:
        return mesh.get("name") or Path(mesh.get("file", "")).stem


def _between(ends: tuple[float, ...]) -> tuple[Pose, float]:
    """Pose and half the length of what reaches from one point to another along z."""
    a, b = ends[:3], ends[3:]
    way = subtract(b, a)
    turn = turn_of_z(way) if distance(a, b) > 0.0 else IDENTITY
    middle: Vec = lerp(a, b, 0.5)
    return Pose(middle, turn), 0.5 * distance(a, b)


def _egg(half: tuple[float, ...]) -> tuple[Vec, ...]:
    """Points on an ellipsoid, as many as make it round enough to roll."""
    points = []
    for i in range(1, 8):
        for k in range(16):
            polar, around = math.pi * i / 8, math.tau * k / 16
            x, y = math.sin(polar) * math.cos(around), math.sin(polar) * math.sin(around)
            points.append((half[0] * x, half[1] * y, half[2] * math.cos(polar)))
    return (*points, (0.0, 0.0, half[2]), (0.0, 0.0, -half[2]))
