"""Commands to a running level: those that wait, and those that led to the present moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from levels.commands import Command

Listener = Callable[[int, Command], None]

# What was done, newest first: (all before it, tick, command). Moments share what is common.
Branch = tuple["Branch", int, Command] | None


class CommandLog:
    """Queue and history. A saved moment is its `branch`; what waits is not part of one."""

    def __init__(self) -> None:
        self.branch: Branch = None
        self.listener: Listener | None = None
        self._queue: list[Command] = []
        self._scheduled: deque[tuple[int, Command]] = deque()

    def issue(self, command: Command) -> None:
        self._queue.append(command)

    def schedule(self, commands: Iterable[tuple[int, Command]]) -> None:
        self._scheduled.extend(commands)

    def due(self, tick: int) -> Iterator[Command]:
        """Commands for this tick, in order; each is noted and told before it is given."""
        while self._scheduled and self._scheduled[0][0] <= tick:
            self._queue.append(self._scheduled.popleft()[1])
        for command in self._queue:
            self.branch = (self.branch, tick, command)
            if self.listener is not None:
                self.listener(tick, command)
            yield command
        self._queue.clear()

    def since(self, tick: int) -> list[tuple[int, Command]]:
        """Everything done since that tick that led to the present moment, in order."""
        found: list[tuple[int, Command]] = []
        node = self.branch
        while node is not None and node[1] >= tick:
            found.append((node[1], node[2]))
            node = node[0]
        return found[::-1]

    def listen(self, listener: Listener) -> None:
        """Call `listener(tick, command)` for every command, besides whoever listens already."""
        before = self.listener

        def both(tick: int, command: Command) -> None:
            if before is not None:
                before(tick, command)
            listener(tick, command)

        self.listener = both

    def restore(self, branch: Branch) -> None:
        self.branch = branch
        self._queue.clear()
