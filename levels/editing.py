"""Saving a level from the game: the author's file with its comments, changed where the play was.

Bodies are written where they are now, joints with their present anchors (limits shift by the angle
already turned), parameters with their present values; what was spawned or joined is added, what was
deleted or cut is removed. Props are built from their ends again, so they start straight.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.items import InlineTable, Table

from physics import JOINTS

if TYPE_CHECKING:
    from levels.runtime import Session

_DIGITS = 6  # of a metre: a micrometre is finer than any level needs
_STILL = 1e-9  # m, rad: below this a body has not moved


def edited_text(session: "Session") -> str:
    """The text of the level's file as the session stands now."""
    document = tomlkit.parse(session.level.document.source.text)
    _parameters(session, document)
    _bodies(session, document)
    _joints(session, document)
    _lengths(session, document)
    for name, table in session.spawned.items():
        if name in session.handles:
            entry = tomlkit.table()
            entry.update(table)
            _place(session, name, entry)
            _section(document, "bodies").append(name, entry)
    return tomlkit.dumps(document)


def _section(document: tomlkit.TOMLDocument, name: str) -> Any:
    if name not in document:
        document.append(name, tomlkit.table(is_super_table=True))
    return document[name]


def _tables(document: tomlkit.TOMLDocument, section: str) -> list[tuple[str, Any]]:
    """Entries written in this file; those of includes stay as they are."""
    found = document.get(section, {})
    return [
        (name, entry) for name, entry in found.items() if isinstance(entry, Table | InlineTable)
    ]


def _parameters(session: "Session", document: tomlkit.TOMLDocument) -> None:
    section = document.get("parameters", {})
    for name, value in session.given.items():
        if name in section:
            written = section[name]
            if isinstance(written, Table | InlineTable):
                written["default"] = _number(value)
            else:
                section[name] = _number(value)
        elif name in ("rate", "stabilization", "solver"):
            _section(document, "simulation")[name] = value


def _bodies(session: "Session", document: tomlkit.TOMLDocument) -> None:
    for section in ("bodies", "particles"):
        for name, entry in _tables(document, section):
            full = session.plan.find(name)
            if full is None or full not in session.handles:
                del document[section][name]
            elif not session.world.is_fixed(session.handles[full]):
                _place(session, full, entry)


def _place(session: "Session", name: str, entry: Any) -> None:
    world, handle = session.world, session.handles[name]
    planned = session.plan.movable(name)
    flat = world.dimension == 2
    position = world.position(handle)
    start = session.plan.center(name) if planned else position
    if _apart(position, start) > _STILL or "position" not in entry:
        entry["position"] = _list(position[:2] if flat else position)
    if world.is_particle(handle):
        return
    orientation = world.orientation(handle)
    body = session.plan.bodies.get(name)
    if body is None or _apart(orientation, body.frame.orientation) > _STILL:
        entry.pop("rotation", None)
        entry["orientation"] = _list(orientation)
    for key in ("velocity", "angular_velocity"):
        entry.pop(key, None)


def _joints(session: "Session", document: tomlkit.TOMLDocument) -> None:
    for name, entry in _tables(document, "joints"):
        if name not in session.joints:
            del document["joints"][name]
            continue
        _anchor(session, name, entry)
    for joint in session.joined:
        if joint.name in session.joints:
            entry = tomlkit.table()
            entry["kind"] = joint.kind
            entry["bodies"] = [end for end in (joint.a, joint.b) if end]
            _anchor(session, joint.name, entry)
            _section(document, "joints").append(joint.name.replace(" ", "_"), entry)


def _anchor(session: "Session", name: str, entry: Any) -> None:
    """Anchors, axis and everything measured from the starting angle, as of now."""
    world, handle = session.world, session.joints[name]
    info = world.joint(handle)
    if JOINTS[info.kind].anchors == "separate":
        entry["at_a"], entry["at_b"] = _list(info.anchor_a), _list(info.anchor_b)
        if info.parameters.get("length") is not None:
            entry["length"] = _number(info.parameters["length"])
        return
    entry["at"] = _list(info.anchor_a)
    if JOINTS[info.kind].needs_axis:
        entry["axis"] = _list(info.axis)
    if "limits" in entry and info.parameters.get("limits") is not None:
        turned = world.joint_value(handle)
        entry["limits"] = _list(limit - turned for limit in info.parameters["limits"])


def _lengths(session: "Session", document: tomlkit.TOMLDocument) -> None:
    """Ropes keep their length though their ends have moved."""
    for name, entry in _tables(document, "props"):
        group = session.plan.groups.get(name)
        if group is not None and group.rest_length is not None:
            entry["length"] = _number(session.rest_length(name))


def _apart(a: Any, b: Any) -> float:
    return float(max(abs(x - y) for x, y in zip(a, b, strict=True)))


def _number(value: float) -> float | int:
    rounded = round(float(value), _DIGITS)
    return int(rounded) if rounded.is_integer() else rounded


def _list(values: Iterable[float]) -> list[float | int]:
    return [_number(value) for value in values]
