"""Every cloth model and solid material with its parameters: one list for everybody.

`World` checks its arguments with it, level files and their reference take names, units and meanings
from it, and tests go through it. It is data: nothing is compiled when it is read.

A new cloth model: an entry here, and in make.py the function that adds its elements.
A new solid material: an entry here, and its energy with its derivatives in elements/principal.py.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from physics.checks import number
from physics.soft.elements.principal import COROTATIONAL, GREEN, LINEAR, NEO_HOOKEAN

AUTO = "auto"  # the material is chosen by its stiffness
POISSON = (-1.0, 0.5)  # limits of Poisson's ratio
ELEMENTS = {  # what boxes and balls are made of
    "hexahedra": "bricks that bend and twist as they should",
    "tetrahedra": "six linear tetrahedra a brick, too stiff in bending",
    "springs": "springs along the edges of tetrahedra, with a Poisson's ratio of 1/4",
    "volumes": "such springs and rows that keep volumes, for Poisson's ratios from 1/4 on",
}
STEPPINGS = {  # how deformation goes through a step
    "conserving": "keeps energy and momenta at any stiffness",
    "euler": "linearly implicit, dissipates",
    "servin": "the regularised rows of [Servin06]",
    "spook": "its form that keeps the energy of linear oscillators",
    "explicit": "explicit Euler of masses and springs, to compare with",
    "symplectic": "symplectic Euler of masses and springs, to compare with",
    "implicit": "backward Euler of masses and springs, to compare with",
    "pbd": "position-based dynamics, to compare with",
    "xpbd": "position-based dynamics with multipliers, to compare with",
    "projective": "projective dynamics, to compare with",
}
OURS = ("conserving", "euler", "servin", "spook")  # the others are physics/soft/comparators
SPLITS_BRICKS = ("pbd", "xpbd", "projective")  # know tetrahedra, triangles and links only
STIFF = 1e8  # Pa; from here on strains stay small, and rows of Green strain are the right form


@dataclass(frozen=True)
class Parameter:
    """A number that a soft body is made with; `default` is that of World."""

    name: str
    unit: str
    default: float | None
    meaning: str
    note: str = ""
    positive: bool = False  # above zero; others are at least zero ...
    between: tuple[float, float] | None = None  # ... but for these, which lie within
    closed: bool = False  # the upper of them included
    most: float = inf  # and no more than this
    optional: bool = False  # None: without it

    @property
    def text(self) -> str:
        """A sentence for references."""
        unit = f", {self.unit}" if self.unit else ""
        note = f"; {self.note}" if self.note else ""
        return f"{self.meaning}{unit}{note}."

    def checked(self, what: str, value: Any) -> Any:
        """The number, or None if it may be left out and is."""
        if value is None and self.optional:
            return None
        called = f"{self.name} {what}"
        if self.between is None:
            found = number(called, value, self.unit, self.positive, least=0.0)
            if found > self.most:
                raise ValueError(f"{called} is {found:g}; it must be at most {self.most:g}")
            return found
        (low, high), result = self.between, number(called, value, self.unit)
        if not (low < result < high or (self.closed and result == high)):
            raise ValueError(f"{called} is {result:g}; it must lie between {low:g} and {high:g}")
        return result


def checked(parameters: Iterable[Parameter], what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of parameters, by name."""
    return {one.name: one.checked(what, given[one.name]) for one in parameters}


@dataclass(frozen=True)
class ClothModel:
    """What a cloth is made of."""

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    has_threads: bool = False  # that can tear

    def misplaced(self, given: Mapping[str, Any]) -> Parameter | None:
        """A parameter that only other models have, is off by default, and is given; or None."""
        own = {one.name for one in self.parameters}
        others = (one for one in CLOTH_PARAMETERS.values() if one.name not in own)
        return next((one for one in others if not one.default and given.get(one.name)), None)


@dataclass(frozen=True)
class SolidMaterial:
    """How a solid answers to deformation."""

    name: str
    code: int  # in Model.tet_kind: compiled code branches on it
    meaning: str


