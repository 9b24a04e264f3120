"""What is shown while a level is built and, on the very first run, kernels are compiled."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.render.scene import Scene
from sandbox.render.view import View
from sandbox.ui import theme
from sandbox.ui.hud import colored, place

if TYPE_CHECKING:
    from sandbox.app.game import Game

_FIRST_RUN = 200.0  # s that compiling takes where nothing is cached yet
_VIEW = View(eye=(0.0, 6.0, 30.0), target=(0.0, 5.0, 0.0))
_FLAGS = (
    imgui.WindowFlags_.no_decoration.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_inputs.value
    | imgui.WindowFlags_.no_saved_settings.value
)


def waiting_for(elapsed: float) -> str:
    """Building takes a second; whoever waits longer waits for the compiler."""
    if elapsed < 3.0:
        return "building the level"
    minutes, seconds = divmod(int(elapsed), 60)
    return f"compiling the physics, once: two to five minutes ({minutes}:{seconds:02})"


def loading_frame(game: "Game", elapsed: float) -> None:
    """Sky, ground and a bar."""
    window, backend, fonts = game.window, game.interface.backend, game.interface.fonts
    game.renderer.render(Scene(), _VIEW, window.size, window.canvas)
    backend.begin(window.size, 0.03)
    width, height = window.size
    place(width / 2, height / 2, 0.5, 0.5)
    imgui.begin("loading", None, _FLAGS)
    imgui.push_font(fonts.title, fonts.title_size)
    imgui.text("Taut")
    imgui.pop_font()
    share = 1.0 - 2.718 ** (-2.0 * elapsed / _FIRST_RUN)
    imgui.progress_bar(share, imgui.ImVec2(320 * fonts.scale, 10 * fonts.scale), "")
    colored(waiting_for(elapsed), theme.MUTED)
    imgui.end()
    backend.end(window.canvas)
    window.present()
