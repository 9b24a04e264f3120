"""Memory of the graphics driver is given back."""

import gc

import moderngl
import numpy as np
import pytest

from sandbox.render import renderer as module
from sandbox.render.context import release_forgotten
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene, Sheet
from sandbox.render.view import View

_BUFFERS = 4  # of a sheet: points, tint, material, triangles
_SHOWN = 6  # sheets, one after the other; each costs a search for garbage


def test_buffers_of_things_that_are_gone_are_released(
    context: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    released: list[str] = []

    def counted(context: moderngl.Context) -> None:
        released.extend(type(thing).__name__ for thing in context.objects)
        release_forgotten(context)
        assert not context.objects

    monkeypatch.setattr(module, "release_forgotten", counted)
    renderer = Renderer(context, QUALITIES["lowest"])
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    view = View((0.0, 1.0, 5.0), (0.0, 0.5, 0.0))
    gc.collect()
    counted(context)
    released.clear()
    for _ in range(_SHOWN):
        sheet = Sheet(corners, np.array([[0, 1, 2]]), corners[:, :2], (1, 0, 0), (1, 0, 0), "plain")
        renderer.image(Scene(sheets=[sheet]), view, (32, 18))
        gc.collect()
    # all but the last sheet, which is still shown, and the one before, which waits
    assert released.count("Buffer") >= _BUFFERS * (_SHOWN - 2)
