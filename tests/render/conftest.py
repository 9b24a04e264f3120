"""One offscreen context for all picture tests."""

from collections.abc import Callable, Iterator

import moderngl
import numpy as np
import pytest

from sandbox.render.context import offscreen_context
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene
from sandbox.render.view import View

Draw = Callable[..., np.ndarray]


@pytest.fixture(scope="session")
def context() -> Iterator[moderngl.Context]:
    context = offscreen_context()
    yield context
    context.release()


@pytest.fixture(autouse=True)
def current(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests of the window run in the same process and take the thread's context away."""
    if "context" not in request.fixturenames:
        yield
        return
    with request.getfixturevalue("context"):
        yield


@pytest.fixture(scope="session")
def draw(context: moderngl.Context) -> Draw:
    """draw(scene, view, quality="low", size=(240, 135))"""
    renderers: dict[str, Renderer] = {}

    def picture(
        scene: Scene, view: View, quality: str = "low", size: tuple[int, int] = (240, 135)
    ) -> np.ndarray:
        if quality not in renderers:
            renderers[quality] = Renderer(context, QUALITIES[quality])
        return renderers[quality].image(scene, view, size)

    return picture
