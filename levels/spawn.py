"""A body made while the level runs, from the same table a level file would have for it."""

from pathlib import Path
from typing import Any

from levels.assemble import Assembler
from levels.document import Document
from levels.frames import Frame
from levels.plan import Plan, PlannedBody
from levels.problems import Problem
from levels.source import Source
from levels.validation import Validator


def plan_body(plan: Plan, dimension: int, name: str, table: dict[str, Any]) -> PlannedBody:
    """Add the body a table describes to the plan; ValueError says what is wrong with it."""
    problems: list[Problem] = []
    document = Document(Source(Path("spawn"), ""))
    document.data = {
        "format": 1,
        "dimension": dimension,
        "bodies": {name: table},
    }
    checked = Validator(document, document.data, problems).run()
    assembler = Assembler(problems)
    assembler.plan.collision_groups = plan.collision_groups
    assembler.assemble(checked, Frame())
    if problems or name not in assembler.plan.bodies:
        raise ValueError("; ".join(problem.message for problem in problems))
    plan.bodies[name] = assembler.plan.bodies[name]
    return plan.bodies[name]
