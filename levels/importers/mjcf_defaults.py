"""What an element of an MJCF file says once its classes are looked up: numbers, angles, turns."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from levels.frames import IDENTITY, Quat, Vec, about, cross, dot, length, multiply, scale, subtract
from levels.frames import unit as unit_vector
from levels.importers.model_bodies import Pose
from levels.importers.moments import matrix_quaternion

_DEFAULT = "main"
_MOST_INCLUDES = 50


def with_includes(root: ET.Element, folder: Path, depth: int = 0) -> None:
    """Put the children of included files where the <include> stands."""
    if depth > _MOST_INCLUDES:
        raise ValueError("the files include each other without end")
    for parent in list(root.iter()):
        for i, child in reversed(list(enumerate(parent))):
            if child.tag == "include":
                path = folder / child.get("file", "")
                try:
                    inner = ET.parse(path).getroot()
                except OSError as problem:
                    raise ValueError(f"cannot read {path}: {problem.strerror}") from None
                with_includes(inner, path.parent, depth + 1)
                parent[i : i + 1] = list(inner)


@dataclass
class Settings:
    """<compiler> and the classes of <default>."""

    degrees: bool = True
    euler: str = "xyz"
    from_shapes: str = "auto"
    total_mass: float | None = None
    auto_limits: bool = True
    mesh_folder: str = ""
    classes: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, root: ET.Element) -> "Settings":
        settings = cls()
        for compiler in root.iter("compiler"):
            get = compiler.get
            settings.degrees = get("angle", "degree") != "radian"
            settings.euler = get("eulerseq", settings.euler)
            settings.from_shapes = get("inertiafromgeom", settings.from_shapes)
            settings.mesh_folder = get("meshdir", get("assetdir", settings.mesh_folder))
            settings.auto_limits = get("autolimits", "true") == "true"
            total = float(get("settotalmass", "-1"))
            settings.total_mass = total if total > 0.0 else settings.total_mass
        settings.classes[_DEFAULT] = {}
        for default in root.findall("default"):
            settings.read_class(default, {}, _DEFAULT)
        return settings

    def read_class(
        self, element: ET.Element, inherited: dict[str, dict[str, str]], name: str
    ) -> None:
        own = {tag: dict(values) for tag, values in inherited.items()}
        for child in element:
            if child.tag != "default":
                own.setdefault(child.tag, {}).update(child.attrib)
        self.classes[name] = own
        for child in element.findall("default"):
            self.read_class(child, own, child.get("class", name))

    def attributes(self, element: ET.Element, inherited: str) -> dict[str, str]:
        """Of an element, over those of its class; `inherited` is the body's childclass."""
        name = element.get("class") or inherited or _DEFAULT
        base = self.classes.get(name, self.classes[_DEFAULT]).get(element.tag, {})
        return {**base, **element.attrib}

    def angle(self, value: float) -> float:
        return math.radians(value) if self.degrees else value

    def turn(self, values: dict[str, str]) -> Quat:
        """From whichever of the five ways is written."""
        if "quat" in values:
            w, x, y, z = floats(values["quat"])
            size = math.sqrt(w * w + x * x + y * y + z * z)
            return (w / size, x / size, y / size, z / size)
        if "axisangle" in values:
            x, y, z, angle = floats(values["axisangle"])
            return about(unit_vector((x, y, z)), self.angle(angle))
        if "euler" in values:
            return self._euler(floats(values["euler"]))
        if "xyaxes" in values:
            numbers = floats(values["xyaxes"])
            return _from_axes(numbers[:3], numbers[3:])
        if "zaxis" in values:
            return turn_of_z(floats(values["zaxis"]))
        return IDENTITY

    def _euler(self, angles: tuple[float, ...]) -> Quat:
        """Lower case: about axes that turn along; upper case: about fixed ones."""
        found = IDENTITY
        for letter, angle in zip(self.euler, angles, strict=False):
            axis = {"x": (1.0, 0, 0), "y": (0, 1.0, 0), "z": (0, 0, 1.0)}[letter.lower()]
            step = about(axis, self.angle(angle))
            found = multiply(found, step) if letter.islower() else multiply(step, found)
        return found

    def pose(self, values: dict[str, str]) -> Pose:
        x, y, z = floats(values.get("pos", "0 0 0"))
        return Pose((x, y, z), self.turn(values))


def floats(text: str) -> tuple[float, ...]:
    return tuple(float(word) for word in text.split())


def turn_of_z(direction: tuple[float, ...]) -> Quat:
    """The shortest turn that brings z to a direction."""
    d = unit_vector(direction)
    axis = cross((0.0, 0.0, 1.0), d)
    size = length(axis)
    if size < 1e-12:
        return IDENTITY if d[2] > 0.0 else (0.0, 1.0, 0.0, 0.0)
    return about(scale(axis, 1.0 / size), math.atan2(size, d[2]))


def _from_axes(x: tuple[float, ...], y: tuple[float, ...]) -> Quat:
    first: Vec = unit_vector(x)
    second: Vec = unit_vector(subtract(y, scale(first, dot(first, y))))
    third = cross(first, second)
    return matrix_quaternion([[first[i], second[i], third[i]] for i in range(3)])
