"""The picture of a level at rest is the one its world would give, without a kernel."""

from pathlib import Path

import numpy as np
import pytest

from levels import load
from levels.still import StillWorld
from sandbox.render.stage import Stage
from tests.another_process import printed

COMPILED = """
import numba.core.event as event
from levels import load, shipped
from levels.still import StillWorld
from sandbox.render.stage import Stage

class Listener(event.Listener):
    def on_start(self, event):
        raise SystemExit(f"compiled {event.data['dispatcher'].py_func.__name__}")
    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
for name in shipped():
    level = load(name)
    world = StillWorld(level.default)
    stage = Stage(world, world.plan, level.look)
    stage.scene(stage.poses())
"""


def test_no_level_needs_a_kernel_for_its_picture(tmp_path: Path) -> None:
    printed(COMPILED, XDG_CACHE_HOME=str(tmp_path))


@pytest.mark.parametrize("name", ["crane", "trampoline", "footbridge", "tower_2d"])
def test_it_shows_what_the_world_would(name: str) -> None:
    level = load(name)
    session = level.session()
    real = Stage(session.world, session.plan, level.look)
    still = StillWorld(level.default)
    drawn = Stage(still, still.plan, level.look)
    expected, scene = real.scene(real.poses()), drawn.scene(drawn.poses())
    assert scene.parts.keys() == expected.parts.keys()
    for mesh, rows in expected.parts.items():
        for column in ("position", "orientation", "half", "color"):
            assert np.allclose(scene.parts[mesh][column], rows[column], atol=1e-6), (mesh, column)
    for end in ("a", "b"):
        assert np.allclose(scene.tubes[end], expected.tubes[end], atol=1e-6)
    for sheet, other in zip(scene.sheets, expected.sheets, strict=True):
        assert np.allclose(sheet.points, other.points, atol=1e-6)
        assert np.array_equal(sheet.triangles, other.triangles)
    assert drawn.radius == pytest.approx(real.radius)
