"""No test asks for a time: a busy machine is no fault. Benchmarks print seconds, tests count."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CLOCKS = {"perf_counter", "monotonic", "process_time", "thread_time", "time"}


def is_clock(node: ast.AST) -> bool:
    """`time.perf_counter()` and its like."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    owner = node.func.value
    return node.func.attr in CLOCKS and isinstance(owner, ast.Name) and owner.id == "time"


def takes_time(node: ast.AST) -> bool:
    """A difference with a reading of a clock in it."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)):
        return False
    return any(is_clock(part) for part in ast.walk(node))


def asked(code: str) -> list[int]:
    """Lines of the assertions about a duration; waiting until a deadline is none."""
    tree = ast.parse(code)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return sorted({line for scope in (*functions, tree) for line in asked_within(scope)})


def asked_within(scope: ast.FunctionDef | ast.Module) -> list[int]:
    nodes = list(ast.walk(scope)) if isinstance(scope, ast.FunctionDef) else scope.body
    durations = {
        name.id
        for node in nodes
        if isinstance(node, ast.Assign) and any(map(takes_time, ast.walk(node.value)))
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    return [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Assert)
        and any(
            takes_time(part) or (isinstance(part, ast.Name) and part.id in durations)
            for part in ast.walk(node.test)
        )
    ]


def test_no_test_asks_for_a_time() -> None:
    found = {path: asked(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")}
    assert len(found) > 200
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize(
    "code",
    [
        "assert time.monotonic() - start < 2",
        "spent = time.perf_counter() - start\nassert spent < 2",
        "spent.append(1)\na, spent = 1, 2 * (time.process_time() - start)\nassert max(spent) < 2",
    ],
)
def test_a_question_about_time_is_noticed(code: str) -> None:
    assert asked(code)


def test_a_deadline_is_no_question_about_time() -> None:
    assert not asked("until = time.monotonic() + 60\nassert time.monotonic() < until")
