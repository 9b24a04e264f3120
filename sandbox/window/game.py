"""The windowed game: events in, frames out. Decisions live in `player`; this file connects.

One frame: events → player (commands, steps) → scene → renderer → interface → window.
"""

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from levels.plain_data import GivenValues
from sandbox import preparing
from sandbox.app.comparison import Comparison
from sandbox.app.hand_marks import add_hand_marks
from sandbox.app.level_loader import LevelLoader
from sandbox.app.overlays import add_overlays
from sandbox.app.player import Player
from sandbox.app.saving import save_level, unsaved
from sandbox.app.side_thread import SideThread
from sandbox.app.step_clock import FrameTimer
from sandbox.catalogue import COMPARED
from sandbox.progress import Progress, load_progress
from sandbox.recording import record_game
from sandbox.render.renderer import Renderer
from sandbox.settings import Settings
from sandbox.ui.panels import PAGES
from sandbox.window.achievements import Achievements
from sandbox.window.background_compile import BackgroundCompiler
from sandbox.window.building import Building
from sandbox.window.clips import Clips
from sandbox.window.hot_reload import HotReload
from sandbox.window.input import Input
from sandbox.window.keys import KeyMap
from sandbox.window.level_wait import Left, load_level
from sandbox.window.quality_control import QualityControl
from sandbox.window.screen_capture import ScreenCapture
from sandbox.window.setting_effects import EFFECTS
from sandbox.window.window import Closed, Window
from sandbox.window.window_actions import WindowActions

if TYPE_CHECKING:
    from moderngl import Framebuffer

    from levels.commands import OptionValue
    from sandbox.app.level_loader import LevelWanted

_IDLE = 0.05  # s between frames of a hidden window


