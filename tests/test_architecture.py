"""The layers hold: sandbox → levels → physics, and inside physics step comes last."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("physics", "levels", "sandbox")
WINDOWS = ("pygame", "moderngl", "imgui_bundle", "glcontext")
ALLOWED_IN_PHYSICS = {"physics", "numpy", "scipy", "numba", "llvmlite"}
OPTIONAL = {  # extras, and peers to be measured beside
    "physics/bench.py": {"mujoco"},
    "physics/contact/bench.py": {"mujoco", "pybullet"},
    "physics/soft/files.py": {"meshio"},
    "physics/soft/fill.py": {"meshio", "pytetwild"},
    "physics/soft/peers.py": {"mujoco", "newton", "pybullet", "warp"},
}
HEADLESS = ("physics", "levels")


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path, *, everywhere: bool = True) -> set[str]:
    """Full names of the modules a file imports, at its top or anywhere in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree) if everywhere else _top_level(tree.body):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute here"
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _top_level(body: list[ast.stmt]) -> list[ast.AST]:
    """Statements that run on import, but for those under TYPE_CHECKING."""
    found: list[ast.AST] = []
    for node in body:
        found.append(node)
        if isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test):
            found += _top_level(node.body + node.orelse)
        elif isinstance(node, (ast.Try, ast.With)):
            found += _top_level(node.body)
    return found


def roots(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_import_downwards_only(layer: str) -> None:
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    wrong = {str(path): roots(path) & above for path in modules(layer) if roots(path) & above}
    assert not wrong


def test_physics_imports_only_numerics() -> None:
    standard = set(sys.stdlib_module_names)
    for path in modules("physics"):
        extra = OPTIONAL.get(path.relative_to(ROOT).as_posix(), set())
        foreign = roots(path) - ALLOWED_IN_PHYSICS - standard - extra
        assert not foreign, f"{path} imports {foreign}"
        on_import = {name.split(".")[0] for name in imported(path, everywhere=False)}
        assert not on_import & extra, f"{path} needs {extra} when it is imported"


def test_solver_and_constraints_do_not_know_each_other() -> None:
    for package, other in (("solver", "constraints"), ("constraints", "solver")):
        for path in modules(f"physics/{package}"):
            wrong = {name for name in imported(path) if name.startswith(f"physics.{other}")}
            assert not wrong, f"{path} imports {wrong}"


@pytest.mark.parametrize("base", ["schema", "state", "linalg", "params", "portable"])
def test_the_base_of_physics_imports_nothing_above_it(base: str) -> None:
    ours = {name for name in imported(ROOT / f"physics/{base}.py") if name.startswith("physics")}
    modules_below = ("physics.jit", "physics.schema", "physics.state")
    assert not {name for name in ours if not name.startswith(modules_below)}


def test_collision_constraints_and_solver_do_not_import_the_step() -> None:
    for package in ("collision", "constraints", "solver", "stabilization", "shapes"):
        for path in modules(f"physics/{package}"):
            above = {"physics.step", "physics.stepping", "physics.world", "physics.schemes"}
            wrong = {name for name in imported(path) if any(name.startswith(a) for a in above)}
            assert not wrong, f"{path} imports {wrong}"


@pytest.mark.parametrize("package", HEADLESS)
def test_headless_code_opens_no_window(package: str) -> None:
    """In a fresh process: importing the package loads none of the window libraries."""
    code = f"import sys, {package}; print([m for m in {WINDOWS!r} if m in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert found.stdout.strip() == "[]"


def test_no_import_cycle_in_physics() -> None:
    """Over imports that run when a module is loaded."""
    graph = {}
    for path in modules("physics"):
        parts = list(path.relative_to(ROOT).with_suffix("").parts)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        graph[name] = {m for m in imported(path, everywhere=False) if m != name}
    for name, targets in graph.items():  # `from package import module` means the module
        packages = {
            m for m in targets if any(t.startswith(f"{m}.") for t in targets & graph.keys())
        }
        graph[name] = targets - packages
    state: dict[str, int] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert state.get(name) != 1, f"cycle: {' -> '.join((*path, name))}"
        if state.get(name) == 2:
            return
        state[name] = 1
        for target in sorted(graph[name] & graph.keys()):
            if target != "physics":
                visit(target, (*path, name))
        state[name] = 2

    for name in graph:
        if name != "physics":
            visit(name, ())


# --- the same bits on every processor -------------------------------------------------------------

NOT_PORTABLE = {  # of numpy: what goes through a BLAS, or has another version where AVX-512 is
    "linalg", "dot", "vdot", "inner", "matmul", "tensordot", "einsum", "convolve", "correlate",
    "polyfit", "polyval", "roots", "cov", "corrcoef", "vecdot", "matvec", "vecmat",
    "sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "asin", "acos", "atan", "atan2",
    "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log", "log2",
    "log10", "log1p", "logaddexp", "power", "float_power", "pow", "cbrt", "hypot", "geomspace",
    "logspace",
}  # fmt: skip
MEASURING = ("bench.py", "peers.py")  # they print, and feed no state
MAKES_COMMANDS = ("sandbox/app/tools.py", "sandbox/replay_file.py", "sandbox/rewind.py")


def _not_portable(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and name of every product or function whose bits may depend on the processor."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.MatMult):
            found.append((node.lineno, "@"))
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if (owner in ("np", "numpy") and node.attr in NOT_PORTABLE) or node.attr == "dot":
                found.append((node.lineno, f"{owner}.{node.attr}"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numpy"):
            names = {node.module.split(".")[-1], *(alias.name for alias in node.names)}
            found += [(node.lineno, name) for name in names & NOT_PORTABLE]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "argsort":
            stable = any(word.arg == "kind" for word in node.keywords)
            found += [] if stable else [(node.lineno, "argsort, equal keys in any order")]
    return found


def test_nothing_that_feeds_a_state_depends_on_the_processor() -> None:
    """Use physics/portable.py, the scalar functions of math, or a kernel instead."""
    for path in [*modules("physics"), *modules("levels"), *(ROOT / p for p in MAKES_COMMANDS)]:
        if path.name not in MEASURING:
            wrong = _not_portable(ast.parse(path.read_text(encoding="utf-8")))
            assert not wrong, f"{path}: {wrong}"


@pytest.mark.parametrize(
    "code",
    ["a @ b", "a @= b", "np.linalg.norm(a)", "a.dot(b)", "np.exp(a)", "from numpy import einsum",
     "from numpy.linalg import norm", "np.argsort(a)"],
)  # fmt: skip
def test_what_depends_on_the_processor_is_noticed(code: str) -> None:
    assert _not_portable(ast.parse(code))


def test_files_and_functions_are_of_readable_size() -> None:
    """Files of 100-400 lines, at most 450; functions at most 80."""
    for package in (*LAYERS, "tests"):
        for path in modules(package):
            lines = path.read_text(encoding="utf-8").splitlines()
            assert len(lines) <= 450, f"{path} has {len(lines)} lines"
            for node in ast.walk(ast.parse("\n".join(lines))):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    size = (node.end_lineno or node.lineno) - node.lineno + 1
                    assert size <= 80, f"{path}: {node.name} has {size} lines"
