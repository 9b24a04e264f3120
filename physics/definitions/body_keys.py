"""Keys of a body beyond its shape, mass and motion, each declared once.

`World.add_body` takes them and its help tells them, level files, props, schema, reference and the
inspector know them, the stores keep them. A new key is an entry of `BodyKeys`, and whatever in the
step reads the column that it fills.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, TypedDict, get_args, get_type_hints

import numpy as np

from physics.checks import ALL_GROUPS, direction, groups, number, vector
from physics.state import Bodies, VectorLike

Triple = tuple[float, float, float]
Column = float | int | Triple  # what a store writes into one slot
_STILL: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Key:
    """What is to be known of a key: for checks, files, help and editors."""

    doc: str  # a sentence, with the unit
    default: float | int | Triple | None
    unit: str = ""
    least: float = -np.inf
    most: float = np.inf
    kind: str = "number"  # number | vector, direction (body axes) | groups
    column: str = ""  # of `Bodies`, else of a shape; "": called like the key
    heading: str = "stuff"  # under which an editor shows it
    material: bool = False  # what a body does not say, its material does
    in_files: bool = True  # level files have it under the same name


class BodyKeys(TypedDict, total=False):
    """Every key with its type; what is left out takes its default."""

    friction: Annotated[
        float,
        Key(
            "Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
            0.5,
            least=0.0,
            material=True,
        ),
    ]
    restitution: Annotated[
        float,
        Key(
            "It keeps this share of its speed in a bounce, from 0, it stops, to 1, it loses "
            "nothing.",
            0.0,
            least=0.0,
            most=1.0,
            material=True,
        ),
    ]
    rolling_friction: Annotated[
        float,
        Key(
            "This torque per load brakes its rolling and spinning, in m; it is about the radius "
            "of the patch it rests on, and at 0 it rolls freely.",
            0.0, "m", least=0.0, column="rolling", material=True,
        ),
    ]  # fmt: skip
    gravity_scale: Annotated[
        float,
        Key(
            "This share of gravity acts on it, from -100 to 100; at 0 it floats, at -1 it rises "
            "as others fall.",
            1.0, least=-100.0, most=100.0, heading="motion",
        ),
    ]  # fmt: skip
    surface_velocity: Annotated[
        VectorLike,
        Key(
            "Its surface runs this fast along the axes of the body, in m/s, like that of a "
            "conveyor belt; at 0 it stands still.",
            _STILL, "m/s", kind="vector", column="belt", heading="motion",
        ),
    ]  # fmt: skip
    one_way: Annotated[
        VectorLike | None,
        Key(
            "Only what comes from this direction, in the axes of the body, touches it; a platform "
            "that can be jumped through from below has [0, 1, 0].",
            None, kind="direction", heading="motion",
        ),
    ]  # fmt: skip
    group: Annotated[
        int,
        Key("It is in these collision groups, a bit for each.", 1, kind="groups", in_files=False),
    ]
    mask: Annotated[
        int,
        Key(
            "It collides with these groups, a bit for each; at 0 with none.",
            ALL_GROUPS,
            kind="groups",
            in_files=False,
        ),
    ]


_HINTS = get_type_hints(BodyKeys, include_extras=True)
BODY_KEYS: Mapping[str, Key] = {name: get_args(hint)[1] for name, hint in _HINTS.items()}


@dataclass(frozen=True)
class Columns:
    """Checked keys by the columns that keep them."""

    body: Mapping[str, Column]  # of `Bodies`
    shape: Mapping[str, Column]  # of `ShapeStore.add`


def checked_keys(what: str, given: Mapping[str, object]) -> Columns:
    """All keys, checked, with defaults for those that are left out."""
    for name in given:
        if name not in BODY_KEYS:
            near = difflib.get_close_matches(name, BODY_KEYS, 1)
            hint = f', did you mean "{near[0]}"?' if near else f" (known: {', '.join(BODY_KEYS)})"
            raise TypeError(f'unknown key "{name}" {what}{hint}')
    body, shape = dict(DEFAULTS.body), dict(DEFAULTS.shape)
    for name, value in given.items():
        key = BODY_KEYS[name]
        column = key.column or name
        place = body if column in body else shape
        place[column] = _CHECKS[key.kind](f"{name} {what}", key, value)
    return Columns(body, shape)


def _number(what: str, key: Key, value: object) -> Column:
    return number(what, value, key.unit, least=key.least, most=key.most)


def _vector(what: str, key: Key, value: object) -> Column:
    x, y, z = vector(what, value).tolist()
    return x, y, z


def _direction(what: str, key: Key, value: object) -> Column:
    if value is None:
        return _STILL
    x, y, z = direction(what, value).tolist()
    return x, y, z


def _groups(what: str, key: Key, value: object) -> Column:
    return groups(what, value)


_CHECKS: Mapping[str, Callable[[str, Key, object], Column]] = {
    "number": _number,
    "vector": _vector,
    "direction": _direction,
    "groups": _groups,
}


def _defaults() -> Columns:
    body: dict[str, Column] = {}
    shape: dict[str, Column] = {}
    for name, key in BODY_KEYS.items():
        column = key.column or name
        place = body if column in Bodies._fields else shape
        place[column] = _CHECKS[key.kind](f"default of {name}", key, key.default)
    return Columns(body, shape)


DEFAULTS = _defaults()
