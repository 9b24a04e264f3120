"""The JSON Schema of level files, made from models and registries.

Editors read the schema through the `#:schema level.schema.json` comment. Every number may also be
arithmetic, `"=load * 2"`, so numeric types are widened after pydantic has written them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic.json_schema import models_json_schema

from levels import level_tables
from levels.kinds import joint_models, prop_models, shape_models
from levels.repeat import Repeat
from levels.section_tables import LISTS, NAMED, SINGLE
from levels.values import Table

_TITLE = "Taut level"
_ARITHMETIC = {"type": "string", "pattern": "^=", "description": "Arithmetic over the parameters."}


def json_schema() -> dict[str, Any]:
    """The whole format as one JSON Schema (draft 2020-12)."""
    shapes, joints, props = shape_models(), joint_models(), prop_models()
    used: list[type[Table]] = [
        level_tables.Header, level_tables.PrefabUse, Repeat,
        *SINGLE.values(), *NAMED.values(), *LISTS.values(),
        *shapes.values(), *joints.values(), *props.values(),
    ]  # fmt: skip
    references, definitions = models_json_schema([(model, "validation") for model in used])
    refs = {model: references[model, "validation"] for model in used}
    defs = _widened(definitions["$defs"])
    header = defs.pop("Header")
    _fix_kinds(defs, refs, "shape", shapes)
    _fix_kinds(defs, refs, "kind", joints)
    _fix_kinds(defs, refs, "kind", props)
    _add_repeat(defs, refs, [*shapes.values(), *joints.values(), *props.values()])
    for name in ("Parameter", "Counter"):
        defs[name] = {"anyOf": [{"type": "number"}, defs[name]]}
    properties = dict(header["properties"])
    properties.update({name: refs[model] for name, model in SINGLE.items()})
    properties.update({name: _entries(refs[model]) for name, model in NAMED.items()})
    properties.update(
        {name: {"type": "array", "items": refs[model]} for name, model in LISTS.items()}
    )
    bodies = [refs[level_tables.PrefabUse], *(refs[model] for model in shapes.values())]
    properties["bodies"] = _entries({"oneOf": bodies})
    properties["templates"] = _entries({"oneOf": bodies})
    properties["changed"] = {"type": "object", "description": "What is different about copies."}
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


def _add_repeat(
    defs: dict[str, Any], refs: Mapping[Any, Any], models: Iterable[type[Table]]
) -> None:
    """Entries that can be there many times."""
    several = [level_tables.PrefabUse, level_tables.Particle, level_tables.Zone, *LISTS.values()]
    one = refs[Repeat]
    count = {"anyOf": [{"type": "integer"}, _ARITHMETIC]}
    written = {
        "description": "How often the entry is there: a number, a table, or a list of them.",
        "anyOf": [*count["anyOf"], one, {"type": "array", "items": {"anyOf": [count, one]}}],
    }
    for model in (*models, *several):
        defs[refs[model]["$ref"].rpartition("/")[2]]["properties"]["repeat"] = written


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
