"""The reference page, in Markdown, from the models and registries that check level files.

Whatever a level may say is in it: keys with their defaults, names of the parts that props build,
functions, actions, and every word that may stand for a look or a sound.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from levels import level_tables, motion_tables, rule_tables, view_tables
from levels.actions import ACTIONS
from levels.appearance import COLORS, ORNAMENTS, PALETTES, PATTERNS, SOUNDS
from levels.arithmetic import ARITHMETIC, Function
from levels.document import Document
from levels.frames import Frame
from levels.functions import LIVE
from levels.key_names import KEYS
from levels.kinds import joint_models, shape_models, table_models
from levels.materials import MATERIALS
from levels.plain_data import TomlValue
from levels.planner import Planner
from levels.props import PROPS
from levels.repeat import Repeat
from levels.section_tables import LISTS, NAMED, SINGLE
from levels.source import Source
from levels.table_checks import Validator
from levels.values import Table

# what a prop needs to be built at all
NEEDED: Mapping[str, Mapping[str, TomlValue]] = {
    "cable": {"from": [0, 4, 0], "to": [4, 4, 0]},
    "chain": {"from": [0, 4, 0], "to": [4, 4, 0]},
    "rope": {"from": [0, 4, 0], "to": [4, 4, 0]},
    "cloth": {"size": [2, 2], "position": [0, 2, 0]},
    "solid": {"size": [2, 1, 1], "position": [0, 1, 0]},
}


def reference() -> str:
    """The whole page."""
    return "\n".join(_reference()).rstrip() + "\n"


def _reference() -> Iterator[str]:
    yield "# Level file reference"
    yield "\nMade by `sandbox schema --reference` from the checks themselves; do not edit."
    yield '\nEvery number may be arithmetic over the parameters: `mass = "=load * 2"`. Where a'
    yield "thing moves (motor speeds, servo targets, motion, wind) it may follow `time()` and every"
    yield "other function of conditions.\n"
    yield from _section("Top of the file", level_tables.Header)
    for name, model in SINGLE.items():
        yield from _section(f"[{name}]", model)
    yield from _section("[[look.scenery]]", view_tables.Scenery)
    for name, model in NAMED.items():
        yield from _section(f"[{name}.*]", model)
    yield from _section("repeat = { … }", Repeat)
    yield from _repeat()
    yield from _bodies()
    yield from _section("[joints.*]", level_tables.JointCommon)
    for name, joint in joint_models().items():
        yield from _section(f'kind = "{name}"', joint, beyond=level_tables.JointCommon)
    for name, table in table_models().items():
        yield from _section(f"{name} = {{ … }}", table)
    yield from _section("winch = { … }", level_tables.Winch)
    yield "## [props.*]\n"
    for name, entry in sorted(PROPS.items()):
        yield from _section(f'kind = "{name}"', entry.model)
        yield from _parts(name)
    yield from _section("win = { … }, lose = { … }", rule_tables.Condition)
    yield from _section("stars = { … }", rule_tables.Stars)
    for name, listed in LISTS.items():
        yield from _section(f"[[{name}]]", listed)
    yield from _functions("Arithmetic", ARITHMETIC)
    yield from _functions("Functions of conditions", LIVE)
    yield from _functions("Actions", ACTIONS)
    yield from _words()


def _repeat() -> Iterator[str]:
    yield "`repeat = 40` is short for `repeat = { count = 40 }`; a list of them nests. It may stand"
    yield "in bodies, particles, joints, props, cloths, zones, [[on]], [[expect]] and [[input]]."
    yield "Copies are called `plank.0`, `plank.1` …; `{i}` in a text is the number of the copy."
    yield '`[changed.bodies."plank.3"]` holds keys in which one copy differs.\n'


def _bodies() -> Iterator[str]:
    yield from _section("[bodies.*]", level_tables.Body)
    for name, shape in shape_models().items():
        yield from _section(f'shape = "{name}"', shape, beyond=level_tables.Body)
    yield from _section("parts = [{ … }]", level_tables.PartCommon)
    yield from _section("[bodies.*] with a prefab", level_tables.PrefabUse)
    yield from _section("motion = { … }", motion_tables.Motion)
    yield "## [templates.*]\n"
    yield "The keys of [bodies.*]. It is not there at first; `spawn` puts it in.\n"


def _section(title: str, model: type[Table], beyond: type[Table] | None = None) -> Iterator[str]:
    level = "###" if beyond or title.startswith("kind") else "##"
    yield f"{level} {title}\n\n{' '.join((model.__doc__ or '').split())}\n"
    known = set(beyond.model_fields) if beyond else set()
    fields = {k: v for k, v in model.model_fields.items() if k not in known and k != "shape"}
    if not fields:
        return
    yield "| key | default | |"
    yield "|---|---|---|"
    for name, info in fields.items():
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        default = _shown(extra.get("default", info.default))
        default = "required" if info.is_required() else default
        text = (info.description or "").replace("|", "\\|")
        yield f"| `{info.alias or name}` | {default} | {text} |"
    yield ""


def _shown(value: TomlValue) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(f"{entry:g}" for entry in value) + "]"
    return "{}" if value == {} else f"`{value}`"


def _functions(title: str, functions: Mapping[str, Function]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| | |"
    yield "|---|---|"
    for function in functions.values():
        yield f"| `{function.signature}` | {function.doc} |"
    yield ""


def _words() -> Iterator[str]:
    yield from _list("Built-in materials", sorted(MATERIALS))
    yield from _list("Colours", COLORS)
    yield from _list("Patterns", PATTERNS)
    yield from _list("Ornaments", ORNAMENTS)
    yield from _list("Palettes and skies", PALETTES)
    yield from _list("Sounds", SOUNDS)
    yield from _list("Keys", KEYS)


def _list(title: str, words: Iterable[str]) -> Iterator[str]:
    yield f"## {title}\n\n" + ", ".join(f"`{word}`" for word in words) + "\n"


# --- what props are made of ---------------------------------------------------------------------


def _parts(kind: str) -> Iterator[str]:
    """Names of the bodies and joints a prop builds, after its own name and a dot."""
    bodies, joints = parts_of(kind)
    if bodies:
        yield f"Parts: {_collected(bodies)}."
    if joints:
        yield f"Joints: {_collected(joints)}."
    yield ""


def parts_of(kind: str) -> tuple[list[str], list[str]]:
    """Bodies and joints of a prop with everything left as it is by default."""
    document = Document(Source(Path("reference"), ""))
    table = {"kind": kind, **NEEDED.get(kind, {})}
    document.data = {"format": 1, "props": {"it": table}}
    planner = Planner([])
    planner.add(Validator(document, document.data, planner.problems).run(), Frame())
    group = planner.plan.groups["it"]
    return [n.removeprefix("it.") for n in group.members], [
        n.removeprefix("it.") for n in group.joints
    ]


def _collected(names: list[str]) -> str:
    """`1`, `2`, `3` … are one entry: `1` … `19`."""
    series: dict[str, list[str]] = {}
    for name in names:
        series.setdefault(re.sub(r"\d+", "#", name), []).append(name)
    return ", ".join(
        f"`{found[0]}`" if len(found) == 1 else f"`{found[0]}` … `{found[-1]}`"
        for found in series.values()
    )
