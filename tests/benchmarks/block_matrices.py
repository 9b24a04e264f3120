"""Block matrices of cloths and solids: time to analyse, factorise and solve.

Processor time of one thread, the best of many runs; "two" is the factorisation by the clock with
two threads. The growth exponent is the slope of
log(time) over log(nodes); nested dissection promises 1.5 for sheets and 2 for solids in the limit.
"""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from physics.jit.threads import cores, use_threads
from tests.physics.spd.matrices import matrix, sheet, solid
from tests.physics.spd.spd_solver import SpdSolver

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def best(
    call: Callable[[], object], runs: int = 25, clock: Callable[[], float] = time.thread_time
) -> float:
    """Least time (ms) of a call."""
    call()
    times = []
    for _ in range(runs):
        start = clock()
        call()
        times.append(clock() - start)
    return 1e3 * min(times)


def measure(name: str, edges: Ints, position: Floats) -> tuple[int, float]:
    """Print one line; returns (nodes, factor time in ms)."""
    n = len(position)
    diagonal, off = matrix(n, edges)
    solver = SpdSolver(n, edges, position)
    analysis = best(lambda: SpdSolver(n, edges, position), 3)
    use_threads(cores())
    two = best(lambda: solver.factorise(diagonal, off), 25, time.perf_counter)
    use_threads(1)
    factor = best(lambda: solver.factorise(diagonal, off))
    b, many = np.ones((n, 3)), np.ones((n, 3, 16))
    one = best(lambda: solver.solve(b, 0))
    sixteen = best(lambda: solver.solve_many(many), 8)
    rate = solver.flops / factor * 1e-6
    print(
        f"{name:>16} {n:6d} {analysis:9.2f} {factor:8.2f} {two:8.2f} {rate:8.1f} {one:8.2f}"
        f" {sixteen:8.2f} {solver.factor.nbytes * 1e-6:7.1f}"
    )
    return n, factor


def growth(points: list[tuple[int, float]]) -> float:
    """Slope of log(time) over log(size)."""
    size, times = np.log(np.array(points, dtype=float)).T
    return float(np.polyfit(size, times, 1)[0])


def main(_arguments: list[str] | None = None) -> None:
    print(
        f"{'ms':>16} {'nodes':>6} {'analysis':>9} {'factor':>8} {'two':>8} {'Gflop/s':>8}"
        f" {'solve':>8} {'16 rhs':>8} {'MB':>7}"
    )
    plain = [measure(f"cloth {n}x{n}", *sheet(n, bend=False)) for n in (20, 40, 60)]
    bend = [measure(f"with bend {n}x{n}", *sheet(n)) for n in (20, 40, 60)]
    shapes = {"500": (9, 3, 3), "2000": (9, 6, 6), "8000": (20, 8, 8)}
    solids = [measure(f"{name} tetrahedra", *solid(*cells)) for name, cells in shapes.items()]
    for name, points in (("cloth", plain), ("cloth with bend", bend), ("tetrahedra", solids)):
        print(f"growth exponent, {name}: {growth(points):.2f}")
