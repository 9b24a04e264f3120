"""The value types of level files: numbers, points, colours, conditions.

Each is a pydantic type whose complaint is a sentence for the level's author. The texts of
pydantic's own checks are translated in `levels.table_checks`.
"""

import re
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from levels.appearance import COLORS, ORNAMENTS, PALETTES, PATTERNS
from levels.caps import MAX_COORDINATE
from levels.frames import added
from levels.plain_data import TomlTable, TomlValue
from levels.problems import did_you_mean, listing


class Table(BaseModel):
    """A TOML table: no unknown keys, no silent conversions, no infinities."""

    # deferred: a level uses few of the sixty models, and building them all takes longer than it
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True
    )


def complain(message: str, hint: str = "", note: str = "", key: str = "") -> PydanticCustomError:
    """An error whose text reaches the author as it is; `key` says where in the table to point."""
    # pydantic formats {…} in templates, and names in levels may contain braces
    context = {"text": message, "hint": hint, "note": note, "key": key}
    return PydanticCustomError("level", "{text}", context)


Number = float
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Fraction = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(ge=0, le=36_000)]
Text = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]


def _numbers(value: TomlValue, wanted: str) -> list[float]:
    if not isinstance(value, list | tuple):
        raise complain(f"{{key}} must be {wanted}, not {describe(value)}", _as_list(value))
    for i, entry in enumerate(value):
        if isinstance(entry, bool) or not isinstance(entry, int | float):
            raise complain(f"{{key}} must be {wanted}, but entry {i + 1} is {describe(entry)}")
        if not abs(entry) < float("inf"):
            raise complain(f"{{key}} must hold finite numbers, but entry {i + 1} is {entry}")
        if abs(entry) > MAX_COORDINATE:
            raise complain(
                f"{{key}} must stay within ±{MAX_COORDINATE:g}, but entry {i + 1} is {entry:g}"
            )
    return [float(entry) for entry in value]


def _as_list(value: TomlValue) -> str:
    """What was probably meant by text that should have been a list."""
    if not isinstance(value, str) or not _LISTED_NUMBERS.fullmatch(value[:80]):
        return ""
    return f"[{', '.join(_ONE_NUMBER.findall(value))}]?"


_ONE_NUMBER = re.compile(r"[-+.\de]+")
_LISTED_NUMBERS = re.compile(r"[\[(]?[-+.\de]+(?:[\s,]+[-+.\de]+)+[\])]?")


def number_hint(value: TomlValue) -> str:
    """What was probably meant by text that should have been a number."""
    if not isinstance(value, str):
        return ""
    with_unit = re.fullmatch(r"\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([A-Za-z°%²³/]*)\s*", value)
    if with_unit is not None:
        return "leave the unit out" if with_unit[2] else f"without quotes: {with_unit[1]}"
    if re.search(r"[-+*/()]", value) and re.search(r"[A-Za-z]", value):
        return f'arithmetic begins with "=": "={value[:60]}"'
    return ""


def check_vector(value: TomlValue, info: ValidationInfo) -> list[float]:
    """Three numbers; a two-dimensional level may leave out z."""
    flat = bool(info.context and info.context.get("dimension") == 2)
    wanted = "a list of numbers [x, y]" if flat else "a list of three numbers [x, y, z]"
    numbers = _numbers(value, wanted)
    if flat and len(numbers) == 2:
        return [*numbers, 0.0]
    if len(numbers) != 3:
        raise complain(
            f"{{key}} must be {wanted}, not {len(numbers)} number" + "s" * (len(numbers) != 1)
        )
    return numbers


def _pair(value: TomlValue) -> list[float]:
    numbers = _numbers(value, "a list of two numbers [low, high]")
    if len(numbers) != 2:
        raise complain("{key} must be a list of two numbers [low, high], not " + str(len(numbers)))
    if numbers[0] > numbers[1]:
        raise complain(
            f"{{key}}: the low end {numbers[0]:g} is above the high end {numbers[1]:g}",
            f"[{numbers[1]:g}, {numbers[0]:g}]?",
        )
    return numbers


