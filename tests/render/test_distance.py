"""Sky and backdrop are kept while the camera stands, and nobody can tell."""

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from sandbox.render.backdrop import backdrop
from sandbox.render.look import LOOKS
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene, sphere
from sandbox.render.view import View

SIZE = (160, 90)
VIEW = View(eye=(3.0, 4.0, 14.0), target=(0.0, 3.0, 0.0))


def wood(x: float = 0.0) -> Scene:
    """A ball that moves before a forest; the forest is the same object in every frame."""
    look = LOOKS["forest"]
    scene = Scene(look=look, radius=6.0, backdrop=_FOREST)
    scene.add("ball", sphere(1.5, position=(x, 2.5, 0.0), color="red"))
    return scene


_FOREST = backdrop(LOOKS["forest"], (0.0, 0.0, 0.0), 15.0, 0.0)


class Counted(Renderer):
    drawn = 0

    def _draw_far(self) -> None:
        self.drawn += 1
        super()._draw_far()


@pytest.fixture
def renderer(context: moderngl.Context) -> Counted:
    return Counted(context, QUALITIES["low"])


def test_a_standing_camera_draws_the_distance_twice_and_then_no_more(renderer: Counted) -> None:
    for i in range(8):
        renderer.image(wood(0.3 * i), VIEW, SIZE)
    assert renderer.drawn == 2  # straight into the first picture, and once to keep it


@pytest.mark.parametrize("quality", ["lowest", "low", "medium"])
def test_the_kept_distance_is_the_drawn_one(context: moderngl.Context, quality: str) -> None:
    kept = Renderer(context, QUALITIES[quality])
    for x in (-2.0, -1.0, 0.0, 1.0):
        pictures = kept.image(wood(x), VIEW, SIZE)
    drawn = Renderer(context, QUALITIES[quality]).image(wood(1.0), VIEW, SIZE)
    assert drawn.std() > 20.0  # there is something to see
    assert np.abs(pictures.astype(int) - drawn).max() <= 1


def test_another_place_look_or_backdrop_is_drawn_anew(renderer: Counted) -> None:
    for _ in range(3):
        renderer.image(wood(), VIEW, SIZE)
    aside = replace(VIEW, eye=(6.0, 4.0, 13.0))
    for changed, view in ((wood(), aside), (replace(wood(), backdrop={}), VIEW)):
        before = renderer.drawn
        picture = renderer.image(changed, view, SIZE)
        assert renderer.drawn == before + 1
        fresh = Renderer(renderer.context, QUALITIES["low"]).image(changed, view, SIZE)
        assert np.abs(picture.astype(int) - fresh).max() <= 1


def test_a_moving_camera_never_paints_what_is_used_once(renderer: Counted) -> None:
    for i in range(5):
        renderer.image(wood(), replace(VIEW, eye=(3.0 + 0.1 * i, 4.0, 14.0)), SIZE)
    assert renderer.drawn == 5
