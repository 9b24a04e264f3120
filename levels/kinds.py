"""Checked models for every shape, joint kind and prop, made from their registries.

A registry entry describes its parameters (name, unit, bounds, default); from that follow the keys a
level may write, the JSON Schema, the reference page and the messages. A new joint kind in
`physics/constraints` therefore appears in levels with no change here.
"""

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, create_model

from levels.caps import MAX_COORDINATE
from levels.level_tables import Body, JointCommon, Keys, PartCommon
from levels.props import PROPS, PropTable
from levels.values import Axis, Pair, Vector, check_vector, complain, describe
from physics import JOINTS, SHAPES
from physics.constraints.parameters import Parameter
from physics.constraints.registry import JointKind
from physics.shapes.base import Shape, ShapeField

Kind = TypeVar("Kind")
Made = TypeVar("Made")


def shape_models() -> dict[str, type[Body]]:
    return _cached(SHAPES, _shape_model)


def joint_models() -> dict[str, type[JointCommon]]:
    return _cached(JOINTS, _joint_model)


def prop_models() -> dict[str, type[PropTable]]:
    return {name: prop.model for name, prop in PROPS.items()}


def table_models() -> dict[str, type[Keys]]:
    """Tables inside joints: motor, servo …"""
    found = [p for kind in JOINTS.values() for p in kind.parameters.values() if p.kind == "table"]
    return {parameter.name: _table(parameter) for parameter in found}


_models: dict[tuple[int, Any], Any] = {}
_tables: dict[int, type[Keys]] = {}


def _cached(registry: Mapping[str, Kind], make: Callable[[str, Kind], Made]) -> dict[str, Made]:
    """Registries may grow while running (plug-ins, tests), so entries are remembered one by one."""
    for name, kind in registry.items():
        key = (id(registry), (name, id(kind)))
        if key not in _models:
            _models[key] = make(name, kind)
    return {name: _models[id(registry), (name, id(kind))] for name, kind in registry.items()}


def _shape_model(name: str, kind: type[Shape]) -> type[Body]:
    doc = (kind.__doc__ or "").strip()
    optional = {field.name for field in dataclasses.fields(kind) if _has_default(field)}
    fields: dict[str, Any] = {"shape": (str, Field(description=doc))}
    for field in kind.fields:
        annotation = _shape_annotation(field)
        required = field.name not in optional
        fields[field.name] = (
            (annotation, Field(description=field.doc, json_schema_extra=_unit(field.unit)))
            if required
            else (annotation | None, _left_out(field.doc, _default(kind, field.name), field.unit))
        )
    return create_model(f"Body_{name}", __base__=Body, __doc__=doc, **fields)


def _has_default(field: "dataclasses.Field[object]") -> bool:
    return field.default is not dataclasses.MISSING


def _shape_annotation(field: ShapeField) -> Any:
    if field.kind == "vector":
        return Annotated[Vector, BeforeValidator(_depth(field.name))]
    if field.kind == "parts":
        return Annotated[list[part_model()], Field(min_length=1, max_length=1024)]  # type: ignore[misc]
    return _SHAPE_TYPES[field.kind]


@functools.cache
def part_model() -> type[PartCommon]:
    """A part of a compound: where it is, and the keys of all shapes, of which it takes its own."""
    fields: dict[str, Any] = {}
    for name, kind in SHAPES.items():
        for field in kind.fields if name != "compound" else ():
            annotation = _shape_annotation(field) | None
            fields.setdefault(field.name, (annotation, _left_out(field.doc, None, field.unit)))
    return create_model("Part", __base__=PartCommon, __doc__=PartCommon.__doc__, **fields)


