"""A document's data against the models: every problem found, each with its place.

pydantic checks; this file chooses the model of each entry and turns pydantic's findings into
sentences for the level's author.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from levels import level_tables, motion_tables, rule_tables, section_tables, view_tables
from levels.assemblies import Assembly
from levels.caps import MAX_ITEMS, MAX_RULES
from levels.document import LISTED, NAMED, SECTIONS, TABLES, Document
from levels.kinds import joint_models, prop_models, shape_models
from levels.plain_data import GivenValues, TomlTable, TomlValue
from levels.problems import Place, Problem, did_you_mean, listing
from levels.props import PropTable
from levels.resolve import REPEATED, Resolved, Written, resolve
from levels.values import Table, describe, number_hint

T = TypeVar("T", bound=Table)
REPEATS = (*REPEATED, *LISTED)  # sections whose entries may say `repeat`


@dataclass
class Checked:
    """A document's entries that have passed their models."""

    document: Document
    header: level_tables.Header
    simulation: level_tables.Simulation = field(default_factory=level_tables.Simulation)
    goal: rule_tables.Goal = field(default_factory=rule_tables.Goal)
    camera: view_tables.Camera = field(default_factory=view_tables.Camera)
    look: view_tables.Look = field(default_factory=view_tables.Look)
    parameters: dict[str, level_tables.Parameter] = field(default_factory=dict)
    materials: dict[str, level_tables.Material] = field(default_factory=dict)
    bodies: dict[str, level_tables.Body | level_tables.PrefabUse] = field(default_factory=dict)
    particles: dict[str, level_tables.Particle] = field(default_factory=dict)
    joints: dict[str, level_tables.JointCommon] = field(default_factory=dict)
    props: dict[str, PropTable] = field(default_factory=dict)
    zones: dict[str, level_tables.Zone] = field(default_factory=dict)
    winds: dict[str, motion_tables.Wind] = field(default_factory=dict)
    templates: dict[str, level_tables.Body | level_tables.PrefabUse] = field(default_factory=dict)
    counters: dict[str, motion_tables.Counter] = field(default_factory=dict)
    assemblies: dict[str, Assembly] = field(default_factory=dict)
    on: list[rule_tables.Trigger] = field(default_factory=list)
    expect: list[rule_tables.Expectation] = field(default_factory=list)
    input: list[rule_tables.Input] = field(default_factory=list)
    cloths: set[str] = field(default_factory=set)  # names of the props that are in [cloths]
    families: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # of repeated entries
    programs: list[Written] = field(default_factory=list)
    doubtful: set[str] = field(default_factory=set)  # names of entries that did not pass
    data: TomlTable = field(default_factory=dict)  # as resolved, before the models
    numbers: dict[str, list[int]] = field(default_factory=dict)  # of listed entries, as written

    def place(self, section: str, i: int) -> Place:
        """Where the i-th entry of a list that has passed is written."""
        return self.document.place(section, self.numbers[section][i])


def checked_document(
    document: Document,
    values: Mapping[str, float],
    problems: list[Problem],
    settings: GivenValues | None = None,
) -> Checked:
    """A document with those parameters, copied out and checked; problems are collected."""
    resolved = resolve(document, values, problems)
    if settings:
        written = resolved.data.get("simulation")
        known = written if isinstance(written, dict) else {}
        resolved.data["simulation"] = {**known, **settings}
    return Validator(resolved.document, resolved.data, problems, resolved).run()


