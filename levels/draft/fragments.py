"""Some entries of a level on their own: what is copied, pasted, mirrored, and kept as a part.

A fragment is a level file without a ground: it can be read again, put into another level under new
names, or used there as a prefab.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import tomlkit

from levels.draft.changes import Change
from levels.draft.draft import Draft, Entries, Entry, Refused, fresh
from levels.draft.level_text import EditedTable, LevelText, item, plain
from levels.draft.shaping import change
from levels.draft.things import Things
from levels.frames import Vec
from levels.level import Level
from levels.plain_data import TomlTable, TomlValue
from levels.plan import Plan

SECTIONS = (
    "materials", "bodies", "particles", "props", "cloths", "joints", "zones", "winds", "assemblies",
)  # fmt: skip
_UNSEEN = ("materials", "winds", "assemblies")  # have no place of their own


@dataclass(frozen=True)
class Fragment:
    """Entries by section and name, as they are written."""

    entries: Mapping[Entry, TomlTable]
    title: str = ""
    about: str = ""

    def text(self) -> str:
        """As a level file."""
        lines = ["format = 1"]
        if self.title:
            lines.append(f"title = {tomlkit.string(self.title).as_string()}")
        if self.about:
            lines.append(f"description = {tomlkit.string(self.about).as_string()}")
        text = LevelText("\n".join(lines) + "\n")
        for (section, name), table in self.entries.items():
            text.add(section, name, table)
        return str(text)

    @property
    def chosen(self) -> Entries:
        return tuple(entry for entry in self.entries if entry[0] not in _UNSEEN)


def fragment_of(level: Level) -> Fragment:
    data = level.document.data
    entries = {
        (section, name): plain(table)
        for section in SECTIONS
        for name, table in data.get(section, {}).items()
        if isinstance(table, dict)
    }
    header = level.default.checked.header
    return Fragment(entries, header.title, header.description)


def taken(draft: Draft, things: Things, entries: Iterable[Entry]) -> Fragment:
    """A copy of entries, with the joints between them and the materials they name."""
    chosen = set(entries)
    members = things.all_members(chosen)
    plan, data = draft.level.default.plan, draft.level.document.data
    for section, name in things.entries:
        joints = [plan.joints[full] for full in things.joints(name)] if section == "joints" else []
        if joints and all(j.a in members and (j.b is None or j.b in members) for j in joints):
            chosen.add((section, name))
    for entry in list(chosen):
        material = _table(data, entry).get("material")
        if material in data.get("materials", {}):
            chosen.add(("materials", str(material)))
    names = {name for _, name in chosen}
    groups = draft.checked.assemblies
    chosen |= {("assemblies", name) for name, g in groups.items() if names.issuperset(g.parts)}
    order = [
        *(("materials", name) for name in data.get("materials", {})),
        *things.entries,
        *(("assemblies", name) for name in groups),
    ]
    return Fragment({entry: plain(_table(data, entry)) for entry in order if entry in chosen})


def _table(data: Mapping[str, TomlValue], entry: Entry) -> TomlTable:
    found = data.get(entry[0], {}).get(entry[1], {})
    return found if isinstance(found, dict) else {}


def put(draft: Draft, fragment: Fragment, label: str, wanted: Change | None = None) -> Entries:
    """Add a copy of a fragment under names that are free, changed as wanted; what was added."""
    names = _new_names(draft, fragment)
    added = tuple((section, names[section, name]) for section, name in fragment.entries)
    chosen = tuple(entry for entry in added if entry[0] not in _UNSEEN)

    def work(text: LevelText) -> None:
        for (section, name), table in fragment.entries.items():
            new = names[section, name]
            if section == "materials" and draft.has((section, new)):
                continue  # the same, from the copy before
            text.add(section, new, _renamed(table, names))

    draft.end_change()
    draft.edit(label, work, chosen, goes_on=True)
    if wanted is not None:
        try:
            change(draft, Things(draft.level), chosen, wanted, label, goes_on=True)
        except Refused:
            draft.cancel()
            raise
    draft.end_change()
    return chosen


def _new_names(draft: Draft, fragment: Fragment) -> dict[Entry, str]:
    """What has a place shares one room of names; materials that are the same are shared."""
    data = draft.level.document.data
    rooms: dict[str, set[str]] = {section: set(data.get(section, {})) for section in _UNSEEN}
    placed = {name for s in SECTIONS if s not in _UNSEEN for name in data.get(s, {})}
    placed |= set(data.get("templates", {}))
    names: dict[Entry, str] = {}
    for (section, name), table in fragment.entries.items():
        room = rooms.get(section, placed)
        if section == "materials" and plain(data.get(section, {}).get(name)) == table:
            names[section, name] = name
            continue
        names[section, name] = fresh(room, name)
        room.add(names[section, name])
    return names


def _renamed(table: Mapping[str, TomlValue], names: Mapping[Entry, str]) -> TomlTable:
    """References to entries of the fragment mean their copies."""
    known = {old: new for (section, old), new in names.items() if section not in _UNSEEN}
    known = {old: new for old, new in known.items() if old != new}
    materials = {old: new for (section, old), new in names.items() if section == "materials"}
    words = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    pattern = re.compile(rf"^({words})(?=$|\.)") if known else None

    def walk(part: TomlValue, key: str = "") -> TomlValue:
        if isinstance(part, dict):
            return {known.get(k, k) if key == "held" else k: walk(v, k) for k, v in part.items()}
        if isinstance(part, list):
            return [walk(v, key) for v in part]
        if not isinstance(part, str) or key not in _REFERENCES:
            return part
        if key == "material":
            return materials.get(part, part)
        return pattern.sub(lambda m: known[m[1]], part) if pattern is not None else part

    return {key: walk(value, key) for key, value in table.items()}


_REFERENCES = (
    "bodies", "at", "at_a", "at_b", "from", "to", "through", "never_touches", "zone", "material",
    "wheel_a", "wheel_b", "top", "bottom", "left", "right", "parts",
)  # fmt: skip


def duplicated(draft: Draft, things: Things, shift: Vec) -> Entries:
    """A copy of the selection beside it."""
    fragment = taken(draft, things, draft.selected)
    return put(draft, fragment, "duplicate", Change(shift=shift))


def mirrored(draft: Draft, things: Things, axis: int) -> Entries:
    """A mirrored copy of the selection on the other side of its highest edge."""
    box = things.box(draft.selected)
    if box is None:
        raise Refused("there is nothing to mirror")
    about = [0.0, 0.0, 0.0]
    about[axis] = box[1][axis]
    wanted = Change(about=(about[0], about[1], about[2]), mirror=axis)
    return put(draft, taken(draft, things, draft.selected), "mirror", wanted)


def _held_by(plan: Plan, end: TomlValue) -> str | None:
    """The body that a rope ends on, if it names one."""
    if not isinstance(end, str):
        return None
    return plan.find(end) or plan.find(end.rpartition(".")[0])


def _take_apart(draft: Draft, text: LevelText, names: set[str]) -> None:
    """Assemblies lose parts that are no longer there; those with less than two end."""
    for name, group in draft.checked.assemblies.items():
        left = [part for part in group.parts if part not in names]
        if len(left) == len(group.parts):
            continue
        if len(left) < 2:
            text.remove("assemblies", name)
        else:
            text.edit("assemblies", name, partial(_set_parts, left))


def _set_parts(parts: list[str], table: EditedTable) -> None:
    table["parts"] = item(parts)


def assembled(draft: Draft, entries: Entries) -> None:
    """From now on they are selected, moved and copied together."""
    names = [name for section, name in entries if section not in _UNSEEN]
    if len(names) < 2:
        raise Refused("select two things or more to group them")

    def work(text: LevelText) -> None:
        _take_apart(draft, text, set(names))
        taken_names = set(draft.level.document.data.get("assemblies", {}))
        text.add("assemblies", fresh(taken_names, "group"), {"parts": names})

    draft.edit("group", work)


def taken_apart(draft: Draft, entries: Entries) -> None:
    """Their groups end."""
    names = {name for _, name in entries}
    if not any(names & set(group.parts) for group in draft.checked.assemblies.values()):
        raise Refused("this is no group")
    draft.edit("ungroup", lambda text: _take_apart(draft, text, names))


def removed(draft: Draft, things: Things, entries: Entries) -> None:
    """Take entries out, with the joints that held them; what other files bring is listed as
    `removed`."""
    members = things.all_members(entries)
    plan = draft.level.default.plan
    gone = list(entries)
    for section, name in things.entries:
        if section == "joints" and (section, name) not in gone:
            joints = [plan.joints[full] for full in things.joints(name)]
            if any(j.a in members or j.b in members for j in joints):
                gone.append((section, name))
        elif section == "props" and (section, name) not in gone:
            ends = draft.level.document.data[section][name]
            if any(_held_by(plan, ends.get(key)) in members for key in ("from", "to")):
                gone.append((section, name))

    def work(text: LevelText) -> None:
        listed: list[str] = []
        _take_apart(draft, text, {name for _, name in gone})
        for section, name in gone:
            if text.has(section, name):
                text.remove(section, name)
            elif section == "zones":
                raise Refused(f'"{name}" comes from a file that this one includes')
            else:
                listed += things.members((section, name)) or things.joints(name)
        if listed:
            old = list(draft.checked.header.removed)
            text.edit_top(lambda top: top.__setitem__("removed", item([*old, *listed])))
        # what the level promises of a thing goes with it; what its goal asks does not
        text.drop_speaking("expect", [name for _, name in gone])

    try:
        draft.edit("delete", work, ())
    except Refused as reason:
        raise Refused(f"the level still speaks of it: {reason}") from None
