"""Keys of level files that physics has under the same names.

Those of bodies come from `physics/definitions/body_keys.py`, those of soft bodies from
`physics/soft/models.py`; others that are added here are known to level files, schema, reference and
props, and reach the world. A test holds all of them to the signatures of `physics.World`.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, JsonValue, create_model

from levels.values import Axis, Inertia, Locked, NotNegative, Positive, Table, Vector, one_of
from physics import SOLVERS, STABILIZATIONS
from physics.definitions.body_keys import BODY_KEYS, Key
from physics.soft.models import Parameter
from physics.stabilization import DEFAULT as DEFAULT_STABILIZATION


class WorldOptions(Table):
    """Keys that `physics.World` has under the same names."""

    rate: Annotated[float, Field(ge=1, le=10_000)] = Field(
        default=60, description="The world takes this many steps in each second, from 1 to 10000."
    )
    stabilization: Annotated[str, one_of("stabilization", tuple(STABILIZATIONS))] = Field(
        default=DEFAULT_STABILIZATION,
        description="This keeps stiff chains from exploding. "
        + " ".join(f"`{name}`: {kind.sentence}" for name, kind in STABILIZATIONS.items()),
        json_schema_extra={"enum": list(STABILIZATIONS)},
    )
    solver: Annotated[str, one_of("solver", SOLVERS)] = Field(
        default="direct",
        description="Joints are solved this way. `direct`: exactly, by a factorisation. `pgs`: by "
        "sweeps over the rows, which end before they are exact, to compare with.",
        json_schema_extra={"enum": list(SOLVERS)},
    )
    alpha: NotNegative = Field(
        default=1.0,
        description="`inertial` and `constraint` damp only the stiffness beyond this measure; a "
        "larger one damps less.",
    )
    gravity: Vector = Field(
        default=[0.0, -9.81, 0.0],
        description="Gravity pulls everything with this acceleration, in m/s².",
    )
    sleeping: bool = Field(
        default=True,
        description="If true, what has come to rest is left out of the step until something "
        "disturbs it.",
    )


def _annotation(key: Key) -> object:
    """How a file writes a key of physics."""
    if key.kind == "number":
        low = [Field(ge=key.least)] if math.isfinite(key.least) else []
        high = [Field(le=key.most)] if math.isfinite(key.most) else []
        return Annotated[float, *(low + high or [Field()])]
    return {"vector": Vector, "direction": Axis | None}[key.kind]


def _table_of(name: str, doc: str, keys: Mapping[str, Key]) -> type[Table]:
    """A table of keys that physics declares."""
    fields: dict[str, Any] = {}
    for key, about in keys.items():
        default = list(about.default) if isinstance(about.default, tuple) else about.default
        extra: dict[str, JsonValue] | None = {"unit": about.unit} if about.unit else None
        field = Field(default=default, description=about.doc, json_schema_extra=extra)
        fields[key] = (_annotation(about), field)
    return create_model(name, __base__=Table, __doc__=doc, __module__=__name__, **fields)


_MATERIAL = {name: key for name, key in BODY_KEYS.items() if key.material}
_OTHER = {name: key for name, key in BODY_KEYS.items() if key.in_files and not key.material}
_ABOUT_SURFACES = (
    "What touching something is like. A body takes what it does not say from its material."
)

if TYPE_CHECKING:

    class Surface(Table):
        """The keys of `physics.BODY_KEYS` that materials have, too."""

    class _OtherKeys(Table):
        """Those that they have not."""
else:
    Surface = _table_of("Surface", _ABOUT_SURFACES, _MATERIAL)
    _OtherKeys = _table_of("OtherKeys", "Keys of bodies alone.", _OTHER)


class BodyOptions(_OtherKeys, Surface):
    """Keys that `World.add_body` has under the same names."""

    fixed: bool = Field(default=False, description="If true, it never moves.")
    keyframed: bool = Field(
        default=False, description="If true, it moves as it is told to and nothing pushes it."
    )
    center_of_mass: Vector | None = Field(
        default=None,
        description="Its centre of mass is here in its shape's own coordinates, in m; left out, "
        "it is that of the shape.",
    )
    inertia: Inertia | None = Field(
        default=None,
        description="It has this inertia about x, y and z through its centre of mass, in kg m²; "
        "left out, it is that of the shape.",
    )
    locked: Locked = Field(
        default="",
        description='It cannot move along or turn about these axes, any of "x y z rx ry rz".',
    )


class ParticleOptions(Table):
    """The same for `World.add_particles`."""

    radius: NotNegative = Field(
        default=0.0,
        description="It touches others at this distance from its point, in m; at 0 it touches "
        "nothing.",
    )
    fixed: bool = Field(default=False, description="If true, it never moves.")
    friction: NotNegative = Field(
        default=0.5,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )


def parameter_table(
    base: type[Table], name: str, parameters: Mapping[str, Parameter], **otherwise: float
) -> Any:
    """A table with the parameters of soft bodies; `otherwise`: defaults unlike those of physics."""
    fields: dict[str, Any] = {
        key: (
            _parameter_annotation(about),
            Field(default=otherwise.get(key, about.default), description=about.doc),
        )
        for key, about in parameters.items()
    }
    return create_model(name, __base__=base, __module__=__name__, **fields)


def _parameter_annotation(about: Parameter) -> object:
    """How a file writes a parameter."""
    if about.between is not None:
        low, high = about.between
        kind: Any = Annotated[
            float, Field(gt=low), Field(le=high) if about.closed else Field(lt=high)
        ]
    elif math.isfinite(about.most):
        kind = Annotated[float, Field(ge=0.0, le=about.most)]
    else:
        kind = Positive if about.positive else NotNegative
    return kind | None if about.optional else kind