class Game:
    """One window, one level at a time."""

    def __init__(
        self, window: Window, level: "LevelWanted | LevelLoader", settings: Settings | None = None
    ) -> None:
        from sandbox.audio import Sound
        from sandbox.ui.interface import Interface
        from sandbox.ui.wall import LevelWall

        self.window = window
        self.settings = settings or Settings()
        self.keeps_settings = settings is not None  # changes are written for next time
        self.keys = KeyMap.load(self.settings.keys)
        self.build_keys = KeyMap.load_building(self.settings.keys)
        self.quality: QualityControl = QualityControl(self)
        self.renderer = self.quality.new_renderer()
        window.stay()  # meshes are made by now; next are shaders and fonts
        self.timer = FrameTimer()
        self.sliders: dict[str, float] = {}  # being dragged, not yet applied
        self.comparison: Comparison | None = None
        self.capture = ScreenCapture(self)
        self.rewind_button = False
        self.overlay_scales: dict[str, float] = {}  # where the colours of overlays end
        self.progress = load_progress() if self.keeps_settings else Progress()
        self._actions, self.clips = WindowActions(self), Clips(self)
        self.building, self._reload = Building(self), HotReload(self)
        self.achievements = Achievements(self)
        self._wanted_level: str | None = None
        self.leaving: Callable[[], None] | None = None  # what waits for "save, discard, cancel?"
        self._decided: Callable[[], None] | None = None  # and was decided within this frame
        self.wanted_scale: float | None = None  # the text size cannot change within a frame
        self.muted = self.settings.mute
        self.running = True
        self._put_off: list[Callable[[], object]] = []  # until the panels are built
        self._closing = False  # the window was closed while the compiler held up the game
        self.sound = Sound(self.settings.volume)
        self.interface = Interface(self, self.settings.ui_scale)
        window.stay()
        self.input = Input(self)
        self.compiler, self._side_thread = BackgroundCompiler(), SideThread()
        self.background = True  # compile and take pictures while it is played
        self.player: Player
        self._playing = False  # there is a level to go back to
        self.enter(self.load(level))
        self.wall = LevelWall(self)
        if self.settings.full_screen:
            window.toggle_full_screen()
        pause, keys = self.keys.label("pause"), self.keys.label("help")
        self.player.state.say(f"Drag anything. {pause} pauses, {keys} shows all keys.")
        for problem in (*self.keys.problems, *self.build_keys.problems):
            self.player.state.say(problem, bad=True)

    # --- levels --------------------------------------------------------------------------------

    def load(self, level: "LevelWanted | LevelLoader", given: GivenValues | None = None) -> Player:
        return load_level(self, level, given, may_leave=self._playing)

    def enter(self, player: Player) -> None:
        """Play it from now on."""
        if self._playing:
            self.player.history.close()
        self._record_play(player)
        player.obstacle = self.obstacle
        player.carry_out = self._carry_out
        player.effects.still = self.settings.reduced_motion
        player.camera.aspect = self.window.size[0] / self.window.size[1]
        player.camera.free = self._free_part()
        player.camera.jump_lens()
        player.state.advanced = self._playing and self.player.state.advanced
        self.player, self._playing, self._title_due = player, True, True
        self.achievements.begin()
        self.compiler.resume(player.session.level)

    def obstacle(self, option: str, value: "OptionValue") -> str:
        """Why an option of the world cannot be had yet; "" if it can."""
        names = preparing.missing_for(option, value)
        if not names:
            return ""
        self.compiler.first(names)
        return f"“{value}” is {preparing.being_prepared(self.compiler.seconds_until(names))}"

    def _record_play(self, player: Player) -> None:
        """Every game has a replay; one that cannot is played all the same."""
        try:
            player.history.recorder = record_game(player.session)
        except OSError as error:
            player.state.say(f"no replay of this game: {error}", bad=True)

    def _hear_of_replay(self) -> None:
        history = self.player.history
        if history.recorder is not None and history.recorder.failure:
            why, history.recorder = history.recorder.failure, None
            self.player.state.say(f"the replay of this game ended: {why}", bad=True)

    def open_level(self, name: str) -> None:
        """Switch to another level, once the interface is done with the present frame."""
        self._wanted_level = name

    def _switch(self, name: str) -> None:
        """A broken level is reported and the present one stays."""
        old = self.player.state
        self.input.let_go()
        try:
            player = self.load(name)
        except Closed:
            raise
        except Exception as error:
            self.compiler.resume(self.player.session.level)
            return None if isinstance(error, Left) else old.say(str(error), bad=True)
        self.enter(player)
        state = self.player.state
        state.overlays, state.hidden, state.open = old.overlays, old.hidden, old.open - set(PAGES)
        self.comparison = None  # they were the other level's
        self.sliders.clear()
        gc.collect()  # worlds are cycles of few objects that own much memory
        return None

    def neighbour(self, step: int) -> None:
        """The next level of the wall, or the one before."""
        names = self.wall.names
        current = self.player.session.level.name
        at = names.index(current) if current in names else 0
        if names:
            self.open_level(names[(at + step) % len(names)])

    # --- actions -------------------------------------------------------------------------------

    def action(self, name: str) -> None:
        """Those of building first, while that is done; then the window's, else the player's."""
        if not self.building.action(name) and not self._actions.do(name):
            self.player.action(name)

    def stop_comparing(self) -> None:
        if self.comparison is not None:
            self.comparison.close()
            self.comparison = None
            self.player.explains = True

    def save_level(self) -> bool:
        """Write the edited level; says where, or why not."""
        if self.building.builder is not None:
            return self.building.save()
        saved = save_level(self.player)
        self.player.state.say(saved.text, bad=not saved.done)
        return saved.done

    # --- leaving -------------------------------------------------------------------------------

    def quit(self) -> None:
        """The window is being closed; who closes it again instead of answering loses nothing."""
        if self.leaving is not None:
            self.leaving = self._end
            return self.decide("save")
        return self.leave(self._end)

    def _end(self) -> None:
        self.running = False

    def leave(self, then: Callable[[], None]) -> None:
        """Do what ends this level: at once or, where something was built that is not saved, when
        the player has said what becomes of it."""
        if not self.changes():
            return then()
        self.leaving = then
        self.player.state.open -= set(PAGES)  # nothing covers the question
        return None

    def changes(self) -> int:
        """How much would be lost: things built by hand in play, or a draft that is not saved."""
        if self.building.builder is not None:
            return int(self.building.unsaved)
        return unsaved(self.player)

    @property
    def shown_keys(self) -> KeyMap:
        """Those that mean something now, for the help page."""
        return self.keys if self.building.active is None else self.build_keys

    def decide(self, choice: str) -> None:
        """ "save", "discard" or "cancel", once the interface is done with the present frame."""
        then, self.leaving = self.leaving, None
        if choice == "save" and not self.save_level():
            return
        if choice == "discard":
            self.building.forget()
        if choice != "cancel":
            self._decided = then

    # --- settings ------------------------------------------------------------------------------

    def change_setting(self, name: str, value: object) -> None:
        """Apply a setting now and keep it for next time."""
        self.try_setting(name, value)
        self.keep_settings(self.settings.save)

    def try_setting(self, name: str, value: object) -> None:
        """Apply a setting now."""
        setattr(self.settings, name, value)
        effect = EFFECTS.get(name)
        if effect is not None:
            effect(self, self.settings)

    def keep_settings(self, write: Callable[[], None]) -> None:
        """Settings that cannot be written apply all the same, until the game ends."""
        try:
            if self.keeps_settings:
                write()
        except OSError as error:
            self.player.state.say(f"settings not saved: {error}", bad=True)

    # --- frames --------------------------------------------------------------------------------

    def run(self) -> int:
        last = time.perf_counter()
        while self.running:
            now = time.perf_counter()
            frame, last = now - last, now
            self.frame(frame)
        return 0

    def close(self) -> None:
        if self.capture.recording is not None:
            self.capture.stop()
            print(self.player.state.toasts[-1].text)  # the window is gone: "saved …" or why not
        self.clips.close()
        self.compiler.close()
        self._side_thread.close()
        self.wall.close()
        self.player.history.close()
        self.sound.close()
        self.renderer.release()
        self.interface.build_panels.release()
        self.interface.backend.release()

    def frame(self, frame: float) -> None:
        """One turn of the loop."""
        self.input.catch_up()
        for event in self.window.events():
            self.input.event(event)
        if not self.window.visible:
            time.sleep(_IDLE)
            return
        self.timer.start()
        self._advance(frame)
        self.timer.lap("physics")
        uploading = self._draw()
        self.timer.book("upload", uploading)
        self.timer.lap("draw", but=uploading)
        self.capture.add_frame()
        self.interface.draw(frame)
        self.timer.lap("interface")
        self.window.present()
        if self._title_due:  # with the first frame of a level
            self._title_due = False
            self.window.set_title(f"{self.player.session.level.title} · Taut")
            if self.player.session.level.name in COMPARED and self.comparison is None:
                self.action("compare")
        self.timer.lap("present")
        self._afterwards(frame)

    def _advance(self, frame: float) -> None:
        player = self.player
        player.rows = self.window.size[1]
        _, _, width, height = self.tiles()[0]
        player.camera.aspect = width / height
        player.camera.free = self._free_part()
        self.input.pad.poll()
        player.rewind(self.input.rewinding or self.rewind_button or self.input.pad.rewinding)
        on_wall = "wall" in player.state.open
        if self.building.active is not None and not on_wall:
            builder = self.building.active
            builder.rows, builder.camera.aspect = self.window.size[1], width / height
            builder.camera.free = player.camera.free
            builder.update(frame)
            return self.sound.hear(player, muted=True)
        if on_wall:
            self.wall.update()
        if on_wall or self.leaving is not None:
            return
        self._beside_drawing(partial(self._move, frame))
        self.sound.hear(player, muted=self.muted or player.clock.paused)

    def _free_part(self) -> tuple[float, float, float, float]:
        """What the panels leave of the window, in fractions; of tiles, all of each."""
        if not self._playing or not all(self.interface.layout.size):
            return 0.0, 0.0, 1.0, 1.0  # no panel has been built yet
        layout = self.interface.layout
        if self.comparison is not None and not self.comparison.ghosts:
            return 0.0, layout.top_of_tiles(self.tiles()[0][3]), 1.0, 1.0
        free = layout.free_part if self.building.active is None else layout.between_panels
        left, top, right, bottom = free(self)
        width, height = self.window.size
        return left / width, top / height, right / width, bottom / height

    def _move(self, frame: float) -> None:
        self.player.update(frame)
        if self.comparison is not None:
            self.comparison.update()

    def _carry_out(self, work: Callable[[], object]) -> None:
        """What steps the world out of turn: an edit. One that a panel asks for waits until the
        panels are built: a frame of ImGui cannot be drawn in the middle of another."""
        if self.interface.building:
            self._put_off.append(work)
        else:
            self._beside_drawing(work)

    def _beside_drawing(self, work: Callable[[], object]) -> None:
        """Beside this thread, as long as it may meet kernels that are not compiled. Nothing that
        draws: OpenGL belongs to this thread."""
        if self.compiler.idle or not self.background:
            work()
        else:
            self._side_thread.do(work, self._draw_wait)

    def _draw_wait(self) -> None:
        """One frame while the compiler holds up the game; what is pressed meanwhile is lost."""
        from sandbox.ui.loading import hold_up

        self._closing |= any(self.input.is_quit(event) for event in self.window.events())
        hold_up(self)

    def tiles(self) -> list[tuple[int, int, int, int]]:
        """The views the window is divided into: left, top, width, height in pixels."""
        if self.comparison is not None and not self.comparison.ghosts:
            return self.comparison.tiles(self.window.size)
        return [(0, 0, *self.window.size)]

    def _draw(self) -> float:
        """Seconds of it that went into placing things and handing them to the GPU."""
        return self.draw_views(self.renderer, self.window.canvas)

    def draw_views(self, renderer: Renderer, canvas: "Framebuffer") -> float:
        """The picture without the interface; seconds as of `_draw`."""
        size = self.window.size
        if self.comparison is not None and not self.comparison.ghosts:
            self.comparison.draw(renderer, canvas, size)
            return renderer.upload_seconds
        builder = self.building.active
        if builder is not None:
            renderer.render(builder.scene(), builder.camera.view(), size, canvas)
            return renderer.upload_seconds
        began = time.perf_counter()
        scene = self.player.scene()
        self.overlay_scales = add_overlays(scene, self.player)
        add_hand_marks(scene, self.player)
        self.player.heads.turn(scene, self.player)
        if self.comparison is not None:
            self.comparison.add_ghosts(scene)
        placing = time.perf_counter() - began
        renderer.render(scene, self.player.camera.view(), size, canvas)
        return placing + renderer.upload_seconds

    def _afterwards(self, frame: float) -> None:
        if self.background:
            self.compiler.poll()
            if self.compiler.idle:
                self.wall.look_ahead()
        put_off, self._put_off = self._put_off, []
        for work in put_off:
            self._beside_drawing(work)
        self._hear_of_replay()
        self.achievements.note()
        self.clips.poll()
        self._reload.look()
        self.building.poll()
        if self._wanted_level is not None:
            name, self._wanted_level = self._wanted_level, None
            self.leave(partial(self._switch, name))
        if self._closing:
            self._closing = False
            self.quit()
        if self._decided is not None:
            decided, self._decided = self._decided, None
            decided()
        if self.wanted_scale is not None:
            self.interface.rescale(self.wanted_scale)
            self.wanted_scale = None
        self.quality.update(frame)
