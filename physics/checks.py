"""Checked input: every bad value is answered by what it is, where, and what would be right."""

import difflib
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from physics.portable import norm
from physics.state import Floats

LOCKS = ("x", "y", "z", "rx", "ry", "rz")


def vector(what: str, value: Any) -> Floats:
    """Three finite numbers."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be three numbers, not {value!r}") from None
    if array.shape != (3,):
        raise ValueError(f"{what} must be three numbers, not {value!r}")
    if not all(map(math.isfinite, array.tolist())):
        raise ValueError(f"{what} must be finite, not {value!r}")
    return array


def direction(what: str, value: Any) -> Floats:
    """A unit vector along three numbers that are not all zero."""
    array = vector(what, value)
    length = float(norm(array))
    if length < 1e-12:
        raise ValueError(f"{what} has no direction: {value!r}; give a vector like (0, 1, 0)")
    return array / length


def quaternion(what: str, value: Any) -> Floats:
    """A unit quaternion (w, x, y, z)."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be a quaternion (w, x, y, z), not {value!r}") from None
    if array.shape != (4,) or not np.isfinite(array).all():
        raise ValueError(f"{what} must be four finite numbers (w, x, y, z), not {value!r}")
    length = float(norm(array))
    if abs(length - 1.0) > 1e-3:
        raise ValueError(f"{what} has length {length:g}; a rotation is a quaternion of length 1")
    return array / length


def number(what: str, value: Any, unit: str = "", positive: bool = False) -> float:
    """A finite number, above zero if `positive`."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ValueError(f"{what} must be a number, not {value!r}")
    result = float(value)
    if not math.isfinite(result):
        raise ValueError(f"{what} must be finite, not {value!r}")
    if positive and result <= 0.0:
        raise ValueError(f"{what} is {result:g} {unit}".rstrip() + "; it must be above zero")
    return result


def numbers(what: str, value: Any, shape: tuple[int, ...]) -> Floats:
    """An array of finite numbers of that shape, or what can be repeated to fill it."""
    try:
        array = np.broadcast_to(np.asarray(value, dtype=np.float64), shape)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers of shape {shape}, not {value!r}") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{what} must be finite")
    return array


def choice(what: str, value: Any, known: Iterable[str]) -> str:
    """One of the known words."""
    words = list(known)
    if value in words:
        return str(value)
    near = difflib.get_close_matches(str(value), words, 1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    raise ValueError(f'unknown {what} "{value}"{hint} (known: {", ".join(words)})')


def locks(what: str, value: str) -> Floats:
    """(2, 3) array of free degrees of freedom from words like "z rx ry"."""
    free = np.ones((2, 3))
    for word in value.split():
        index = LOCKS.index(choice(f"{what} axis", word, LOCKS))
        free[index // 3, index % 3] = 0.0
    return free
