"""`load("crane")`: a level file, fully checked, ready to be built or played.

from levels import load
world = load("crane").build(load=1e6)
world.step(600)
"""

import gc
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from levels import level_tables, rule_tables, view_tables
from levels.build import build, refused
from levels.document import Document, Reader
from levels.frames import Frame
from levels.guarded import Guarded
from levels.library import find
from levels.name_table import NameTable
from levels.plain_data import Given, GivenValues
from levels.plan import PLAIN, Plan
from levels.plan_checks import check_plan
from levels.planner import Planner
from levels.problems import (
    EnoughProblems,
    LevelError,
    Place,
    Problem,
    Problems,
    did_you_mean,
    errors,
    listing,
)
from levels.resolve import default_values
from levels.rules import RuleCompiler, Rules
from levels.sanity import sanity_warnings
from levels.table_checks import Checked, checked_document
from levels.templates import template_problems
from levels.trial import changed_part
from physics import Handle, World

if TYPE_CHECKING:
    from levels.runtime import Session

SETTINGS = ("rate", "stabilization", "solver")  # may be given beside parameters


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Python's garbage collector would search a level of thousands of entries again and again while
    it is being read, a third of the whole time."""
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()


@dataclass(frozen=True)
class Variant:
    """A level with particular parameter values: checked tables, plan and rules."""

    values: Mapping[str, float]
    settings: GivenValues
    checked: Checked
    plan: Plan
    rules: Rules
    warnings: tuple[Problem, ...]

    @property
    def simulation(self) -> level_tables.Simulation:
        return self.checked.simulation

    def build(self) -> NameTable:
        with _collector_paused():
            return build(self.plan.copy(), self.simulation, self.checked.header.dimension)

    def refused(self, taken: "Variant | None" = None) -> list[Problem]:
        """What the engine would say against its rigid things; most of it is said at loading. If it
        has taken another variant, it is asked about what is different in this one only."""
        with _collector_paused():
            plan = changed_part(self.plan, taken.plan) if self._is_like(taken) else self.plan.copy()
            return refused(plan, self.simulation, self.checked.header.dimension)

    def _is_like(self, other: "Variant | None") -> TypeGuard["Variant"]:
        """Would their things come into the same world?"""
        return (
            other is not None
            and self.simulation == other.simulation
            and self.checked.header.dimension == other.checked.header.dimension
            and self.plan.collision_groups == other.plan.collision_groups
        )


class Level(Guarded):
    """One level file with everything it includes. Immutable; build as many worlds as you like."""

    def __init__(self, path: Path, document: Document) -> None:
        self.path = path
        self.name = path.stem
        self.document = document
        self._names: dict[Handle, str] = {}
        self.default = self._variant({}, {})

    def __repr__(self) -> str:
        plan = self.default.plan
        held = f"{len(plan.known_bodies())} bodies, {len(plan.joints)} joints"
        return f'<Level "{self.name}": {held}; parameters: {listing(self.parameters) or "none"}>'

    @property
    def title(self) -> str:
        return self.default.checked.header.title or self.name

    @property
    def hint(self) -> str:
        return self.default.checked.header.hint

    @property
    def dimension(self) -> int:
        return self.default.checked.header.dimension

    @property
    def parameters(self) -> dict[str, level_tables.Parameter]:
        return self.default.checked.parameters

    @property
    def look(self) -> view_tables.Look:
        return self.default.checked.look

    @property
    def camera(self) -> view_tables.Camera:
        return self.default.checked.camera

    @property
    def goal(self) -> rule_tables.Goal:
        return self.default.checked.goal

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return self.default.warnings

    @cached_property
    def digest(self) -> str:
        """Hash of all files of the level; a replay notes it."""
        texts = sorted(source.digest for source in self.document.sources)
        return hashlib.sha256("".join(texts).encode()).hexdigest()

    def variant(self, **given: Given) -> Variant:
        """The level with some parameters or settings changed. ValueError if one is not allowed."""
        settings = {k: v for k, v in given.items() if k in SETTINGS and k not in self.parameters}
        values = {k: v for k, v in given.items() if k not in settings}
        if not values and not settings:
            return self.default
        return self._variant(self._checked_values(values), settings)

    def assemble(self, **given: Given) -> NameTable:
        """A fresh world with its plan and the names of everything in it."""
        built = self.variant(**given).build()
        self._names = {
            handle: name for name, handle in (*built.handles.items(), *built.joints.items())
        }
        return built

    def build(self, **given: Given) -> World:
        """A fresh world: `level.build(load=1e6, rate=30)`."""
        return self.assemble(**given).world

    def session(self, *, scripted: bool = False, **given: Given) -> "Session":
        """The level in play; `scripted` also plays the level's own [[input]]."""
        from levels.runtime import Session

        return Session(self, scripted=scripted, **given)

    def appearance(self, thing: Handle | str) -> level_tables.Appearance:
        """How a body, particle or joint wants to be drawn; handles are of the last built world."""
        name = thing if isinstance(thing, str) else self._names.get(thing, "")
        plan = self.default.plan
        planned = plan.movable(name) or plan.joints.get(name) or plan.groups.get(name)
        return planned.look if planned else PLAIN

    def changed(self) -> bool:
        """Has any of the level's files been saved since it was read?"""
        for source in self.document.sources:
            try:
                if source.path.stat().st_mtime_ns != source.modified:
                    return True
            except OSError:
                return True
        return False

    def seconds(self, variant: Variant | None = None) -> float:
        """How long a headless run lasts: as stated, or until the last timed expectation."""
        checked = (variant or self.default).checked
        if checked.simulation.seconds is not None:
            return checked.simulation.seconds
        times = [t for e in checked.expect for t in (e.at, e.by) if t is not None]
        times += [i.at + i.for_ for i in checked.input]
        return max(times, default=10.0) or 10.0

    def _checked_values(self, values: GivenValues) -> dict[str, float]:
        checked: dict[str, float] = {}
        for name, value in values.items():
            spec = self.parameters.get(name)
            if spec is None:
                known = [*self.parameters, *SETTINGS]
                hint = did_you_mean(name, known) or f"known: {listing(known)}"
                raise ValueError(f'"{self.name}" has no parameter "{name}"; {hint}')
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(f"{name}: {value!r} is not a number")
            reason = spec.refuses(float(value))
            if reason:
                raise ValueError(f"{name}: {reason}")
            checked[name] = float(value)
        return checked

    def _variant(self, values: Mapping[str, float], settings: GivenValues) -> Variant:
        problems = Problems()
        try:
            return self._checked_variant(values, settings, problems)
        except EnoughProblems:
            raise LevelError(problems) from None

    def _checked_variant(
        self, values: Mapping[str, float], settings: GivenValues, problems: Problems
    ) -> Variant:
        all_values = {**default_values(self.document), **values}
        checked = checked_document(self.document, all_values, problems, settings)
        planner = Planner(problems)
        planner.add(checked, Frame())
        rules = RuleCompiler(checked, planner.plan, all_values, problems).run()
        problems += template_problems(checked)
        problems += check_plan(planner.plan, checked)
        problems += self._nothing(planner.plan) if not any(errors(problems)) else []
        # who has mistakes to mend does not want to hear of oddities yet
        problems += sanity_warnings(planner.plan, checked) if not any(errors(problems)) else []
        if any(errors(problems)):
            raise LevelError(problems)
        return Variant(all_values, settings, checked, planner.plan, rules, tuple(problems))

    def _nothing(self, plan: Plan) -> list[Problem]:
        """A level without things, and things to be removed that are not there."""
        if not plan.known_bodies() and not plan.softs:
            place = Place(self.document.source)
            return [Problem("the level has no bodies", place, "add a [bodies.name] table")]
        known = dict.fromkeys(_known(plan))
        return [
            Problem(
                f'there is no "{name}" to be removed',
                self.document.place("removed"),
                did_you_mean(name, known),
            )
            for name in plan.removed
            if name not in known
        ]


def _known(plan: Plan) -> list[str]:
    return [*plan.bodies, *plan.particles, *plan.joints, *plan.softs]


def load_text(text: str, path: Path) -> Level:
    """The level that a text says, as if it were written in the file of that path."""
    with _collector_paused():
        reader = Reader(path)
        reader.give(path, text)
        return Level(path, reader.read(path))


def load(level: str | os.PathLike[str]) -> Level:
    """A level by name ("crane", one that ships with the game) or by path."""
    path = find(level)
    with _collector_paused():
        return Level(path, Reader(path).read(path))
