"""Functions that a script wants to be called after a step: when contacts begin or end, or joints
break."""

import inspect
from collections.abc import Callable, Sequence

from physics.event_log import Event

_TOLD = {  # kind of event → what its listeners are given
    "contact_begin": ("a", "b", "point", "impulse"),
    "contact_end": ("a", "b"),
    "broken": ("handle", "name"),
    "step": (),
}
KINDS = tuple(_TOLD)
Listener = Callable[..., object]  # takes what an event of its kind tells


class Callbacks:
    """Who is told of what. They are no part of the state: snapshots and hashes leave them out."""

    def __init__(self) -> None:
        self._listeners: list[tuple[str, Listener]] = []
        self._telling = False

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, kind: str, function: Listener) -> None:
        if not callable(function):
            raise ValueError(f"{function!r} cannot be called")
        if not _can_take(function, len(_TOLD[kind])):
            told = ", ".join(_TOLD[kind]) or "nothing"
            raise ValueError(f"{function!r} cannot be called with what {kind} tells: {told}")
        self._listeners.append((kind, function))

    def remove(self, function: Listener) -> None:
        kept = [entry for entry in self._listeners if entry[1] != function]
        if len(kept) == len(self._listeners):
            raise ValueError(f"{function!r} is not called by this world")
        self._listeners = kept

    def check_not_telling(self) -> None:
        if self._telling:
            raise ValueError("a function that is called after a step cannot take steps itself")

    def tell(self, events: Sequence[Event]) -> None:
        """What happened in one step, in its order; then that it is over."""
        self._telling = True
        try:
            for event in (*events, ("step",)):
                for kind, function in list(self._listeners):
                    if kind == event[0]:
                        function(*event[1:])
        finally:
            self._telling = False


def _can_take(function: Listener, count: int) -> bool:
    """Whether a function can be called with so many values. One that could not would fail in the
    middle of a step, long after it was given."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # some of those written in C do not tell
        return True
    return True
