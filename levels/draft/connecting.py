"""Joints, ropes and cables between two things that were pointed at.

A connector is a part whose file has a body called "first" and perhaps one called "second": these
stand for what it will connect, everything else of it is added.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from levels.draft.draft import Draft, Entries, Entry, fresh
from levels.draft.fields import new_name
from levels.draft.fragments import Fragment
from levels.draft.level_text import EditedTable, LevelText, item, number, plain
from levels.draft.shaping import own
from levels.frames import Vec, distance, inverse_rotate, subtract, vec
from levels.plain_data import TomlTable, TomlValue
from levels.plan import PlannedJoint
from physics import JOINTS

ENDS = ("first", "second")
_APART = 0.05  # m: nearer than that is a click, not a drag


@dataclass(frozen=True)
class End:
    """What was pointed at, and where; no body: the world itself."""

    body: str | None
    point: Vec


def is_connector(fragment: Fragment) -> bool:
    return ("bodies", "first") in fragment.entries


def connect(
    draft: Draft,
    fragment: Fragment,
    a: End,
    b: End,
    facing: Vec,
    more: Mapping[str, TomlValue] | None = None,
) -> Entries:
    """Add the connector between two ends; `facing` is along the view, for axes; `more` are keys of
    a rope besides."""
    first, second = (b, a) if a.body is None and b.body is not None else (a, b)
    named = {"first": first.body, "second": second.body}
    added: list[Entry] = []

    def work(text: LevelText) -> None:
        for (section, name), table in fragment.entries.items():
            if section == "bodies" and name in ENDS:
                continue
            new = new_name(draft, name)
            made = dict(table)
            if section == "joints":
                made = _joint(draft, made, named, first, second, facing)
            elif section == "props":
                made = {k: v for k, v in made.items() if k not in ("from", "to", "length")}
                made["from"] = tied(draft, text, a, new)
                made["to"] = tied(draft, text, b, new)
                made |= more or {}
            text.add(section, new, made)
            added.append((section, new))

    draft.edit("connect", work)
    draft.selected = tuple(added)
    return draft.selected


def _joint(
    draft: Draft,
    table: TomlTable,
    named: Mapping[str, str | None],
    a: End,
    b: End,
    facing: Vec,
) -> TomlTable:
    kind = JOINTS[str(table["kind"])]
    made = {k: v for k, v in table.items() if k not in ("at", "at_a", "at_b", "axis", "length")}
    bodies = [named.get(str(end), end) for end in table["bodies"]]
    made["bodies"] = list(dict.fromkeys(body for body in bodies if body is not None))
    if kind.anchors == "separate":
        made["at_a"], made["at_b"] = short(draft, a.point), short(draft, b.point)
        for key in kind.over:
            high = max(a.point[1], b.point[1]) + 2.0
            share = 0.0 if key.endswith("_a") else 1.0
            at = vec(p + share * (q - p) for p, q in zip(a.point, b.point, strict=True))
            made[key] = short(draft, (at[0], high, at[2]))
        return made
    made["at"] = short(draft, a.point)
    if kind.needs_axis and not (draft.flat and kind.flat_axis):
        slides = kind.coordinate is not None
        along = subtract(b.point, a.point)
        if slides and distance(a.point, b.point) < _APART:
            along = (0.0, 1.0, 0.0)
        made["axis"] = plain(nearest_axis(along if slides else facing))
    return made


def tied(draft: Draft, text: LevelText, end: End, name: str) -> TomlValue:
    """Where a rope ends: a point of the world, or a frame that its body is given for it. A part of
    a prop or prefab, which cannot be given one, is held at its middle."""
    if end.body is None:
        return short(draft, end.point)
    planned = draft.level.default.plan.bodies.get(end.body)
    if planned is None or ("bodies", end.body) not in _plain_bodies(draft):
        return end.body
    arm = subtract(end.point, planned.frame.position)
    local = inverse_rotate(planned.frame.orientation, arm)
    frame = fresh(set(planned.frames), name)
    own(draft, text, ("bodies", end.body))

    def work(table: EditedTable) -> None:
        if "frames" not in table:
            table["frames"] = item({})
        table["frames"][frame] = item([number(x) for x in local])

    text.edit("bodies", end.body, work)
    return f"{end.body}.{frame}"


def _plain_bodies(draft: Draft) -> set[Entry]:
    """Bodies that are written one by one."""
    bodies = draft.level.document.data.get("bodies", {})
    return {("bodies", n) for n, t in bodies.items() if "prefab" not in t and "repeat" not in t}


def nearest_axis(direction: Vec) -> Vec:
    """Of x, y and z, with its sign."""
    most = max(range(3), key=lambda i: abs(direction[i]))
    return vec((1.0 if direction[i] >= 0 else -1.0) if i == most else 0.0 for i in range(3))


def joint_start(draft: Draft, kind: str, old: PlannedJoint | None) -> TomlTable:
    """Keys that a joint of that kind must have, from one of another kind at the same place."""
    spec = JOINTS[kind]
    made: TomlTable = {
        name: plain(_START.get(name, 1.0))
        for name, parameter in spec.parameters.items()
        if parameter.required and parameter.kind == "number"
    }
    points = [p for p in (old.at, old.at_a, old.at_b) if p is not None] if old is not None else []
    first = points[0] if points else (0.0, 0.0, 0.0)
    last = points[-1] if points else (0.0, 1.0, 0.0)
    if spec.anchors == "separate":
        last = last if distance(first, last) > _APART else vec((first[0], first[1] + 1.0, first[2]))
        made |= {"at_a": short(draft, first), "at_b": short(draft, last)}
        for key in spec.over:
            made[key] = short(draft, (first[0], first[1] + 2.0, first[2]))
        return made
    made["at"] = short(draft, first)
    if spec.needs_axis and not (draft.flat and spec.flat_axis):
        made["axis"] = plain(old.axis if old is not None and old.axis else (0.0, 0.0, 1.0))
    return made


_START = {"stiffness": 1000.0, "pitch": 0.1}


def short(draft: Draft, point: Vec) -> list[float | int]:
    """A point as it is written: flat levels leave out z."""
    return [number(x) for x in (point[:2] if draft.flat else point)]
