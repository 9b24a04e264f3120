"""Are two things that were read from two texts the same? Shapes with arrays do not say."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

import numpy as np

_WHERE = "place"  # in the file: no difference


def alike(one: Any, other: Any) -> bool:
    """Field by field, arrays number by number; where they stand in a file does not count."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and _all_alike(zip(one, other, strict=True))
    if isinstance(one, dict):
        return one.keys() == other.keys() and _all_alike((one[k], other[k]) for k in one)
    names = _fields_of(one.__class__)
    if names:
        return _all_alike((getattr(one, name), getattr(other, name)) for name in names)
    return bool(one == other)


@lru_cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """Of a dataclass."""
    found = fields(kind) if is_dataclass(kind) else ()
    return tuple(field.name for field in found if field.name != _WHERE)


def _all_alike(pairs: Iterable[tuple[Any, Any]]) -> bool:
    return all(alike(a, b) for a, b in pairs)
