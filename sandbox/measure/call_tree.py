"""Who calls whom and how long it takes: Python functions and the kernels that they call.

Numba's kernels tell Python's profiler of themselves while it looks, under the name of the function
that they were compiled from. What happens within one is told by the stages of the engine's clock.
"""

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
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


def _name(code: CodeType) -> str:
    path = Path(code.co_filename)
    place = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else path.name
    return f"{place}: {code.co_name}"


class _Looker:
    """Keeps the tree while functions begin and end."""

    def __init__(self) -> None:
        self.root = Call("everything")
        self._stack: list[tuple[Call, float]] = []
        self._thread = threading.get_ident()

    def enter(self, code: CodeType, *_: Any) -> None:
        if threading.get_ident() != self._thread:
            return
        above = self._stack[-1][0] if self._stack else self.root
        name = _name(code)
        call = above.below.setdefault(name, Call(name))
        call.count += 1
        self._stack.append((call, time.perf_counter()))

    def leave(self, *_: Any) -> None:
        if self._stack and threading.get_ident() == self._thread:
            call, began = self._stack.pop()
            call.seconds += time.perf_counter() - began

    def look(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            self.enter(frame.f_code)
        elif event == "return":
            self.leave()


@contextmanager
def _looking(looker: _Looker) -> Iterator[None]:
    """Since Python 3.12 kernels tell `sys.monitoring` of themselves, if they are told to, and
    `sys.setprofile` not."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        sys.setprofile(looker.look)
        try:
            yield
        finally:
            sys.setprofile(None)
        return
    tool, events = monitoring.PROFILER_ID, monitoring.events
    begins = (events.PY_START, events.PY_RESUME, events.PY_THROW)
    ends = (events.PY_RETURN, events.PY_YIELD, events.PY_UNWIND)
    kernels = _kernels()
    monitoring.use_tool_id(tool, "taut")
    try:
        for kernel in kernels:
            kernel._enable_sysmon = True
        for event in (*begins, *ends):
            react = looker.enter if event in begins else looker.leave
            monitoring.register_callback(tool, event, react)
        monitoring.set_events(tool, sum(begins) + sum(ends))
        yield
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
        for kernel in kernels:
            kernel._enable_sysmon = False


def _kernels() -> list[Any]:
    """All that there are; Numba keeps no list of them."""
    from numba.core.dispatcher import Dispatcher

    return [one for one in gc.get_objects() if issubclass(type(one), Dispatcher)]


def profiled(work: Callable[[], Any]) -> Call:
    """The tree of calls under `work`."""
    looker = _Looker()
    began = time.perf_counter()
    with _looking(looker):
        work()
    looker.root.seconds, looker.root.count = time.perf_counter() - began, 1
    return looker.root


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
