"""Who calls whom and how long it takes: Python functions and the kernels that they call.

Numba's kernels tell Python's profiler of themselves while it looks, under the name of the function
that they were compiled from. What happens within one is told by the stages of the engine's clock.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Call:
    """A function as called by its caller; seconds with all that it calls."""

    name: str
    seconds: float = 0.0
    count: int = 0
    below: dict[str, "Call"] = field(default_factory=dict)

    @property
    def own(self) -> float:
        return max(0.0, self.seconds - sum(call.seconds for call in self.below.values()))

    def walk(self) -> Iterator["Call"]:
        yield self
        for call in self.below.values():
            yield from call.walk()


def _name(frame: FrameType) -> str:
    code = frame.f_code
    path = Path(code.co_filename)
    place = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else path.name
    return f"{place}: {code.co_name}"


def profiled(work: Callable[[], Any]) -> Call:
    """The tree of calls under `work`."""
    root = Call("everything")
    stack: list[tuple[Call, float]] = []

    def look(frame: FrameType, event: str, _: Any) -> None:
        now = time.perf_counter()
        if event == "call":
            above = stack[-1][0] if stack else root
            name = _name(frame)
            call = above.below.setdefault(name, Call(name))
            call.count += 1
            stack.append((call, now))
        elif event == "return" and stack:
            call, began = stack.pop()
            call.seconds += now - began

    began = time.perf_counter()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    root.seconds, root.count = time.perf_counter() - began, 1
    return root


def add_stages(root: Call, kernel: str, stages: dict[str, float]) -> None:
    """Hang the engine's stages under the kernel of that name, shared out by their seconds."""
    total = sum(stages.values())
    for call in list(root.walk()):
        if call.name.endswith(f": {kernel}") and total > 0:
            for stage, seconds in stages.items():
                if seconds > 0:
                    share = call.seconds * seconds / total
                    call.below[f"stage {stage}"] = Call(f"stage {stage}", share, call.count)


def by_function(root: Call) -> list[Call]:
    """Own time of every function, wherever it was called from; the longest first."""
    found: dict[str, Call] = {}
    for call in root.walk():
        one = found.setdefault(call.name, Call(call.name))
        one.seconds += call.own
        one.count += call.count
    return sorted(found.values(), key=lambda call: -call.seconds)
