"""Which kernels a level needs, and compiling them before anybody waits for them.

Compiling happens in processes of its own: in a thread of the game it would hold the interpreter for
seconds at a time, and the window with it.
"""

import math
import sys
import time
from typing import TYPE_CHECKING

from sandbox.messages import Progress

if TYPE_CHECKING:
    from levels import Level
    from physics.prepare import Preparation

_LOOK_EVERY = 0.2  # s between looks at the compiling processes
_MOST_NAMES = 3  # of what is being compiled at the moment


def needed(level: "Level") -> list[str]:
    """Names of what must be compiled before the level can move."""
    from physics import prepare

    return prepare.tasks_for_level(features(level))


def missing(level: "Level") -> list[str]:
    """Those of them that are not compiled yet."""
    return unready(needed(level))


def unready(names: list[str]) -> list[str]:
    from physics import prepare

    return [name for name in names if not prepare.is_ready(name)]


def rest(level: "Level") -> list[str]:
    """What other levels need and is not compiled yet, in the order in which it may be wanted."""
    from physics import prepare

    return unready(prepare.later(needed(level)))


def start(names: list[str], *, gently: bool = False) -> "Preparation":
    """Begin to compile; the caller polls it, and closes it in the end.

    `gently`: one process that leaves the processors to whoever else wants them.
    """
    from physics import prepare

    return prepare.Preparation(names, workers=1 if gently else None)


def weight(name: str) -> float:
    """About how many seconds of a processor it takes."""
    from physics import prepare

    return float(prepare.TASKS[name].weight)


def features(level: "Level") -> set[str]:
    """What of the engine a level makes use of."""
    plan, simulation = level.default.plan, level.default.simulation
    found = {str(getattr(body.shape, "name", "")) for body in plan.bodies.values()}
    found |= {soft.kind for soft in plan.softs.values()}
    return found | {simulation.solver, simulation.stabilization}


def prepare_level(level: "Level") -> None:
    """Compile what a level needs and tell on stderr how it goes: for runs without a window."""
    names = missing(level)
    if not names:
        return
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
