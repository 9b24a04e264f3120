"""The JSON Schema of level files and the reference page, both made from models and registries.

Editors read the schema through the `#:schema level.schema.json` comment. Every number may also be
arithmetic, `"=load * 2"`, so numeric types are widened after pydantic has written them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.json_schema import models_json_schema

from levels import level_tables
from levels.actions import ACTIONS
from levels.functions import FUNCTIONS
from levels.kinds import joint_models, prop_models, shape_models, table_models
from levels.materials import MATERIALS
from levels.props import PROPS
from levels.values import Table

_TITLE = "Taut level"
_ARITHMETIC = {"type": "string", "pattern": "^=", "description": "Arithmetic over the parameters."}
_SINGLE: dict[str, type[Table]] = {
    "simulation": level_tables.Simulation,
    "goal": level_tables.Goal,
    "camera": level_tables.Camera,
    "look": level_tables.Look,
}
_NAMED: dict[str, type[Table]] = {
    "parameters": level_tables.Parameter,
    "materials": level_tables.Material,
    "particles": level_tables.Particle,
    "zones": level_tables.Zone,
}
_LISTS: dict[str, type[Table]] = {
    "on": level_tables.Trigger,
    "expect": level_tables.Expectation,
    "input": level_tables.Input,
}


def json_schema() -> dict[str, Any]:
    """The whole format as one JSON Schema (draft 2020-12)."""
    shapes, joints, props = shape_models(), joint_models(), prop_models()
    used: list[type[Table]] = [
        level_tables.Header, level_tables.PrefabUse,
        *_SINGLE.values(), *_NAMED.values(), *_LISTS.values(),
        *shapes.values(), *joints.values(), *props.values(),
    ]  # fmt: skip
    references, definitions = models_json_schema([(model, "validation") for model in used])
    refs = {model: references[model, "validation"] for model in used}
    defs = _widened(definitions["$defs"])
    header = defs.pop("Header")
    _fix_kinds(defs, refs, "shape", shapes)
    _fix_kinds(defs, refs, "kind", joints)
    _fix_kinds(defs, refs, "kind", props)
    defs["Parameter"] = {"anyOf": [{"type": "number"}, defs["Parameter"]]}
    properties = dict(header["properties"])
    properties.update({name: refs[model] for name, model in _SINGLE.items()})
    properties.update({name: _entries(refs[model]) for name, model in _NAMED.items()})
    properties.update(
        {name: {"type": "array", "items": refs[model]} for name, model in _LISTS.items()}
    )
    bodies = [refs[level_tables.PrefabUse], *(refs[model] for model in shapes.values())]
    properties["bodies"] = _entries({"oneOf": bodies})
    properties["joints"] = _entries({"oneOf": [refs[model] for model in joints.values()]})
    properties["props"] = _entries({"oneOf": [refs[model] for model in props.values()]})
    if "cloth" in props:
        properties["cloths"] = _entries(_without_kind(defs, refs[props["cloth"]]))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _TITLE,
        "type": "object",
        "required": ["format"],
        "additionalProperties": False,
        "properties": properties,
        "$defs": defs,
    }


def _entries(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": dict(schema)}


def _fix_kinds(
    defs: dict[str, Any], refs: Mapping[Any, Any], key: str, kinds: Mapping[str, type[Table]]
) -> None:
    """Each alternative names its own kind, so that editors can tell them apart."""
    for name, model in kinds.items():
        definition = defs[refs[model]["$ref"].rpartition("/")[2]]
        description = definition["properties"][key].get("description", "")
        definition["properties"][key] = {"const": name, "description": description}


def _without_kind(defs: Mapping[str, Any], reference: Mapping[str, Any]) -> dict[str, Any]:
    definition = dict(defs[reference["$ref"].rpartition("/")[2]])
    definition["required"] = [key for key in definition.get("required", ()) if key != "kind"]
    return definition


def _widened(node: Any) -> Any:
    """Numbers may be written as arithmetic; `null`, which TOML lacks, goes."""
    if isinstance(node, list):
        return [_widened(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    result = {key: _widened(value) for key, value in node.items()}
    if isinstance(result.get("anyOf"), list):
        result["anyOf"] = [entry for entry in result["anyOf"] if entry.get("type") != "null"]
    if result.get("default", 0) is None:
        del result["default"]
    if result.get("type") in ("number", "integer"):
        outer = {k: result.pop(k) for k in ("description", "default", "title") if k in result}
        return {**outer, "anyOf": [result, _ARITHMETIC]}
    return result


def reference() -> str:
    """The reference page in Markdown."""
    return "\n".join(_reference()).rstrip() + "\n"


def _reference() -> Iterator[str]:
    yield "# Level file reference"
    yield "\nMade by `sandbox schema --reference` from the checks themselves; do not edit."
    yield '\nEvery number may be arithmetic over the parameters: `mass = "=load * 2"`.\n'
    yield from _section("Top of the file", level_tables.Header)
    for name, model in _SINGLE.items():
        yield from _section(f"[{name}]", model)
    for name, model in _NAMED.items():
        yield from _section(f"[{name}.*]", model)
    yield from _section("[bodies.*]", level_tables.Body)
    for name, shape in shape_models().items():
        yield from _section(f'shape = "{name}"', shape, beyond=level_tables.Body)
    yield from _section("parts = [{ … }]", level_tables.PartCommon)
    yield from _section("[bodies.*] with a prefab", level_tables.PrefabUse)
    yield from _section("[joints.*]", level_tables.JointCommon)
    for name, joint in joint_models().items():
        yield from _section(f'kind = "{name}"', joint, beyond=level_tables.JointCommon)
    for name, table in table_models().items():
        yield from _section(f"{name} = {{ … }}", table)
    yield from _section("winch = { … }", level_tables.Winch)
    yield "## [props.*]\n"
    for name, entry in sorted(PROPS.items()):
        yield from _section(f'kind = "{name}"', entry.model)
    for name, listed in _LISTS.items():
        yield from _section(f"[[{name}]]", listed)
    yield from _functions("Functions of conditions", FUNCTIONS)
    yield from _functions("Actions", ACTIONS)
    yield "## Built-in materials\n\n" + ", ".join(f"`{name}`" for name in sorted(MATERIALS)) + "\n"


def _section(title: str, model: type[Table], beyond: type[Table] | None = None) -> Iterator[str]:
    level = "###" if beyond or title.startswith("kind") else "##"
    yield f"{level} {title}\n\n{(model.__doc__ or '').strip()}\n"
    known = set(beyond.model_fields) if beyond else set()
    fields = {k: v for k, v in model.model_fields.items() if k not in known and k != "shape"}
    if not fields:
        return
    yield "| key | default | |"
    yield "|---|---|---|"
    for name, info in fields.items():
        default = "required" if info.is_required() else _shown(info.default)
        text = (info.description or "").replace("|", "\\|")
        yield f"| `{info.alias or name}` | {default} | {text} |"
    yield ""


def _shown(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(f"{entry:g}" for entry in value) + "]"
    return f"`{value}`"


def _functions(title: str, functions: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| | |"
    yield "|---|---|"
    for function in functions.values():
        yield f"| `{function.signature}` | {function.doc} |"
    yield ""
