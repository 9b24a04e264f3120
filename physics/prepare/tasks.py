"""What there is to compile, in pieces that processes can share out.

A task either names entry points with the types they are called with, which `schema.numba_type`
knows without a world, or plays a small scene that calls everything of its kind. The weights are
seconds on one core of a usual machine; they order the tasks and make the bar truthful.
"""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from numba import types

from physics import structs
from physics.collision import detect
from physics.collision.arrays import Collider
from physics.collision.collider import collider_ref
from physics.contact.contact_rows import load_contacts, response_blocks
from physics.contact.events import compare_touching
from physics.contact.solver.gauss_seidel import solve_group
from physics.energy import energies
from physics.islands.lists import build_islands, enter_whole
from physics.islands.sleeping import SleepState, sleep_state_ref
from physics.jit.cache import cache_folder, target, versions
from physics.jit.prebuilt import FOLDER as PREBUILT
from physics.jit.prebuilt import prebuilt_target
from physics.jit.sources import stamp
from physics.look_ahead import look_ahead
from physics.prepare import soft_entries, warm_up_scenes
from physics.prepare.soft_entries import Entry
from physics.recovery import step_adaptive
from physics.schema import array_type, fields, named_tuple_type, numba_type
from physics.schemes.adaptive import solve_substep
from physics.schemes.all_rows import step_all_rows
from physics.schemes.implicit import implicit_step
from physics.schemes.linear import step_linear
from physics.schemes.piles import step_pile_island
from physics.schemes.velocity_solve import find_forces, solve_impulses
from physics.solver.symbolic import _analyse
from physics.state import (
    Bodies,
    ContactRows,
    Elements,
    Islands,
    Scene,
    Settings,
    System,
    Unilateral,
)
from physics.step import run_steps, step_islands
from physics.synchronise import measure_rows, synchronise


class Task(NamedTuple):
    """One piece of the compilation."""

    title: str  # for people
    weight: float  # s on one core
    entries: Callable[[], list[Entry]] | None = None
    scene: Callable[[], None] | None = None
    after: tuple[str, ...] = ()  # what it calls besides; it waits, or it would compile them, too

    def run(self) -> None:
        for kernel, kinds in self.entries() if self.entries else ():
            kernel.compile(kinds)
        if self.scene:
            self.scene()


_FLOAT, _INT, _FLAG = types.float64, types.int64, types.boolean
_MATRIX = types.Array(_FLOAT, 2, "C")


def _step_types() -> tuple[Any, Any]:
    return numba_type(Scene), numba_type(Settings)


def _structures() -> list[Entry]:
    scene = types.Tuple([kind for _, kind in numba_type(Scene)._fields])
    collider = types.Tuple([kind for _, kind in numba_type(Collider)._fields])
    return [
        (structs.bodies_ref, (named_tuple_type(Bodies),)),
        (structs.elements_ref, (named_tuple_type(Elements),)),
        (structs.system_ref, (named_tuple_type(System),)),
        (structs.unilateral_ref, (named_tuple_type(Unilateral),)),
        (structs.contact_rows_ref, (named_tuple_type(ContactRows),)),
        (structs.islands_ref, (named_tuple_type(Islands),)),
        (sleep_state_ref, (named_tuple_type(SleepState),)),
        (collider_ref, (collider,)),
        (structs.scene_ref, (scene,)),
        (structs.replace_contacts, (numba_type(Scene), numba_type(ContactRows))),
    ]


def _analysis() -> list[Entry]:
    return [(_analyse, (numba_type(Bodies), numba_type(Elements), _FLAG))]


def _detection() -> list[Entry]:
    return [(detect, (_MATRIX, _MATRIX, _MATRIX, _FLOAT, numba_type(Collider)))]


def _velocity_solve() -> list[Entry]:
    return [(solve_impulses, (numba_type(Scene), _FLOAT))]


def _first_forces() -> list[Entry]:
    return [
        (find_forces, (*_step_types(), _FLOAT)),
        (build_islands, (numba_type(Scene),)),
        (enter_whole, (numba_type(Scene),)),
    ]


def _adaptive() -> list[Entry]:
    return [
        (solve_substep, (*_step_types(), _FLOAT)),
        (step_adaptive, (*_step_types(), _INT)),
    ]


def _contacts() -> list[Entry]:
    scene, rows = numba_type(Scene), numba_type(ContactRows)
    return [
        (solve_group, (scene, _INT, _INT, _INT)),
        (load_contacts, (numba_type(Bodies), numba_type(System), _FLOAT, _FLAG, rows)),
        (look_ahead, _step_types()),
    ]


