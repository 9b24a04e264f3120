"""The layers hold: sandbox → levels → physics, and inside physics step comes last."""

import ast
import sys
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.another_process import printed
from tests.sources import parsed

ROOT = Path(__file__).parents[1]
LAYERS = ("physics", "levels", "sandbox")
WINDOWS = ("pygame", "moderngl", "imgui_bundle", "glcontext")
ALLOWED_IN_PHYSICS = {"physics", "numpy", "scipy", "numba", "llvmlite"}
OPTIONAL = {  # extras
    "physics/soft/meshes/mesh_files.py": {"meshio"},
    "physics/soft/meshes/fill.py": {"meshio", "pytetwild"},
    "physics/shapes/decomposition.py": {"coacd"},
}
HEADLESS = ("physics", "levels")
GAME_BENCH = ("sandbox/window/frame_budget.py", "sandbox/commands/bench.py")  # `sandbox bench`


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def imported(path: Path, *, everywhere: bool = True) -> frozenset[str]:
    """Full names of the modules a file imports, at its top or anywhere in it."""
    tree = parsed(path)
    names: set[str] = set()
    for node in ast.walk(tree) if everywhere else _top_level(tree.body):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute here"
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


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


def test_nothing_that_is_shipped_is_made_for_tests_and_other_engines_have_one_room() -> None:
    """Benchmarks of inner parts live in tests/, which no wheel holds. Engines that `sandbox
    reproduce` and `sandbox bench --peers` run beside ours are imported in one folder only, and
    when they are asked for: none of them is needed to import it."""
    packaging = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = packaging["tool"]["setuptools"]["packages"]["find"]["include"]
    assert shipped == [f"{package}*" for package in (*LAYERS, "shaders")]
    peers = {
        "mujoco",
        "newton",
        "pybullet",
        "pybullet_utils",
        "warp",
        "rapier3d",
        "pymunk",
        "Box2D",
    }
    for path in (path for layer in LAYERS for path in modules(layer)):
        assert "tests" not in roots(path), f"{path} imports tests"
        room = path.parent == ROOT / "sandbox/engines"
        names = {name.split(".")[0] for name in imported(path, everywhere=not room)}
        assert not names & peers, f"{path} imports {names & peers}"
        assert path.stem not in ("bench", "peers") or path.as_posix().endswith(GAME_BENCH), path


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


THE_STEP = {  # what a step is made of, from the loop down to its checks
    "physics.step", "physics.stepper", "physics.step_context", "physics.recovery",
    "physics.schemes", "physics.acceptance", "physics.validation", "physics.ccd",
    "physics.rollback", "physics.energy", "physics.scene_arrays", "physics.world", "physics.soft",
}  # fmt: skip


def starts_with(name: str, packages: set[str]) -> bool:
    """Whether a full name is one of the packages or modules, or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize(
    "package",
    ["collision", "constraints", "contact", "islands", "shapes", "solver", "stabilization"],
)
def test_the_parts_of_a_step_do_not_import_the_step(package: str) -> None:
    for path in modules(f"physics/{package}"):
        wrong = {name for name in imported(path) if starts_with(name, THE_STEP)}
        assert not wrong, f"{path} imports {wrong}"


@pytest.mark.parametrize("package", HEADLESS)
def test_headless_code_opens_no_window(package: str) -> None:
    """In a fresh process: importing the package loads none of the window libraries."""
    code = f"import sys, {package}; print([m for m in {WINDOWS!r} if m in sys.modules])"
    assert printed(code) == "[]"


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


# --- every object looks after its own -----------------------------------------------------------

NAMED_TUPLE = {"_asdict", "_replace", "_fields", "_make"}  # public in spite of their names
OF_NUMBA = ("physics/jit/", "physics/prepare/")  # Numba's own insides


def _foreign_privates(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and name of every private attribute of another object."""
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {alias.asname or alias.name for node in imports for alias in node.names}
    own = {"self", "cls", *names}
    return [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and node.attr not in NAMED_TUPLE
        and ast.unparse(node.value) not in own
    ]


def test_nobody_in_physics_reaches_into_another_object() -> None:
    for path in modules("physics"):
        if not path.relative_to(ROOT).as_posix().startswith(OF_NUMBA):
            wrong = _foreign_privates(parsed(path))
            assert not wrong, f"{path}: {wrong}"


def test_the_world_is_composed_not_inherited() -> None:
    tree = parsed(ROOT / "physics/world.py")
    (world,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "World")
    assert not world.bases


@pytest.mark.parametrize("code", ["world._bodies.arrays", "self._a._b", "a().b[0]._c = 1"])
def test_reaching_into_another_object_is_noticed(code: str) -> None:
    assert _foreign_privates(ast.parse(code))


# --- no cycles between folders --------------------------------------------------------------------

Graph = dict[str, set[str]]


def _runs(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below a node but what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)):
            yield child
            yield from _runs(child)


