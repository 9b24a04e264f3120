"""Levels run without a window, as items of the report use them."""

import math
import time
from dataclasses import dataclass

import numpy as np

from levels import load
from levels.library import is_shipped
from levels.runtime import Session
from sandbox.reproduce.item import NONE, Result, at_least, holds


@dataclass(frozen=True)
class Played:
    """What became of a level that plays its own input."""

    finite: bool
    frozen: int  # steps in which something was held still
    rate: float  # frames a second of processor time, median
    worst: float  # ms, the longest step
    h: float  # s


def play(name: str, seconds: float) -> Played:
    session = Session(load(name), scripted=True)
    world = session.world
    session.step(3)
    spent = []
    for _ in range(round(seconds * world.rate)):
        began = time.thread_time()
        session.step()
        spent.append(time.thread_time() - began)
        if world.diverged:
            break
    energy = world.energy().total
    finite = not world.diverged and math.isfinite(energy)
    frozen = int(world.stats.guard.get("frozen", 0))
    return Played(finite, frozen, 1.0 / float(np.median(spent)), 1e3 * max(spent), world.h)


def judge_level(
    result: Result, name: str, seconds: float, paper_rate: float, what: str = "stable"
) -> None:
    """Rows of a level beside the paper's frames a second; "not measured" where there is none."""
    if not is_shipped(name):
        result.add(f"level {name}", what, "there is no such level yet", NONE)
        return
    found = play(name, seconds)
    told = f"{'finite' if found.finite else 'diverged'}, {found.frozen} steps held still"
    result.add(f"level {name}, {seconds:g} s", what, told, holds(found.finite and not found.frozen))
    if paper_rate:
        told = f"{found.rate:.0f} (longest step {found.worst:.1f} ms)"
        result.add(f"level {name}: frames/s at h = {found.h:g} s", f"{paper_rate:g}", told,
                   at_least(found.rate, paper_rate), True)  # fmt: skip