def _loop() -> list[Entry]:
    scene, settings = _step_types()
    collider, sleep = numba_type(Collider), numba_type(SleepState)
    gravity = array_type(fields(Settings)["gravity"])
    return [
        (run_steps, (scene, collider, sleep, settings, _INT, _FLAG, _INT, _INT)),
        (energies, (scene, gravity)),  # every level notes with how much it begins
        (synchronise, (scene, settings)),
        (measure_rows, (scene,)),
    ]


def _piles() -> list[Entry]:
    return [(step_pile_island, (*_step_types(), _INT))]


def _implicit() -> list[Entry]:
    return [(implicit_step, (*_step_types(), _FLOAT))]


def _recovery() -> list[Entry]:
    rows = numba_type(ContactRows)
    return [
        (step_islands, (*_step_types(), _INT)),
        (compare_touching, (rows,)),
        (response_blocks, (rows, _INT)),
    ]


def _linear() -> list[Entry]:
    return [(step_linear, (*_step_types(), _INT))]


def _all_rows() -> list[Entry]:
    return [(step_all_rows, (*_step_types(), _INT))]


_ALWAYS = (
    "structures", "analysis", "detection", "velocity", "forces", "step", "contacts", "piles",
    "implicit", "loop",
)  # fmt: skip
_SOFT = ("elements", "matrix", "corrections", "motion", "touching")

TASKS: dict[str, Task] = {
    "structures": Task("arrays", 7.0, _structures),
    "analysis": Task("joints and their order", 9.0, _analysis),
    "detection": Task("collisions", 20.0, _detection),
    "velocity": Task("joint forces", 10.0, _velocity_solve),
    "forces": Task("first forces", 7.0, _first_forces),
    "step": Task("the step", 28.0, _adaptive),
    "contacts": Task("contacts and friction", 12.0, _contacts),
    "piles": Task("piles", 12.0, _piles),
    "implicit": Task("steps that were refused", 9.0, _implicit),
    "loop": Task("the loop", 5.0, _loop),
    "recovery": Task("recovery", 3.0, _recovery),
    "hands": Task(
        "hands and gauges", 8.0, scene=warm_up_scenes.hands, after=(*_ALWAYS, "recovery")
    ),
    "elements": Task("forces of soft bodies", 25.0, soft_entries.elements),
    "matrix": Task("the matrix of soft bodies", 22.0, soft_entries.solve),
    "corrections": Task("lengths of threads", 20.0, soft_entries.corrections),
    "motion": Task("motion of soft bodies", 10.0, soft_entries.motion),
    "touching": Task("contacts of soft bodies", 7.0, soft_entries.touching),
    "soft": Task(
        "cloth and soft solids",
        20.0,
        scene=warm_up_scenes.soft,
        after=(*_ALWAYS, "recovery", *_SOFT),
    ),
    "linear": Task("the papers' stabilizations", 9.0, _linear),
    "all rows": Task("the solver over all rows", 8.0, _all_rows),
}

_BY_FEATURE = {"soft": (*_SOFT, "soft"), "linear": ("linear",), "pgs": ("all rows",)}


def tasks_for(features: Iterable[str] = ()) -> list[str]:
    """What a world needs before it can move.

    Features: "soft" for cloth and solids, "linear" for stabilizations other than adaptive, "pgs"
    for the solver over all rows.
    """
    return [*_ALWAYS, *(name for feature in features for name in _BY_FEATURE[feature])]


def later(prepared: Iterable[str]) -> list[str]:
    """The rest, in the order in which a player is likely to need it."""
    return [name for name in TASKS if name not in set(prepared)]


# --- what is there already --------------------------------------------------------------------


def _marker(name: str, folder: Path, processor: str) -> Path:
    """A file that says that a scene was played with just these sources for just this processor."""
    parts = (stamp(Path(__file__)), versions(), processor)
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]
    return folder / f"{_file_name(name)}-{key}.prepared"


def _file_name(task: str) -> str:
    return task.replace(" ", "-")


def _is_kept(entry: Entry) -> bool:
    kernel, kinds = entry
    return any(path.is_file() for path in kernel._cache.places(kinds, target()))


def is_ready(name: str) -> bool:
    """Whether everything of the task is compiled and kept, or came with the wheel."""
    task = TASKS[name]
    if task.entries:
        return all(_is_kept(entry) for entry in task.entries())
    places = ((cache_folder(), target()), (PREBUILT, prebuilt_target()))
    return any(
        _marker(name, folder, processor).is_file()
        for folder, processor in places
        if folder is not None and processor is not None
    )


def do(name: str) -> None:
    """Compiles the task in this process."""
    TASKS[name].run()
    folder = cache_folder()
    if TASKS[name].scene and folder is not None:
        try:
            for old in folder.glob(f"{_file_name(name)}-*.prepared"):
                old.unlink(missing_ok=True)
            _marker(name, folder, target()).touch()
        except OSError:
            pass  # a full disk: the next start looks again
