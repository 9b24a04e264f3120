"""Things that are not there at first: a player or a trigger puts them in while the level runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from levels.document import Document
from levels.frames import Frame
from levels.plain_data import TomlTable, TomlValue
from levels.plan import Plan
from levels.planner import Planner
from levels.problems import EnoughProblems, Problem, errors
from levels.source import Source
from levels.table_checks import Checked, Validator


@dataclass(frozen=True)
class Library:
    """What a table may refer to: the level's templates, prefabs and materials."""

    templates: Mapping[str, TomlTable] = field(default_factory=dict)
    prefabs: Mapping[str, Document] = field(default_factory=dict)
    materials: Mapping[str, TomlValue] = field(default_factory=dict)

    @classmethod
    def of(cls, checked: Checked) -> Library:
        known = {name: checked.data["templates"][name] for name in checked.templates}
        return cls(known, checked.document.prefabs, checked.data.get("materials", {}))


def plan_thing(plan: Plan, dimension: int, name: str, table: TomlTable, library: Library) -> Plan:
    """What a table under [bodies.name] would add to the plan; ValueError says what is wrong."""
    problems: list[Problem] = []
    document = Document(Source(Path("spawn"), ""), prefabs=dict(library.prefabs))
    document.data = {
        "format": 1,
        "dimension": dimension,
        "materials": dict(library.materials),
        "bodies": {name: table},
    }
    checked = Validator(document, document.data, problems).run()
    planner = Planner(problems)
    planner.plan.collision_groups = dict(plan.collision_groups)
    with suppress(EnoughProblems):
        planner.add(checked, Frame())
    found = planner.plan
    wrong = list(errors(problems))
    if wrong or not (found.bodies or found.particles or found.softs):
        raise ValueError("; ".join(problem.message for problem in wrong) or "it is empty")
    return found


def template_problems(checked: Checked) -> Iterator[Problem]:
    """Every template is planned once, so that no trigger can fail later."""
    library = Library.of(checked)
    for name, model in checked.templates.items():
        place = checked.document.place("templates", name)
        if getattr(model, "motion", None) is not None:
            hint = "put it in at the start, under [bodies.*]"
            yield Problem("what is spawned cannot have motion", place.child("motion"), hint)
        try:
            plan_thing(Plan(), checked.header.dimension, name, library.templates[name], library)
        except ValueError as error:
            yield Problem(f'template "{name}": {error}', place.key())