def _imported_modules(tree: ast.AST, known: Collection[str]) -> set[str]:
    """Modules of ours that a file imports at its top or within a function."""
    names: set[str] = set()
    for node in _runs(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            submodules = inside & set(known)
            names |= submodules
            if submodules != inside:
                names.add(node.module)
    return names & set(known)


def _room(module: str, path: Path) -> str:
    """The folder of a module; one at the top of its layer stands alone."""
    folder = path.relative_to(ROOT).parent
    return module if len(folder.parts) == 1 else ".".join(folder.parts)


def _rooms(layer: str) -> Graph:
    """Which rooms of a layer import which."""
    paths = {}
    for path in modules(layer):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    rooms: Graph = {}
    for module, path in paths.items():
        found = _imported_modules(parsed(path), paths)
        rooms.setdefault(_room(module, path), set()).update(_room(m, paths[m]) for m in found)
    return rooms


def _reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    pending = list(graph[start])
    while pending:
        room = pending.pop()
        if room not in found:
            found.add(room)
            pending += graph[room]
    return found


def _cycles(graph: Graph) -> set[frozenset[str]]:
    """Sets of rooms that reach each other."""
    reach = {room: _reachable(graph, room) for room in graph}
    together = (frozenset({a} | {b for b in reach[a] if a in reach[b]}) for a in graph)
    return {rooms for rooms in together if len(rooms) > 1}


def test_no_cycle_in_physics_even_by_imports_within_functions() -> None:
    assert not _cycles(_rooms("physics"))


@pytest.mark.parametrize("layer", ["levels", "sandbox"])
def test_no_cycle_between_folders_even_by_imports_within_functions(layer: str) -> None:
    """Cycles between files of one folder are left out."""
    found = {
        rooms
        for rooms in _cycles(_rooms(layer))
        if any((ROOT / room.replace(".", "/")).is_dir() for room in rooms)
    }
    assert not found


def test_a_cycle_by_an_import_within_a_function_is_noticed() -> None:
    known = {"p.a", "p.a.x", "p.b.y"}
    inner, typing = "def f():\n    from p.a import x", "if TYPE_CHECKING:\n    import p.b.y"
    assert _imported_modules(ast.parse(inner), known) == {"p.a.x"}
    assert _imported_modules(ast.parse(typing), known) == set()
    assert _cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == {frozenset({"b", "c"})}


# --- the same bits on every processor -------------------------------------------------------------

NOT_PORTABLE = {  # of numpy: what goes through a BLAS, or has another version where AVX-512 is
    "linalg", "dot", "vdot", "inner", "matmul", "tensordot", "einsum", "convolve", "correlate",
    "polyfit", "polyval", "roots", "cov", "corrcoef", "vecdot", "matvec", "vecmat",
    "sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "asin", "acos", "atan", "atan2",
    "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log", "log2",
    "log10", "log1p", "logaddexp", "power", "float_power", "pow", "cbrt", "hypot", "geomspace",
    "logspace",
}  # fmt: skip
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
        wrong = _not_portable(parsed(path))
        assert not wrong, f"{path}: {wrong}"


@pytest.mark.parametrize(
    "code",
    ["a @ b", "a @= b", "np.linalg.norm(a)", "a.dot(b)", "np.exp(a)", "from numpy import einsum",
     "from numpy.linalg import norm", "np.argsort(a)"],
)  # fmt: skip
def test_what_depends_on_the_processor_is_noticed(code: str) -> None:
    assert _not_portable(ast.parse(code))


FACADES = {"physics/world.py": 1100}  # lines of files that are read as a list of calls


def test_files_and_functions_are_of_readable_size() -> None:
    """Files of 100-400 lines, at most 450; functions at most 65."""
    for package in (*LAYERS, "tests"):
        for path in modules(package):
            lines = path.read_text(encoding="utf-8").splitlines()
            most = FACADES.get(path.relative_to(ROOT).as_posix(), 450)
            assert len(lines) <= most, f"{path} has {len(lines)} lines"
            for node in ast.walk(parsed(path)):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    size = (node.end_lineno or node.lineno) - node.lineno + 1
                    assert size <= 65, f"{path}: {node.name} has {size} lines"


# --- what a row or a joint is, is declared where it is defined ------------------------------------


def _names(path: Path) -> set[str]:
    """Every name, attribute and imported name in a file."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.name.split(".")[-1] for alias in node.names}
    return found


def test_nobody_outside_constraints_asks_for_a_row_primitive_by_name() -> None:
    """Kernels ask elements.traits; a new primitive is then known everywhere."""
    from physics.constraints.rows import PRIMITIVES

    primitives = {primitive.name.upper() for primitive in PRIMITIVES.values()} - {"NONE"}
    for layer in LAYERS:
        for path in modules(layer):
            if "physics/constraints" not in path.as_posix():
                wrong = _names(path) & primitives
                assert not wrong, f"{path} asks for {wrong}"


def _compared_words(tree: ast.AST) -> set[str]:
    """Texts that a joint's kind is compared with, or looked for in; a group is a prop."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and "kind" in (left := ast.unparse(node.left)):
            if left.startswith("group."):
                continue
            for side in node.comparators:
                found |= {n.value for n in ast.walk(side) if isinstance(n, ast.Constant)}
    return found


def test_nobody_outside_constraints_asks_for_a_joint_kind_by_name() -> None:
    """Making one is fine; what follows from its kind is a trait of JointKind."""
    from physics import JOINTS, SHAPES

    for layer in LAYERS:
        for path in modules(layer):
            if "physics/constraints" not in path.as_posix():
                tree = parsed(path)
                wrong = _compared_words(tree) & (JOINTS.keys() - SHAPES.keys())
                assert not wrong, f"{path} asks for {wrong}"


def test_stabilizations_are_listed_once() -> None:
    """Levels, user interface and documentation read physics.STABILIZATIONS."""
    from physics import STABILIZATIONS

    home = ROOT / "physics/stabilization"
    for layer in LAYERS:
        for path in modules(layer):
            if not path.is_relative_to(home) and not path.is_relative_to(ROOT / "physics/soft"):
                tree = parsed(path)
                for node in ast.walk(tree):
                    if isinstance(node, (ast.Tuple, ast.List, ast.Dict, ast.Set)):
                        parts = node.keys if isinstance(node, ast.Dict) else node.elts
                        words = {p.value for p in parts if isinstance(p, ast.Constant)}
                        assert len(words & STABILIZATIONS.keys()) < 2, f"{path}:{node.lineno}"
