"""Saving a level from the game: the author's file with its comments, changed where the play was.

Bodies are written where they are now, joints with their present anchors (limits shift by the angle
already turned), parameters with their present values; what was spawned or joined is added, what was
deleted or cut is removed, or listed as `removed` where it is a part of a prop or still spoken of.
Cloths and solids are written node by node. Other props are built from their ends again, so they
start straight.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import tomlkit
from tomlkit.items import InlineTable, Table

from levels.conversions import frame_of
from levels.frames import (
    Frame,
    Vec,
    distance,
    inverse_rotate,
    multiply,
    rotate,
    subtract,
    vec,
)
from levels.level_tables import PrefabUse
from levels.plain_data import TomlValue
from physics import JOINTS, Handle

if TYPE_CHECKING:
    from levels.runtime import Session

_DIGITS = 6  # of a metre: a micrometre is finer than any level needs
_ROUNDING = 1e-4  # m: of places, and of turns on long arms
_ANCHORS = ("at", "at_a", "at_b", "axis", "length")
_STILL = 1e-9  # m, rad: below this a body has not moved


def edited_text(session: "Session") -> str:
    """The text of the level's file as the session stands now."""
    text, dropped = _edited(session, set())
    spoken_of = {name for name in dropped if re.search(rf"[\"'.]{re.escape(name)}[\"'.]", text)}
    return _edited(session, spoken_of)[0] if spoken_of else text


def _edited(session: "Session", kept: set[str]) -> tuple[str, set[str]]:
    """The text, and names of the entries that it no longer has; `kept` ones stay, as removed."""
    document = tomlkit.parse(session.level.document.source.text)
    dropped = _bodies(session, document, kept) | _joints(session, document, kept)
    _removed(session, document, dropped)
    _parameters(session, document)
    _lengths(session, document)
    _softs(session, document)
    for name, table in session.edits.spawned.items():
        if session.names.is_there(name):
            entry = tomlkit.table()
            entry.update(table)
            _place(session, name, entry)
            _section(document, "bodies")[name] = entry
    return tomlkit.dumps(document), dropped


def _removed(session: "Session", document: tomlkit.TOMLDocument, dropped: set[str]) -> None:
    """What the level has at first and was deleted or cut, as far as its entry is still there."""
    first, plan = session.names.first_plan, session.plan
    deleted = [
        name
        for kind in ("bodies", "particles", "softs")
        for name in getattr(first, kind)
        if name in getattr(plan, kind) and name not in session.handles | session.softs
    ]
    ends = {name: (joint.a, joint.b) for name, joint in first.joints.items()}
    cut = [
        name
        for name in sorted(session.names.gone & ends.keys())
        if name not in session.joints and not set(deleted) & set(ends[name])
    ]
    names = [name for name in (*deleted, *cut) if name not in dropped]
    if names:
        listed = tomlkit.array()
        listed.extend(names)
        if "removed" in document:
            document["removed"] = listed
        else:  # before the first table, or it would belong to the last
            document._insert_after("format", "removed", listed)


def _section(document: Any, name: str) -> Any:
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
            number = _number(session.values[name])
            if isinstance(written, Table | InlineTable):
                written["default"] = number
            else:
                section[name] = number
        elif name in ("rate", "stabilization", "solver"):
            _section(document, "simulation")[name] = value


def _bodies(session: "Session", document: tomlkit.TOMLDocument, kept: set[str]) -> set[str]:
    dropped = set()
    for section in ("bodies", "particles"):
        for name, entry in _tables(document, section):
            if "repeat" in entry:
                _copies(session, document, section, name)
                continue
            full = session.plan.find(name)
            if full is None or full not in session.handles:
                if name not in kept:
                    del document[section][name]
                    dropped.add(name)
            elif not session.world.is_fixed(session.handles[full]):
                _place(session, name, entry)
    return dropped