_Height = Annotated[float, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
_Grid = Annotated[list[list[_Height]], Field(max_length=2000)]
_SHAPE_TYPES: dict[str, Any] = {
    "number": Annotated[float, Field(le=MAX_COORDINATE)],
    "points": Annotated[list[Vector], Field(max_length=20_000)],
    "triangles": Annotated[list[list[int]], Field(max_length=40_000)],
    "grid": _Grid,
    "flag": bool,
}


_PLACES = {
    "at": "The joint sits at this point of the world, in m, or at a frame like "
    '"boom.tip"; left out, at a frame named in `bodies`, else at the centre of a body.',
    "at_a": "The first end is at this point of the world, in m, or at a frame like "
    '"boom.tip"; left out, at a frame named in `bodies`, else at the centre of the first body.',
    "at_b": "The second end is at this point of the world, in m, or at a frame like "
    '"boom.tip"; left out, at a frame named in `bodies`, else at the centre of the second body.',
}


def _joint_model(name: str, kind: JointKind) -> type[JointCommon]:
    places = ("at_a", "at_b") if kind.anchors == "separate" else ("at",)
    fields: dict[str, Any] = {
        key: (Place, Field(default=None, description=_PLACES[key])) for key in places
    }
    if kind.anchors != "separate":
        fields["axis"] = (
            Axis | None,
            Field(
                default=None,
                description="The axis of the joint points in this direction of the world.",
            ),
        )
    for parameter in kind.parameters.values():
        fields[parameter.name] = _field(parameter)
    return create_model(f"Joint_{name}", __base__=JointCommon, __doc__=kind.doc, **fields)


def _place(value: Any, info: ValidationInfo) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return value  # the vector check that follows words its own complaint
    raise complain(
        f'{{key}} must be a point [x, y, z] or the name of a frame "body.frame", '
        f"not {describe(value)}"
    )


def _vector_unless_text(value: Any, info: ValidationInfo) -> Any:
    return value if value is None or isinstance(value, str) else check_vector(value, info)


_PLACE_SCHEMA = {
    "anyOf": [
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3},
        {"type": "string"},
    ]
}
Place = Annotated[
    Any,
    BeforeValidator(_vector_unless_text),
    BeforeValidator(_place),
    Field(json_schema_extra=_PLACE_SCHEMA),
]


def _field(parameter: Parameter) -> tuple[Any, Any]:
    """The pydantic field of one registry parameter."""
    required = parameter.required
    annotation = _annotation(parameter)
    if required:
        return annotation, Field(description=parameter.doc, json_schema_extra=_unit(parameter.unit))
    return annotation | None, _left_out(parameter.doc, parameter.default, parameter.unit)


def _unit(unit: str) -> dict[str, Any] | None:
    """Where editors find it; the sentence names it, too."""
    return {"unit": unit} if unit else None


def _left_out(description: str, default: object, unit: str = "") -> Any:
    """A key that physics gives its own default, which is told but not written."""
    extra = _unit(unit) or {}
    if isinstance(default, bool | str | int) or (
        isinstance(default, float) and math.isfinite(default)
    ):
        extra["default"] = default
    return Field(default=None, description=description, json_schema_extra=extra)


def _default(kind: type[Shape], name: str) -> object:
    return next(field.default for field in dataclasses.fields(kind) if field.name == name)


def _annotation(parameter: Parameter) -> Any:
    low, high = parameter.minimum, parameter.maximum
    if parameter.kind == "number":
        return Annotated[float, *_bounds(low, high)]
    if parameter.kind == "pair":
        return Annotated[Pair, _entries_within(low, high)]
    if parameter.kind == "direction":
        return Axis
    if parameter.kind == "point":
        return Place
    if parameter.kind == "table":
        return _table(parameter)
    return {"flag": bool, "text": str}[parameter.kind]


def _table(parameter: Parameter) -> type[Keys]:
    """A table inside a joint. Whatever drives a joint can be bound to keys, which is the level's
    business: a motor then runs at its speed while a key is held, a servo's target moves."""
    if id(parameter) in _tables:
        return _tables[id(parameter)]
    fields: dict[str, Any] = {part.name: _field(part) for part in parameter.fields}
    if "target" in fields:
        description = "With keys, the target moves this fast, in rad/s or m/s."
        fields["speed"] = (
            Annotated[float, Field(gt=0)],
            Field(default=1.0, description=description),
        )
    name, doc = f"Table_{parameter.name}", parameter.doc
    _tables[id(parameter)] = create_model(name, __base__=Keys, __doc__=doc, **fields)
    return _tables[id(parameter)]


def _bounds(low: float | None, high: float | None) -> list[Any]:
    checks: list[Any] = []
    if low is not None:
        checks.append(Field(ge=low))
    if high is not None:
        checks.append(Field(le=high))
    return checks or [Field()]


def _depth(name: str) -> Callable[[Any, ValidationInfo], Any]:
    def add(value: Any, info: ValidationInfo) -> Any:
        """In a two-dimensional level a `size = [width, height]` is one metre deep."""
        flat = bool(info.context and info.context.get("dimension") == 2)
        is_size = flat and name == "size" and isinstance(value, list) and len(value) == 2
        return [*value, 1.0] if is_size else value

    return add


def _entries_within(low: float | None, high: float | None) -> AfterValidator:
    def check(value: list[float]) -> list[float]:
        for i, entry in enumerate(value):
            if low is not None and entry < low:
                raise complain(f"{{key}} must be at least {low:g}, but entry {i + 1} is {entry:g}")
            if high is not None and entry > high:
                raise complain(f"{{key}} must be at most {high:g}, but entry {i + 1} is {entry:g}")
        return value

    return AfterValidator(check)
