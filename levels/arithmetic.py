"""Functions that expressions may call: what one is, and those that only compute."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from levels import waves

Type = Literal["number", "truth"]


@dataclass(frozen=True)
class Function:
    """A function that expressions may call. `call(scope, *arguments)` computes it.

    `arguments` names what each argument is: "number", "truth", "text", or a kind of thing in the
    level ("body", "joint", "zone" …) that is then checked to exist; with "!" it exists by being
    named. The last one may end in "*": one or more of it; some at the end in "?": or none.
    """

    name: str
    doc: str
    arguments: tuple[str, ...]
    returns: Type
    call: Callable[..., Any]
    names: tuple[str, ...] = ()  # of the arguments, where their kind does not say enough

    @property
    def signature(self) -> str:
        named = [
            name if kind == "number" else f"{name}?" if kind == "number?" else kind
            for name, kind in zip(self.names, self.arguments, strict=False)
        ]
        written = [*named, *self.arguments[len(named) :]]
        shown = [a.replace("*", " …").replace("!", "") for a in written]
        free = [a.rstrip("?") for a in shown if a.endswith("?")]
        text = ", ".join(a for a in shown if not a.endswith("?"))
        more = f"[, {', '.join(free)}]" if free else ""
        return f"{self.name}({text}{more})"


def names_of(call: Callable[..., Any]) -> tuple[str, ...]:
    """Of its arguments after the session."""
    return tuple(inspect.signature(call).parameters)[1:]


def _math(name: str, doc: str, call: Callable[..., float], *arguments: str) -> Function:
    return Function(name, doc, arguments or ("number",), "number", lambda _, *a: call(*a))


ARITHMETIC: dict[str, Function] = {
    f.name: f
    for f in (
        _math("abs", "The number without its sign.", abs),
        _math("sqrt", "Square root.", math.sqrt),
        _math("sin", "Sine of an angle in radians.", math.sin),
        _math("cos", "Cosine of an angle in radians.", math.cos),
        _math("tan", "Tangent of an angle in radians.", math.tan),
        _math("atan2", "Angle of the point (x, y) given as y, x.", math.atan2, "number", "number"),
        _math("exp", "e to that power.", math.exp),
        _math("log", "Natural logarithm.", math.log),
        _math("floor", "Rounded down.", lambda x: float(math.floor(x))),
        _math("ceil", "Rounded up.", lambda x: float(math.ceil(x))),
        _math("round", "Rounded to the nearest whole number.", lambda x: float(round(x))),
        _math("radians", "Degrees to radians.", math.radians),
        _math("degrees", "Radians to degrees.", math.degrees),
        _math("min", "The smallest of the numbers.", lambda *a: min(a), "number*"),
        _math("max", "The largest of the numbers.", lambda *a: max(a), "number*"),
        _math("hypot", "Length of a vector.", math.hypot, "number*"),
        _math(
            "clamp", "The first number, kept between the other two.", waves.clamp, *["number"] * 3
        ),
        *(
            _math(wave.__name__, " ".join((wave.__doc__ or "").split()), wave, *["number"] * count)
            for wave, count in waves.WAVES
        ),
    )
}
CONSTANTS: dict[str, float] = {"pi": math.pi, "tau": math.tau}