def _copies(session: "Session", document: tomlkit.TOMLDocument, section: str, name: str) -> None:
    """Copies stay together under one entry; where one differs by now, [changed] says so."""
    changed = document.get("changed", {}).get(section, {})
    for copy in session.variant.checked.families.get((section, name), ()):
        full = session.plan.find(copy)
        there = full in session.handles or copy in session.joints
        if not there or (full in session.handles and session.world.is_fixed(session.handles[full])):
            continue
        entry = changed.get(copy) or tomlkit.table()
        if section == "joints":
            _anchor(session, copy, entry, session.variant.checked.data["joints"][copy])
        else:
            _place(session, copy, entry, fresh=False)
        if len(entry):
            _section(_section(document, "changed"), section)[copy] = entry


def _place(session: "Session", name: str, entry: TomlValue, *, fresh: bool = True) -> None:
    """Where a thing is now; with `fresh` it must say so in any case."""
    world = session.world
    full = session.plan.find(name) or name
    handle, flat = session.handles[full], world.dimension == 2
    position, start = world.position(handle), session.plan.center(full)
    body = session.plan.bodies.get(full)
    turned = None if world.is_particle(handle) else world.orientation(handle)
    turns = body is None or turned is None or _apart(turned, body.frame.orientation) > _STILL
    moves = _apart(position, start) > _STILL
    if full in session.plan.motions:
        return
    if full != name and (moves or turns) and turned is not None:  # a prefab
        frame = _prefab_frame(session, name, full)
        position, turned = np.array(frame.position), np.array(frame.orientation)
    if moves or (fresh and "position" not in entry) or (full != name and turns):
        entry["position"] = _list(position[:2] if flat else position)
    if turned is not None and turns:
        entry.pop("rotation", None)
        entry["orientation"] = _list(turned)
    for key in ("velocity", "angular_velocity"):
        entry.pop(key, None)


def _prefab_frame(session: "Session", name: str, root: str) -> Frame:
    """Where a prefab is placed so that its main body is where it is now."""
    model = session.variant.checked.bodies.get(name)
    table = session.edits.spawned.get(name)
    if table is not None:
        given = [*table.get("position", ()), 0.0, 0.0, 0.0][:3]
        first = Frame(vec(given), session.plan.bodies[root].frame.orientation)
        first = frame_of(PrefabUse.model_validate(table)) if "prefab" in table else first
    else:
        assert isinstance(model, PrefabUse)
        first = frame_of(model)
    planned = session.plan.bodies[root].frame
    arm = inverse_rotate(first.orientation, subtract(planned.position, first.position))
    w, x, y, z = first.orientation
    local = multiply((w, -x, -y, -z), planned.orientation)
    handle = session.handles[root]
    a, b, c, d = (float(q) for q in session.world.orientation(handle))
    turn = multiply((a, b, c, d), (local[0], -local[1], -local[2], -local[3]))
    return Frame(subtract(vec(session.world.position(handle)), rotate(turn, arm)), turn)


def _joints(session: "Session", document: tomlkit.TOMLDocument, kept: set[str]) -> set[str]:
    dropped = set()
    for name, entry in _tables(document, "joints"):
        if "repeat" in entry:
            _copies(session, document, "joints", name)
        elif name in session.joints:
            _anchor(session, name, entry)
        elif name not in kept:
            del document["joints"][name]
            dropped.add(name)
    for joint in session.edits.joined:
        if joint.name in session.joints:
            entry = tomlkit.table()
            entry["kind"] = joint.kind
            entry["bodies"] = [end for end in (joint.a, joint.b) if end]
            entry.update({k: v for k, v in joint.parameters.items() if k not in _ANCHORS})
            _anchor(session, joint.name, entry)
            _section(document, "joints")[joint.name.replace(" ", "_")] = entry
    return dropped


def _anchor(session: "Session", name: str, entry: TomlValue, written: TomlValue = None) -> None:
    """Anchors, axis and everything measured from the starting angle, as of now."""
    written = entry if written is None else written
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
    if "limits" in written and info.parameters.get("limits") is not None:
        turned = world.joint_value(handle)
        entry["limits"] = _list(limit - turned for limit in info.parameters["limits"])


