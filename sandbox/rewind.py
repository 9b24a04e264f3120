"""Going back in time: compressed moments of the last minute, within a stated amount of memory.

A moment is kept every `spacing` steps. Coming back to a tick in between restores the moment before
it and plays forward with the same commands, which gives the same bits. When the memory is full,
moments are thinned evenly: the spacing doubles and the span of time stays.

Whoever goes back can go forward again, until something is played from there: then what was ahead
is kept as a lane beside the new course of things, and can be entered again.

Compressing a moment takes longer than a frame may (40 ms for 200 boxes), so a thread does it.
"""

import pickle
import zlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from levels.command_log import Branch
from levels.commands import Command
from levels.plain_data import JsonTable
from levels.runtime import SessionState
from physics.snapshot import SELDOM_CHANGED, Saved

if TYPE_CHECKING:
    from sandbox.protocols import GameSession

SPAN = 60.0  # s that can be taken back
MEMORY = 64_000_000  # bytes of compressed moments
_SPACING = 6  # steps between two moments; replaying 6 steps is quicker than a frame
_SINGLE = ""  # the part of entries that are no parts themselves
_DATA = (dict, list, tuple, set, int, float, str, np.ndarray)
_LEVEL = 1  # zlib's fastest; states of a settled world still shrink to a third
_WAITING = 8  # moments that may wait to be compressed
_LANES = 3  # courses of things that were left and are kept
_SHORTEST_LANE = 0.5  # s; less is not worth a lane
_THREAD = ThreadPoolExecutor(1, "rewind")  # sleeps while there is nothing to compress


@dataclass(frozen=True)
class _Moment:
    tick: int
    packed: Future[bytes]
    shared: dict[str, JsonTable]  # names, shapes …: the same for many moments
    private: JsonTable  # of the session; its names, too, are shared while they stay the same
    branch: Branch
    world: int | None  # number of the world; another one has handles of its own

    @cached_property
    def size(self) -> int:
        """Bytes, once it is compressed."""
        return len(self.packed.result())

    def snapshot(self) -> JsonTable:
        """Everything in its place again."""
        data = pickle.loads(zlib.decompress(self.packed.result()))
        parts = {part: {**shared, **data[part]} for part, shared in self.shared.items()}
        return parts.pop(_SINGLE) | parts


def _pack(data: JsonTable) -> bytes:
    """zlib lets other threads run meanwhile."""
    return zlib.compress(pickle.dumps(data, pickle.HIGHEST_PROTOCOL), _LEVEL)


@dataclass(frozen=True)
class Lane:
    """A course of things that was left: it forks off at a tick and went on to another."""

    fork: int
    end: int
    branch: Branch  # all commands up to its end
    moments: list[_Moment]


