"""The arithmetic of level files: `"=load * 2"` and `"speed('truck') < 0.2"`.

Python's parser reads the text, then every node must be on a short list: numbers, names, + - * / //
% **, comparisons, and/or/not, `a if c else b`, calls of listed functions. Each node becomes a small
closure; nothing is ever handed to `eval`. All numbers are floats, so no value can grow without
bound, and length, node count and depth are capped, so evaluation takes microseconds.

Two types exist, number and truth. They are inferred when the text is compiled, so a condition that
forgot its comparison is reported before the level moves.
"""

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from levels.arithmetic import CONSTANTS, Function, Type
from levels.caps import (
    MAX_EXPRESSION_CHARACTERS,
    MAX_EXPRESSION_DEPTH,
    MAX_EXPRESSION_NODES,
)
from levels.other_words import our_word
from levels.problems import did_you_mean, listing


class Scope(Protocol):
    """Where names are looked up: values of a level that may run, as its functions ask for more."""

    @property
    def values(self) -> Mapping[str, float]: ...


Evaluator = Callable[[Any], Any]  # from the scope to a number or a truth
Rename = Callable[[str, str], str]  # from the kind and name of a thing to its full name


def _as_written(kind: str, name: str) -> str:
    return name


@dataclass(frozen=True)
class Reference:
    """A quoted name inside an expression, to be checked against the level's things."""

    kind: str
    name: str
    offset: int
    length: int


@dataclass(eq=False)
class ExpressionProblem(Exception):
    """What is wrong, and which characters of the text are meant."""

    message: str
    offset: int = 0
    length: int = 1
    hint: str = ""
    note: str = ""


@dataclass
class Expression:
    """Checked text, ready to be evaluated many times."""

    text: str
    type: Type
    evaluate: Evaluator
    references: list[Reference] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    terms: dict[str, Evaluator] = field(
        default_factory=dict
    )  # its function calls that give numbers

    def __call__(self, scope: Scope) -> Any:
        """A number or a truth; functions get the scope as first argument."""
        return self.evaluate(scope)


@dataclass(frozen=True)
class Values:
    """The smallest scope: parameter values and nothing else."""

    values: Mapping[str, float]


def _pow(base: float, exponent: float) -> float:
    return math.pow(base, exponent)


_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _pow,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


_TRUTHS = {"true": True, "false": False}  # as TOML writes them

# Habits from other languages, caught before the parser says "invalid syntax".
_FOREIGN = (
    (re.compile(r"&&"), "write `and`"),
    (re.compile(r"\|\|"), "write `or`"),
    (re.compile(r"!(?!=)"), "write `not`"),
    (re.compile(r"(?<![<>=!:*/+-])=(?!=)"), "to compare, write `==`"),
    (re.compile(r"\^"), "powers are written `**`"),
    (re.compile(r";"), "one expression only"),
)


def compile_expression(
    text: str,
    names: Collection[str],
    functions: Mapping[str, Function],
    expected: Type,
    constants: Mapping[str, float] | None = None,
    rename: Rename | None = None,
) -> Expression:
    """Check `text` against the whitelist; raises ExpressionProblem at the first mistake.

    `constants` are names with a value of their own; `rename` says what a quoted name means.
    """
    tree, lead = _parse(text)
    compiler = _Compiler(text, lead, names, functions, constants or {}, rename or _as_written)
    evaluate, found = compiler.compile(tree.body, 0)
    if found != expected:
        wrong, cure = {
            "truth": ("this is a number, but a condition is needed", "compare it: `… < 0.2`"),
            "number": ("this is true or false, but a number is needed", ""),
        }[expected]
        raise ExpressionProblem(wrong, lead, len(text.strip()), cure)
    return Expression(text, found, evaluate, compiler.references, compiler.names, compiler.terms)


def explain(expression: Expression, scope: Scope) -> str:
    """The values behind a condition: `speed('truck') = 0.31, load = 15000`."""
    shown = {name: scope.values[name] for name in sorted(expression.names)}
    terms = {text: evaluate(scope) for text, evaluate in expression.terms.items()}
    return ", ".join(f"{text} = {value:.4g}" for text, value in {**terms, **shown}.items())


def _parse(text: str) -> tuple[ast.Expression, int]:
    if len(text) > MAX_EXPRESSION_CHARACTERS:
        raise ExpressionProblem(
            f"the expression has {len(text)} characters; {MAX_EXPRESSION_CHARACTERS} are allowed"
        )
    clean = text.replace("\n", " ").replace("\r", " ").replace("\t", " ").replace("\f", " ")
    lead = len(clean) - len(clean.lstrip())
    clean = clean.strip()
    if not clean:
        raise ExpressionProblem("the expression is empty", hint='for example "=load * 2"')
    if "\0" in clean:
        raise ExpressionProblem("the expression contains a NUL character")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "1and x": Python would remark on it on the terminal
            return ast.parse(clean, mode="eval"), lead
    except SyntaxError as error:
        raise _syntax_problem(clean, lead, error) from None
    except (ValueError, MemoryError, RecursionError):
        raise ExpressionProblem("the expression is nested too deeply") from None


