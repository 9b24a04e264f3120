"""Checked input: every bad value is answered by what it is, where, and what would be right."""

import difflib
import math
from collections.abc import Iterable

import numpy as np

from physics.portable import norm
from physics.state import Floats, Ints

LOCKS = ("x", "y", "z", "rx", "ry", "rz")
ALL_GROUPS = 0xFFFF  # collision groups are 16 bits
SLOWEST, FASTEST = 0.01, 1e6  # steps per second
FARTHEST = 1e100  # larger numbers overflow when they are squared


def vector(what: str, value: object) -> Floats:
    """Three finite numbers."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be three numbers, not {shown(value)}") from None
    if array.shape != (3,):
        raise ValueError(f"{what} must be three numbers, not {shown(value)}")
    if not all(abs(entry) < FARTHEST for entry in array.tolist()):
        raise ValueError(f"{what} must be finite, not {shown(value)}")
    return array


def shown(value: object) -> str:
    """A value in a message: its repr, if that is short."""
    try:
        text = repr(value)
    except Exception:  # whatever a stranger's __repr__ does
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def direction(what: str, value: object) -> Floats:
    """A unit vector along three numbers that are not all zero."""
    array = vector(what, value)
    length = float(norm(array))
    if length < 1e-12:
        raise ValueError(f"{what} has no direction: {shown(value)}; give a vector like (0, 1, 0)")
    return array / length


def quaternion(what: str, value: object) -> Floats:
    """A unit quaternion (w, x, y, z)."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be a quaternion (w, x, y, z), not {shown(value)}") from None
    if array.shape != (4,) or not np.isfinite(array).all():
        raise ValueError(f"{what} must be four finite numbers (w, x, y, z), not {shown(value)}")
    length = float(norm(array))
    if abs(length - 1.0) > 1e-3:
        raise ValueError(f"{what} has length {length:g}; a rotation is a quaternion of length 1")
    return array / length


def number(
    what: str,
    value: object,
    unit: str = "",
    positive: bool = False,
    *,
    least: float = -math.inf,
    most: float = math.inf,
) -> float:
    """A finite number, above zero if `positive`, within [least, most]."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ValueError(f"{what} must be a number, not {shown(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not abs(result) < FARTHEST:
        raise ValueError(f"{what} must be finite, not {shown(value)}")
    said = f"{what} is {result:g} {unit}".rstrip()
    if positive and result <= 0.0:
        raise ValueError(f"{said}; it must be above zero")
    if result < least:
        raise ValueError(f"{said}; it must be at least {least:g}")
    if result > most:
        raise ValueError(f"{said}; it must be at most {most:g}")
    return result


def flag(what: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{what} must be True or False, not {shown(value)}")
    return bool(value)


def whole(what: str, value: object, least: int, most: int) -> int:
    """A whole number within [least, most]."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{what} must be a whole number, not {shown(value)}")
    if not least <= value <= most:
        raise ValueError(f"{what} is {shown(value)}; it must lie in {least} … {most}")
    return int(value)


def groups(what: str, value: object) -> int:
    """Collision groups, a bit for each."""
    return whole(f"{what} (a bit for each collision group)", value, 0, ALL_GROUPS)


def rate(value: object) -> float:
    """Steps per second."""
    unit = "steps per second"
    return number("rate", value, unit, positive=True, least=SLOWEST, most=FASTEST)


def numbers(
    what: str, value: object, shape: tuple[int, ...], *, least: float = -math.inf
) -> Floats:
    """An array of finite numbers of that shape, or what can be repeated to fill it."""
    try:
        array = np.broadcast_to(np.asarray(value, dtype=np.float64), shape)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be numbers of shape {shape}, not {shown(value)}") from None
    if not (np.abs(array) < FARTHEST).all():
        raise ValueError(f"{what} must be finite")
    if len(array) and array.min() < least:
        raise ValueError(f"{what} is {array.min():g}; it must be at least {least:g}")
    return array


def rows_of_three(what: str, value: object) -> Floats:
    """(n, 3) finite numbers."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be rows of three numbers, not {shown(value)}") from None
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{what} must be rows of three numbers, not of shape {array.shape}")
    return numbers(what, array, array.shape)


def indices(what: str, value: object, count: int) -> Ints:
    """Numbers of nodes, elements …, each within 0 … count - 1."""
    try:
        chosen = list(value)  # type: ignore[call-overload]
    except TypeError:
        raise ValueError(f"{what} must be a list of whole numbers, not {shown(value)}") from None
    for n in chosen:
        if isinstance(n, (bool, np.bool_)) or not isinstance(n, (int, np.integer)):
            raise ValueError(f"{what} must be whole numbers, not {shown(n)}")
        if not 0 <= n < count:
            raise ValueError(f"{what} must lie in 0 … {count - 1}, not {shown(n)}")
    return np.array(chosen, np.int64)


def choice(what: str, value: object, known: Iterable[str]) -> str:
    """One of the known words."""
    words = list(known)
    if isinstance(value, str) and value in words:
        return str(value)
    near = difflib.get_close_matches(str(value), words, 1) if isinstance(value, str) else []
    hint = f'; did you mean "{near[0]}"?' if near else ""
    given = value if isinstance(value, str) and len(value) <= 80 else shown(value)
    raise ValueError(f'unknown {what} "{given}"{hint} (known: {", ".join(words)})')


def locks(what: str, value: str) -> Floats:
    """(2, 3) array of free degrees of freedom from words like "z rx ry"."""
    if not isinstance(value, str):
        raise ValueError(f'{what} must be a text like "z rx ry", not {shown(value)}')
    free = np.ones((2, 3))
    for word in value.split():
        index = LOCKS.index(choice(f"{what} axis", word, LOCKS))
        free[index // 3, index % 3] = 0.0
    return free