class Validator:
    """Checks one document; problems are collected in `problems`."""

    def __init__(
        self,
        document: Document,
        data: TomlTable,
        problems: list[Problem],
        resolved: Resolved | None = None,
    ) -> None:
        self.document = document
        self.data = data
        self.problems = problems
        self.resolved = resolved or Resolved(document, data)
        self.bases = {  # of every copy: the name that is written
            (section, name): base
            for (section, base), family in self.resolved.families.items()
            for name in family
        }
        self.context = {"dimension": data.get("dimension", 3)}

    def run(self) -> Checked:
        """What has passed; the rest is in `problems`, its names in `doubtful`."""
        header = self._header()
        checked = Checked(self.document, header or level_tables.Header(format=1))
        checked.doubtful |= self.resolved.doubtful
        for section in TABLES:
            self._table(section, checked)
        for section in LISTED:
            self._list(section, checked)
        for section in NAMED:
            self._entries(section, checked)
        checked.data = self.data
        checked.families = dict(self.resolved.families)
        checked.programs = list(self.resolved.programs)
        return checked

    def _header(self) -> level_tables.Header | None:
        plain = {key: value for key, value in self.data.items() if key not in SECTIONS}
        if "format" not in plain:
            self._add(
                "the level does not say its format", Place(self.document.source), "add `format = 1`"
            )
            plain["format"] = 1
        header = self._check(level_tables.Header, plain, (), "the top of the file", SECTIONS)
        return header

    def _table(self, section: str, checked: Checked) -> None:
        if section in self.data:
            model = section_tables.SINGLE[section]
            found = self._check(model, self.data[section], (section,), f"[{section}]")
            if found is not None:
                setattr(checked, section, found)

    def _list(self, section: str, checked: Checked) -> None:
        entries = self.data.get(section, [])
        if not isinstance(entries, list):
            self._misshapen(f"[{section}] must be a list of tables", f"[[{section}]]", section)
            return
        if len(entries) > MAX_RULES:
            place = self.document.place(section, MAX_RULES)
            self._add(f"{len(entries)} [[{section}]] entries; {MAX_RULES} are allowed", place)
            return
        for i, entry in enumerate(entries):
            found = self._check(
                section_tables.LISTS[section], entry, (section, i), f"[[{section}]]"
            )
            if found is not None:
                getattr(checked, section).append(found)
                checked.numbers.setdefault(section, []).append(i)

    def _misshapen(self, message: str, example: str, *keys: str) -> None:
        self._add(message, self.document.place(*keys), f"write {example}")

    def _entries(self, section: str, checked: Checked) -> None:
        entries = self.data.get(section, {})
        if not isinstance(entries, dict):
            self._misshapen(f"[{section}] must hold named tables", f"[{section}.name]", section)
            return
        if len(entries) > MAX_ITEMS:
            self._add(
                f"{len(entries):,} entries in [{section}]; {MAX_ITEMS:,} are allowed",
                self.document.place(section),
            )
            return
        target = getattr(checked, "props" if section == "cloths" else section)
        wrong: set[str] = set()  # names of which one copy did not pass: one message is enough
        for name, entry in entries.items():
            base = self.bases.get((section, name))
            found = None if base in wrong else self._entry(section, name, entry)
            if found is None:
                checked.doubtful.add(name)
                wrong |= {base} if base is not None else set()
            else:
                target[name] = found
                checked.cloths |= {name} if section == "cloths" else set()

    def _entry(self, section: str, name: str, entry: TomlValue) -> Any:
        keys = (section, name)
        if not _good_name(self.bases.get(keys, name)):
            self._add(
                f'"{name}" cannot be a name: letters, digits, "_" and "-" only',
                self.document.place(*keys).key(),
            )
            return None
        what = f'{_SINGULAR[section]} "{name}"'
        if section in section_tables.NAMED:
            return self._check(section_tables.NAMED[section], entry, keys, what)
        if not isinstance(entry, dict):
            said = f"{what} must be a table, not {describe(entry)}"
            return self._misshapen(said, f"[{section}.{name}]", *keys)
        if section in ("bodies", "templates"):
            return self._body(entry, keys, what)
        if section == "joints":
            return self._of_kind("kind", "joint kind", joint_models(), entry, keys, what)
        if section == "cloths":
            entry = {"kind": "cloth", **entry}
        return self._of_kind("kind", "prop kind", prop_models(), entry, keys, what)

    def _body(self, entry: TomlTable, keys: tuple[str, str], what: str) -> Any:
        if "prefab" in entry:
            return self._check(level_tables.PrefabUse, entry, keys, what)
        return self._of_kind("shape", "shape", shape_models(), entry, keys, what)

    def _of_kind(
        self,
        key: str,
        noun: str,
        known: Mapping[str, type[T]],
        entry: TomlTable,
        keys: tuple[str, str],
        what: str,
    ) -> T | None:
        """The entry says by `key` which model it follows."""
        plural = "shapes" if key == "shape" else "kinds"
        kind = entry.get(key)
        if kind is None:
            place = self.document.place(*keys).key()
            self._add(f'{what} has no "{key}"', place, note=f"known {plural}: {listing(known, 40)}")
            return None
        place = self.document.place(*keys, key)
        if not isinstance(kind, str):
            self._add(f'"{key}" must be text, not {describe(kind)}', place)
            return None
        if kind not in known:
            note = f"known {plural}: {listing(known, 40)}"
            self._add(f'unknown {noun} "{kind}"', place, did_you_mean(kind, known), note)
            return None
        suffix = noun.removesuffix("shape").removesuffix("kind").rstrip()
        return self._check(known[kind], entry, keys, what, kind=f"a {kind} {suffix}".rstrip())

    def _check(
        self,
        model: type[T],
        value: TomlValue,
        keys: tuple[str | int, ...],
        what: str,
        also_known: Iterable[str] = (),
        kind: str = "",
    ) -> T | None:
        if keys and keys[0] in REPEATS:
            also_known = ("repeat",)
        try:
            return model.model_validate(value, context=self.context)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                place = self.document.place(*keys, *detail["loc"])
                at_top = also_known if len(detail["loc"]) == 1 else ()
                self.problems.append(translate(detail, place, model, what, at_top, kind))
        except RecursionError:
            self._add("the table is nested too deeply", self.document.place(*keys))
        return None

    def _add(self, message: str, place: Place, hint: str = "", note: str = "") -> None:
        self.problems.append(Problem(message, place, hint, note))


