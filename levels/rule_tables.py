"""Tables of a level file about time: goal, stars, triggers, expectations, scripted inputs."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from levels.caps import MAX_ACTIONS
from levels.plain_data import TomlValue
from levels.values import (
    Name,
    Number,
    OneOrMore,
    Seconds,
    Table,
    Text,
    complain,
)


def _condition(value: TomlValue) -> Any:
    return {"when": value} if isinstance(value, str) else value


class Condition(Table):
    """An expression that has to stay true for a while."""

    when: Text = Field(
        description="This condition over the level's functions is looked at after every step."
    )
    for_: Seconds = Field(
        default=0.0,
        alias="for",
        description="The condition must stay true for this long, in s; at 0 one step is enough.",
    )
    say: Text = Field(default="", description="This line is shown when it has come true.")


When = Annotated[Condition, BeforeValidator(_condition)]
Three = Annotated[list[Number], Field(min_length=3, max_length=3)]


class Stars(Table):
    """Three thresholds, the best first."""

    time: Three | None = Field(
        default=None,
        description="A win within the first of these times gives 3 stars, within the second 2 and "
        "within the third 1, in s.",
    )
    value: Text | None = Field(
        default=None,
        description="This expression is compared with the thresholds, instead of the time.",
    )
    at_most: Three | None = Field(
        default=None,
        description="A value of at most the first of these gives 3 stars, the second 2 and the "
        "third 1.",
    )
    at_least: Three | None = Field(
        default=None,
        description="A value of at least the first of these gives 3 stars, the second 2 and the "
        "third 1.",
    )

    @model_validator(mode="after")
    def _complete(self) -> "Stars":
        given = [n for n in ("time", "at_most", "at_least") if getattr(self, n) is not None]
        if len(given) != 1:
            raise complain("stars need exactly one of time, at_most, at_least")
        if (given[0] == "time") == (self.value is not None):
            raise complain(
                'stars by "at_most" or "at_least" need value = "…", stars by time do not'
            )
        return self


class Goal(Table):
    """How the level is won and lost."""

    win: When | None = Field(
        default=None, description="The level is won once this condition holds."
    )
    lose: When | None = Field(
        default=None, description="The level is lost once this condition holds."
    )
    stars: Stars | None = Field(
        default=None,
        description="These thresholds decide whether a win gives three, two or one stars.",
    )


class Trigger(Table):
    """Something that happens when a condition comes true."""

    when: Text = Field(
        description="The actions happen when this condition over the level's functions comes "
        'true; "true" always holds.'
    )
    for_: Seconds = Field(
        default=0.0,
        alias="for",
        description="The condition must stay true for this long first, in s.",
    )
    then: Annotated[OneOrMore, Field(max_length=MAX_ACTIONS)] = Field(
        description="These actions happen then: \"release('hook')\", or a list of such."
    )
    once: bool = Field(
        default=True,
        description="If true, it happens once; if false, again each time the condition comes true "
        "anew.",
    )
    every: Annotated[float, Field(gt=0, le=36_000)] | None = Field(
        default=None,
        description="While the condition holds, it happens again after this time, in s; left out, "
        "it does not.",
    )


class Expectation(Table):
    """Checked by `sandbox test`: one of always, eventually, or at + check."""

    name: Text = Field(default="", description="Reports call the expectation this.")
    always: Text | None = Field(
        default=None, description="This condition must hold after every step."
    )
    eventually: Text | None = Field(
        default=None, description="This condition must hold after one step or another."
    )
    by: Seconds | None = Field(
        default=None,
        description="`eventually` must have come true by this time, in s; left out, by the end.",
    )
    at: Seconds | None = Field(default=None, description="`check` is looked at at this time, in s.")
    check: Text | None = Field(
        default=None, description="This condition must hold at the time `at`."
    )

    @model_validator(mode="after")
    def _complete(self) -> "Expectation":
        chosen = [n for n in ("always", "eventually", "check") if getattr(self, n) is not None]
        if len(chosen) != 1:
            raise complain("an expectation has exactly one of: always, eventually, at + check")
        if self.at is not None and self.check is None:
            raise complain("at = … only goes with check = …", key="at")
        if self.check is not None and self.at is None:
            raise complain("check needs the time it is made", "add at = 10.0", key="check")
        if self.by is not None and self.eventually is None:
            raise complain("by = … only goes with eventually = …", key="by")
        return self

    @property
    def condition(self) -> str:
        return self.always or self.eventually or self.check or ""


class Input(Table):
    """Scripted input: what a player would do, so that a headless run can play."""

    at: Seconds = Field(description="The input happens at this time, in s.")
    hold: Name | None = Field(
        default=None,
        description='This key is held, one of those that motors are bound to, for example "d".',
    )
    for_: Seconds = Field(
        default=0.0,
        alias="for",
        description="The key is held for this long, in s; it must be more than 0.",
    )
    do: Text | None = Field(
        default=None, description="This action happens, as in triggers: \"release('hook')\"."
    )
    command: list[Any] | None = Field(
        default=None, description="This command happens as a replay has recorded it."
    )

    @model_validator(mode="after")
    def _complete(self) -> "Input":
        given = [n for n in ("hold", "do", "command") if getattr(self, n) is not None]
        if len(given) != 1:
            raise complain("an input has exactly one of: hold + for, do, command")
        if self.hold is not None and self.for_ <= 0:
            raise complain("hold needs how long", "add for = 2.0", key="hold")
        return self
