"""What a player does to a level besides playing it: cut, delete, pin, join, sew, spawn.

What was made by hand is remembered, so that it can be made again in a rebuilt world and saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from levels.build import add_planned_body
from levels.commands import Join
from levels.document import Document
from levels.frames import Frame, vec
from levels.name_table import NameTable
from levels.plan import Plan, PlannedBody
from levels.planner import Planner
from levels.problems import Problem
from levels.source import Source
from levels.table_checks import Validator

Point = Sequence[float]


class Edits:
    """The tools, and what they have added."""

    def __init__(self, names: NameTable) -> None:
        self._names = names
        self.spawned: dict[str, dict[str, Any]] = {}  # bodies: the tables they were made from
        self.joined: list[Join] = []
        self.sewn: list[tuple[str, str]] = []  # cloths and solids, and bodies sewn to them

    def save(self) -> dict[str, Any]:
        return {
            "spawned": dict(self.spawned),
            "joined": list(self.joined),
            "sewn": list(self.sewn),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.spawned = dict(saved["spawned"])
        self.joined = list(saved["joined"])
        self.sewn = list(saved["sewn"])

    def cut(self, name: str) -> None:
        """Remove a joint, or all joints of a prop."""
        for joint in self._names.joints_there(name):
            self._names.remove_joint(joint)

    def slit(self, name: str, a: Point, b: Point, along: Point) -> None:
        """Cut a cloth between two points, along a line of sight."""
        self._names.world.cut(self._names.soft_handle(name), vec(a), vec(b), vec(along))

    def delete(self, name: str) -> None:
        """Remove a body with the joints that hold it, or a cloth or solid."""
        names = self._names
        if name in names.softs:
            names.remove_soft(name)
            return
        handle = names.handle(name)
        full = next(other for other, own in names.handles.items() if own == handle)
        names.gone |= names.remove_body(full)

    def pin(self, name: str, point: Point | None = None) -> None:
        """Fix a body to the world where it is, or the node of a cloth or solid that is nearest to
        a point; a second time lets it go."""
        names = self._names
        if name in names.softs:
            if point is None:
                raise ValueError(f'"{name}" is soft: say at which point to pin it')
            names.world.pin_near(names.softs[name], vec(point))
            return
        joint = f"{name}.pin".replace(".", "_")
        if joint in names.joints:
            self.cut(joint)
            return
        handle = names.handle(name)
        kind = "ball" if names.world.is_particle(handle) else "fixed"
        self.join(Join(joint, kind, name, "", {"at": vec(names.world.position(handle))}))

    def join(self, made: Join) -> None:
        """A joint added by a tool."""
        names = self._names
        if made.name in names.joints:
            raise ValueError(f'there is already a joint "{made.name}"')
        other = names.handle(made.b) if made.b else None
        names.joints[made.name] = names.world.add_joint(
            made.kind, names.handle(made.a), other, name=made.name, **made.parameters
        )
        names.gone.discard(made.name)
        self.joined = [*(joint for joint in self.joined if joint.name != made.name), made]

    def sew(self, name: str, body: str, point: Point) -> None:
        """Hold the point of a cloth or solid that is nearest to a point to a body."""
        names = self._names
        names.world.attach_points(names.soft_handle(name), [vec(point)], names.handle(body))
        if (name, body) not in self.sewn:
            self.sewn.append((name, body))

    def spawn(self, name: str, table: dict[str, Any]) -> None:
        """A body from the table a level file would have for it."""
        names = self._names
        if name in names.handles:
            raise ValueError(f'there is already a body "{name}"')
        plan = names.plan.copy()
        body = _plan_body(plan, names.world.dimension, name, table)
        names.set_plan(plan)
        add_planned_body(names, body)
        self.spawned[name] = dict(table)


def _plan_body(plan: Plan, dimension: int, name: str, table: dict[str, Any]) -> PlannedBody:
    """Add the body a table describes to the plan; ValueError says what is wrong with it."""
    problems: list[Problem] = []
    document = Document(Source(Path("spawn"), ""))
    document.data = {
        "format": 1,
        "dimension": dimension,
        "bodies": {name: table},
    }
    checked = Validator(document, document.data, problems).run()
    planner = Planner(problems)
    planner.plan.collision_groups = plan.collision_groups
    planner.add(checked, Frame())
    if problems or name not in planner.plan.bodies:
        raise ValueError("; ".join(problem.message for problem in problems))
    plan.bodies[name] = planner.plan.bodies[name]
    return plan.bodies[name]
