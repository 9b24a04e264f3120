"""Cloths and solids: time of a step, and what was made of it.

Time per step of 1/60 s, averaged over the first second of cloth released from the horizontal (guard
steps included) and of a solid clamped at one end: by the clock, with two threads and with one, and
of the processor with one; strain is the largest met. On a busy machine only the last can be
believed. Then bodies beyond the size of the direct solver, solved directly and by iteration, and
whole worlds, by the clock with two threads: cloth with a ball on it, two cloths on
each other, and a rope. Then other engines on the same scenes, as far as they are installed; see
`tests.benchmarks.cloth_peers`.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from physics import World
from physics.jit.threads import cores, use_threads
from physics.soft.solve.soft_body import SoftBody
from tests.benchmarks import cloth_peers
from tests.benchmarks.block_matrices import growth
from tests.physics.soft.soft_scenes import (
    STEP,
    clamped_beam,
    cloth_world,
    crossed_world,
    folded_world,
    hung_cloth,
    hung_curtain,
    rope_world,
    tumbling_beam,
)

STEPS = 60


def run(body: SoftBody) -> tuple[float, float, float, int]:
    """(ms by the clock, ms of the processor, largest strain, guarded steps), of a step."""
    body.step(STEP)
    guarded, strain = 0, 0.0
    clock, processor = time.perf_counter(), time.thread_time()
    for _ in range(STEPS):
        body.step(STEP)
        guarded += body.guarded > 0
        if len(body.model.link_nodes):
            stiff = body.model.link_stiffness == body.model.link_stiffness.max()
            strain = max(strain, float(np.abs(body.strain()[stiff]).max()))
    spent = time.perf_counter() - clock, time.thread_time() - processor
    return 1e3 * spent[0] / STEPS, 1e3 * spent[1] / STEPS, strain, guarded


def measure(name: str, make: Callable[[], SoftBody]) -> tuple[int, float]:
    """Print one line; returns (nodes, ms a step by the clock)."""
    use_threads(1)
    alone = run(make())
    use_threads(cores())
    body = make()
    clock, _, strain, guarded = run(body)
    n = len(body.x)
    print(
        f"{name:>28} {n:6d} nodes {clock:8.2f} ms, one thread {alone[0]:8.2f} ms,"
        f" processor {alone[1]:8.2f} ms   strain {100 * strain:6.3f} %  guard {guarded}",
        flush=True,
    )
    return n, clock


def measure_world(name: str, world: World) -> None:
    """Print one line: time a step, and how it was solved."""
    world.step(2)
    factorisations = guarded = 0
    start = time.perf_counter()
    for _ in range(STEPS):
        world.step()
        factorisations += world.stats.soft.get("factorisations", 0)
        guarded += world.stats.soft.get("guarded", 0)
    spent = 1e3 * (time.perf_counter() - start) / STEPS
    print(
        f"{name:>28} {'':12} {spent:8.2f} ms   factorisations a step"
        f" {factorisations / STEPS:.2f}  guard {guarded}"
    )


def compare_solvers(name: str, make: Callable[[], SoftBody], steps: int = 20) -> None:
    """Print one line: the same steps solved directly and as "auto" does."""
    spent, body = [], make()
    for solver in ("direct", "auto"):
        body = make()
        body.options.solver = solver
        body.step(STEP, 2)
        made, done = body.factorisations, body.iterations
        start = time.perf_counter()
        body.step(STEP, steps)
        spent.append(1e3 * (time.perf_counter() - start) / steps)
    print(
        f"{name:>28} {len(body.x):6d} nodes {spent[0]:8.2f} ms direct, {spent[1]:8.2f} ms by"
        f" iteration: {(body.iterations - done) / steps:.1f} and"
        f" {(body.factorisations - made) / steps:.2f} factorisations a step",
        flush=True,
    )


def main(_arguments: list[str] | None = None) -> None:
    hung_cloth(12, True).step(STEP, 60)  # loads the kernels, those of the guard too
    sizes = (20, 40, 60)
    plain = [measure(f"cloth {n}x{n}", partial(hung_cloth, n, False)) for n in sizes]
    bend = [measure(f"cloth with bend {n}x{n}", partial(hung_cloth, n, True)) for n in sizes]
    solids = []
    for cells in ((9, 3, 3), (9, 6, 6), (20, 8, 8)):
        count = 6 * cells[0] * cells[1] * cells[2]
        solids.append(measure(f"{count} tetrahedra, stvk", partial(clamped_beam, cells, "stvk")))
    for material in ("corotational", "neo_hookean"):
        measure(f"1944 tetrahedra, {material}", partial(clamped_beam, (9, 6, 6), material))
    for name, points in (("cloth", plain), ("cloth with bend", bend), ("tetrahedra", solids)):
        print(f"growth exponent, {name}: {growth(points):.2f}")
    compare_solvers("curtain 100x100", partial(hung_curtain, 100, 1e4, 0.1))
    for young, material in ((1e6, "corotational"), (1e9, "stvk")):
        beam = partial(tumbling_beam, (20, 10, 10), young, material)
        compare_solvers(f"12000 tetrahedra, {young:.0e} Pa", beam)
    compare_solvers("taut cloth 100x100", partial(hung_cloth, 100, False))
    cloth_world(8, 20.0).step(40)  # loads what contacts need
    for n in (20, 40):
        measure_world(f"cloth {n}x{n} under a ball", cloth_world(n, 20.0))
    folded_world(8, self_collision=True).step(20)
    for n in (20, 40):
        measure_world(f"folded {n}x{n}, touches itself", folded_world(n, self_collision=True))
    measure_world("two cloths of 20x20", crossed_world(20))
    measure_world("rope of 200", rope_world(200))
    cloth_peers.main()
