"""A knot of rope that holds: the example `rope_knot`."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "rope_knot.py"


@pytest.mark.parametrize("pull", [20.0, pytest.param(200.0, marks=pytest.mark.slow)])
def test_an_overhand_knot_is_drawn_tight_and_holds(pull):
    """Drawn by both ends the rope stays shorter by what the knot takes, pieces do not pass each
    other, joints hold, and pulling on does not undo it."""
    example = runpy.run_path(str(EXAMPLE))
    world, names = example["main"](steps=180, pull=pull)
    length = example["PITCH"] * len(names)

    def middle():
        return np.array([world.position(name) for name in names])

    found = []
    for _ in range(90):
        ends = world.position(names[-1]) - world.position(names[0])
        along = ends / np.linalg.norm(ends)
        world.apply_force(names[-1], pull * along)
        world.apply_force(names[0], -pull * along)
        world.step()
        found.append(float(np.linalg.norm(ends)))
    assert max(found) < length - 0.5
    assert max(found[60:]) < max(found[:30]) + 0.05  # it swings, but does not run out
    assert world.constraint_error() < 1e-6
    apart = np.linalg.norm(middle()[:, None] - middle()[None], axis=2)
    i, j = np.indices(apart.shape)
    assert apart[np.abs(i - j) > 3].min() > 1.5 * example["RADIUS"]