_SINGULAR = {
    "parameters": "parameter",
    "materials": "material",
    "bodies": "body",
    "particles": "particle",
    "joints": "joint",
    "props": "prop",
    "cloths": "cloth",
    "zones": "zone",
    "winds": "wind",
    "templates": "template",
    "counters": "counter",
    "assemblies": "assembly",
}


def _good_name(name: str) -> bool:
    return 0 < len(name) <= 60 and all(c.isalnum() or c in "_-" for c in name)


def keys_of(model: type[Table]) -> list[str]:
    return [info.alias or name for name, info in model.model_fields.items()]


def translate(
    detail: ErrorDetails,
    place: Place,
    model: type[Table],
    what: str,
    also_known: Iterable[str],
    kind: str,
) -> Problem:
    """One finding of pydantic as a Problem."""
    loc = detail["loc"]
    key = _written(loc)
    context = detail.get("ctx", {})
    if detail["type"] == "missing":
        doc = _description(model, loc)
        return Problem(f"{what} has no {key}", Place(place.source, place.keys[:-1]).key(), doc)
    if detail["type"] == "extra_forbidden":
        return _unknown_key(loc, place, model, what, also_known, kind)
    if detail["type"] == "level":
        text = str(context["text"]).replace("{key}", key)
        key_in_table = str(context["key"])
        message = text if loc and not key_in_table else f"{what}: {text}"
        where = place.child(key_in_table) if key_in_table else place if loc else place.key()
        return Problem(message, where, str(context["hint"]), str(context["note"]))
    sentence = _SENTENCES.get(detail["type"])
    if sentence:
        told = sentence(key if loc else what, context, detail["input"])
        return Problem(told, place, _meant(detail, model), _inside(detail, model, key))
    return Problem(f"{key if loc else what}: {detail['msg']}", place)


