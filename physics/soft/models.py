"""Every cloth model and solid material with its parameters: one list for everybody.

`World` takes its arguments from it, with level files, their reference and the help, and tests go
through it. It is data: nothing is compiled when it is read.

A new cloth model: an entry here, with what parameters it adds, and in make.py the function that
adds its elements.
A new solid material: an entry here, and its energy with its derivatives in elements/principal.py.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import NoneType
from typing import Annotated, Any, TypedDict, get_args, get_type_hints

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

    unit: str
    default: float | None
    doc: str  # a sentence, with the unit
    name: str = ""  # that of its key
    positive: bool = False  # above zero; others are at least zero ...
    between: tuple[float, float] | None = None  # ... but for these, which lie within
    closed: bool = False  # the upper of them included
    most: float = inf  # and no more than this
    optional: bool = False  # None: without it

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


class ClothParameters(TypedDict, total=False):
    """Numbers of cloth models; a model names those it has."""

    stretch: Annotated[
        float,
        Parameter(
            "m/N",
            0.0,
            "The threads stretch by this much, in m/N; at 0 they do not, whatever they carry.",
        ),
    ]
    shear: Annotated[
        float | None,
        Parameter(
            "m/N",
            0.1,
            "The diagonals stretch by this much, in m/N; the larger, the easier it shears.",
        ),
    ]
    bend: Annotated[
        float | None,
        Parameter(
            "m/N",
            None,
            "Threads to every second node stretch by this much, in m/N, which resists bending; "
            "left out, there are none.",
        ),
    ]
    area: Annotated[
        float | None,
        Parameter(
            "m³/N",
            None,
            "The areas of its triangles give way by this much, in m³/N; left out, they are free.",
            positive=True,
        ),
    ]
    young: Annotated[
        float,
        Parameter("Pa", 1e6, "A membrane has this Young's modulus, in Pa.", positive=True),
    ]
    weft: Annotated[
        float | None,
        Parameter(
            "Pa",
            None,
            "Across, the membrane has this Young's modulus, in Pa, and along its x axis `young`; "
            "left out, it has `young` both ways.",
            positive=True,
        ),
    ]
    poisson: Annotated[
        float,
        Parameter(
            "",
            0.3,
            "A membrane has this Poisson's ratio, from above -1 to below 0.5; at 0 it does not "
            "become narrower when it is stretched.",
            between=POISSON,
        ),
    ]
    thickness: Annotated[
        float, Parameter("m", 1e-3, "A membrane is this thick, in m.", positive=True)
    ]
    rigidity: Annotated[
        float,
        Parameter(
            "N m", 0.0, "A membrane resists bending with this stiffness, in N m; at 0 it does not."
        ),
    ]
    damping: Annotated[
        float,
        Parameter(
            "s", 0.0, "A membrane is damped by its stiffness times this, in s; at 0 it is not."
        ),
    ]


class SolidParameters(TypedDict, total=False):
    """Numbers of solids."""

    young: Annotated[
        float, Parameter("Pa", 1e5, "The solid has this Young's modulus, in Pa.", positive=True)
    ]
    poisson: Annotated[
        float,
        Parameter(
            "",
            0.3,
            "The solid has this Poisson's ratio, from above -1 to 0.5; at 0.5 it keeps its volume.",
            between=POISSON,
            closed=True,
        ),
    ]
    density: Annotated[
        float, Parameter("kg/m³", 1000.0, "The solid has this density, in kg/m³.", positive=True)
    ]
    yield_strain: Annotated[
        float | None,
        Parameter(
            "",
            None,
            "Beyond this strain it stays bent; left out, it always springs back.",
            positive=True,
        ),
    ]
    creep: Annotated[
        float,
        Parameter(
            "1/s",
            60.0,
            "Strain beyond the yield stays at this rate, in 1/s; the larger, the sooner.",
            positive=True,
        ),
    ]
    damping: Annotated[
        float,
        Parameter("s", 0.0, "It is damped by its stiffness times this, in s; at 0 it is not."),
    ]
    restitution: Annotated[
        float,
        Parameter(
            "",
            0.0,
            "A point of it keeps this share of its speed in an impact, from 0, it stops, to 1.",
            most=1.0,
        ),
    ]


def _declared(keys: type) -> dict[str, Parameter]:
    """The parameters of a table by name; what may be None is optional."""
    found = {}
    for name, hint in get_type_hints(keys, include_extras=True).items():
        kind, parameter = get_args(hint)
        found[name] = replace(parameter, name=name, optional=NoneType in get_args(kind))
    return found


CLOTH_PARAMETERS = _declared(ClothParameters)
SOLID_PARAMETERS = _declared(SolidParameters)


def completed(
    what: str, parameters: Mapping[str, Parameter], given: Mapping[str, object]
) -> dict[str, object]:
    """All parameters, with defaults for what is left out; TypeError for those that are none."""
    for name in given:
        if name not in parameters:
            near = difflib.get_close_matches(name, parameters, 1)
            hint = f', did you mean "{near[0]}"?' if near else f" (known: {', '.join(parameters)})"
            raise TypeError(f'unknown key "{name}" {what}{hint}')
    return {name: given.get(name, one.default) for name, one in parameters.items()}


@dataclass(frozen=True)
class ClothModel:
    """What a cloth is made of."""

    name: str
    meaning: str
    takes: tuple[str, ...]  # of ClothParameters
    has_threads: bool = False  # that can tear

    @property
    def parameters(self) -> list[Parameter]:
        return [CLOTH_PARAMETERS[name] for name in self.takes]

    def misplaced(self, given: Mapping[str, Any]) -> Parameter | None:
        """A parameter that only other models have, is off by default, and is given; or None."""
        others = (one for one in CLOTH_PARAMETERS.values() if one.name not in self.takes)
        return next((one for one in others if not one.default and given.get(one.name)), None)


@dataclass(frozen=True)
class SolidMaterial:
    """How a solid answers to deformation."""

    name: str
    code: int  # in Model.tet_kind: compiled code branches on it
    meaning: str


_SHEET = ("young", "weft", "poisson", "thickness", "rigidity", "damping")
_CLOTHS = (
    ClothModel(
        "links",
        "threads that do not stretch",
        ("stretch", "shear", "bend", "area"),
        has_threads=True,
    ),
    ClothModel("membrane", "triangles of an elastic sheet", _SHEET),
    ClothModel("quads", "bilinear quadrilaterals of an elastic sheet, for grids", _SHEET),
)
CLOTH_MODELS = {model.name: model for model in _CLOTHS}

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