def _quaternion(value: TomlValue) -> list[float]:
    numbers = _numbers(value, "a quaternion [w, x, y, z]")
    if len(numbers) != 4:
        raise complain(
            f"{{key}} must be a quaternion [w, x, y, z], not {len(numbers)} numbers",
            "rotation = [x, y, z] takes degrees",
        )
    norm = added(n * n for n in numbers) ** 0.5
    if norm < 1e-6:
        raise complain("{key} has no length, so it is no rotation", "[1, 0, 0, 0] turns nothing")
    return [n / norm for n in numbers]


def _axis(value: list[float]) -> list[float]:
    norm = added(n * n for n in value) ** 0.5
    if norm < 1e-9:
        raise complain("{key} has no direction", "for example [0, 1, 0]")
    return [n / norm for n in value]


def _inertia(value: list[float]) -> list[float]:
    """Moments that some distribution of mass can have."""
    low, middle, high = sorted(value)
    if low <= 0.0:
        raise complain(
            f"{{key}} must be above zero about every axis, but one is {low:g} kg m²",
            "leave it out to take the shape's own",
        )
    if high > (low + middle) * (1.0 + 1e-9):
        raise complain(
            f"{{key}} belongs to no body: {high:g} kg m² exceeds the sum of the other two, "
            f"{low:g} and {middle:g}",
            "leave it out to take the shape's own",
        )
    return value


def _color(value: str) -> str:
    if value in COLORS:
        return value
    if value.startswith("#"):
        if len(value) == 7 and all(c in "0123456789abcdefABCDEF" for c in value[1:]):
            return value.lower()
        raise complain(f'"{value}" is not a colour', 'for example "#e2553d"')
    raise complain(
        f'unknown colour "{value}"',
        did_you_mean(value, COLORS),
        f'known colours: {listing(COLORS, 40)}, or "#rrggbb"',
    )


def one_of(what: str, known: tuple[str, ...]) -> AfterValidator:
    """A word out of a list; the complaint names the nearest and all of them."""

    def check(value: str) -> str:
        if value not in known:
            raise complain(
                f'unknown {what} "{value}"',
                did_you_mean(value, known),
                f"known: {', '.join(known)}",
            )
        return value

    return AfterValidator(check)


_LOCKS = ("x", "y", "z", "rx", "ry", "rz")


def _locked(value: str) -> str:
    for word in value.split():
        if word not in _LOCKS:
            raise complain(
                f'unknown axis "{word}"',
                did_you_mean(word, _LOCKS),
                "known: x, y, z (moving along) and rx, ry, rz (turning about)",
            )
    return value


def _listed(value: TomlValue) -> Any:
    return [value] if isinstance(value, str) else value


def _array(count: int, item: str = "number") -> TomlTable:
    return {"type": "array", "items": {"type": item}, "minItems": count, "maxItems": count}


def _shown(schema: TomlTable) -> Any:
    return Field(json_schema_extra=schema)


_VECTOR_SCHEMA = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}
Vector = Annotated[list[float], BeforeValidator(check_vector), _shown(_VECTOR_SCHEMA)]
Axis = Annotated[Vector, AfterValidator(_axis)]
Inertia = Annotated[Vector, AfterValidator(_inertia)]
Pair = Annotated[list[float], BeforeValidator(_pair), _shown(_array(2))]
Quaternion = Annotated[list[float], BeforeValidator(_quaternion), _shown(_array(4))]
Color = Annotated[str, AfterValidator(_color), _shown({"examples": sorted(COLORS)})]
Pattern = Annotated[str, one_of("pattern", PATTERNS), _shown({"enum": list(PATTERNS)})]
Ornament = Annotated[str, one_of("ornament", ORNAMENTS), _shown({"enum": list(ORNAMENTS)})]
Palette = Annotated[str, one_of("palette", PALETTES), _shown({"enum": list(PALETTES)})]
Locked = Annotated[str, AfterValidator(_locked)]
_ONE_OR_MORE = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
OneOrMore = Annotated[list[Text], BeforeValidator(_listed), WithJsonSchema(_ONE_OR_MORE)]


def describe(value: TomlValue) -> str:
    """A value as a person would name it: `text "heavy"`, `the number 3`."""
    if isinstance(value, bool):
        return f"{str(value).lower()} (yes or no)"
    if isinstance(value, int | float):
        return f"the number {value:g}"
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:39] + "…"
        return f'the text "{shown}"'
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a table"
    return f"the date {value}"
