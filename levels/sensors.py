"""Numbers read off a running level by an expression: `sensor(level, "y('truck')")`.

Sweeps note them at the end of a run, environments for learning observe them after every step. The
words are those of conditions (`levels.functions`).
"""

from collections.abc import Mapping

from levels.expressions import Expression, ExpressionProblem, Scope, compile_expression
from levels.functions import FUNCTIONS
from levels.level import Level


def sensor(level: Level, text: str) -> Expression:
    """The expression, checked; ValueError says what is wrong with it."""
    problems = []
    for kind in ("number", "truth"):
        try:
            return compile_expression(text, level.parameters, FUNCTIONS, kind)
        except ExpressionProblem as problem:
            problems.append(problem)
    first = problems[0]
    raise ValueError(f'"{text}": {first.message}{f"; {first.hint}" if first.hint else ""}')


def sensors(level: Level, texts: Mapping[str, str]) -> dict[str, Expression]:
    """Expressions by name, each tried once on a world as it begins."""
    found = {name: sensor(level, text) for name, text in texts.items()}
    if found:
        session = level.session()
        for name, expression in found.items():
            try:
                reading(expression, session)
            except (KeyError, ValueError) as problem:
                raise ValueError(f'{name} = "{texts[name]}": {problem}') from None
    return found


def reading(expression: Expression, session: Scope) -> float:
    """What the expression says now; a truth is 1 or 0. What cannot be computed is nan."""
    try:
        return float(expression(session))
    except (ArithmeticError, ExpressionProblem):
        return float("nan")