def _lengths(session: "Session", document: tomlkit.TOMLDocument) -> None:
    """Ropes keep their length though their ends have moved; what is cut keeps its two pieces."""
    for name, entry in _tables(document, "props"):
        group = session.plan.groups.get(name)
        if group is not None and group.rest_length is not None and not session.is_broken(name):
            length = max(session.rest_length(name), _span(session, name) + _ROUNDING)
            entry["length"] = _number(length)


def _span(session: "Session", name: str) -> float:
    """How far apart the things are that a rope or cable ends on, m: a taut one is a straight line,
    and what is written of its ends is rounded."""
    members = {session.handles.get(member) for member in session.plan.groups[name].members}
    ends = []
    for joint in session.plan.joints_of(name):
        if joint in session.joints:
            info = session.world.joint(session.joints[joint])
            outside = info.b if info.a in members else info.a
            if outside is None or outside not in members:
                anchor = info.anchor_b if outside == info.b else info.anchor_a
                ends.append(_as_opened(session, outside, vec(anchor)))
    return distance(*ends) if len(ends) == 2 else 0.0


def _as_opened(session: "Session", body: Handle | None, point: Vec) -> Vec:
    """Where a point of a body is when the saved level begins: parts of props are built anew."""
    name = session.name_of(body) if body is not None else ""
    planned = session.names.first_plan.bodies.get(name)
    if body is None or planned is None or name in _written(session):
        return point
    arm = subtract(point, vec(session.world.position(body)))
    turn = session.world.orientation(body)
    return planned.frame.point(inverse_rotate((turn[0], turn[1], turn[2], turn[3]), arm))


def _written(session: "Session") -> set[str]:
    """Bodies with an entry of their own in the level's file."""
    document = tomlkit.parse(session.level.document.source.text)
    return {session.plan.find(name) or name for name, _ in _tables(document, "bodies")}


def _softs(session: "Session", document: tomlkit.TOMLDocument) -> None:
    """Cloths and solids node by node, with what is pinned, cut and sewn by hand."""
    world = session.world
    for section in ("props", "cloths"):
        for name, entry in _tables(document, section):
            if name not in session.softs:
                continue
            handle, frame = session.softs[name], session.plan.softs[name].frame

            def local(points: Any, frame: Frame = frame) -> list[list[float | int]]:
                return [
                    _list(inverse_rotate(frame.orientation, subtract(vec(p), frame.position)))
                    for p in points
                ]

            entry["moved"] = _lines(local(world.node_positions(handle)), 4)
            entry["pinned"] = _lines(world.pinned_nodes(handle).tolist(), 16)
            for key, value in (
                ("cut", world.cut_threads(handle)),
                ("cut_out", world.cut_elements(handle)),
            ):
                if len(value):
                    entry[key] = _lines(value.tolist(), 12)
            sewn = {
                body
                for soft, body in session.edits.sewn
                if soft == name and body in session.handles
            }
            held = {b: local(world.seams(handle, session.handles[b])) for b in sorted(sewn)}
            if held:
                entry["held"] = {**entry.get("held", {}), **held}


def _lines(values: list[Any], width: int) -> Any:
    """An array broken over lines, so that they stay short."""
    rows = [values[i : i + width] for i in range(0, len(values), width)]
    text = ",\n".join("    " + ", ".join(str(value) for value in row) for row in rows)
    return tomlkit.array(f"[\n{text},\n]" if len(rows) > 1 else f"[{text.strip()}]")


def _apart(a: Iterable[float], b: Iterable[float]) -> float:
    return float(max(abs(x - y) for x, y in zip(a, b, strict=True)))


def _number(value: float) -> float | int:
    rounded = round(float(value), _DIGITS)
    return int(rounded) if rounded.is_integer() else rounded


def _list(values: Iterable[float]) -> list[float | int]:
    return [_number(value) for value in values]
