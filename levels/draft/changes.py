"""How the keys of one entry follow a change: its turn, its lengths, its own points."""

import math
from dataclasses import dataclass
from typing import Any

from levels.draft.level_text import EditedTable, item, number, plain
from levels.frames import (
    IDENTITY,
    Quat,
    Vec,
    add,
    from_degrees,
    multiply,
    rotate,
    scale,
    subtract,
    vec,
)
from levels.plain_data import TomlTable, TomlValue
from physics.definitions.body_keys import BODY_KEYS

_LENGTHS = ("size", "radius", "length", "rounding", "block", "stone", "reach", "height", "spacing")
_LOCAL = (  # of a body, in its own axes
    "center_of_mass",
    *(name for name, key in BODY_KEYS.items() if key.kind in ("vector", "direction")),
)


@dataclass(frozen=True)
class Change:
    """A point p goes to about + factor · turn(mirror(p − about)) + shift."""

    about: Vec = (0.0, 0.0, 0.0)
    shift: Vec = (0.0, 0.0, 0.0)
    turn: Quat = IDENTITY
    factor: float = 1.0
    mirror: int | None = None  # 0: left and right change places

    @property
    def only_moves(self) -> bool:
        return self.turn == IDENTITY and self.factor == 1.0 and self.mirror is None

    def point(self, p: Vec) -> Vec:
        arm = scale(self.direction(subtract(p, self.about)), self.factor)
        return add(add(self.about, arm), self.shift)

    def direction(self, d: Vec) -> Vec:
        return rotate(self.turn, self.reflect(d))

    def reflect(self, d: Vec) -> Vec:
        return vec(-x if i == self.mirror else x for i, x in enumerate(d))

    def axis(self, a: Vec) -> Vec:
        """Of turning: a mirrored wheel turns the other way."""
        return scale(self.direction(a), 1.0 if self.mirror is None else -1.0)

    def orientation(self, q: Quat) -> Quat:
        if self.mirror is not None:
            x, y, z = scale(self.reflect((q[1], q[2], q[3])), -1.0)
            q = (q[0], x, y, z)
        return multiply(self.turn, q)


def write_turn(table: EditedTable, written: TomlTable, turn: Quat) -> None:
    """As degrees about one axis where it is that, else as a quaternion."""
    for key in ("rotation", "orientation"):
        if key in written:
            table.remove(key)
    angles = degrees(turn)
    if angles is None:
        table["orientation"] = item([number(q) for q in turn])
    elif any(abs(angle) > 1e-6 for angle in angles):
        table["rotation"] = item([number(angle) for angle in angles])


def degrees(turn: Quat) -> Vec | None:
    """Degrees about x, then y, then z; None where those are not sharp (looking straight up)."""
    w, x, y, z = turn
    sine = 2 * (w * y - z * x)
    if abs(sine) > 0.9999:
        return None
    return (
        math.degrees(math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
        math.degrees(math.asin(max(-1.0, min(1.0, sine)))),
        math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
    )


def quarter(turn: Quat, size: Vec) -> Vec:
    """The size of a box around a box that was turned, in whole quarter turns."""
    edges = [abs(x) for x in rotate(turn, (size[0], 0.0, 0.0))]
    up = [abs(x) for x in rotate(turn, (0.0, size[1], 0.0))]
    deep = [abs(x) for x in rotate(turn, (0.0, 0.0, size[2]))]
    order = [max(range(3), key=edge.__getitem__) for edge in (edges, up, deep)]
    if sorted(order) != [0, 1, 2]:
        return size
    found = [0.0, 0.0, 0.0]
    for own, place in zip(size, order, strict=True):
        found[place] = own
    return vec(found)


def mirror_shape(table: EditedTable, written: TomlTable, wanted: Change) -> None:
    """Points that a body has in its own axes."""

    def reflected(points: list[TomlValue]) -> list[TomlValue]:
        return [plain(wanted.reflect(vec([*p, 0.0][:3]))) for p in points]

    if "points" in written:
        table["points"] = item(reflected(written["points"]))
    for key in _LOCAL:
        if key in written:
            table[key] = item(reflected([written[key]])[0])
    if "frames" in written:
        table["frames"] = item({k: reflected([p])[0] for k, p in written["frames"].items()})
    if "parts" in written:
        table["parts"] = item([_mirrored_part(part, wanted) for part in written["parts"]])


def _mirrored_part(part: TomlTable, wanted: Change) -> TomlTable:
    made = dict(part)
    if "position" in part:
        made["position"] = plain(wanted.reflect(vec([*part["position"], 0.0][:3])))
    if "points" in part:
        made["points"] = [plain(wanted.reflect(vec([*p, 0.0][:3]))) for p in part["points"]]
    if "rotation" in part or "orientation" in part:
        turn = from_degrees(part["rotation"]) if "rotation" in part else tuple(part["orientation"])
        made.pop("rotation", None)
        made["orientation"] = plain(Change(mirror=wanted.mirror).orientation(turn))
    return made


def scale_lengths(table: EditedTable, written: TomlTable, model: Any, factor: float) -> None:
    """Sizes by the factor, masses by its cube: it stays of the same stuff."""
    for key in _LENGTHS:
        if key in written and "segments" not in written:
            found = getattr(model, key, None)
            if isinstance(found, list | tuple):
                count = len(written[key]) if isinstance(written[key], list) else len(found)
                table[key] = item([number(x * factor) for x in found[:count]])
            elif isinstance(found, int | float):
                table[key] = number(found * factor)
    if "points" in written:
        table["points"] = item([[number(x * factor) for x in p] for p in written["points"]])
    if "mass" in written and "shape" in written and model is not None and model.mass is not None:
        table["mass"] = number(model.mass * factor**3)
    if "parts" in written:
        table["parts"] = item([_scaled_part(part, factor) for part in written["parts"]])


def _scaled_part(part: TomlTable, factor: float) -> TomlTable:
    made = dict(part)
    for key in ("position", "size", "radius", "length", "points"):
        if key in part:
            made[key] = _times(part[key], factor)
    return made


def _times(value: TomlValue, factor: float) -> TomlValue:
    if isinstance(value, list):
        return [_times(entry, factor) for entry in value]
    return value if isinstance(value, str) else number(value * factor)
