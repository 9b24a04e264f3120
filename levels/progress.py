"""What a running level remembers besides its world: goals, expectations, drives, inputs."""

from dataclasses import dataclass, field
from typing import Literal

from levels.rules import Expected, Rule, Rules

Status = Literal["playing", "won", "lost"]


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


@dataclass
class Progress:
    """The part of a session that changes while it runs, beside the world."""

    status: Status = "playing"
    stars: int = 0
    finished_at: float | None = None
    watches: list[Watch] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    next_input: int = 0
    scripted_keys: dict[str, float] = field(default_factory=dict)  # key → until
    drives: dict[str, float] = field(default_factory=dict)  # drive → its current value
    speeds: dict[str, float] = field(default_factory=dict)  # winch → m/s of rope let off
    start_energy: float = 0.0


def copy_progress(progress: Progress) -> Progress:
    """Deep where things change, shared where they do not."""
    return Progress(
        progress.status,
        progress.stars,
        progress.finished_at,
        [Watch(w.rule, w.since, w.fired) for w in progress.watches],
        [Outcome(o.expected, o.state, o.when, o.values) for o in progress.outcomes],
        progress.next_input,
        dict(progress.scripted_keys),
        dict(progress.drives),
        dict(progress.speeds),
        progress.start_energy,
    )


def begin(rules: Rules, drives: dict[str, float], energy: float) -> Progress:
    """The progress of a level that has just started."""
    return Progress(
        watches=[Watch(rule) for rule in _watched(rules)],
        outcomes=[Outcome(expected) for expected in rules.expectations],
        drives=drives,
        start_energy=energy,
    )


def renew(progress: Progress, rules: Rules) -> None:
    """After a rebuild the compiled rules are new objects; what they have seen is kept by place."""
    for watch, rule in zip(progress.watches, _watched(rules), strict=True):
        watch.rule = rule
    for outcome, expected in zip(progress.outcomes, rules.expectations, strict=True):
        outcome.expected = expected


def _watched(rules: Rules) -> list[Rule]:
    return [rule for rule in (rules.win, rules.lose, *rules.triggers) if rule]
