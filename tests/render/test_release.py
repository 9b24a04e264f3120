"""Memory of the graphics driver is given back."""

import gc

import moderngl
import numpy as np

from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene, Sheet
from sandbox.render.view import View


def test_buffers_of_things_that_are_gone_are_released(context: moderngl.Context) -> None:
    """OpenGL hands out the lowest free name, so names that grow mean buffers that stay."""
    renderer = Renderer(context, QUALITIES["lowest"])
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    view = View((0.0, 1.0, 5.0), (0.0, 0.5, 0.0))

    def draw_another_sheet() -> int:
        scene = Scene()
        sheet = Sheet(corners, np.array([[0, 1, 2]]), corners[:, :2], (1, 0, 0), (1, 0, 0), "plain")
        scene.sheets.append(sheet)
        renderer.image(scene, view, (32, 18))
        gc.collect()
        probe = context.buffer(reserve=16)
        name = probe.glo
        probe.release()
        return int(name)

    names = [draw_another_sheet() for _ in range(20)]
    assert max(names[5:]) <= max(names[:5])
