"""Times that can be compared on a busy machine: processor time, in turns, the best of each.

Every turn takes the same motion from its start, so that the best turn is the least disturbed one
and not the one in which there was least to do.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Work = Callable[[], object]


@dataclass(frozen=True)
class Turn:
    """`prepare` makes the work, which is not timed; the work has `parts` (steps), and is."""

    prepare: Callable[[], Work]
    parts: int = 1


def in_turn(entrants: Mapping[str, Turn], turns: int) -> dict[str, list[float]]:
    """Processor seconds of a part, for every entrant and turn; the order alternates."""
    found: dict[str, list[float]] = {name: [] for name in entrants}
    names = list(entrants)
    for turn in range(turns):
        for name in names if turn % 2 == 0 else reversed(names):
            work = entrants[name].prepare()
            began = time.process_time()
            work()
            found[name].append((time.process_time() - began) / entrants[name].parts)
    return found


def best(times: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The least of each; what was never timed took for ever."""
    return {name: min(values, default=math.inf) for name, values in times.items()}