def _syntax_problem(clean: str, lead: int, error: SyntaxError) -> ExpressionProblem:
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", lambda m: " " * len(m.group()), clean)
    for pattern, cure in _FOREIGN:
        match = pattern.search(bare)
        if match:
            word = match.group()
            return ExpressionProblem(
                f'"{word}" means nothing in a level expression',
                lead + match.start(),
                len(word),
                cure,
            )
    if clean.count("(") != clean.count(")"):
        return ExpressionProblem("the brackets ( ) do not match", lead, len(clean))
    offset = max(0, min(len(clean) - 1, (error.offset or 1) - 1))
    return ExpressionProblem("cannot read the expression from here on", lead + offset, 1)


class _Compiler:
    """Turns the syntax tree into closures, node by listed node."""

    def __init__(
        self,
        text: str,
        lead: int,
        names: Collection[str],
        functions: Mapping[str, Function],
        constants: Mapping[str, float],
        rename: Rename,
    ) -> None:
        self.constants = {**CONSTANTS, **constants}
        self.rename = rename
        self.text = text
        self.encoded = text.strip().encode()
        self.lead = lead
        self.known_names = names
        self.functions = functions
        self.references: list[Reference] = []
        self.names: set[str] = set()
        self.terms: dict[str, Evaluator] = {}
        self.nodes = 0

    def compile(self, node: ast.expr, depth: int) -> tuple[Evaluator, Type]:
        self.nodes += 1
        if self.nodes > MAX_EXPRESSION_NODES or depth > MAX_EXPRESSION_DEPTH:
            raise ExpressionProblem(
                "the expression is too large", hint="split it, or compute it in a parameter"
            )
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            raise self._refuse(node)
        return method(node, depth + 1)

    def problem(
        self, node: ast.expr, message: str, hint: str = "", note: str = ""
    ) -> ExpressionProblem:
        offset, length = self._extent(node)
        return ExpressionProblem(message, offset, length, hint, note)

    def _extent(self, node: ast.expr) -> tuple[int, int]:
        start = len(self.encoded[: node.col_offset].decode(errors="replace"))
        end = len(self.encoded[: node.end_col_offset or 0].decode(errors="replace"))
        return self.lead + start, max(1, end - start)

    def _refuse(self, node: ast.expr) -> ExpressionProblem:
        reasons = {
            ast.Attribute: ("a dot cannot be used here", "functions take names: speed('truck')"),
            ast.Subscript: ("[ ] cannot be used here", ""),
            ast.Lambda: ("functions cannot be defined here", ""),
            ast.JoinedStr: ("only plain quoted names are understood", ""),
            ast.List: ("a list cannot be used here", ""),
            ast.Tuple: ("a comma cannot be used here", "a decimal point is written ."),
        }
        message, hint = reasons.get(type(node), ("this is not part of level arithmetic", ""))
        return self.problem(node, message, hint)

    def _number(self, node: ast.expr, depth: int) -> Evaluator:
        evaluate, found = self.compile(node, depth)
        if found != "number":
            raise self.problem(node, "this is true or false, but a number is needed here")
        return evaluate

    def _truth(self, node: ast.expr, depth: int) -> Evaluator:
        evaluate, found = self.compile(node, depth)
        if found != "truth":
            raise self.problem(
                node, "this is a number, but a condition is needed here", "compare it: `… > 0`"
            )
        return evaluate

    def _constant(self, node: ast.Constant, depth: int) -> tuple[Evaluator, Type]:
        if isinstance(node.value, bool):
            truth = node.value
            return (lambda _: truth), "truth"
        if isinstance(node.value, int | float):
            number = _as_float(node.value)
            if math.isfinite(number):
                return (lambda _: number), "number"
            raise self.problem(node, "the number is too large")
        if isinstance(node.value, str):
            raise self.problem(
                node, "a quoted name only has a meaning inside a function", "e.g. speed('truck')"
            )
        raise self.problem(node, "this is not a number")

    def _name(self, node: ast.Name, depth: int) -> tuple[Evaluator, Type]:
        name = node.id
        if name in self.constants and name not in self.known_names:
            constant = self.constants[name]
            return (lambda _: constant), "number"
        if name in _TRUTHS and name not in self.known_names:
            truth = _TRUTHS[name]
            return (lambda _: truth), "truth"
        if name not in self.known_names:
            raise self._unknown_name(node)
        self.names.add(name)
        return (lambda scope: scope.values[name]), "number"

    def _unknown_name(self, node: ast.Name) -> ExpressionProblem:
        if node.id in self.functions:
            return self.problem(
                node, f'"{node.id}" is a function', f"write {self.functions[node.id].signature}"
            )
        known = [*self.known_names, *self.constants]
        note = f"parameters: {listing(self.known_names)}" if self.known_names else ""
        hint = did_you_mean(node.id, known)
        if not hint and our_word(node.id, ("time",)):
            hint = "did you mean time()?"
        return self.problem(node, f'unknown parameter "{node.id}"', hint, note)

    def _unaryop(self, node: ast.UnaryOp, depth: int) -> tuple[Evaluator, Type]:
        if isinstance(node.op, ast.Not):
            condition = self._truth(node.operand, depth)
            return (lambda scope: not condition(scope)), "truth"
        if isinstance(node.op, ast.Invert):
            raise self.problem(node, '"~" means nothing here', "write `not`")
        operand = self._number(node.operand, depth)
        if isinstance(node.op, ast.UAdd):
            return operand, "number"
        return (lambda scope: -operand(scope)), "number"

    def _binop(self, node: ast.BinOp, depth: int) -> tuple[Evaluator, Type]:
        apply = _BINARY.get(type(node.op))
        if apply is None:
            hint = "powers are written `**`" if isinstance(node.op, ast.BitXor) else ""
            raise self.problem(node, "this operator is not part of level arithmetic", hint)
        left, right = self._number(node.left, depth), self._number(node.right, depth)
        return (lambda scope: apply(left(scope), right(scope))), "number"

    def _boolop(self, node: ast.BoolOp, depth: int) -> tuple[Evaluator, Type]:
        terms = [self._truth(value, depth) for value in node.values]
        if isinstance(node.op, ast.And):
            return (lambda scope: all(term(scope) for term in terms)), "truth"
        return (lambda scope: any(term(scope) for term in terms)), "truth"

    def _compare(self, node: ast.Compare, depth: int) -> tuple[Evaluator, Type]:
        terms = [self._number(term, depth) for term in (node.left, *node.comparators)]
        tests = [_COMPARE.get(type(op)) for op in node.ops]
        if None in tests:
            raise self.problem(node, "only < <= > >= == != compare numbers")
        pairs = list(zip(tests, terms[:-1], terms[1:], strict=True))
        return (
            lambda scope: all(test(a(scope), b(scope)) for test, a, b in pairs if test)
        ), "truth"

    def _ifexp(self, node: ast.IfExp, depth: int) -> tuple[Evaluator, Type]:
        condition = self._truth(node.test, depth)
        yes, kind = self.compile(node.body, depth)
        no, other = self.compile(node.orelse, depth)
        if kind != other:
            raise self.problem(node, "both branches of if … else must be of one type")
        return (lambda scope: yes(scope) if condition(scope) else no(scope)), kind

    def _call(self, node: ast.Call, depth: int) -> tuple[Evaluator, Type]:
        function = self._callee(node)
        kinds = self._argument_kinds(node, function)
        arguments = [
            self._argument(argument, kind, function, depth)
            for argument, kind in zip(node.args, kinds, strict=True)
        ]
        call = function.call
        evaluate: Evaluator = call
        if arguments:
            evaluate = lambda scope: call(scope, *[a(scope) for a in arguments])  # noqa: E731
        if function.returns == "number":
            offset, length = self._extent(node)
            self.terms[self.text[offset : offset + length]] = evaluate
        return evaluate, function.returns

    def _callee(self, node: ast.Call) -> Function:
        if not isinstance(node.func, ast.Name):
            raise self._refuse(node.func)
        name = node.func.id
        function = self.functions.get(name)
        if function is None:
            raise self.problem(
                node.func,
                f'unknown function "{name}"',
                did_you_mean(name, self.functions),
                f"known functions: {listing(self.functions, 100)}",
            )
        if node.keywords:
            raise self.problem(node, "arguments are given by position", function.signature)
        return function

    def _argument_kinds(self, node: ast.Call, function: Function) -> list[str]:
        kinds = list(function.arguments)
        given = len(node.args)
        least = sum(not kind.endswith("?") for kind in kinds)
        most = len(kinds)
        if kinds and kinds[-1].endswith("*"):
            many = kinds.pop().rstrip("*")
            kinds += [many] * max(1, given - len(kinds))
        while len(kinds) > given and kinds[-1].endswith("?"):
            kinds.pop()
        kinds = [kind.rstrip("?") for kind in kinds]
        if given != len(kinds):
            count = f"{least} to {most}" if least < most else f"{len(kinds)}"
            wanted = "no argument" if not kinds else f"{count} argument{'s' * (most > 1)}"
            raise self.problem(
                node, f"{function.name}() takes {wanted}, {given} given", function.signature
            )
        return kinds

    def _argument(self, node: ast.expr, kind: str, function: Function, depth: int) -> Evaluator:
        if kind == "number":
            return self._number(node, depth)
        if kind == "truth":
            return self._truth(node, depth)
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            raise self.problem(
                node,
                f"{function.name}() needs the name of a {kind} in quotes here",
                f"write '{node.id}'" if isinstance(node, ast.Name) else function.signature,
            )
        name = node.value
        offset, length = self._extent(node)
        self.nodes += 1
        if kind != "text":
            name = self.rename(kind, name)
            self.references.append(Reference(kind, name, offset, length))
        return lambda _: name


def _as_float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