def _meant(detail: ErrorDetails, model: type[Table]) -> str:
    """What to write instead, where that can be guessed."""
    if detail["type"] == "float_type":
        return number_hint(detail["input"])
    key = str(detail["loc"][-1]) if detail["loc"] else ""
    if detail["type"] == "string_type" and key == "color":
        return 'the name of a colour, or "#rrggbb"'
    return ""


def _inside(detail: ErrorDetails, model: type[Table], key: str) -> str:
    """The keys of a table that something else was written for."""
    inner = _inner_model(model, detail["loc"])
    if detail["type"] not in ("model_type", "dict_type") or inner is None or not detail["loc"]:
        return ""
    return f"keys of {key}: {listing(keys_of(inner), 60)}"


def _unknown_key(
    loc: tuple[int | str, ...],
    place: Place,
    model: type[Table],
    what: str,
    also_known: Iterable[str],
    kind: str,
) -> Problem:
    inner = _inner_model(model, loc[:-1])
    known = [*(keys_of(inner) if inner else ()), *also_known]
    word = str(loc[-1])
    owner = kind if kind and len(loc) == 1 else what if len(loc) == 1 else f'"{loc[-2]}"'
    note = f"keys of {owner}: {listing(known, 60)}"
    return Problem(f'unknown key "{word}"', place.key(), did_you_mean(word, known), note)


def _inner_model(model: type[Table], loc: tuple[int | str, ...]) -> type[Table] | None:
    """The model of a table inside a table, through Optional and lists."""
    for key in loc:
        if isinstance(key, int):
            continue
        found = _field(model, key)
        nested = _table_in(found.annotation) if found else None
        if nested is None:
            return None
        model = nested
    return model


def _table_in(annotation: Any) -> type[Table] | None:
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _table_in(argument)
        if found:
            return found
    return None


def _field(model: type[Table], key: str) -> Any:
    for name, info in model.model_fields.items():
        if key in (name, info.alias):
            return info
    return None


def _description(model: type[Table], loc: tuple[int | str, ...]) -> str:
    inner = _inner_model(model, loc[:-1])
    found = _field(inner, str(loc[-1])) if inner else None
    return found.description or "" if found else ""


def _written(loc: tuple[int | str, ...]) -> str:
    names = ".".join(str(part) for part in loc if not isinstance(part, int))
    if loc and isinstance(loc[-1], int):
        return f'entry {loc[-1] + 1} of "{names}"'
    return f'"{names}"'


def _must(what: str) -> Callable[[str, Any, Any], str]:
    return lambda key, _, value: f"{key} must be {what}, not {describe(value)}"


def _bound(words: str, name: str) -> Callable[[str, Any, Any], str]:
    return lambda key, context, value: (
        f"{key} must be {words} {_digits(context[name])}, not {_digits(value)}"
    )


def _digits(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _count(words: str, name: str) -> Callable[[str, Any, Any], str]:
    return lambda key, context, _: (
        f"{key} must have {words} {context[name]} entries, not {context['actual_length']}"
    )


_SENTENCES: dict[str, Callable[[str, Any, Any], str]] = {
    "float_type": _must("a number"),
    "int_type": _must("a whole number"),
    "int_from_float": _must("a whole number"),
    "string_type": _must("text in quotes"),
    "bool_type": _must("true or false"),
    "list_type": _must("a list"),
    "dict_type": _must("a table { … }"),
    "model_type": _must("a table { … }"),
    "finite_number": lambda key, _, value: f"{key} must be a finite number, not {value}",
    "greater_than": _bound("greater than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than": _bound("less than", "lt"),
    "less_than_equal": _bound("at most", "le"),
    "too_short": _count("at least", "min_length"),
    "too_long": _count("at most", "max_length"),
    "string_too_short": lambda key, _, __: f"{key} is empty",
    "string_too_long": lambda key, context, value: (
        f"{key} has {len(value)} characters; {context['max_length']} are allowed"
    ),
    "literal_error": lambda key, context, value: (
        f"{key} must be {context['expected']}, not {describe(value).removeprefix('the number ')}"
    ),
}
