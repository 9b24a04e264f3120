"""Which kernels a level needs, and compiling them before anybody waits for them.

Compiling happens in processes of its own: in a thread of the game it would hold the interpreter for
seconds at a time, and the window with it.
"""

import math
import sys
import time
from typing import TYPE_CHECKING

from sandbox.messages import Progress, is_silent

if TYPE_CHECKING:
    from physics.prepare import Preparation
    from sandbox.protocols import GameLevel

_LOOK_EVERY = 0.2  # s between looks at the compiling processes
_LONG = 30.0  # s
_NICE = 3  # of 19: somebody looks at a window that must answer meanwhile
_VERY_NICE = 15  # the game draws and steps beside it
_MOST_NAMES = 3  # of what is being compiled at the moment
_read: set[str] = set()  # tasks whose kernels this process has read from their files


def features(level: "GameLevel") -> set[str]:
    """What of the engine a level makes use of, beyond what every level needs."""
    simulation = level.default.simulation
    found = {"soft"} if level.default.plan.softs else set()
    found |= {feature_of("stabilization", simulation.stabilization)}
    found |= {feature_of("solver", simulation.solver)}
    return found - {""}


def feature_of(option: str, value: object) -> str:
    """What of the engine an option of the world needs; "" where every level has it."""
    if option == "stabilization" and value != "adaptive":
        return "linear"
    return "pgs" if option == "solver" and value == "pgs" else ""


def needed(level: "GameLevel") -> list[str]:
    """Names of what must be compiled before the level can move."""
    from physics import prepare

    return prepare.tasks_for(features(level))


def missing(level: "GameLevel") -> list[str]:
    """Those of them that are not compiled yet."""
    return unready(needed(level))


def missing_for(option: str, value: object) -> list[str]:
    """What is not compiled yet of what an option of the world needs."""
    from physics import prepare

    feature = feature_of(option, value)
    return unready(prepare.tasks_for({feature})) if feature else []


def unready(names: list[str]) -> list[str]:
    from physics import prepare

    return [name for name in names if not prepare.is_ready(name)]


def rest(level: "GameLevel") -> list[str]:
    """What is not compiled yet and this level did not wait for, in the order to do it.

    What takes long comes last: levels that need it are seldom the second one, and wait for it with
    all processors.
    """
    from physics import prepare

    names = unready(prepare.later(needed(level)))
    return sorted(names, key=lambda name: weight(name) > _LONG)


def start(names: list[str], *, gently: bool = False) -> "Preparation":
    """Begin to compile; the caller polls it, and closes it in the end.

    `gently`: one process that leaves the processors to whoever else wants them.
    """
    from physics import prepare

    if gently:
        return prepare.Preparation(names, workers=1, nice=_VERY_NICE)
    return prepare.Preparation(names, nice=_NICE)


def read_kept(level: "GameLevel") -> None:
    """Read from their files what is compiled for the level, before anything moves.

    A kernel that is read when it is first called holds a step up: when something first touched a
    cloth there were twenty, 55 ms in a step of 4. The tasks with a scene call all of their kind.
    """
    from physics import prepare

    wanted = [*needed(level), "hands"]
    if unready(wanted):
        return  # a scene would compile what is missing, here and slowly
    for name in wanted:
        scene = prepare.TASKS[name].scene
        if scene and name not in _read:
            _read.add(name)
            scene()


def weight(name: str) -> float:
    """About how many seconds of a processor it takes."""
    from physics import prepare

    return float(prepare.TASKS[name].weight)


def prepare_level(level: "GameLevel") -> None:
    """Compile what a level needs and tell on stderr how it goes: for runs without a window."""
    compile_all(missing(level))


def compile_all(names: list[str]) -> None:
    """Compile these on all cores and tell on stderr how it goes."""
    if not names:
        return
    if not is_silent():
        print("First start: the physics is compiled, only this once.", file=sys.stderr, flush=True)
    progress = Progress("preparing")
    preparation = start(names)
    try:
        while not (preparation.done or preparation.failed):
            preparation.poll()
            notes = (now_compiling(preparation.current), time_left(preparation.seconds_left))
            progress(preparation.share, ", ".join(note for note in notes if note))
            time.sleep(_LOOK_EVERY)
    finally:
        preparation.close()
        progress.done()
    if preparation.failed:  # it is compiled when it is first used, and not by all processors
        print(f"sandbox: {preparation.failed}", file=sys.stderr)


def now_compiling(titles: list[str]) -> str:
    """ "detection, first forces"; titles come in the order they were begun."""
    shown = ", ".join(titles[:_MOST_NAMES])
    return shown + (" …" if len(titles) > _MOST_NAMES else "") if shown else "starting"


def time_left(seconds: float | None) -> str:
    """In steps that can be kept: nobody believes a number that goes up and down."""
    if seconds is None:
        return ""
    if seconds < 5.0:
        return "a few seconds left"
    step = 5 if seconds < 60 else 15
    rounded = step * math.ceil(seconds / step)
    if rounded < 60:
        return f"about {rounded} s left"
    minutes, rest = divmod(rounded, 60)
    return f"about {minutes} min {rest} s left" if rest else f"about {minutes} min left"


def being_prepared(seconds: float) -> str:
    """ "being prepared, 40 s": until a level can be played at once."""
    rounded = 5 * max(1, math.ceil(seconds / 5))
    minutes, rest = divmod(rounded, 60)
    return f"being prepared, {minutes} min {rest} s" if minutes else f"being prepared, {rest} s"
