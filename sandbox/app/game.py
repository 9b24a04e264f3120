"""The windowed game: events in, frames out. Decisions live in `player`; this file connects.

One frame: events → player (commands, steps) → scene → renderer → interface → window.
"""

import gc
import time
from pathlib import Path
from typing import Any

from sandbox.app.building import Building
from sandbox.app.clock import FrameTimer
from sandbox.app.input import Input
from sandbox.app.keys import KeyMap
from sandbox.app.overlays import add_overlays
from sandbox.app.player import Player
from sandbox.app.rivals import Rivals
from sandbox.app.window import Window
from sandbox.recording import record_game
from sandbox.render.context import renderer_name
from sandbox.render.quality import QUALITIES, Governor, Quality, default_quality
from sandbox.render.renderer import Renderer

_IDLE = 0.05  # s between frames of a hidden window
_RELOAD_EVERY = 0.5  # s between looks at the level's files
_LOADING_EVERY = 0.2  # s between frames while loading: a software driver would take its processors


class Game:
    """One window, one level at a time."""

    def __init__(self, window: Window, level: Any, settings: Any = None) -> None:
        from sandbox.audio import Sound
        from sandbox.ui.interface import Interface
        from sandbox.ui.wall import LevelWall

        self.window = window
        self.settings = settings
        self.keys = KeyMap.load(_setting(settings, "keys", {}))
        quality, self.automatic = self._first_quality()
        self.governor = Governor(quality)
        self.renderer = Renderer(window.context, quality)
        self.timer = FrameTimer()
        self.sliders: dict[str, float] = {}  # being dragged, not yet applied
        self.rivals: Rivals | None = None
        self.recording: Any = None
        self.recording_kind = str(_setting(settings, "recording", "mp4"))
        self.rewind_button = False
        self.overlay_scales: dict[str, float] = {}  # where the colours of overlays end
        self._wanted_level: str | None = None
        self._wanted_scale: float | None = None  # the text size cannot change within a frame
        self.muted = bool(_setting(settings, "mute", False))
        self.running = True
        self.sound = Sound(float(_setting(settings, "volume", 0.6)))
        self.interface = Interface(self, float(_setting(settings, "ui_scale", 1.0)))
        self.input = Input(self)
        self.player = self._load(level)
        self.wall = LevelWall(self)
        if _setting(settings, "full_screen", False):
            window.toggle_full_screen()
        self._last_look = time.monotonic()
        pause, keys = self.keys.label("pause"), self.keys.label("help")
        self.player.state.say(f"Drag anything. {pause} pauses, {keys} shows all keys.")
        for problem in self.keys.problems:
            self.player.state.say(problem, bad=True)

    def _first_quality(self) -> tuple[Quality, bool]:
        wanted = str(_setting(self.settings, "quality", "auto"))
        if wanted in QUALITIES:
            return QUALITIES[wanted], False
        return default_quality(renderer_name(self.window.context)), True

    # --- levels --------------------------------------------------------------------------------

    def _load(self, level: Any) -> Player:
        """Wait for the session while the window answers."""
        from sandbox.ui.loading import loading_frame

        building = level if isinstance(level, Building) else Building(level)
        start, drawn = time.monotonic(), 0.0
        while building.is_alive():
            self.window.watch()
            now = time.monotonic() - start
            if now - drawn >= _LOADING_EVERY:
                loading_frame(self, now)
                drawn = now
            building.join(0.02)
        palette = str(_setting(self.settings, "palette", ""))
        player = Player(building.session(), self.window.size[1], palette)
        player.camera.still = bool(_setting(self.settings, "reduced_motion", False))
        player.history.recorder = record_game(player.session)
        self._title_due = True
        return player

    def open_level(self, name: str) -> None:
        """Switch to another level, once the interface is done with the present frame."""
        self._wanted_level = name

    def _switch(self, name: str) -> None:
        """A broken level is reported and the present one stays."""
        old = self.player.state
        before = self.player
        try:
            self.player = self._load(name)
        except Exception as error:
            old.say(str(error), bad=True)
            return
        before.history.close()
        for kept in ("overlays", "hidden", "panel", "plots", "profiler"):
            setattr(self.player.state, kept, getattr(old, kept))
        self.rivals = None  # they were the other level's
        self.sliders.clear()
        gc.collect()  # worlds are cycles of few objects that own much memory

    def _neighbour(self, step: int) -> None:
        names = [entry.name for entry in self.wall.entries()]
        current = self.player.session.level.name
        at = names.index(current) if current in names else 0
        if names:
            self.open_level(names[(at + step) % len(names)])

    def _reload_if_saved(self) -> None:
        """Hot reload: a saved file is played at once; a broken one shows its error."""
        now = time.monotonic()
        if now - self._last_look < _RELOAD_EVERY:
            return
        self._last_look = now
        level = self.player.session.level
        if not level.changed():
            return
        from levels import load
        from levels.problems import LevelError

        old = self.player
        try:
            fresh = load(level.path)
            kept = {k: v for k, v in old.session.given.items() if k in fresh.parameters}
            player = Player(fresh.session(**kept), self.window.size[1], old.palette)
        except (LevelError, ValueError) as error:
            old.state.error = str(error)
            return
        player.state, player.camera = old.state, old.camera
        player.state.error = ""
        player.state.selected = None
        player.state.say("reloaded")
        self.stop_comparing()
        old.history.close()
        player.history.recorder = record_game(player.session)
        self.player = player

    # --- actions -------------------------------------------------------------------------------

    def action(self, name: str) -> None:
        """Actions of the window are handled here, all others by the player."""
        handler = getattr(self, f"_do_{name}", None)
        if handler is not None:
            handler()
        else:
            self.player.action(name)

    def _do_panel(self) -> None:
        self.player.state.panel = not self.player.state.panel

    def _do_plots(self) -> None:
        self.player.state.plots = not self.player.state.plots

    def _do_settings(self) -> None:
        self.player.state.settings = not self.player.state.settings

    def _do_mute(self) -> None:
        self.muted = not self.muted

    def _do_next_level(self) -> None:
        self._neighbour(1)

    def _do_previous_level(self) -> None:
        self._neighbour(-1)

    def _do_full_screen(self) -> None:
        self.window.toggle_full_screen()

    def _do_compare(self) -> None:
        """Off, side by side, ghosts, off …"""
        if self.rivals is None:
            self.rivals = Rivals(self.player)
            self.player.state.say("compare: side by side")
        elif not self.rivals.ghosts:
            self.rivals.ghosts = True
            self.player.state.say("compare: ghosts")
        else:
            self.stop_comparing()
            self.player.state.say("compare: off")

    def stop_comparing(self) -> None:
        if self.rivals is not None:
            self.rivals.close()
            self.rivals = None

    def _do_screenshot(self) -> None:
        from sandbox.record.capture import save_screenshot

        try:
            self.player.state.say(f"saved {save_screenshot(self)}")
        except OSError as error:
            self.player.state.say(f"not saved: {error}", bad=True)

    def _do_record(self) -> None:
        from sandbox.record.capture import Recording

        if self.recording is not None:
            return self._stop_recording()
        try:
            self.recording = Recording(self, self.recording_kind)
        except OSError as error:
            return self.player.state.say(f"cannot record: {error}", bad=True)
        return self.player.state.say("recording")

    def _stop_recording(self) -> None:
        recording, self.recording = self.recording, None
        try:
            self.player.state.say(f"saved {recording.close()}")
        except OSError as error:
            self.player.state.say(f"not saved: {error}", bad=True)

    def _do_save(self) -> None:
        self.player.state.say(_save_level(self.player.session))

    # --- settings ------------------------------------------------------------------------------

    def setting(self, name: str, default: Any) -> Any:
        return _setting(self.settings, name, default)

    def change_setting(self, name: str, value: Any) -> None:
        """Apply a setting now and keep it for next time."""
        if self.settings is not None:
            setattr(self.settings, name, value)
            keep = getattr(self.settings, "save", None)
            if keep is not None:
                keep()
        if name == "ui_scale":
            self._wanted_scale = float(value)
        elif name == "reduced_motion":
            self.player.camera.still = bool(value)
        elif name == "palette":
            self.player.set_palette(str(value))
        elif name == "quality":
            self.set_quality(QUALITIES.get(str(value)))
        elif name == "volume":
            self.sound.volume = float(value)
        elif name == "recording":
            self.recording_kind = str(value)
        elif name == "mute":
            self.muted = bool(value)

    def set_quality(self, quality: Quality | None) -> None:
        """None: by measured frame time."""
        self.automatic = quality is None
        if quality is not None and quality is not self.renderer.quality:
            self._use_quality(quality)

    def _use_quality(self, quality: Quality) -> None:
        self.governor.quality = quality
        self.renderer.release()
        self.renderer = Renderer(self.window.context, quality)

    # --- frames --------------------------------------------------------------------------------

    def run(self) -> int:
        last = time.perf_counter()
        while self.running:
            now = time.perf_counter()
            frame, last = now - last, now
            self.frame(frame)
        return 0

    def close(self) -> None:
        if self.recording is not None:
            self._stop_recording()
            print(self.player.state.toasts[-1].text)  # the window is gone: "saved …" or why not
        self.player.history.close()
        self.sound.close()
        self.renderer.release()
        self.interface.backend.release()

    def frame(self, frame: float) -> None:
        """One turn of the loop."""
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
        if self.recording is not None and not self.recording.add(self.window):
            self._stop_recording()
        self.interface.draw(frame)
        self.timer.lap("interface")
        self.window.present()
        if self._title_due:  # with the first frame of a level
            self._title_due = False
            self.window.set_title(f"{self.player.session.level.title} · Taut")
        self.timer.lap("present")
        self._afterwards(frame)

    def _advance(self, frame: float) -> None:
        player = self.player
        player.rows = self.window.size[1]
        _, _, width, height = self.tiles()[0]
        player.camera.aspect = width / height
        self.input.pad.poll()
        player.rewind(self.input.rewinding or self.rewind_button or self.input.pad.rewinding)
        if player.state.wall:
            self.wall.update()
            return
        player.update(frame)
        if self.rivals is not None:
            self.rivals.update()
        self.sound.hear(player, muted=self.muted or player.clock.paused)

    def tiles(self) -> list[tuple[int, int, int, int]]:
        """The views the window is divided into: left, top, width, height in pixels."""
        if self.rivals is not None and not self.rivals.ghosts:
            return self.rivals.tiles(self.window.size)
        return [(0, 0, *self.window.size)]

    def _draw(self) -> float:
        """Seconds of it that went into placing things and handing them to the GPU."""
        return self.draw_views(self.renderer, self.window.canvas)

    def draw_views(self, renderer: Renderer, canvas: Any) -> float:
        """The picture without the interface; seconds as of `_draw`."""
        size = self.window.size
        if self.rivals is not None and not self.rivals.ghosts:
            self.rivals.draw(renderer, canvas, size)
            return renderer.upload_seconds
        began = time.perf_counter()
        scene = self.player.scene()
        self.overlay_scales = add_overlays(scene, self.player)
        if self.rivals is not None:
            self.rivals.haunt(scene)
        placing = time.perf_counter() - began
        renderer.render(scene, self.player.camera.view(), size, canvas)
        return placing + renderer.upload_seconds

    def _afterwards(self, frame: float) -> None:
        self._reload_if_saved()
        if self._wanted_level is not None:
            name, self._wanted_level = self._wanted_level, None
            self._switch(name)
        if self._wanted_scale is not None:
            self.interface.rescale(self._wanted_scale)
            self._wanted_scale = None
        if self.automatic and self.governor.update(frame):
            self._use_quality(self.governor.quality)


def _setting(settings: Any, name: str, default: Any) -> Any:
    value = getattr(settings, name, None)
    return default if value is None else value


def _save_level(session: Any) -> str:
    """Write the edited level beside where the player is; the original is never touched."""
    save = getattr(session, "save", None)
    if save is None:
        return "this level cannot be saved"
    path = Path.cwd() / f"{session.level.name}_edited.toml"
    try:
        save(path)
    except (OSError, ValueError) as error:
        return f"not saved: {error}"
    from levels import load
    from levels.problems import LevelError

    try:
        load(path)
    except LevelError as error:  # it speaks of meshes or other files beside the original
        return f"saved {path}, which cannot be opened there: {error.problems[0].message}"
    return f"saved {path}"
