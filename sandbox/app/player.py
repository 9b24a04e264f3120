"""The game without a window: a session, a camera, time, tools and what is shown of them.

Everything the player does arrives here as actions, pointer gestures (in fractions of the window)
and level keys; everything seen leaves as a `Scene` and a `View`. Tests drive this class directly.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from levels.plain_data import TomlTable
from physics import STABILIZATIONS
from sandbox.app.camera import Camera
from sandbox.app.choices import PALETTE, GuiState
from sandbox.app.divergence import DivergenceReport, diverged
from sandbox.app.effects import Effects
from sandbox.app.explosion import Explosion
from sandbox.app.grab_tool import Grab
from sandbox.app.heads import Heads
from sandbox.app.history import History
from sandbox.app.level_keys import LevelKeys
from sandbox.app.monitor import Monitor
from sandbox.app.pointer import Pointer
from sandbox.app.session_view import SessionView
from sandbox.app.step_clock import Accumulator
from sandbox.app.tools import TOOLS
from sandbox.app.view_setup import aim, set_backdrop, wished_look
from sandbox.render.model import Poses
from sandbox.render.scene import Scene
from sandbox.render.soft_sheets import SOFT
from sandbox.render.stage import Stage

if TYPE_CHECKING:
    from levels.commands import Command, OptionValue
    from levels.view_tables import Look
    from physics import Handle
    from sandbox.protocols import GameSession, GameWorld
    from sandbox.rewind import Lane

Array = npt.NDArray[np.floating]
# what goes on from the moment before, when the world has come apart
_OF_TIME = ("pause", "step", "restart", "undo", "redo", "stabilization", "cut")


class Player:
    """Plays one session. What has a state of its own is an object of its own: the clock, the
    camera, the pointer, the view of the session, its history, and the monitor of its steps."""

    def __init__(self, session: "GameSession", rows: int = 720, palette: str = "") -> None:
        self.session = session
        session.expecting = False  # tests look at what a level promises; evaluating it costs 2 ms
        self.palette = palette  # overrides the look of every level
        self.rows = rows  # height of the window in pixels, for picking thin things
        self.state = GuiState()
        self.clock = Accumulator(session.world.h)
        self.camera = Camera(flat=session.world.dimension == 2)
        self.tools = {kind.name: kind() for kind in TOOLS}
        self.pointer = Pointer(self)
        self.effects, self.heads = Effects(), Heads()
        self.monitor = Monitor(self)
        self.history = History(session)
        self.listeners: list[Callable[[Command], None]] = []  # hear every command
        session.listen(self._heard)
        self.jumps = 0  # how often the session went to another moment
        self.rewinding = False
        self.divergence: DivergenceReport | None = None
        self.explosion: Explosion | None = None  # while the world is seen coming apart
        self.keys = LevelKeys(session)
        self.explains = True  # goes back and says why when the world comes apart
        self.came_apart = False  # at any time so far
        self.obstacle: Callable[[str, OptionValue], str] = lambda option, value: ""  # why not yet
        self.carry_out: Callable[[Callable[[], object]], None] = _at_once  # what steps the world
        self.saved_as: Path | None = None  # where the edited level was written
        self.saved_at: tuple[int, Command] | None = None  # the last command that is in that file
        self._names = 0
        self._options: TomlTable = {}  # chosen, but not yet told to the world by a step
        self.view = SessionView(session, self.look_wish)
        self.aim_camera()
        self._set_backdrop()

    @property
    def world(self) -> "GameWorld":
        return self.session.world

    @property
    def stage(self) -> Stage:
        return self.view.stage

    @property
    def shown(self) -> Poses:
        """Where everything is in the picture."""
        return self.view.shown

    def chosen(self) -> "list[Handle]":
        """Handles of the selected bodies."""
        if self.state.group:
            return self.state.group
        return [self.state.selected] if self.state.selected is not None else []

    def held(self) -> "list[Handle]":
        """What is in the hand."""
        grab = self.tools["grab"]
        held = grab.held if isinstance(grab, Grab) else None
        return [] if held is None else [held.handle, *self.state.group]

    def made_joints(self) -> "list[Handle]":
        """Joints that were made by hand and still hold."""
        made = getattr(getattr(self.session, "edits", None), "joined", ())
        joints = self.session.joints
        return [joints[join.name] for join in made if join.name in joints]

    def place_of(self, handle: "Handle") -> Array:
        """The middle of a body, cloth or solid, m."""
        if handle.kind in SOFT:
            return np.asarray(self.world.node_positions(handle).mean(axis=0))
        return np.asarray(self.world.position(handle), float)

    # --- one frame -----------------------------------------------------------------------------

    def update(self, frame: float) -> int:
        """Advance time by a frame; the number of steps taken."""
        self.camera.update(frame)
        if self.explosion is not None:
            self.explosion.update(frame)
            return 0
        if self.rewinding:
            self._rewind(frame)
            return 0
        due = self.clock.advance(frame)
        taken = self.clock.run(due, self._step)
        if self.explosion is None:
            self.show(self.clock.alpha)
        floor = None if self.camera.flat and self.stage.ground is None else self.stage.floor
        self.effects.update(taken * self.clock.h, frame, self.camera, floor)
        return taken

    def show(self, alpha: float) -> None:
        """The moment between the last two states: 0 the one before, 1 the last."""
        self.view.show(alpha)
        self._follow()

    def _step(self) -> None:
        if self.explosion is not None:
            return None
        events = self.session.step()
        self.keys.after_step()
        self._options.clear()
        stats = self.monitor.stats()
        if diverged(self.session, stats) if stats else not self.session.is_finite():
            self.came_apart = True
            self.explosion = Explosion(self) if self.explains else None
            return None
        self.history.record()
        if self.view.stale:
            self._look_anew()
        if self.view.changed:
            self.refresh()
        self.monitor.notice(events)
        self.view.advance()
        self.monitor.look()
        if stats is not None:
            self.monitor.record(stats)
        return None

    def step_once(self) -> bool:
        """One step without a clock, for headless rendering; false once the world has come apart."""
        self._step()
        return not self.came_apart

    def _look_anew(self) -> None:
        """The session has another world: see it afresh, keep the camera."""
        self.view.renew(self.look_wish)
        self.clock.h = self.session.world.h
        self._set_backdrop()
        self.state.selected = self.state.joint = self.pointer.hovered = None
        self.state.group = []

    def set_palette(self, name: str) -> None:
        """Another light for every level; "" leaves it to the levels."""
        self.palette = name
        chosen = self.state.selected, self.state.joint, self.state.group
        self._look_anew()
        self.state.selected, self.state.joint, self.state.group = chosen

    @property
    def look_wish(self) -> "Look | None":
        """The level's look, in the light the player prefers."""
        return wished_look(self.session.level.look, self.palette)

    def _heard(self, tick: int, command: "Command") -> None:
        for listener in self.listeners:
            listener(command)

    def _set_backdrop(self) -> None:
        set_backdrop(self.stage, self.camera)

    def refresh(self) -> None:
        """Bodies or joints may have come or gone in the same world: no interpolation across it."""
        if self.view.rebuild_if_changed():
            self._forget_the_gone()
        self.view.hold()

    def _forget_the_gone(self) -> None:
        """What is no longer there is not selected either."""
        state, alive = self.state, set(self.view.all_handles())
        state.group = [handle for handle in state.group if handle in alive]
        if state.selected not in alive:
            state.selected = None
        if state.joint not in alive:
            state.joint = None
        if self.pointer.hovered not in alive:
            self.pointer.hovered = None

    def end_explosion(self) -> None:
        """At the moment before it went wrong, with a mark where it began."""
        explosion, self.explosion = self.explosion, None
        if explosion is None:
            return
        explosion.finish()
        self._jumped()
        self.divergence = explosion.report
        self.clock.paused = True

    # --- actions -------------------------------------------------------------------------------

    def action(self, name: str) -> None:
        """A key, a button or a pad was pressed; unknown names belong to the window."""
        if name in _OF_TIME:
            self.end_explosion()
        handler = getattr(self, f"_do_{name}", None)
        if handler is not None:
            handler()
        elif name.startswith("tool_"):
            self.state.tool = name.removeprefix("tool_")

    def _do_pause(self) -> None:
        self.clock.paused = not self.clock.paused
        self.divergence = None

    def _do_step(self) -> None:
        self.clock.single_step()

    def _do_slower(self) -> None:
        self.state.say(f"speed {_fraction(self.clock.slower())}")

    def _do_faster(self) -> None:
        self.state.say(f"speed {_fraction(self.clock.faster())}")

    def _do_restart(self) -> None:
        from levels.commands import Restart

        self.state.card = True
        self.divergence = None
        self.monitor.traces.clear()
        self.edit(Restart())

    def _do_undo(self) -> None:
        self.state.say("undone" if self.history.undo() else "nothing to undo")
        self._jumped()

    def _do_redo(self) -> None:
        self.state.say("done again" if self.history.redo() else "nothing to redo")
        self._jumped()

    def _do_stabilization(self) -> None:
        names = list(STABILIZATIONS)
        at = names.index(self.option("stabilization"))
        self.set_option("stabilization", names[(at + 1) % len(names)])

    def _do_overlays(self) -> None:
        self.state.say(f"overlays: {self.state.cycle_overlays()}")

    def _do_hide(self) -> None:
        self.state.hidden = not self.state.hidden

    def _do_palette(self) -> None:
        names = list(PALETTE)
        self.state.tool = "spawn"
        self.state.spawn = names[(names.index(self.state.spawn) + 1) % len(names)]
        self.state.say(f"spawn: {self.state.spawn}")

    def _do_cut(self) -> None:
        pick = self.pointer.pick(*self.pointer.at) if self.pointer.over_scene else None
        if pick is not None and pick.joint is not None:
            self.cut(pick.joint)
        elif self.stage.ropes.span_joints:
            self.state.say("Point at a rope or cable to cut it.")
        else:
            self.state.say("There is no rope here to cut.")

    def _do_frame(self) -> None:
        chosen = self.chosen()
        if chosen:
            places = np.array([self.place_of(handle) for handle in chosen], float)
            middle = (places.min(axis=0) + places.max(axis=0)) / 2
            reach = float(np.linalg.norm(places - middle, axis=1).max())
            self.camera.frame(middle, max(2.5, 1.3 * reach))
        else:
            self.aim_camera()

    def rewind(self, on: bool) -> None:
        """Hold to go back in time; letting go plays on from there."""
        if on == self.rewinding:
            return
        if on:
            self.end_explosion()
        self.rewinding = on
        if not on:
            self._jumped()

    def _rewind(self, frame: float) -> None:
        if not self.history.back(frame * 1.5):
            self.state.say("this is as far back as it goes")
        self._jumped()

    def scrub(self, tick: int, lane: "Lane | None" = None) -> None:
        """To another moment on the timeline; time stands still there."""
        self.end_explosion()
        self.clock.paused = True
        self.history.go_to(tick, lane)
        self._jumped()

    def _jumped(self) -> None:
        """The session is at another moment: no interpolation across it."""
        self.jumps += 1
        self.divergence = None
        self.effects.clear()
        self._options.clear()
        self.monitor.back_to(self.session.time)
        if self.view.stale:
            self._look_anew()
        else:
            self.refresh()

    # --- commands ------------------------------------------------------------------------------

    def issue(self, command: "Command") -> None:
        self.session.issue(command)

    def edit(self, *commands: "Command", again: bool = False) -> None:
        """Commands that change what exists: undone together, and they work even when paused.

        `again`: they belong to the edit before them and are undone with it.
        """
        self.carry_out(partial(self._edit, commands, again))

    def _edit(self, commands: "tuple[Command, ...]", again: bool) -> None:
        self.end_explosion()
        if not again:
            self.history.remember()
        for command in commands:
            self.session.issue(command)
        paused, self.clock.paused = self.clock.paused, False
        self._step()
        self.clock.paused = paused
        self.refresh()

    def cut(self, joint: "Handle") -> None:
        from levels.commands import Cut

        name = self.session.name_of(joint)
        if name:
            self.edit(Cut(name))

    def set_parameter(self, name: str, value: float) -> None:
        from levels.commands import SetParameter

        self.edit(SetParameter(name, value))

    def set_option(self, name: str, value: "OptionValue") -> None:
        from levels.commands import SetOption

        why_not = self.obstacle(name, value)
        if why_not:
            return self.state.say(why_not)
        self.end_explosion()
        self.issue(SetOption(name, value))
        self._options[name] = value
        if name == "rate" and isinstance(value, int | float):
            self.clock.h = 1.0 / value
        self.divergence = None
        shown = f"{value:g}" if isinstance(value, float) else value
        return self.state.say(f"{name}: {shown}")

    def option(self, name: str) -> Any:
        """An option of the world as it is, or as it will be when time goes on."""
        return self._options.get(name, getattr(self.world, name))

    def level_key(self, name: str, down: bool) -> bool:
        """A key the level itself listens to; false when it does not."""
        return self.keys.turn(name, down)

    def fresh_name(self, kind: str) -> str:
        while True:
            self._names += 1
            name = f"{kind}_{self._names}"
            if name not in self.session.handles and name not in self.session.joints:
                return name

    # --- picture -------------------------------------------------------------------------------

    def aim_camera(self) -> None:
        """As the level wishes, or so that everything is seen."""
        aim(self.camera, self.stage, self.session.level.camera)

    def _follow(self) -> None:
        wish = self.session.level.camera
        if wish is None or not wish.follow:
            return
        handle = self.session.handles.get(wish.follow)
        if handle is not None:
            place = self.shown.positions[handle.slot]
            pose = self.camera.goal
            self.camera.goal = type(pose)(
                (float(place[0]), float(place[1]), float(place[2])),
                pose.yaw,
                pose.pitch,
                pose.distance,
            )

    def scene(self) -> Scene:
        """What is seen now, with shadows sharp around what the camera looks at."""
        scene = self.stage.scene(self.shown)
        reach = self.camera.pose.distance * (0.6 if self.camera.flat else 0.75)
        if reach < scene.radius:
            scene.center, scene.radius = self.camera.pose.pivot, max(reach, 3.0)
        self.effects.add_to(scene)
        chosen = self.chosen() if self.explosion is None else []
        if chosen:
            scene.selected, scene.selected_sheets = self.stage.drawn(chosen)
        self.pointer.hover()
        hovered = self.pointer.hovered
        if hovered is not None and hovered not in chosen:
            scene.hovered, scene.hovered_sheets = self.stage.drawn([hovered])
        return scene


def _fraction(speed: float) -> str:
    return f"{speed:g}x" if speed >= 1 else f"1/{round(1 / speed)}x"


def _at_once(work: Callable[[], object]) -> None:
    work()
