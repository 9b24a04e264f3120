"""The keys of an entry as an inspector shows them: kind of value, bounds, default, what it means.

They are read off the models that check level files, so that a key that is added there can be
edited here.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from levels.appearance import COLORS
from levels.draft.draft import Draft, Entry, Refused, fresh
from levels.draft.level_text import EditedTable, LevelText, item
from levels.draft.shaping import own
from levels.kinds import joint_models, prop_models, shape_models
from levels.level_tables import JointCommon, Particle, PrefabUse, Zone
from levels.materials import MATERIALS
from levels.plain_data import TomlTable, TomlValue
from levels.values import Table
from physics.definitions.body_keys import BODY_KEYS

Path = tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """One key; `path` has two parts where it is in a table within the entry, motor.speed."""

    path: Path
    kind: str  # number | flag | text | choice | color | vector | pair
    doc: str
    unit: str = ""
    default: TomlValue = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    required: bool = False
    size: int = 3  # of a vector

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def title(self) -> str:
        return _TITLES.get(self.name, self.name.replace("_", " "))


_TITLES = {"restitution": "bounce", "breaks_at": "breaks at", "max_force": "largest force"}


def _body_keys(heading: str) -> list[str]:
    """Keys of physics that are shown under a heading."""
    return [name for name, key in BODY_KEYS.items() if key.in_files and key.heading == heading]


# In this order, under these headings; what no heading names comes last, under "more".
HEADINGS: dict[str, tuple[str, ...]] = {
    "shape": (
        "shape", "size", "radius", "length", "rounding", "normal", "offset", "kind", "bodies",
        "rows", "columns", "segments", "links", "pieces", "count", "courses", "pose", "facing",
    ),
    "place": (
        "position", "origin", "center", "rotation", "orientation", "from", "to", "at", "at_a",
        "at_b", "axis", "wheel_a", "wheel_b",
    ),
    "stuff": (
        "material", "mass", "density", *_body_keys("stuff"), "segment_mass", "link_mass",
    ),
    "freedom": ("fixed", "locked", "limits", "swing_limit", "twist_limits", "pins"),
    "motor": ("motor",),
    "servo": ("servo",),
    "winch": ("winch",),
    "strength": (
        "breaks_at", "stiffness", "damper", "slack", "tension_only", "ratio", "pitch",
        "compliance", "damping", "axial_stiffness", "bend_stiffness", "young",
    ),
    "look": ("color", "pattern", "ornament", "gloss", "hidden", "label"),
    "motion": ("velocity", "angular_velocity", *_body_keys("motion"), "keyframed"),
}  # fmt: skip
_HIDDEN = ("moved", "pinned", "cut", "cut_out", "repeat", "frames", "motion", "parts", "points")


def model_of(draft: Draft, entry: Entry) -> type[Table]:
    """The model that checks an entry."""
    section, name = entry
    table = draft.level.document.data[section][name]
    if section == "bodies":
        return PrefabUse if "prefab" in table else shape_models()[table["shape"]]
    if section == "joints":
        return joint_models()[table["kind"]]
    if section == "props":
        return prop_models()[table["kind"]]
    if section == "cloths":
        return prop_models()["cloth"]
    return Zone if section == "zones" else Particle


def fields(draft: Draft, entry: Entry) -> dict[str, list[Field]]:
    """All that can be edited with a hand, under headings."""
    found = _fields(model_of(draft, entry))
    under: dict[str, list[Field]] = {}
    placed: set[Path] = set()
    for heading, names in HEADINGS.items():
        for name in names:
            own_fields = [f for f in found if f.path[0] == name]
            placed |= {f.path for f in own_fields}
            if own_fields:
                under.setdefault(heading, []).extend(own_fields)
    rest = [f for f in found if f.path not in placed]
    return {**under, "more": rest} if rest else under


@cache
def _fields(model: type[Table]) -> tuple[Field, ...]:
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    required = set(schema.get("required", ()))
    found: list[Field] = []
    for name, written in schema.get("properties", {}).items():
        if name in _HIDDEN or (name == "kind" and not issubclass(model, JointCommon)):
            continue
        inner = _reference(written, definitions)
        if inner is not None:
            for key, value in inner.get("properties", {}).items():
                made = _field((name, key), value, key in inner.get("required", ()))
                found += [made] if made is not None else []
            continue
        made = _field((name,), written, name in required)
        found += [made] if made is not None else []
    return tuple(found)


def _reference(written: TomlTable, definitions: TomlTable) -> TomlTable | None:
    for option in (written, *written.get("anyOf", ())):
        if "$ref" in option:
            return dict(definitions[option["$ref"].rpartition("/")[2]])
    return None


def _field(path: Path, written: TomlTable, required: bool) -> Field | None:
    options = [o for o in written.get("anyOf", ()) if o.get("type") != "null"]
    about = {
        **(options[0] if options else {}),
        **{k: v for k, v in written.items() if k != "anyOf"},
    }
    doc = str(written.get("description", ""))
    kind, choices, size = _kind(path, about, options)
    if kind is None:
        return None
    return Field(
        path,
        kind,
        doc,
        str(about.get("unit", "")),
        about.get("default"),
        about.get("minimum", about.get("exclusiveMinimum")),
        about.get("maximum", about.get("exclusiveMaximum")),
        choices,
        required,
        size,
    )


def _kind(
    path: Path, about: TomlTable, options: list[TomlTable]
) -> tuple[str | None, tuple[str, ...], int]:
    name = path[-1]
    if name == "shape":
        return "choice", tuple(s for s in shape_models() if s not in _UNDRAWN), 3
    if name == "kind":
        return "choice", tuple(joint_models()), 3
    if name in _ENDS and any(option.get("type") == "array" for option in options):
        return None, (), 3
    if name == "material":
        return "choice", tuple(MATERIALS), 3
    if about.get("examples") == sorted(COLORS):
        return "color", tuple(COLORS), 3
    if "enum" in about:
        return "choice", tuple(str(word) for word in about["enum"]), 3
    kind = about.get("type")
    if kind == "array":
        entries = about.get("items", {}).get("type")
        if entries != "number":
            return None, (), 3
        low, high = about.get("minItems"), about.get("maxItems", 3)
        return ("pair" if high == 2 and low == 2 else "vector"), (), int(high)
    known = {"number": "number", "integer": "number", "boolean": "flag", "string": "text"}
    return known.get(str(kind)), (), 3


_ENDS = ("from", "to")  # a body or a point: levels.draft.ends
_UNDRAWN = ("hull", "compound", "triangle_mesh", "height_field")  # need points, not a size


# --- reading and writing ------------------------------------------------------------------------


def value_of(draft: Draft, entry: Entry, path: Path) -> TomlValue:
    """What is written, formulas as text; None where nothing is."""
    found: TomlValue = draft.level.document.data[entry[0]][entry[1]]
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def shown_value(draft: Draft, entry: Entry, field: Field) -> TomlValue:
    """What holds: written, worked out, or the default."""
    written = value_of(draft, entry, field.path)
    if written is None:
        return field.default
    section, name = entry
    known = draft.checked.props if section == "cloths" else getattr(draft.checked, section, {})
    model: Any = known.get(name)
    for key in field.path:
        model = getattr(model, {"from": "from_"}.get(key, key), None)
    return written if model is None or isinstance(written, str) else model


def set_value(
    draft: Draft, entry: Entry, path: Path, value: TomlValue, *, goes_on: bool = True
) -> None:
    """Write one key; None takes it out, so that its default holds."""
    section, name = entry
    if value is None and path in (("shape",), ("kind",)):
        raise Refused(f'"{name}" must have a {path[0]}')
    if path == ("shape",):
        return _set_shape(draft, entry, str(value))
    if path == ("kind",) and section == "joints":
        return _set_kind(draft, entry, str(value))

    def work(table: EditedTable) -> None:
        holder = table
        if len(path) == 2:
            if path[0] not in table:
                table[path[0]] = item({})
            holder = table[path[0]]
        if value is None:
            if path[-1] in holder:
                holder.remove(path[-1])
        else:
            holder[path[-1]] = item(value)
        for other in _EXCLUSIVE.get(path[-1], ()) if len(path) == 1 and value is not None else ():
            if other in table:
                table.remove(other)

    def edit(text: LevelText) -> None:
        own(draft, text, entry)
        text.edit(section, name, work)

    return draft.edit(f"{path[-1]} of {name}", edit, goes_on=goes_on)


_EXCLUSIVE = {
    "mass": ("density",),
    "density": ("mass",),
    "rotation": ("orientation",),
    "orientation": ("rotation",),
    "position": ("origin",),
}


def remove_table(draft: Draft, entry: Entry, key: str) -> None:
    """A joint without its motor, a rope without its winch."""

    def edit(text: LevelText) -> None:
        own(draft, text, entry)
        text.edit(*entry, lambda table: table.remove(key))

    draft.edit(f"{key} of {entry[1]}", edit)


def add_table(draft: Draft, entry: Entry, key: str) -> None:
    """A motor, servo or winch with values to begin with."""
    start = {
        "motor": {"keys": "a/d", "speed": 2.0, "max_force": 500.0},
        "servo": {"target": 0.0, "stiffness": 1000.0, "damping": 100.0},
        "winch": {"keys": "w/s", "speed": 1.0},
    }[key]

    def edit(text: LevelText) -> None:
        own(draft, text, entry)
        text.edit(*entry, lambda table: table.__setitem__(key, item(start)))

    draft.edit(f"{key} of {entry[1]}", edit)


def _set_shape(draft: Draft, entry: Entry, shape: str) -> None:
    """Another shape of about the same size."""
    from levels.draft.sizing import own_box

    found = own_box(draft, entry)
    x, y, z = found[1] if found is not None else (0.4, 0.4, 0.4)
    wide = max(x, z)
    keys: dict[str, TomlTable] = {
        "box": {"size": [2 * x, 2 * y, 2 * z]},
        "sphere": {"radius": max(x, y, z)},
        "capsule": {"radius": wide, "length": max(2 * (y - wide), 0.2)},
        "cylinder": {"radius": wide, "length": 2 * y},
        "cone": {"radius": wide, "length": 2 * y},
        "plane": {"fixed": True},
    }
    every = {key for given in keys.values() for key in given} | {"points", "parts", "rounding"}

    def work(table: EditedTable) -> None:
        for key in every & set(table) - {"fixed"}:
            table.remove(key)
        table["shape"] = shape
        for key, value in keys.get(shape, {}).items():
            table[key] = item(value)

    def edit(text: LevelText) -> None:
        own(draft, text, entry)
        text.edit(*entry, work)

    draft.edit(f"shape of {entry[1]}", edit)


def _set_kind(draft: Draft, entry: Entry, kind: str) -> None:
    """Another joint at the same place; keys that it does not have go."""
    from levels.draft.connecting import joint_start

    old = dict(draft.level.document.data["joints"][entry[1]])
    at = draft.level.default.plan.joints.get(entry[1])
    known = {f.path[0] for f in _fields(joint_models()[kind])} | {"bodies", "kind"}
    made = {key: value for key, value in old.items() if key in known}
    made = {**joint_start(draft, kind, at), **made, "kind": kind}

    def edit(text: LevelText) -> None:
        text.remove(*entry) if text.has(*entry) else None
        text.add(*entry, made)

    draft.edit(f"kind of {entry[1]}", edit)


def rename(draft: Draft, entry: Entry, wanted: str) -> Entry:
    """Another name, everywhere the old one is spoken of."""
    section, name = entry
    if wanted == name:
        return entry
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", wanted):
        raise Refused('a name has letters, digits, "_" and "-" only')
    data = draft.level.document.data
    taken = {
        n for s in ("bodies", "particles", "props", "cloths", "joints") for n in data.get(s, {})
    }
    if wanted in taken or wanted in data.get(section, {}):
        raise Refused(f'there is already something called "{wanted}"')
    quoted = re.compile(rf"""(["'])({re.escape(name)})((?:\.[\w.{{}}+* -]+)?)\1""")
    heading = re.compile(
        rf"^(\s*\[+\s*{section}\s*\.\s*){re.escape(name)}(?=[\s.\]])", re.MULTILINE
    )

    def edit(text: LevelText) -> None:
        table = text.read(section, name) if not text.has(section, name) else None
        if table is not None:
            raise Refused(f'"{name}" comes from a file that this one includes')
        new = heading.sub(lambda m: m[1] + wanted, str(text))
        new = quoted.sub(lambda m: f"{m[1]}{wanted}{m[3]}{m[1]}", new)
        text.replace(new)

    draft.edit("rename", edit, tuple((s, wanted if n == name else n) for s, n in draft.selected))
    return section, wanted


def new_name(draft: Draft, wanted: str) -> str:
    """One that nothing has yet."""
    data = draft.level.document.data
    sections = ("bodies", "particles", "props", "cloths", "joints", "zones", "templates")
    return fresh({name for section in sections for name in data.get(section, {})}, wanted)
