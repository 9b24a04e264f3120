"""Conditions of a level, compiled and checked: goal, triggers, expectations, scripted input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from levels import rule_tables
from levels.actions import ACTIONS, VOCABULARY
from levels.appearance import SOUNDS
from levels.arithmetic import Function, Type
from levels.caps import MAX_COUNTERS
from levels.commands import Command, decode_command
from levels.expressions import Expression, ExpressionProblem, Reference, Rename, compile_expression
from levels.functions import FUNCTIONS
from levels.key_names import KEYS, split_keys
from levels.movers import Mover, Moving, Number, Program, Wind
from levels.paths import Path
from levels.plan import Component, Drive, Formula, Plan
from levels.problems import EnoughProblems, LevelError, Place, Problem, did_you_mean, listing
from levels.table_checks import Checked


@dataclass(frozen=True)
class Rule:
    """A condition with what belongs to it."""

    condition: Expression
    hold: float = 0.0  # s it must stay true
    say: str = ""
    then: tuple[Expression, ...] = ()
    once: bool = True
    every: float | None = None  # s after which it happens again


@dataclass(frozen=True)
class Expected:
    condition: Expression
    model: rule_tables.Expectation
    place: Place

    @property
    def name(self) -> str:
        if self.model.name:
            return self.model.name
        text = self.condition.text
        if self.model.at is not None:
            return f"at {self.model.at:g} s: {text}"
        if self.model.eventually is not None:
            by = "" if self.model.by is None else f" by {self.model.by:g} s"
            return f"eventually{by}: {text}"
        return f"always: {text}"


@dataclass(frozen=True)
class Scripted:
    """One scripted input; exactly one of key, action, command is set."""

    at: float
    key: str = ""
    until: float = 0.0
    action: Expression | None = None
    command: Command | None = None


@dataclass
class Rules:
    win: Rule | None = None
    lose: Rule | None = None
    stars: Expression | None = None
    triggers: list[Rule] = field(default_factory=list)
    expectations: list[Expected] = field(default_factory=list)
    inputs: list[Scripted] = field(default_factory=list)
    moving: Moving = field(default_factory=Moving)
    counters: dict[str, float] = field(default_factory=dict)  # what they are at first
    labels: dict[str, str] = field(default_factory=dict)  # of those counters that are shown


class RuleCompiler:
    """Compiles all conditions of one checked level; problems are collected."""

    def __init__(
        self, checked: Checked, plan: Plan, names: Iterable[str], problems: list[Problem]
    ) -> None:
        self.checked = checked
        self.plan = plan
        self.names = list(names)
        self.problems = problems
        self.counters = {name: model.start for name, model in checked.counters.items()}
        self.labels = {name: one.label for name, one in checked.counters.items() if one.label}
        self.timers: dict[str, None] = {}
        self.compiled: list[tuple[Expression, Place]] = []

    def run(self) -> Rules:
        goal, place = self.checked.goal, self.checked.document.place
        rules = Rules(
            win=self._goal(goal.win, place("goal", "win")),
            lose=self._goal(goal.lose, place("goal", "lose")),
        )
        if goal.stars and goal.stars.value:
            where = place("goal", "stars", "value")
            rules.stars = self._compile(goal.stars.value, where, FUNCTIONS, "number")
        rules.triggers = list(filter(None, map(self._trigger, range(len(self.checked.on)))))
        rules.expectations = list(filter(None, map(self._expect, range(len(self.checked.expect)))))
        rules.inputs = list(filter(None, map(self._input, range(len(self.checked.input)))))
        rules.moving = self._moving()
        rules.counters, rules.labels = self.counters, self.labels
        for expression, where in self.compiled:
            wrong = (self._check(reference, where) for reference in expression.references)
            self.problems.extend(problem for problem in wrong if problem is not None)
        return rules

    def _moving(self) -> Moving:
        """All formulas of the plan, compiled."""
        plan = self.plan
        for wind in plan.winds.values():
            if wind.zone is not None and wind.zone not in plan.zones:
                hint = did_you_mean(wind.zone, plan.zones)
                place = wind.place.child("zone")
                self.problems.append(Problem(f'there is no zone "{wind.zone}"', place, hint))
        movers = [
            Mover(
                m.body, m.frame, m.axes, self._numbers(m.position), self._numbers(m.rotation),
                None if m.table is None else Path.of(m.table),
            )
            for m in plan.motions.values()
        ]  # fmt: skip
        programs = [
            Program(p.joint, p.table, p.key, value)
            for p in plan.programs
            if isinstance(value := self._formula(p.formula), Expression)
        ]
        winds = [
            Wind(w.name, self._numbers(w.velocity), w.axes, w.zone, w.soft, w.density, w.drag)
            for w in plan.winds.values()
        ]
        return Moving(tuple(movers), tuple(programs), tuple(winds))

    def _numbers(self, components: Iterable[Component]) -> tuple[Number, ...]:
        return tuple(map(self._formula, components))

    def _formula(self, component: Component) -> Number:
        """A number, or a compiled formula; 0 for one that is wrong."""
        if not isinstance(component, Formula):
            return component

        def full(kind: str, name: str) -> str:
            inner = component.scope + name
            known = _KINDS.get(kind.rstrip("!"))
            return inner if known and known.has(self, inner) else name

        return (
            self._compile(
                component.text, component.place, FUNCTIONS, "number", 1, component.constants, full
            )
            or 0.0
        )

    def _goal(self, model: rule_tables.Condition | None, place: Place) -> Rule | None:
        if model is None:
            return None
        condition = self._condition(model.when, _when_place(place, model.when))
        return Rule(condition, model.for_, model.say) if condition else None

    def _trigger(self, i: int) -> Rule | None:
        model, place = self.checked.on[i], self.checked.place("on", i)
        condition = self._condition(model.when, place.child("when"))
        actions = [
            self._action(text, _then_place(place.child("then"), text, k))
            for k, text in enumerate(model.then)
        ]
        if condition is None or None in actions:
            return None
        then = tuple(action for action in actions if action)
        return Rule(condition, model.for_, then=then, once=model.once, every=model.every)

    def _expect(self, i: int) -> Expected | None:
        model, place = self.checked.expect[i], self.checked.place("expect", i)
        key = next(k for k in ("always", "eventually", "check") if getattr(model, k) is not None)
        condition = self._condition(model.condition, place.child(key))
        return Expected(condition, model, place) if condition else None

    def _input(self, i: int) -> Scripted | None:
        model, place = self.checked.input[i], self.checked.place("input", i)
        try:
            if model.hold is not None:
                key, _ = split_keys(model.hold, place.child("hold"))
                return Scripted(model.at, key=key, until=model.at + model.for_)
            if model.command is not None:
                return Scripted(model.at, command=_command(model.command, place.child("command")))
        except LevelError as error:
            self.problems.extend(error.problems)
            return None
        action = self._action(model.do or "", place.child("do"))
        return Scripted(model.at, action=action) if action else None

    def _condition(self, text: str, place: Place) -> Expression | None:
        return self._compile(text, place, FUNCTIONS, "truth")

    def _action(self, text: str, place: Place) -> Expression | None:
        name = text.strip().partition("(")[0]
        if name not in ACTIONS:
            hint = did_you_mean(name, ACTIONS) or "for example release('hook')"
            if name in FUNCTIONS:
                hint = f"{name}() is a value, not an action: for example release('hook')"
            note = f"known actions: {listing(ACTIONS, 60)}"
            self.problems.append(Problem(f'unknown action "{name}"', place, hint, note))
            return None
        return self._compile(text, place, VOCABULARY, "truth")

    def _compile(
        self,
        text: str,
        place: Place,
        functions: Mapping[str, Function],
        expected: Type,
        lead: int = 0,
        constants: Mapping[str, float] | None = None,
        rename: Rename | None = None,
    ) -> Expression | None:
        """The names in it are looked at when all is compiled; `lead` characters stand before."""
        try:
            expression = compile_expression(
                text, self.names, functions, expected, constants, rename
            )
        except ExpressionProblem as problem:
            where = place.part(problem.offset + lead, problem.length)
            word = text[problem.offset :][: problem.length]
            hint = problem.hint
            if word in ACTIONS and word not in functions:
                hint = f"{word}() is an action: it is written behind `then`"
            self.problems.append(Problem(problem.message, where, hint, problem.note))
            return None
        for reference in expression.references:
            self._bind(reference, place)
        self.compiled.append((expression, place))
        return expression

    def _bind(self, reference: Reference, place: Place) -> None:
        """A key that a condition asks about must reach the level; an action makes what it names."""
        if reference.kind == "counter!":
            self.counters.setdefault(reference.name, 0.0)
        if reference.kind == "timer!":
            self.timers[reference.name] = None
        if max(len(self.counters), len(self.timers)) > MAX_COUNTERS:
            message = f"the level has more than {MAX_COUNTERS} counters or timers"
            self.problems.append(Problem(message, place))
            raise EnoughProblems
        if reference.kind == "key" and reference.name in KEYS:
            key = reference.name
            if not any(key in (drive.forward, drive.back) for drive in self.plan.drives):
                self.plan.drives.append(Drive(f"key {key}", "button", (), key, "", 0.0))

    def _check(self, reference: Reference, place: Place) -> Problem | None:
        kind = _KINDS[reference.kind.rstrip("!")]
        if kind.has(self, reference.name) or self.plan.is_doubtful(reference.name):
            return None
        names = kind.known(self)
        hint = did_you_mean(reference.name, [*names, *self.plan.doubtful])
        if not names and kind.heading:
            hint = f"add [{kind.heading.format(reference.name)}"
        return Problem(
            f'there is no {kind.noun} "{reference.name}"',
            place.part(reference.offset, reference.length),
            hint,
            f"known: {listing(_readable(names))}" if names else "",
        )


@dataclass(frozen=True)
class _Kind:
    """What a quoted name in an expression can mean."""

    noun: str
    has: Callable[[RuleCompiler, str], bool]
    known: Callable[[RuleCompiler], list[str]]
    heading: str = ""  # under which one is written, and what else it needs


def _jointed(plan: Plan) -> list[str]:
    groups = {**plan.families, **plan.groups}
    grouped = (name for name, group in groups.items() if group.joints)
    return [*plan.joints, *grouped, *plan.softs]


def _will_be(own: RuleCompiler, name: str) -> bool:
    """Is it the name of something that a template will bring, like ball_3 or car_1.wheel?"""
    template, _, number = name.partition(".")[0].rpartition("_")
    return number.isdecimal() and template in own.checked.templates


def _among(noun: str, known: Callable[[RuleCompiler], Iterable[str]], heading: str = "") -> _Kind:
    return _Kind(noun, lambda own, n: n in known(own), lambda own: list(known(own)), heading)


# by the words that `functions` and `actions` use for their arguments
_KINDS: dict[str, _Kind] = {
    "body": _Kind(
        "body",
        lambda own, n: own.plan.find(n) is not None or _will_be(own, n),
        lambda own: own.plan.known_bodies(),
    ),
    "key": _among("key", lambda _: KEYS),
    "zone": _among("zone", lambda own: own.plan.zones, "zones.{}] with center and size"),
    "joint": _Kind(
        "joint or rope",
        lambda own, n: bool(own.plan.joints_of(n)) or n in own.plan.softs,
        lambda own: _jointed(own.plan),
    ),
    "group": _Kind(
        "body or prop",
        lambda own, n: (
            own.plan.group(n) is not None
            or own.plan.find(n) is not None
            or n in own.plan.softs
            or _will_be(own, n)
        ),
        lambda own: [*own.plan.groups, *own.plan.families, *own.plan.known_bodies()],
    ),
    "counter": _among("counter", lambda own: own.counters),
    "timer": _among("timer", lambda own: own.timers),
    "template": _among("template", lambda own: own.checked.templates, "templates.{}] like a body"),
    "parameter": _among("parameter", lambda own: own.checked.parameters, "parameters] and {} = …"),
    "wind": _among("wind, cloth or solid", lambda own: {**own.plan.winds, **own.plan.softs}),
    "sound": _among("sound", lambda _: SOUNDS),
}


def _readable(names: list[str]) -> list[str]:
    return [name for name in names if "." not in name] or names


def _when_place(place: Place, text: str) -> Place:
    """`win = "…"` and `win = { when = "…" }` are both allowed."""
    written = place.source.data
    for key in place.keys:
        written = written[key]  # type: ignore[index]
    return place if isinstance(written, str) else place.child("when")


def _then_place(place: Place, text: str, index: int) -> Place:
    written = place.source.data
    for key in place.keys:
        written = written[key]  # type: ignore[index]
    return place if isinstance(written, str) else place.child(index)


def _command(written: list[object], place: Place) -> Command:
    try:
        return decode_command(written)
    except ValueError as error:
        raise LevelError([Problem(str(error), place)]) from None
