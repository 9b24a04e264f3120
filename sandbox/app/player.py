"""The game without a window: a session, a camera, time, tools and what is shown of them.

Everything the player does arrives here as actions, pointer gestures (in fractions of the window)
and level keys; everything seen leaves as a `Scene` and a `View`. Tests drive this class directly.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sandbox.app.camera import Camera
from sandbox.app.clock import Accumulator
from sandbox.app.divergence import DivergenceReport, diverged, find_culprit
from sandbox.app.history import History
from sandbox.app.monitor import Noticing
from sandbox.app.pointer import Pointing
from sandbox.app.state import GuiState
from sandbox.app.tools import make_tools
from sandbox.app.traces import Traces
from sandbox.app.view_setup import aim, set_backdrop, wished_look
from sandbox.audio.sound import Impact
from sandbox.render.model import Poses, between
from sandbox.render.scene import Scene
from sandbox.render.stage import Stage

Array = npt.NDArray[np.floating]

STABILIZATIONS = ("none", "geometric", "inertial", "constraint", "adaptive")


class Player(Pointing, Noticing):
    """Plays one session."""

    def __init__(self, session: Any, rows: int = 720, palette: str = "") -> None:
        super().__init__()
        self.session = session
        session.expecting = False  # tests look at what a level promises; evaluating it costs 2 ms
        self.palette = palette  # overrides the look of every level
        self.rows = rows  # height of the window in pixels, for picking thin things
        self.state = GuiState()
        self.clock = Accumulator(session.world.h)
        self.camera = Camera(flat=session.world.dimension == 2)
        self.tools = make_tools()
        self.history = History(session)
        self.listeners: list[Callable[[Any], None]] = []  # hear every command
        session.listen(self._heard)
        self.jumps = 0  # how often the session went to another moment
        self.rewinding = False
        self.divergence: DivergenceReport | None = None
        self.explains = True  # goes back and says why when the world comes apart
        self.came_apart = False  # at any time so far
        self.traces = Traces()
        self.impacts: list[Impact] = []  # since they were last asked for
        self.obstacle: Callable[[str, Any], str] = lambda option, value: ""  # why not yet
        self.saved_as: Path | None = None  # where the edited level was written
        self.saved_at: tuple[int, Any] | None = None  # the last command that is in that file
        self._names = 0
        self._options: dict[str, Any] = {}  # chosen, but not yet told to the world by a step
        self._things: tuple[Any, ...] = ()  # what the stage was built from
        self._before: Poses
        self._after: Poses
        self.shown: Poses
        self._look_anew()
        self.aim_camera()
        self._set_backdrop()

    @property
    def world(self) -> Any:
        return self.session.world

    # --- one frame -----------------------------------------------------------------------------

    def update(self, frame: float) -> int:
        """Advance time by a frame; the number of steps taken."""
        self.camera.update(frame)
        if self.rewinding:
            self._rewind(frame)
            return 0
        due = self.clock.advance(frame)
        taken = self.clock.run(due, self._step)
        self.show(self.clock.alpha)
        return taken

    def show(self, alpha: float) -> None:
        """The moment between the last two states: 0 the one before, 1 the last."""
        self.shown = between(self._before, self._after, alpha)
        self._follow()

    def _step(self) -> None:
        self._before = self._after
        events = self.session.step()
        self._options.clear()
        stats = self.world.stats if self._looks_closely() else None
        if diverged(self.session, stats) if stats else not self.session.is_finite():
            self.came_apart = True
            return self._explain_divergence() if self.explains else None
        self.history.record()
        if self.stage.world is not self.session.world:
            self._look_anew()
        # a winch took in or paid out rope, or something broke, was let go or deleted
        if self.stage.plan is not self.session.plan or self._count() != len(self._things):
            self.refresh()
        self._notice(events)
        self._after = self.stage.poses()
        if stats is not None:
            energies = self.state.plots or not self._shows_numbers()
            force = self._watched_force()
            self.traces.record(self.session.time, self.world, force, energies, stats)
        return None

    def step_once(self) -> bool:
        """One step without a clock, for headless rendering; false once the world has come apart."""
        self._step()
        return not self.came_apart

    def _look_anew(self) -> None:
        """The session has another world: see it afresh, keep the camera."""
        session = self.session
        self.stage = Stage(session.world, session.plan, self.look_wish)
        self.clock.h = session.world.h
        self._things = self._all_things()
        self._set_backdrop()
        self._after = self._before = self.shown = self.stage.poses()
        self.state.selected = self.state.joint = self.hovered = None
        self.state.group = []

    def set_palette(self, name: str) -> None:
        """Another light for every level; "" leaves it to the levels."""
        self.palette = name
        chosen = self.state.selected, self.state.joint, self.state.group
        self._look_anew()
        self.state.selected, self.state.joint, self.state.group = chosen

    @property
    def look_wish(self) -> Any:
        """The level's look, in the light the player prefers."""
        return wished_look(self.session.level.look, self.palette)

    def _heard(self, tick: int, command: Any) -> None:
        for listener in self.listeners:
            listener(command)

    def _set_backdrop(self) -> None:
        set_backdrop(self.stage, self.camera)

    def refresh(self) -> None:
        """Bodies or joints may have come or gone in the same world: no interpolation across it."""
        self._look_again()
        self._after = self._before = self.shown = self.stage.poses()

    def _look_again(self) -> None:
        """Build the stage anew if it shows other things than there are."""
        things = self._all_things()
        if things != self._things or self.stage.plan is not self.session.plan:
            self._things = things
            self.stage.plan = self.session.plan
            self.stage.rebuild()
            alive = set(things)
            self.state.group = [handle for handle in self.state.group if handle in alive]
            if self.state.selected not in alive:
                self.state.selected = None
            if self.hovered not in alive:
                self.hovered = None
            if self.state.joint not in alive:
                self.state.joint = None

    def _count(self) -> int:
        session = self.session
        return len(session.handles) + len(session.joints) + len(session.softs)

    def _all_things(self) -> tuple[Any, ...]:
        session = self.session
        return tuple(
            handle
            for table in (session.handles, session.joints, session.softs)
            for handle in table.values()
        )

    def _explain_divergence(self) -> None:
        """Back to before it went wrong, and say which constraint went first."""
        report = find_culprit(self.session, self.history)
        self._jumped()
        self.divergence = report
        self.clock.paused = True
        self.state.say(self.divergence.text, bad=True)

    # --- actions -------------------------------------------------------------------------------

    def action(self, name: str) -> None:
        """A key, a button or a pad was pressed; unknown names belong to the window."""
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
        self.traces.clear()
        self.edit(Restart())

    def _do_undo(self) -> None:
        self.state.say("undone" if self.history.undo() else "nothing to undo")
        self._jumped()

    def _do_redo(self) -> None:
        self.state.say("done again" if self.history.redo() else "nothing to redo")
        self._jumped()

    def _do_stabilization(self) -> None:
        at = STABILIZATIONS.index(self.option("stabilization"))
        self.set_option("stabilization", STABILIZATIONS[(at + 1) % len(STABILIZATIONS)])

    def _do_overlays(self) -> None:
        self.state.say(f"overlays: {self.state.cycle_overlays()}")

    def _do_hide(self) -> None:
        self.state.hidden = not self.state.hidden

    def _do_help(self) -> None:
        self.state.help = not self.state.help

    def _do_profiler(self) -> None:
        self.state.profiler = not self.state.profiler

    def _do_wall(self) -> None:
        self.state.wall = not self.state.wall

    def _do_palette(self) -> None:
        from sandbox.app.state import PALETTE

        names = list(PALETTE)
        self.state.tool = "spawn"
        self.state.spawn = names[(names.index(self.state.spawn) + 1) % len(names)]
        self.state.say(f"spawn: {self.state.spawn}")

    def _do_cut(self) -> None:
        pick = self.pick(*self.pointer)
        joint = pick.joint if pick is not None else None
        joints = [joint for joint in self.stage.ropes.span_joints if joint is not None]
        if joint is None and joints:
            joint = joints[len(joints) // 2]
        if joint is not None:
            self.cut(joint)
        else:
            self.state.say("there is no rope to cut")

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
        self.rewinding = on
        if not on:
            self._jumped()

    def _rewind(self, frame: float) -> None:
        if not self.history.back(frame * 1.5):
            self.state.say("this is as far back as it goes")
        self._jumped()

    def _jumped(self) -> None:
        """The session is at another moment: no interpolation across it."""
        self.jumps += 1
        self.divergence = None
        self._options.clear()
        self.traces.back_to(self.session.time)
        if self.stage.world is not self.session.world:
            self._look_anew()
        else:
            self.refresh()

    # --- commands ------------------------------------------------------------------------------

    def issue(self, command: Any) -> None:
        self.session.issue(command)

    def edit(self, *commands: Any, again: bool = False) -> None:
        """Commands that change what exists: undone together, and they work even when paused.

        `again`: they belong to the edit before them and are undone with it.
        """
        if not again:
            self.history.remember()
        for command in commands:
            self.session.issue(command)
        paused, self.clock.paused = self.clock.paused, False
        self._step()
        self.clock.paused = paused
        self.refresh()

    def cut(self, joint: Any) -> None:
        from levels.commands import Cut

        name = self.session.name_of(joint)
        if name:
            self.edit(Cut(name))

    def set_parameter(self, name: str, value: float) -> None:
        from levels.commands import SetParameter

        self.edit(SetParameter(name, value))

    def set_option(self, name: str, value: Any) -> None:
        from levels.commands import SetOption

        why_not = self.obstacle(name, value)
        if why_not:
            return self.state.say(why_not)
        self.issue(SetOption(name, value))
        self._options[name] = value
        self.clock.h = 1.0 / float(value) if name == "rate" else self.clock.h
        self.divergence = None
        shown = f"{value:g}" if isinstance(value, float) else value
        return self.state.say(f"{name}: {shown}")

    def option(self, name: str) -> Any:
        """An option of the world as it is, or as it will be when time goes on."""
        return self._options.get(name, getattr(self.world, name))

    def level_key(self, name: str, down: bool) -> bool:
        """A key the level itself listens to; false when it does not."""
        from levels.commands import Key

        if self.session.keys().get(name) is None:
            return False
        self.issue(Key(name, down))
        return True

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
        chosen = self.chosen()
        if chosen:
            scene.selected, scene.selected_sheets = self.stage.drawn(chosen)
        self.hover()
        if self.hovered is not None and self.hovered not in chosen:
            scene.hovered, scene.hovered_sheets = self.stage.drawn([self.hovered])
        return scene


def _fraction(speed: float) -> str:
    return f"{speed:g}x" if speed >= 1 else f"1/{round(1 / speed)}x"
