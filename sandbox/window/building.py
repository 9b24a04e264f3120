"""Building in the window: into it from a level, testing what was built, and back; saving.

While a level is built the game shows the builder and no time passes. A test is an ordinary game of
the draft; leaving it comes back to the draft as it was.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from levels.draft.draft import Draft, Refused
from levels.draft.parts import Palette
from levels.level import load_text
from levels.level_writer import edited_text
from levels.library import LIBRARY
from levels.problems import LevelError
from levels.sharing import share
from sandbox.app.saving import unsaved
from sandbox.app.watch import can_be_watched
from sandbox.settings import settings_path
from sandbox.window.level_wait import Left
from sandbox.workshop.builder import Builder
from sandbox.workshop.new_levels import NEW

if TYPE_CHECKING:
    from sandbox.window.game import Game

_MOST_NAMES = 1000


def levels_folder() -> Path:
    """Where levels are kept that were built in the game."""
    return settings_path().parent / "levels"


def parts_folder() -> Path:
    return settings_path().parent / "parts"


class Building:
    """Between the game and the builder; `builder` is None where only played is."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self.builder: Builder | None = None
        self.testing = False
        self._wanted = False  # a test

    @property
    def active(self) -> Builder | None:
        """The builder, while it is seen."""
        return None if self.testing else self.builder

    def _say(self, text: str, bad: bool) -> None:
        self._game.player.state.say(text, bad=bad)

    # --- in and out ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Build on at the level that is played, with what the tools have made of it so far."""
        session = self._game.player.session
        level = session.level
        try:
            text = edited_text(session) if unsaved(self._game.player) else None  # type: ignore[arg-type]
            self._enter(Draft(level, text))  # type: ignore[arg-type]
        except LevelError as error:
            self._say(f"This cannot be built on: {error.problems[0].message}", True)

    def begin_new(self, kind: str) -> None:
        """From an empty level, "3-D" or "2-D"."""
        path = free_path(levels_folder(), "my level")
        self._enter(Draft(load_text(NEW[kind], path)))

    def ask_for_new(self, kind: str) -> None:
        """Once it is known what becomes of what is being built or played."""
        self._game.leave(partial(self.begin_new, kind))

    def _enter(self, draft: Draft) -> None:
        game = self._game
        if _is_of_the_game(draft.path):
            draft.path = free_path(levels_folder(), draft.level.name)
        game.stop_comparing()
        game.input.let_go()
        self.builder = Builder(
            draft,
            self._say,
            Palette(parts_folder()),
            rows=game.window.size[1],
            palette=game.settings.palette,
        )
        for problem in self.builder.parts.problems[:3]:
            self._say(f"a part of yours was left out: {problem}", True)
        self.testing = False
        game.player.state.open -= {"wall", "help", "settings"}

    def leave(self) -> None:
        """Back to playing, with what was built if it was saved."""
        builder = self.builder
        if builder is None:
            return
        self.builder, self.testing = None, False
        if not builder.draft.unsaved and builder.draft.path.is_file():
            self._game.open_level(str(builder.draft.path))

    # --- testing -------------------------------------------------------------------------------

    def test(self) -> None:
        """Play the draft as it is, once the interface is done with this frame."""
        self._wanted = self.active is not None

    def poll(self) -> None:
        """Once a frame: begin a test that was asked for."""
        wanted, self._wanted = self._wanted, False
        builder, game = self.active, self._game
        if not wanted or builder is None:
            return
        try:
            player = game.load(builder.draft.level)
        except Left:
            return game.compiler.resume(game.player.session.level)
        except (LevelError, ValueError) as error:
            return self._say(str(error), True)
        old = game.player.state
        player.state.overlays, player.state.open = old.overlays, set(old.open)
        game.enter(player)
        self.testing = True
        return self._choose_tested(builder)

    def _choose_tested(self, builder: Builder) -> None:
        """What was selected is selected in the test, too: its forces and plots are shown."""
        player, things = self._game.player, builder.things
        selected = builder.draft.selected
        session = player.session
        names = [name for entry in selected for name in things.members(entry)]
        bodies = [session.handles[name] for name in names if name in session.handles]
        names = [name for section, entry in selected if section == "joints"
                 for name in things.joints(entry)]  # fmt: skip
        joints = [session.joints[name] for name in names if name in session.joints]
        player.state.selected = bodies[0] if bodies else None
        player.state.group = bodies if len(bodies) > 1 else []
        player.state.joint = joints[0] if joints else None
        watched = [h for h in (*bodies, *joints) if can_be_watched(session, h)]
        player.monitor.watch.also(watched)
        if watched and builder.watching:
            player.state.open.add("forces")

    def back(self) -> None:
        """From the test to the draft."""
        builder, player = self.builder, self._game.player
        if builder is not None:
            self._game.input.let_go()
            builder.tested = player.monitor.watch.courses
            if player.monitor.watch.always:
                builder.watching = "forces" in player.state.open
            self.testing = False

    # --- keeping -------------------------------------------------------------------------------

    @property
    def unsaved(self) -> bool:
        return self.builder is not None and self.builder.draft.unsaved

    def save(self) -> bool:
        builder = self.builder
        if builder is None:
            return False
        draft = builder.draft
        try:
            if draft.path.parent == levels_folder() and not draft.path.exists():
                draft.path = free_path(levels_folder(), draft.level.title)
            path = draft.save()
        except (OSError, LevelError, Refused) as error:
            self._say(f"not saved: {error}", True)
            return False
        self._game.wall.look_again()
        self._say(f"saved {path}", False)
        return True

    def forget(self) -> None:
        """What was built is not wanted."""
        self.builder, self.testing = None, False

    def share(self) -> None:
        """The level as one line of text, on the clipboard."""
        level = (
            self.builder.draft.level if self.builder is not None
            else self._game.player.session.level
        )  # fmt: skip
        try:
            text = share(level)  # type: ignore[arg-type]
            self._game.window.copy_text(text)
        except (ValueError, OSError) as error:
            self._say(f"not copied: {error}", True)
            return
        self._say(f"Copied {len(text):,} characters: `sandbox play 'taut:…'` opens them.", False)

    def look_at_file(self) -> None:
        """Somebody has saved the file in an editor: what they wrote is built on."""
        builder = self.builder
        if builder is None or not builder.draft.path.is_file():
            return
        if not builder.draft.level.changed():
            return
        text = builder.draft.path.read_text(encoding="utf-8", errors="replace")
        if text == builder.draft.text or builder.draft.unsaved:
            builder.draft.note_file()
            return
        if builder.do(lambda: builder.draft.replace("file", text)):
            builder.draft.save()

    # --- actions -------------------------------------------------------------------------------

    def action(self, name: str) -> bool:
        """What a key or a button of the builder asks for; False: it is none of its."""
        builder = self.active
        if builder is None:
            return False
        own = {"test": self.test, "save": self.save, "leave": self._ask_to_leave,
               "share": self.share, "cancel": self._cancel}  # fmt: skip
        if name in own:
            own[name]()
        elif name in builder.tools:
            builder.choose_tool(name)
        elif name in ("move", "rotate", "scale"):
            builder.choose_tool("select")
            builder.gizmo.mode = name
        elif name == "snap":
            builder.snap.wanted = not builder.snap.wanted
            builder.say(f"grid: {'on' if builder.snap.wanted else 'off'}")
        elif name == "frame":
            self._frame(builder)
        else:
            return builder.selection.act(name)
        return True

    def _cancel(self) -> None:
        """Esc: what was begun, then the tool, then the selection, then building itself."""
        builder = self.active
        if builder is None:
            return
        if builder.gizmo.drag is not None:
            builder.gizmo.cancel()
        elif builder.tools[builder.tool].cancel(builder):
            return
        elif builder.tool != "select":
            builder.choose_tool("select")
        elif builder.draft.selected:
            builder.selection.choose(())
        else:
            self._ask_to_leave()

    def _ask_to_leave(self) -> None:
        self._game.leave(self.leave)

    def _frame(self, builder: Builder) -> None:
        import numpy as np

        box = builder.things.box(builder.draft.selected or builder.things.entries)
        if box is not None:
            low, high = np.array(box[0]), np.array(box[1])
            reach = float(np.linalg.norm(high - low)) / 2
            builder.camera.frame((low + high) / 2, max(1.4 * reach, 1.5))


def free_path(folder: Path, title: str) -> Path:
    """A name of letters and digits that no file there has."""
    stem = "".join(c if c.isalnum() else "_" for c in title.lower()).strip("_")[:40] or "level"
    names = (stem, *(f"{stem}_{i}" for i in range(2, _MOST_NAMES)))
    return next(p for name in names if not (p := folder / f"{name}.toml").exists())


def _is_of_the_game(path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(LIBRARY)
    except OSError:
        return True
