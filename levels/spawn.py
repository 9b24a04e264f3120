"""A body made while the level runs, from the same table a level file would have for it."""

from pathlib import Path
from typing import Any

from levels.assemble import Assembler
from levels.build import Assembly, add_planned_body
from levels.document import Document
from levels.frames import Frame
from levels.problems import Problem
from levels.source import Source
from levels.validation import Validator
from physics import Handle


def plan_body(built: Assembly, name: str, table: dict[str, Any]) -> Handle:
    """Check the table, add the body to the running world; ValueError says what is wrong."""
    problems: list[Problem] = []
    document = Document(Source(Path("spawn"), ""))
    document.data = {
        "format": 1,
        "dimension": int(built.world.dimension),
        "bodies": {name: table},
    }
    checked = Validator(document, document.data, problems).run()
    assembler = Assembler(problems)
    assembler.plan.collision_groups = built.plan.collision_groups
    assembler.assemble(checked, Frame())
    if problems or name not in assembler.plan.bodies:
        raise ValueError("; ".join(problem.message for problem in problems))
    body = assembler.plan.bodies[name]
    built.plan.bodies[name] = body
    return add_planned_body(built, body)
