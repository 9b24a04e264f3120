"""Strict types outside kernels: mypy lets untyped functions of physics pass, this test does not.

Numba types a kernel when it compiles it, so kernels carry no annotations. Everything else does, and
a kernel is recognised by its decorator.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

PHYSICS = Path(__file__).parents[1] / "physics"
KERNEL_DECORATORS = {
    "kernel",
    "kernel_without_lock",
    "njit",
    "intrinsic",
    "overload",
    "overload_method",
    "register_jitable",
}


def decorators(function: ast.FunctionDef) -> set[str]:
    """Bare names: `@kernel` and `@numba.njit(...)` are "kernel" and "njit"."""
    calls = (node.func if isinstance(node, ast.Call) else node for node in function.decorator_list)
    return {node.attr if isinstance(node, ast.Attribute) else ast.unparse(node) for node in calls}


def python_functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """Functions that Python itself runs: not kernels, nor anything inside one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            if decorators(child) & KERNEL_DECORATORS:
                continue
            yield child
        yield from python_functions(child)


def missing(function: ast.FunctionDef) -> list[str]:
    """Names of what has no annotation."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    bare = [one.arg for one in named if one.annotation is None and one.arg not in ("self", "cls")]
    return bare if function.returns is not None else [*bare, "return"]


def test_only_kernels_are_untyped() -> None:
    wrong = []
    for path in sorted(PHYSICS.rglob("*.py")):
        for function in python_functions(ast.parse(path.read_text(encoding="utf-8"))):
            if missing(function):
                names = ", ".join(missing(function))
                wrong.append(f"{path.name}:{function.lineno} {function.name}: {names}")
    assert not wrong, "\n".join(wrong)


def test_an_untyped_python_function_is_found() -> None:
    source = "@kernel\ndef fast(x):\n    return x\n\ndef slow(x):\n    return x\n"
    found = {one.name: missing(one) for one in python_functions(ast.parse(source))}
    assert found == {"slow": ["x", "return"]}