class Rewind:
    """Call `after_step` once per step; `back_to(tick)` returns to an earlier one."""

    def __init__(self, session: "GameSession", span: float = SPAN, memory: int = MEMORY) -> None:
        self.session = session
        self.span, self.memory = span, memory
        self.spacing = _SPACING
        self.moments: deque[_Moment] = deque()
        self.lanes: list[Lane] = []
        self._ahead: Lane | None = None  # where one came from by going back
        self._keep()

    @property
    def earliest(self) -> int:
        """The first tick that can be returned to."""
        return self.moments[0].tick

    @property
    def bytes_used(self) -> int:
        """Of all moments, once the last are compressed."""
        return sum(moment.size for moment in self.moments)

    @property
    def end(self) -> int:
        """The last tick that can be gone to."""
        return max(self._ahead.end if self._ahead is not None else 0, self.session.tick)

    def after_step(self) -> None:
        if self._ahead is not None:
            self._fork()
        if self.session.tick - self.moments[-1].tick >= self.spacing:
            self._keep()
            self._forget()

    def back_to(self, tick: int) -> int:
        """Go to the tick, or to the earliest kept; one can go forward again as far as one was."""
        return self.go_to(min(tick, self.session.tick))

    def go_to(self, tick: int) -> int:
        """Back, or forward again along the course that was left by going back."""
        tick = min(max(tick, self.earliest), self.end)
        ahead = self._ahead
        if ahead is None:
            ahead = Lane(self.session.tick, self.session.tick, self.session.branch, [])
        course = [*self.moments, *ahead.moments]
        at = max(i for i, moment in enumerate(course) if moment.tick <= tick)
        moment, later = course[at], course[at + 1 :]
        again = _commands(later[0].branch if later else ahead.branch, moment.tick)
        self.moments = deque(course[: at + 1])
        self.session.restore(SessionState(moment.snapshot(), moment.private))
        self._forward(tick, again)
        kept = Lane(self.session.tick, ahead.end, ahead.branch, later)
        self._ahead = kept if kept.end > self.session.tick else None
        return self.session.tick

    def enter(self, lane: Lane, tick: int) -> int:
        """Go to a moment of a course that was left; the present one becomes such a lane."""
        self.lanes.remove(lane)
        course = [*self.moments, *(self._ahead.moments if self._ahead is not None else ())]
        left = Lane(
            lane.fork,
            self.end,
            self._ahead.branch if self._ahead is not None else self.session.branch,
            [moment for moment in course if moment.tick > lane.fork],
        )
        self.moments = deque(moment for moment in course if moment.tick <= lane.fork)
        self._ahead = lane
        if left.end > left.fork:
            self.lanes.append(left)
        return self.go_to(tick)

    def _fork(self) -> None:
        """Something is played from here: what was ahead stays beside it."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return
        self.lanes = [lane for lane in self.lanes if lane.fork <= ahead.fork]
        if ahead.end - ahead.fork >= _SHORTEST_LANE * float(self.session.world.rate):
            self.lanes = [*self.lanes, ahead][-_LANES:]

    def _forward(self, tick: int, again: list[tuple[int, Command]]) -> None:
        """Play on to the tick with the commands that were given; nobody listens meanwhile."""
        listener, self.session.on_command = self.session.on_command, None
        while self.session.tick < tick:
            for at, command in again:
                if at == self.session.tick:
                    self.session.issue(command)
            self.session.step()
        self.session.on_command = listener

    def jumped(self) -> None:
        """The session has gone to another moment by itself (undo, redo): forget those that do not
        lie on the way to it."""
        self._ahead = None
        way = {id(None), *(id(node) for node in _nodes(self.session.branch))}
        now = self.session.tick
        kept = [m for m in self.moments if m.tick <= now and id(m.branch) in way]
        self.moments = deque(kept)
        if not kept or kept[-1].tick < now:
            self._keep()
        first = self.earliest
        self.lanes = [lane for lane in self.lanes if first <= lane.fork <= now]

    def _keep(self) -> None:
        state = self.session.snapshot()
        last = self.moments[-1] if self.moments else None
        data, shared = _split(state.snapshot)
        if last is not None and last.world == state.snapshot.get("world"):
            for part, entries in shared.items():
                _share(entries, last.shared.get(part, {}))
            _share(state.private["things"], last.private["things"])
        if len(self.moments) >= _WAITING:  # a machine too slow for this waits rather than piles up
            self.moments[-_WAITING].packed.result()
        packed = _THREAD.submit(_pack, data)
        self.moments.append(
            _Moment(
                self.session.tick,
                packed,
                shared,
                state.private,
                self.session.branch,
                state.snapshot.get("world"),
            )
        )

    def _forget(self) -> None:
        oldest = self.session.tick - self.span * self.session.world.rate
        while len(self.moments) > 2 and self.moments[1].tick <= oldest:
            self.moments.popleft()
        self.lanes = [lane for lane in self.lanes if lane.fork >= self.earliest]
        ready = [
            moment.size for moment in islice(self.moments, max(0, len(self.moments) - _WAITING))
        ]
        if sum(ready) * len(self.moments) > self.memory * len(ready):
            self._thin()

    def _thin(self) -> None:
        """Drop every second moment; the newest and the oldest stay. Lanes go first."""
        if self.lanes:
            self.lanes = self.lanes[1:]
            return
        if len(self.moments) <= 2:
            return
        self.spacing *= 2
        kept = [m for i, m in enumerate(self.moments) if i % 2 == 0 or i == len(self.moments) - 1]
        self.moments = deque(kept)


def _split(snapshot: Saved) -> tuple[JsonTable, dict[str, JsonTable]]:
    """What changes from moment to moment, as plain data, and what many moments have in common."""
    parts = {name: part for name, part in snapshot.items() if isinstance(part, dict)}
    parts[_SINGLE] = {name: part for name, part in snapshot.items() if name not in parts}
    data, shared = {}, {}
    for name, part in parts.items():
        seldom = SELDOM_CHANGED.get(name, ())
        data[name] = {
            key: value
            for key, value in part.items()
            if isinstance(value, _DATA) and key not in seldom
        }
        shared[name] = {key: value for key, value in part.items() if key not in data[name]}
    return data, shared


def _share(new: JsonTable, old: JsonTable) -> None:
    """Hold what has not changed once, not once per moment."""
    for key, value in new.items():
        before = old.get(key)
        # the table of joints is another object after every change; its records hold arrays
        comparable = key != "joints" and isinstance(value, dict | list | set)
        if comparable and value == before:
            new[key] = before


def _commands(branch: Branch, since: int) -> list[tuple[int, Command]]:
    """What was done on the way to the end of a branch, since a tick, in order."""
    found: list[tuple[int, Command]] = []
    for node in _nodes(branch):
        if node is None or node[1] < since:
            break
        found.append((node[1], node[2]))
    return found[::-1]


def _nodes(branch: Branch) -> Iterator[Branch]:
    while branch is not None:
        yield branch
        branch = branch[0]
