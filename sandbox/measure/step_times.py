"""How long steps take: typical, at p99, at worst, by stage; and memory."""

import os
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from levels.plain_data import JsonTable
from sandbox.measure.bench_scenes import world_and_step

WARM = 30  # steps before they are timed: they load what is compiled
LEAST = 20  # steps that are timed, however long they take
LONGEST = 10.0  # times `seconds`: no scene is measured for longer


@dataclass(frozen=True)
class StepTimes:
    """Milliseconds of steps of a scene."""

    level: str
    milliseconds: float  # median
    p99: float
    longest: float
    of_real_time: float  # share
    steps: int
    megabytes: float  # resident, after it
    stages: Mapping[str, float] = field(default_factory=dict)  # mean ms of a step

    def as_json(self) -> JsonTable:
        return asdict(self)


def measure(name: str, seconds: float, warm: int = WARM) -> StepTimes:
    """Steps for about that long, one by one."""
    world, step = world_and_step(name)
    for _ in range(warm):
        step()
    spent: list[float] = []
    stages: dict[str, float] = {}
    began = time.perf_counter()
    while True:
        start = time.perf_counter()
        step()
        spent.append(time.perf_counter() - start)
        for stage, value in world.stats.times.items():
            stages[stage] = stages.get(stage, 0.0) + value
        passed = time.perf_counter() - began
        if passed > seconds and (len(spent) >= LEAST or passed > LONGEST * seconds):
            break
    count = len(spent)
    spent.sort()
    return StepTimes(
        name,
        1e3 * statistics.median(spent),
        1e3 * spent[min(count - 1, int(0.99 * count))],
        1e3 * spent[-1],
        statistics.median(spent) * world.rate,
        count,
        megabytes(),
        {stage: 1e3 * value / count for stage, value in stages.items()},
    )


def megabytes() -> float:
    """Resident memory of this process; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, AttributeError, ValueError):
        pass
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def exponent(sizes: list[float], times: list[float]) -> float:
    """Growth of time with size: the slope in a log-log plot."""
    import numpy as np

    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
