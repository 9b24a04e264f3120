"""What is shown until a level can move: its picture, what is being prepared and for how long."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.preview import Preview
from sandbox.preparing import now_compiling, time_left
from sandbox.render.programs import Postponed
from sandbox.render.scene import Scene
from sandbox.render.shader_warmup import unfold
from sandbox.render.view import View
from sandbox.ui import theme
from sandbox.ui.hud import title_card
from sandbox.ui.layout import MARGIN, TOP
from sandbox.ui.widgets import colored, place

if TYPE_CHECKING:
    from moderngl import Framebuffer
    from pygame.event import Event

    from levels import Level
    from physics.prepare import Preparation
    from sandbox.app.level_loader import LevelLoader
    from sandbox.window.game import Game

_VIEW = View(eye=(0.0, 6.0, 30.0), target=(0.0, 5.0, 0.0))
_FLAGS = (
    imgui.WindowFlags_.no_decoration.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_inputs.value
    | imgui.WindowFlags_.no_saved_settings.value
)
_WIDE = 420.0  # of the card, pixels at scale 1
_CURTAIN = 0.7  # s: loader that is done by then needs no words


class LoadingView:
    """The picture is drawn when the camera or the window has changed, and copied else: a software
    driver must leave the processors to the compiler."""

    def __init__(
        self, game: "Game", loader: "LevelLoader", *, leaving: bool = False, first: bool = False
    ) -> None:
        self._game, self._loader = game, loader
        self._first = first  # of the program: no shader is compiled yet
        self._leaving = leaving  # there is a level to go back to
        self.preview: Preview | None = None
        self._unseen = False  # there is no picture of it
        self._canvas: Framebuffer | None = None  # the picture without the card
        self._drawn: tuple[View, tuple[int, int]] | None = None  # the view and size it shows
        self._pieces: Iterator[Scene] = iter(())  # of a picture that is still unfolding
        self._whole = False  # all pieces have been drawn
        self._scene = Scene(ground=None)
        self._late: Scene | None = None  # what a frame could not show yet, for its shaders
        game.renderer.compile_one_a_frame(first)
        self._began = time.monotonic()

    def event(self, event: "Event") -> None:
        if self.preview is not None:
            self.preview.event(event, self._game.window.size)

    @property
    def moving(self) -> bool:
        """Is the camera on its way?"""
        camera = self.preview.camera if self.preview is not None else None
        return camera is not None and camera.pose != camera.goal

    @property
    def unfolding(self) -> bool:
        """Must pieces of the first level's picture still be drawn, each with shaders to compile?"""
        seen = self._first and not self._unseen and self._loader.level is not None
        return seen and not self._whole

    def draw(self, frame: float) -> None:
        window = self._game.window
        window.context.copy_framebuffer(window.canvas, self._look(frame))
        self._words(frame)
        window.present()

    def close(self) -> None:
        self._game.renderer.compile_one_a_frame(False)
        self._let_go()

    def _let_go(self) -> None:
        if self._canvas is not None:
            self._game.window.release(self._canvas)
            self._canvas = None

    # --- the picture ---------------------------------------------------------------------------

    def _look(self, frame: float) -> "Framebuffer":
        """A canvas with the picture that is seen now."""
        window, level = self._game.window, self._loader.level
        aspect = window.size[0] / window.size[1]
        if self._first and self._canvas is None:  # words alone over what is there: fonts are new
            return self._begin_canvas()
        first = self._drawn is None  # the sky alone
        if self.preview is None and level is not None and not (first or self._unseen):
            self._preview(level, aspect)
        view = _VIEW
        if self.preview is not None:
            self.preview.camera.aspect = aspect
            self.preview.camera.update(frame)
            view = self.preview.camera.view()
        piece = self._late or next(self._pieces, None)
        self._whole = self.preview is not None and piece is None
        fits = self._drawn is not None and self._drawn[1] == window.size
        if self._canvas is not None and piece is None and self._drawn == (view, window.size):
            return self._canvas
        self._scene = piece or self._scene
        canvas = self._begin_canvas() if self._canvas is None or not fits else self._canvas
        try:
            self._game.renderer.render(self._scene, view, window.size, canvas)
            self._drawn, self._late = (view, window.size), None
        except Postponed:
            self._late = self._scene
        return canvas

    def _begin_canvas(self) -> "Framebuffer":
        """One that begins with what is seen."""
        self._let_go()
        self._canvas = self._game.window.spare_canvas()
        self._game.window.context.copy_framebuffer(self._canvas, self._game.window.canvas)
        return self._canvas

    def _preview(self, level: "Level", aspect: float) -> None:
        settings = self._game.settings
        try:
            self.preview = Preview(level, aspect, settings.palette, still=settings.reduced_motion)
            scene = self.preview.scene()
        except Exception:  # loading the level will say what is wrong with it
            self.preview, self._unseen = None, True
            return
        # once the shaders of one level are compiled, few are left to do for another
        self._pieces = iter((scene,)) if self._leaving else unfold(scene)

    # --- the words -----------------------------------------------------------------------------

    def _words(self, frame: float) -> None:
        window, backend = self._game.window, self._game.interface.backend
        backend.begin(window.size, frame)
        if self.preview is not None:
            self._title(self.preview.level)
        preparation = self._loader.preparation
        if preparation is not None and not preparation.done:
            self._progress(preparation)
        elif time.monotonic() - self._began > _CURTAIN:
            self._loader_words()
        backend.end(window.canvas)

    def _title(self, level: "Level") -> None:
        """Where it will be in play."""
        fonts = self._game.interface.fonts
        place(MARGIN * fonts.scale, TOP * fonts.scale, 0, 0)
        wrap = min(440 * fonts.scale, 0.6 * self._game.window.size[0])
        with title_card("loading title", _FLAGS, level, fonts, wrap):
            pass

    def _begin_card(self) -> float:
        """At the foot of the window, where the controls will be; its inner width."""
        fonts, (width, height) = self._game.interface.fonts, self._game.window.size
        place(width / 2, height - 28 * fonts.scale, 0.5, 1)
        imgui.begin("loading", None, _FLAGS)
        return min(_WIDE * fonts.scale, width - 80 * fonts.scale)

    def _progress(self, preparation: "Preparation") -> None:
        fonts = self._game.interface.fonts
        wide = self._begin_card()
        imgui.push_font(fonts.title, fonts.title_size)
        imgui.text("Preparing the physics")
        imgui.pop_font()
        _at_right(f"{100 * preparation.share:.0f} %", theme.ACCENT, wide)
        imgui.progress_bar(
            min(max(preparation.share, 0.0), 1.0), imgui.ImVec2(wide, 8 * fonts.scale), ""
        )
        colored(now_compiling(preparation.current), theme.SOFT)
        left = time_left(preparation.seconds_left)
        if left:
            _at_right(left, theme.SOFT, wide)
        imgui.push_text_wrap_pos(wide)
        back = f" {self._game.keys.label('wall')} goes back." if self._leaving else ""
        colored(
            f"Only this once: the next start takes seconds. Drag to look around.{back}", theme.MUTED
        )
        imgui.pop_text_wrap_pos()
        imgui.end()

    def _loader_words(self) -> None:
        self._begin_card()
        text = "setting the stage" if self._loader.level is not None else "reading the level"
        colored(text + "." * (1 + int(2 * (time.monotonic() - self._began)) % 3), theme.SOFT)
        imgui.end()


def hold_up(game: "Game") -> None:
    """A word over the last picture: the game waits for the compiler."""
    window, backend, fonts = game.window, game.interface.backend, game.interface.fonts
    backend.begin(window.size, 0.05)
    width, height = window.size
    place(width / 2, height - 90 * fonts.scale, 0.5, 1)
    imgui.begin("held up", None, _FLAGS)
    colored("One moment: this is compiled when it is first needed", theme.SOFT)
    imgui.end()
    backend.end(window.canvas)
    backend.dirty = True  # the panels have to be built anew
    window.present()


def _at_right(text: str, color: tuple[float, float, float, float], wide: float) -> None:
    """At the end of the line that was begun."""
    start = imgui.get_style().window_padding.x
    imgui.same_line(start + wide - imgui.calc_text_size(text).x)
    colored(text, color)
