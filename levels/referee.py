"""Who watches a running level: goal, triggers and expectations are looked at after every step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from levels.expressions import Expression, explain
from levels.rule_tables import Stars
from levels.rules import Expected, Rule, Rules
from physics import World
from physics.snapshot import Saved

Status = Literal["playing", "won", "lost"]


class Watched(Protocol):
    """What is asked of a level in play; its functions and actions ask for more (`Session`)."""

    @property
    def world(self) -> World: ...

    @property
    def time(self) -> float: ...

    @property
    def values(self) -> Mapping[str, float]: ...

    def finish(self, status: Literal["won", "lost"], text: str = "") -> None: ...


@dataclass
class Outcome:
    """How one expectation fared."""

    expected: Expected
    state: Literal["waiting", "passed", "failed", "unreached"] = "waiting"
    when: float | None = None  # s
    values: str = ""

    @property
    def name(self) -> str:
        return self.expected.name


@dataclass
class Watch:
    """A rule and how long its condition has held."""

    rule: Rule
    since: float | None = None
    fired: bool = False
    last: float = 0.0  # s, when it happened last


class Referee:
    """Judges by the rules of one variant. What it has seen can be saved, and restored under the
    rules of another variant of the same level: rules are matched by their order in the file."""

    def __init__(self, rules: Rules, stars: Stars | None) -> None:
        self.status: Status = "playing"
        self.stars = 0
        self.finished_at: float | None = None  # s
        self.outcomes = [Outcome(expected) for expected in rules.expectations]
        self._rules, self._thresholds = rules, stars
        watched = (rules.win, rules.lose, *rules.triggers)
        self._watches = [Watch(rule) for rule in watched if rule]

    def save(self) -> Saved:
        return {
            "result": (self.status, self.stars, self.finished_at),
            "watches": [(watch.since, watch.fired, watch.last) for watch in self._watches],
            "outcomes": [
                (outcome.state, outcome.when, outcome.values) for outcome in self.outcomes
            ],
        }

    def restore(self, saved: Saved) -> None:
        self.status, self.stars, self.finished_at = saved["result"]
        for watch, seen in zip(self._watches, saved["watches"], strict=True):
            watch.since, watch.fired, watch.last = seen
        for outcome, seen in zip(self.outcomes, saved["outcomes"], strict=True):
            outcome.state, outcome.when, outcome.values = seen

    def finish(self, status: Literal["won", "lost"], play: Watched) -> bool:
        """The end of the game; only the first one counts."""
        if self.status != "playing":
            return False
        self.status, self.finished_at = status, play.time
        self.stars = self._rate(play) if status == "won" else 0
        return True

    def judge(self, play: Watched, expecting: bool) -> None:
        """Look at everything once; actions act on `play`."""
        for watch in self._watches:
            if self._came_true(watch, play):
                if watch.rule is self._rules.win:
                    play.finish("won", watch.rule.say)
                elif watch.rule is self._rules.lose:
                    play.finish("lost", watch.rule.say)
                else:
                    for action in watch.rule.then:
                        _holds(action, play)
        for outcome in self.outcomes if expecting else ():
            if outcome.state == "waiting":
                _expect(outcome, play)

    def close(self, play: Watched) -> list[Outcome]:
        """The end of a run: what always held has passed, what never came has failed."""
        for outcome in self.outcomes:
            if outcome.state != "waiting":
                continue
            model = outcome.expected.model
            if model.always is not None:
                _decide(outcome, "passed", play)
            elif model.at is not None or model.by is not None:
                outcome.state = "unreached"  # the run was shorter than that
            else:
                _decide(outcome, "failed", play)
        return self.outcomes

    def _came_true(self, watch: Watch, play: Watched) -> bool:
        rule = watch.rule
        if watch.fired and rule.once and rule.every is None:
            return False
        if not _holds(watch.rule.condition, play):
            watch.since, watch.fired = None, False
            return False
        if watch.since is None:
            watch.since = play.time
        if play.time - watch.since < rule.hold - 0.5 * play.world.h:
            return False
        if watch.fired and (
            rule.every is None or play.time - watch.last < rule.every - 0.5 * play.world.h
        ):
            return False
        watch.fired, watch.last = True, play.time
        return True

    def _rate(self, play: Watched) -> int:
        stars = self._thresholds
        if stars is None:
            return 3
        if stars.time is not None:
            return sum(play.time <= limit for limit in stars.time)
        expression = self._rules.stars
        value = float(expression(play)) if expression else math.inf
        if stars.at_most is not None:
            return sum(value <= limit for limit in stars.at_most)
        return sum(value >= limit for limit in stars.at_least or ())


def _expect(outcome: Outcome, play: Watched) -> None:
    model, time, half = outcome.expected.model, play.time, 0.5 * play.world.h
    if model.at is not None and time < model.at - half:
        return
    holds = _holds(outcome.expected.condition, play)
    if model.always is not None:
        if not holds:
            _decide(outcome, "failed", play)
    elif model.eventually is not None:
        if holds:
            _decide(outcome, "passed", play)
        elif model.by is not None and time >= model.by - half:
            _decide(outcome, "failed", play)
    else:
        _decide(outcome, "passed" if holds else "failed", play)


def _decide(outcome: Outcome, state: Literal["passed", "failed"], play: Watched) -> None:
    outcome.state, outcome.when = state, play.time
    try:
        outcome.values = explain(outcome.expected.condition, play)
    except (ArithmeticError, ValueError, LookupError):
        outcome.values = "no finite value"


def _holds(expression: Expression, play: Watched) -> bool:
    """A condition about something that no longer exists, or with no finite value, is false."""
    try:
        return bool(expression(play))
    except (ArithmeticError, ValueError, LookupError):
        return False
