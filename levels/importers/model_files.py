"""`import_model`: from a file of another program to a level that loads."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree as ET

from levels.files import write_atomically
from levels.importers.couplings import add_rotors, apply_control, list_followers
from levels.importers.mesh_hull import Meshes, hull_moments
from levels.importers.mjcf import MjcfReader
from levels.importers.model_bodies import (
    WORLD,
    Articulation,
    Connection,
    Link,
    Pose,
    fused,
    renamed,
)
from levels.importers.moments import Moments, diagonal, together
from levels.importers.toml_text import level_text
from levels.importers.urdf import read_urdf
from physics import World

MESHES = (".obj", ".off", ".ply", ".stl", ".vtk", ".msh")
_DENSITY = 1000.0  # kg/m³ of a mesh
_AROUND = b" \t\r\n\0\xef\xbb\xbf"
_LIGHT, _SMALL = 1e-3, 0.02  # kg and m: mass and radius of gyration of what weighs nothing


@dataclass(frozen=True)
class Imported:
    """A level made from a model: its text, and what of the model it has not."""

    text: str
    model: Articulation

    @property
    def unsupported(self) -> list[str]:
        return list(self.model.unsupported)

    @property
    def actuators(self) -> list[str]:
        """Names of those that give forces or torques; `control` tells them how much."""
        return list(self.model.actuators)

    def control(self, world: World, actuator: str, value: float) -> None:
        """A control signal of the file's units, until the next one."""
        if actuator not in self.model.actuators:
            raise KeyError(f'no actuator "{actuator}"; there are {", ".join(self.actuators)}')
        apply_control(world, self.model, actuator, value)


def import_model(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    decompose: bool = False,
    free: bool = False,
) -> Imported:
    """A URDF (.urdf), MJCF (.xml) or mesh file as a level, written to `out` if that is given.

    `decompose` cuts meshes into convex pieces instead of taking their hull; `free` lets the root
    of a URDF go. ValueError says what is wrong with the file.
    """
    path = Path(source)
    model = renamed(fused(_read(path, Meshes(decompose), free)))
    _weigh(model)
    add_rotors(model)
    list_followers(model)
    text = level_text(model, path.name)
    text = level_text(model, path.name) if model.unsupported else text  # what writing found, too
    if out is not None:
        write_atomically(Path(out), text)
    return Imported(text, model)


def _read(path: Path, meshes: Meshes, free: bool) -> Articulation:
    if path.suffix.lower() in MESHES:
        return _from_mesh(path, meshes)
    root = _parsed(path)
    try:
        if root.tag == "robot":
            return read_urdf(root, path, meshes, free=free)
        if root.tag == "mujoco":
            return MjcfReader(root, path, meshes).read()
    except (ArithmeticError, LookupError, RecursionError, ValueError) as problem:
        kind = "" if isinstance(problem, ValueError) else f"{type(problem).__name__}: "
        raise ValueError(f"{path}: {kind}{problem}") from None
    raise ValueError(f"{path}: <{root.tag}> is neither URDF (<robot>) nor MJCF (<mujoco>)")


def _parsed(path: Path) -> ET.Element:
    """The file without namespaces, and without what some programs write around it: blanks before
    its first line, a byte order mark, zeros after its last."""
    try:
        root = ET.fromstring(path.read_bytes().strip(_AROUND))
    except ET.ParseError as problem:
        raise ValueError(f"{path}: {problem}") from None
    except OSError as problem:
        raise ValueError(f"cannot read {path}: {problem.strerror or problem}") from None
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


def _weigh(model: Articulation) -> None:
    """Links that weigh nothing but move get a little: a level has no bodies without mass."""
    for name, link in model.links.items():
        if not link.fixed and link.moments.mass <= 0.0:
            part = Moments(_LIGHT, link.moments.center, diagonal(*(_LIGHT * _SMALL**2,) * 3))
            model.links[name] = replace(link, moments=part)
            model.lacks(f'body "{name}" weighs nothing in the file; it got {_LIGHT:g} kg')


def _from_mesh(path: Path, meshes: Meshes) -> Articulation:
    """One body of the mesh's hull or pieces, as heavy as water."""
    model = Articulation(path.stem)
    shapes = meshes.shapes(model, "the mesh", path.parent, path.name, (1.0, 1.0, 1.0), Pose())
    if not shapes:
        raise ValueError(next(iter(model.unsupported), f"{path} has no mesh"))
    moments = together([hull_moments(shape, None, _DENSITY) for shape in shapes])
    model.links[path.stem] = Link(path.stem, Pose(), moments, tuple(shapes))
    model.joints.append(Connection("free", "free", WORLD, path.stem))
    return model