_SHEET = (
    Parameter("young", "Pa", 1e6, "Young's modulus of a membrane", positive=True),
    Parameter(
        "weft", "Pa", None, "Young's modulus across", "along its x axis `young` holds",
        positive=True, optional=True,
    ),
    Parameter("poisson", "", 0.3, "Poisson's ratio of a membrane", between=POISSON),
    Parameter("thickness", "m", 1e-3, "Thickness of a membrane", positive=True),
    Parameter("rigidity", "N m", 0.0, "Bending stiffness of a membrane"),
    Parameter("damping", "s", 0.0, "Damping of a membrane, in proportion to its stiffness"),
)  # fmt: skip
_CLOTHS = (
    ClothModel(
        "links",
        "threads that do not stretch",
        (
            Parameter(
                "stretch", "m/N", 0.0, "Compliance of the threads",
                "0: they do not stretch, whatever they carry",
            ),
            Parameter("shear", "m/N", 0.1, "Compliance of the diagonals", optional=True),
            Parameter(
                "bend", "m/N", None, "Compliance across every second node", optional=True
            ),
            Parameter(
                "area", "m³/N", None, "Compliance of the areas of its triangles", "left out: free",
                positive=True, optional=True,
            ),
        ),
        has_threads=True,
    ),
    ClothModel("membrane", "triangles of an elastic sheet", _SHEET),
    ClothModel("quads", "bilinear quadrilaterals of an elastic sheet, for grids", _SHEET),
)  # fmt: skip
CLOTH_MODELS = {model.name: model for model in _CLOTHS}
CLOTH_PARAMETERS = {one.name: one for model in _CLOTHS for one in model.parameters}

_SOLIDS = (
    SolidMaterial("corotational", COROTATIONAL, "bears any deformation"),
    SolidMaterial(
        "neo_hookean", NEO_HOOKEAN, "bears any deformation, with the change of volume in its energy"
    ),
    SolidMaterial("stvk", GREEN, "Green strain as compliant rows, for strains that stay small"),
    SolidMaterial("linear", LINEAR, "strain without its square, which swells when it turns"),
)
SOLID_MATERIALS = {material.name: material for material in _SOLIDS}
SOFT_MATERIALS = (AUTO, *SOLID_MATERIALS)  # what may be asked for
SOLID_PARAMETERS = {
    one.name: one
    for one in (
        Parameter("young", "Pa", 1e5, "Young's modulus", positive=True),
        Parameter("poisson", "", 0.3, "Poisson's ratio", "0.5: keeps its volume", between=POISSON,
                  closed=True),
        Parameter("density", "kg/m³", 1000.0, "Density", positive=True),
        Parameter(
            "yield_strain", "", None, "Strain beyond which it stays bent", "left out: elastic",
            positive=True, optional=True,
        ),
        Parameter(
            "creep", "1/s", 60.0, "Share of the strain beyond the yield that stays", positive=True
        ),
        Parameter("damping", "s", 0.0, "Damping in proportion to the stiffness"),
        Parameter(
            "restitution", "", 0.0, "Share of the speed of an impact with which a point parts",
            "0: it stops there", most=1.0,
        ),
    )
}  # fmt: skip


def choices(entries: Mapping[str, str]) -> str:
    """Names and meanings, for references."""
    return " ".join(f"{name}: {meaning}." for name, meaning in entries.items())


def described(entries: Mapping[str, ClothModel] | Mapping[str, SolidMaterial]) -> str:
    """Names and meanings, for references."""
    return " ".join(f"{one.name}: {one.meaning}." for one in entries.values())


def material_for(name: str, young: float) -> str:
    """The material itself where "auto" is asked for."""
    if name != AUTO:
        return name
    return "stvk" if young >= STIFF else "corotational"


@dataclass(frozen=True)
class Spring:
    """From a node of a cloth to a point of the world; in stiffness form, pulls and pushes."""

    node: int
    to: Sequence[float]  # m
    stiffness: float  # N/m
    length: float | None = None  # m at rest; as placed if not given
