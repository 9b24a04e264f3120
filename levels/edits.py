"""What a player does to a level besides playing it: cut, delete, pin, join, sew, spawn.

What was made by hand is remembered, so that it can be made again in a rebuilt world and saved.
"""

from __future__ import annotations

from collections.abc import Sequence

from levels.build import add_to_world
from levels.caps import MAX_SPAWNED
from levels.commands import Join
from levels.frames import vec
from levels.name_table import NameTable
from levels.plain_data import TomlTable
from levels.templates import Library, plan_thing
from physics.snapshot import Saved

Point = Sequence[float]


class Edits:
    """The tools, and what they have added."""

    def __init__(self, names: NameTable, library: Library | None = None) -> None:
        self._names = names
        self._library = library or Library()
        self.spawned: dict[str, TomlTable] = {}  # things: the tables they were made from
        self.templates: dict[str, str] = {}  # which of them come from which template
        self.count = 0  # of things from templates so far, for their names
        self.joined: list[Join] = []
        self.sewn: list[tuple[str, str]] = []  # cloths and solids, and bodies sewn to them

    def save(self) -> Saved:
        return {
            "spawned": dict(self.spawned),
            "templates": dict(self.templates),
            "count": self.count,
            "joined": list(self.joined),
            "sewn": list(self.sewn),
        }

    def restore(self, saved: Saved) -> None:
        self.spawned = dict(saved["spawned"])
        self.templates = dict(saved["templates"])
        self.count = saved["count"]
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

    def remove(self, name: str) -> None:
        """Take out a body, cloth or solid, or every part of a prop, prefab or family."""
        names = self._names
        group = names.group(name)
        if group is None:
            self.delete(name)
            return
        for member in [member for member in group.members if member in names.handles]:
            self.delete(member)
        if name in names.softs:
            names.remove_soft(name)

    def weld(self, a: str, b: str) -> None:
        """Join two bodies rigidly as they are, once."""
        names = self._names
        name = f"weld_{a}_{b}".replace(".", "_")
        if name not in names.joints:
            at = vec((names.position(a) + names.position(b)) / 2)
            particle = any(names.world.is_particle(names.handle(end)) for end in (a, b))
            self.join(Join(name, "ball" if particle else "fixed", a, b, {"at": at}))

    def is_pinned(self, name: str) -> bool:
        """Is a body held by `pin`?"""
        return _pin_name(name) in self._names.joints

    def pin(self, name: str, point: Point | None = None) -> None:
        """Fix a body to the world where it is, or the node of a cloth or solid that is nearest to
        a point; a second time lets it go."""
        names = self._names
        if name in names.softs:
            if point is None:
                raise ValueError(f'"{name}" is soft: say at which point to pin it')
            names.world.pin_near(names.softs[name], vec(point))
            return
        joint = _pin_name(name)
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

    def spawn(self, name: str, table: TomlTable) -> None:
        """A body or prefab from the table a level file would have for it."""
        names = self._names
        if name in names.handles or name in names.plan.groups:
            raise ValueError(f'there is already a body "{name}"')
        extra = plan_thing(names.plan, names.world.dimension, name, table, self._library)
        before, plan = names.plan, names.plan.copy()
        plan.take_over(extra)
        names.set_plan(plan)
        try:
            add_to_world(names, extra)
        except ValueError:
            names.set_plan(before)
            raise
        self.spawned[name] = dict(table)

    def spawn_from(self, template: str, position: Point, velocity: Point) -> str:
        """A thing from one of the level's templates; returns its name."""
        if sum(map(len, map(self.spawned_from, self._library.templates))) >= MAX_SPAWNED:
            raise ValueError(f"more than {MAX_SPAWNED} things were spawned")
        number = self.count + 1
        while self._names.plan.find(f"{template}_{number}") is not None:
            number += 1  # it was there when the level was saved
        name = f"{template}_{number}"
        table = {
            **self._library.templates[template],
            "position": [float(x) for x in position],
            "velocity": [float(x) for x in velocity],
        }
        self.spawn(name, table)
        self.count = number
        self.templates = {**self.templates, name: template}
        return name

    def spawned_from(self, template: str) -> list[str]:
        """Names of things a template has brought that are still there."""
        there = self._names.is_there
        return [name for name, own in self.templates.items() if own == template and there(name)]


def _pin_name(body: str) -> str:
    return f"{body}.pin".replace(".", "_")
