"""A running world allocates nothing, and a second start compiles nothing."""

from tests.another_process import printed

ALLOCATIONS = """
from numba.core.runtime import rtsys
from tests.physics.test_determinism import busy_world

world = busy_world()
world.step(100)  # buffers, forces of new joints
counts = []
for steps in (100, 1000):
    before = rtsys.get_allocation_stats().alloc
    world.step(steps)
    counts.append(rtsys.get_allocation_stats().alloc - before)
print(*counts)
"""

FIRST_STEP = """
from physics import Box, World
world = World()
world.add_body("link", Box((0.5, 0.1, 0.1)), mass=1.0, position=(0.25, 0, 0))
world.add_joint("ball", "link", at=(0, 0, 0))
world.step()

import gc
from numba.core.dispatcher import Dispatcher
kernels = [item for item in gc.get_objects() if isinstance(item, Dispatcher)]
ours = [item for item in kernels if item.py_func.__module__.startswith("physics")]
compiled = [item.py_func.__name__ for item in ours if sum(item.stats.cache_misses.values())]
loaded = sum(sum(item.stats.cache_hits.values()) for item in ours)
print(loaded, *compiled)
"""


def output(code: str, **environment: str) -> list[str]:
    return printed(code, **environment).split()


def test_a_steady_world_allocates_nothing_per_step() -> None:
    """Entering compiled code may box an argument or two; ten times the steps cost no more."""
    short, long = (int(word) for word in output(ALLOCATIONS, NUMBA_NRT_STATS="1"))
    assert long <= short + 5


def test_a_second_start_compiles_nothing() -> None:
    output(FIRST_STEP)
    loaded, *compiled = output(FIRST_STEP)
    assert compiled == []
    assert int(loaded) > 5
