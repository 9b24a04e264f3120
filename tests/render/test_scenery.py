"""Scenery and backdrops: the same names as levels use, in their place, out of the way."""

from types import SimpleNamespace

import numpy as np
import pytest

from levels import appearance
from sandbox.render.backdrop import backdrop
from sandbox.render.level_look import scenery_parts
from sandbox.render.look import LOOKS, choose_look, linear
from sandbox.render.ornaments import ORNAMENTS
from sandbox.render.scene import PATTERNS


def test_levels_and_renderer_know_the_same_names() -> None:
    assert tuple(sorted(ORNAMENTS)) == appearance.ORNAMENTS
    assert all(linear(name) for name in appearance.COLORS)
    assert appearance.PATTERNS == PATTERNS
    assert set(appearance.PALETTES) == set(LOOKS)


@pytest.mark.parametrize("name", ["forest", "dusk", "night"])
def test_a_backdrop_leaves_the_level_clear(name: str) -> None:
    center, clear, ground = (3.0, 2.0, -5.0), 30.0, -1.0
    groups = backdrop(LOOKS[name], center, clear, ground)
    assert groups
    for rows in groups.values():
        away = np.hypot(rows["position"][:, 0] - center[0], rows["position"][:, 2] - center[2])
        assert (away - rows["half"].max(axis=1) > 0.85 * clear).all()
        assert (rows["position"][:, 1] + rows["half"].max(axis=1) > ground).all()


def test_the_studio_is_empty_and_paper_has_hills() -> None:
    assert backdrop(LOOKS["studio"], (0, 0, 0), 20.0, 0.0) == {}
    flat = backdrop(choose_look(None, 2), (0, 0, 0), 20.0, 0.0)
    assert (flat["cylinder"]["position"][:, 2] < -1.4).all()  # behind everything that moves


def test_the_same_backdrop_every_time() -> None:
    a, b = (backdrop(LOOKS["forest"], (0, 0, 0), 20.0, 0.0) for _ in range(2))
    assert all(np.array_equal(a[mesh], b[mesh]) for mesh in a)


def test_scenery_is_placed_and_turned() -> None:
    piece = SimpleNamespace(
        ornament="fence", position=[5.0, 1.0, 0.0], size=[4.0, 2.0, 0.2], turn=90.0, color=None
    )
    posts = scenery_parts(piece)["cylinder"]["position"]
    assert np.allclose(posts.mean(axis=0), (5.0, 1.0, 0.0), atol=1e-5)
    assert np.ptp(posts[:, 2]) == pytest.approx(4.0, abs=1e-5)  # along x before the turn
    assert np.ptp(posts[:, 0]) == pytest.approx(0.0, abs=1e-5)
