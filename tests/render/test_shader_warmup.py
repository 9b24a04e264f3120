"""A picture that comes piece by piece ends as the whole, with few new programs at a time."""

from itertools import pairwise

import numpy as np

from sandbox.render.scene import Scene
from sandbox.render.shader_warmup import unfold
from tests.render.yard import yard


def programs(scene: Scene) -> set[object]:
    """What is drawn by programs of their own."""
    patterns = {int(p) for rows in scene.parts.values() for p in np.rint(rows["pattern"])}
    kinds = ("tubes", "coils", "sheets", "marks", "backdrop")
    return {*patterns, *(kind for kind in kinds if len(getattr(scene, kind)))}


def test_each_piece_adds_one_kind_and_the_last_is_the_whole() -> None:
    scene = yard()
    pieces = list(unfold(scene))
    assert pieces[-1] is scene
    assert programs(pieces[0]) == set()
    for before, after in pairwise(pieces):
        assert programs(before) <= programs(after)
        assert len(programs(after) - programs(before)) <= 1
        assert after.look is scene.look
        assert after.center == scene.center
    whole = sum(len(rows) for rows in scene.parts.values())
    assert sum(len(rows) for rows in pieces[-2].parts.values()) == whole


def test_an_empty_scene_is_one_picture() -> None:
    assert [programs(piece) for piece in unfold(Scene())] == [set(), set()]
