"""Going back in time: compressed moments of the last minute, within a stated amount of memory.

A moment is kept every `spacing` steps. Coming back to a tick in between restores the moment before
it and plays forward with the same commands, which gives the same bits. When the memory is full,
moments are thinned evenly: the spacing doubles and the span of time stays.
"""

import pickle
import zlib
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from levels.commands import Command
from levels.runtime import Session, SessionState

SPAN = 60.0  # s that can be taken back
MEMORY = 64_000_000  # bytes of compressed moments
_SPACING = 6  # steps between two moments; replaying 6 steps is quicker than a frame
_DATA = (dict, list, tuple, set, int, float, str, np.ndarray)
_LEVEL = 1  # zlib's fastest; states of a settled world still shrink to a third


@dataclass(frozen=True)
class _Moment:
    tick: int
    packed: bytes
    shared: dict[str, Any]  # compiled structures, the same object for many moments
    private: dict[str, Any]


class Rewind:
    """Call `after_step` once per step; `back_to(tick)` returns to an earlier one."""

    def __init__(self, session: Session, span: float = SPAN, memory: int = MEMORY) -> None:
        self.session = session
        self.span, self.memory = span, memory
        self.spacing = _SPACING
        self.moments: deque[_Moment] = deque()
        self.commands: deque[tuple[int, Command]] = deque()
        self.bytes_used = 0
        session.listen(self._note)
        self._keep()

    @property
    def earliest(self) -> int:
        """The first tick that can be returned to."""
        return self.moments[0].tick

    def _note(self, tick: int, command: Command) -> None:
        self.commands.append((tick, command))

    def after_step(self) -> None:
        if self.session.tick - self.moments[-1].tick >= self.spacing:
            self._keep()
            self._forget()

    def back_to(self, tick: int) -> int:
        """Return to the tick, or to the earliest kept; later moments are dropped."""
        tick = max(tick, self.earliest)
        while len(self.moments) > 1 and self.moments[-1].tick > tick:
            self.bytes_used -= len(self.moments.pop().packed)
        moment = self.moments[-1]
        snapshot = {**moment.shared, **pickle.loads(zlib.decompress(moment.packed))}
        self.session.restore(SessionState(snapshot, moment.private))
        self._forward(tick)
        while self.commands and self.commands[-1][0] >= tick:
            self.commands.pop()
        return self.session.tick

    def _forward(self, tick: int) -> None:
        """Play on to the tick with the commands that were given; nobody listens meanwhile."""
        listener, self.session.on_command = self.session.on_command, None
        again = [entry for entry in self.commands if entry[0] >= self.session.tick]
        while self.session.tick < tick:
            for at, command in again:
                if at == self.session.tick:
                    self.session.issue(command)
            self.session.step()
        self.session.on_command = listener

    def _keep(self) -> None:
        state = self.session.snapshot()
        data = {key: value for key, value in state.snapshot.items() if isinstance(value, _DATA)}
        shared = {key: value for key, value in state.snapshot.items() if key not in data}
        packed = zlib.compress(pickle.dumps(data, pickle.HIGHEST_PROTOCOL), _LEVEL)
        self.moments.append(_Moment(self.session.tick, packed, shared, state.private))
        self.bytes_used += len(packed)

    def _forget(self) -> None:
        oldest = self.session.tick - self.span * self.session.world.rate
        while len(self.moments) > 2 and self.moments[1].tick <= oldest:
            self.bytes_used -= len(self.moments.popleft().packed)
        if self.bytes_used > self.memory:
            self._thin()
        while self.commands and self.commands[0][0] < self.earliest:
            self.commands.popleft()

    def _thin(self) -> None:
        """Drop every second moment; the newest and the oldest stay."""
        if len(self.moments) <= 2:
            return
        self.spacing *= 2
        kept = [m for i, m in enumerate(self.moments) if i % 2 == 0 or i == len(self.moments) - 1]
        self.moments = deque(kept)
        self.bytes_used = sum(len(m.packed) for m in kept)
