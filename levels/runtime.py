"""A level in play. The game, headless runs and replays all drive this one object.

One tick: queued commands are applied, scripted inputs of the level act, keys steer their drives,
`world.step()`, then goal, triggers and expectations are looked at. Given the same level, values and
commands at the same ticks, every number is the same, bit by bit.

A session is made of parts, each with its own state, which it saves and restores itself:

    log        commands that wait, and those that led here      command_log.py
    names      things under their names                         name_table.py
    hands      what is grabbed                                  grabs.py
    edits      what was made by hand                            edits.py
    drives     motors, servos and winches with their keys       drives.py
    programs   what moves by itself: paths, formulas, wind      movers.py
    pushes     forces that act for a while                      pushes.py
    tallies    counters and timers                              tallies.py
    script     the level's own [[input]]                        scripted_inputs.py
    referee    goal, triggers, expectations                     referee.py

`tick` counts steps for ever (it is what a replay refers to); `time` begins anew with a restart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from levels import measures
from levels.carry import carry_over, same_parts
from levels.command_log import Branch, CommandLog, Listener
from levels.commands import Command
from levels.drives import Drives
from levels.edits import Edits
from levels.files import write_atomically
from levels.grabs import Grabs
from levels.guarded import Guarded
from levels.level import Level, Variant
from levels.level_writer import edited_text
from levels.movers import Programs
from levels.name_table import NameTable, Positions
from levels.plain_data import Given, TomlTable, TomlValue
from levels.plan import Drive, Plan
from levels.pushes import Pushes
from levels.reels import Reels
from levels.referee import Outcome, Referee, Status
from levels.scripted_inputs import ScriptedInputs
from levels.tallies import Tallies
from levels.templates import Library
from physics import Handle, World

_OPTIONS = ("stabilization", "solver", "rate", "gravity")  # of a running world


@dataclass(frozen=True)
class Event:
    """Something the player should learn of: broken joints, messages, the end."""

    kind: Literal[
        "broken", "contact", "say", "won", "lost", "rebuilt", "diverged", "sound", "camera"
    ]
    text: str = ""
    data: tuple[Any, ...] = ()


@dataclass
class SessionState:
    """Everything needed to come back to this very moment.

    private["things"] holds tables by name; those that are equal may be shared between states.
    """

    snapshot: Mapping[str, TomlValue]
    private: TomlTable


class Session(Guarded):
    """A running level. `issue` commands, `step`, read `events`."""

    names: NameTable
    hands: Grabs
    edits: Edits
    drives: Drives
    programs: Programs
    pushes: Pushes
    tallies: Tallies
    script: ScriptedInputs
    referee: Referee
    _start_energy: float  # J

    def __init__(self, level: Level, *, scripted: bool = False, **given: Given) -> None:
        self.level = level
        self.scripted = scripted  # play the level's own [[input]], as headless runs do
        self.expecting = True  # look at every [[expect]]; a game has no use for them
        self.given = dict(given)
        self.tick = 0
        self.generation = 0  # grows whenever `world` is replaced, so that views can notice
        self.held: set[str] = set()
        self.events: list[Event] = []
        self.log = CommandLog()
        self._waiting: tuple[Command, ...] = ()  # for the next step, from actions
        self._begin(level.variant(**given))

    def __repr__(self) -> str:
        return f'<Session of "{self.level.name}": {self.time:.6g} s, {self.status}>'

    # --- what a game does -----------------------------------------------------------------------

    def issue(self, command: Command) -> None:
        """Apply the command before the next step."""
        self.log.issue(command)

    def schedule(self, commands: Iterable[tuple[int, Command]]) -> None:
        """Apply commands at their ticks, as a replay has them."""
        self.log.schedule(commands)

    def commands(self, since: int = 0) -> list[tuple[int, Command]]:
        """Everything done since that tick that led to the present moment, in order."""
        return self.log.since(since)

    def listen(self, listener: Listener) -> None:
        """Call `listener(tick, command)` for every command, besides whoever listens already."""
        self.log.listen(listener)

    def step(self, count: int = 1) -> list[Event]:
        """Advance; returns what happened."""
        self.events = []
        for _ in range(count):
            self._step()
        return self.events

    def save(self, path: Path) -> None:
        """Write the level as it stands now to a file; comments of the original are kept.

        The file that was there is replaced only when the new one is whole.
        """
        write_atomically(path, edited_text(self))

    def keys(self) -> dict[str, Drive]:
        """Keys the level listens to."""
        bound = [(key, drive) for drive in self.plan.drives for key in (drive.forward, drive.back)]
        return {key: drive for key, drive in bound if key}

    def close(self) -> list[Outcome]:
        """The end of a run: what always held has passed, what never came has failed."""
        return self.referee.close(self)

    # --- what commands and actions do -----------------------------------------------------------

    def restart(self) -> None:
        """Begin the level anew with the present parameters."""
        self.held.clear()
        self._waiting = ()
        self._begin(self.level.variant(**self.given))
        self._rebuilt()

    def set_parameter(self, name: str, value: float) -> None:
        """Rebuild the world with the new value; whatever still exists keeps its motion."""
        given = {**self.given, name: value}
        variant = self.level.variant(**given)
        old, done, drives, time = self.names, self.edits, self.drives, self.time
        before = self.variant.simulation
        seen, played, counted = self.referee.save(), self.script.save(), self.tallies.save()
        run, pushed = self.programs.save(), self.pushes.save()
        start_energy = self._start_energy
        self.given = given
        self._use(variant)
        self.drives.reels.wind_like(drives.reels)
        if same_parts(old, self.names, set(done.spawned)):
            carry_over(old, done, self.names, self.edits)
            self._time_before = time
            gained = self.world.energy().total - old.world.energy().total
            self._start_energy = start_energy + gained
            self.referee.restore(seen)
            self.script.restore(played)
            self.tallies.restore(counted)
            self.programs.restore(run)
            self.pushes.restore(pushed)
            self.drives.resume(drives.save())
            self.programs.resume(self.names)
            if list(old.world.gravity) != before.gravity:  # it was set while running
                self.world.gravity = old.world.gravity
        else:
            self._begin(variant)
        self._rebuilt()

    def set_option(self, name: str, value: TomlValue) -> None:
        """stabilization, solver, rate, gravity: changed in the running world."""
        if name not in _OPTIONS:
            raise ValueError(f'there is no option "{name}"')
        setattr(self.world, name, value)
        if name != "gravity":
            self.given[name] = value

    def say(self, text: str) -> None:
        self.events.append(Event("say", text))

    def finish(self, status: Literal["won", "lost"], text: str = "") -> None:
        if self.referee.finish(status, self):
            self.events.append(Event(status, text))

    def tell(self, kind: Literal["sound", "camera"], text: str, *data: TomlValue) -> None:
        """Something for the game to play or show."""
        self.events.append(Event(kind, text, data))

    def later(self, command: Command) -> None:
        """Apply a command before the next step. What actions do follows from the level, so it is
        not recorded."""
        self._waiting = (*self._waiting, command)

    def spawn(self, template: str, position: Sequence[float], velocity: Sequence[float]) -> None:
        """Put a thing from a template in."""
        self.edits.spawn_from(template, position, velocity)

    def aim(self, joint: str, target: float) -> None:
        """Move the target of a joint's servo."""
        handle = self.names.joint_handle(joint)
        servo = self.world.joint(handle).parameters.get("servo")
        if not servo:
            raise ValueError(f'"{joint}" has no servo')
        self.world.set_joint(handle, servo={**servo, "target": target})
        self.programs.take_over(self.name_of(handle), "servo", target)
        self.drives.take(self.name_of(handle), target)

    def drive(self, joint: str, speed: float) -> None:
        """Run a joint's motor at that speed."""
        handle = self.names.joint_handle(joint)
        motor = self.world.joint(handle).parameters.get("motor") or {"max_force": math.inf}
        self.world.set_joint(handle, motor={**motor, "speed": speed})
        self.programs.take_over(self.name_of(handle), "motor", speed)

    # --- coming back to a moment ----------------------------------------------------------------

    def snapshot(self) -> SessionState:
        """This moment: the world and the level's own progress."""
        private = {
            "tick": self.tick,
            "held": sorted(self.held),
            "given": dict(self.given),
            "generation": self.generation,
            "time_before": self._time_before,
            "start_energy": self._start_energy,
            "branch": self.log.branch,
            "things": {key: table for part in self._tables() for key, table in part.save().items()},
            "drives": self.drives.save(),
            "programs": self.programs.save(),
            "pushes": self.pushes.save(),
            "tallies": self.tallies.save(),
            "waiting": self._waiting,
            "script": self.script.save(),
            "referee": self.referee.save(),
        }
        return SessionState(self.world.snapshot(), private)

    def restore(self, state: SessionState) -> None:
        private = state.private
        if private["given"] != self.given or private["generation"] != self.generation:
            self.given = dict(private["given"])
            self._use(self.level.variant(**self.given))
            self.generation = private["generation"]
        self.world.restore(state.snapshot, twin=True)
        for part in self._tables():
            part.restore(private["things"])
        self.drives.restore(private["drives"])
        self.programs.restore(private["programs"])
        self.pushes.restore(private["pushes"])
        self.tallies.restore(private["tallies"])
        self._waiting = private["waiting"]
        self.script.restore(private["script"])
        self.referee.restore(private["referee"])
        self.log.restore(private["branch"])
        self._time_before = private["time_before"]
        self._start_energy = private["start_energy"]
        self.tick = private["tick"]
        self.held = set(private["held"])

    def _tables(self) -> tuple[NameTable, Grabs, Edits, Reels]:
        return self.names, self.hands, self.edits, self.drives.reels

    # --- one tick -------------------------------------------------------------------------------

    def _begin(self, variant: Variant) -> None:
        self._use(variant)
        self._start_energy = float(self.world.energy().total)

    def _use(self, variant: Variant) -> None:
        """A fresh world, with nothing done to it and nothing seen of it."""
        self.variant = variant
        self.names = variant.build()
        self.hands = Grabs(self.names)
        self.edits = Edits(self.names, Library.of(variant.checked))
        self.drives = Drives(self.names)
        self.programs = Programs(variant.rules.moving)
        self.pushes = Pushes()
        self.tallies = Tallies(variant.rules.counters, variant.rules.labels)
        self.script = ScriptedInputs(variant.rules.inputs if self.scripted else ())
        self.referee = Referee(variant.rules, self.level.goal.stars)
        self._time_before = 0.0  # s in worlds that were rebuilt since
        self._energy_scale = measures.fall_energy(self.names)

    def _rebuilt(self) -> None:
        self.generation += 1
        self.events.append(Event("rebuilt"))

    def _step(self) -> None:
        for command in self.log.due(self.tick):
            self._apply(command)
        waiting, self._waiting = self._waiting, ()
        for command in waiting:
            self._apply(command)
        self.script.play(self)
        self.drives.steer(self.held)
        self.programs.run(self)
        self.pushes.act(self.names, self.time)
        self.world.step()
        self.tick += 1
        self._collect_events()
        self.referee.judge(self, self.expecting)

    def _apply(self, command: Command) -> None:
        try:
            command.apply(self)
        except (ValueError, KeyError) as error:
            # a tool used on something that is gone: say so and play on
            self.say(str(error.args[0]))

    def _collect_events(self) -> None:
        for kind, *data in self.world.events():
            if kind == "broken":
                name = self.names.forget_joint(data[0])
                self.events.append(Event("broken", name, tuple(data)))
            else:
                self.events.append(Event("contact", kind, tuple(data)))

    # --- what the parts know --------------------------------------------------------------------

    @property
    def world(self) -> World:
        return self.names.world

    @property
    def plan(self) -> Plan:
        return self.names.plan

    @property
    def handles(self) -> dict[str, Handle]:
        """Of bodies and particles."""
        return self.names.handles

    @property
    def joints(self) -> dict[str, Handle]:
        return self.names.joints

    @property
    def softs(self) -> dict[str, Handle]:
        """Of cloths and solids."""
        return self.names.softs

    @property
    def grabs(self) -> dict[int, Handle]:
        """The world's grab in each hand."""
        return self.hands.held

    @property
    def branch(self) -> Branch:
        """The commands that led to the present moment."""
        return self.log.branch

    @property
    def on_command(self) -> Listener | None:
        """Who hears of commands; see listen()."""
        return self.log.listener

    @on_command.setter
    def on_command(self, listener: Listener | None) -> None:
        self.log.listener = listener

    @property
    def time(self) -> float:
        """Seconds since the level began."""
        return self._time_before + float(self.world.time)

    @property
    def status(self) -> Status:
        return self.referee.status

    @property
    def shown_counters(self) -> list[tuple[str, float]]:
        """Label and value of the counters that the player sees."""
        return self.tallies.shown

    @property
    def stars(self) -> int:
        return self.referee.stars

    @property
    def outcomes(self) -> list[Outcome]:
        return self.referee.outcomes

    @property
    def values(self) -> Mapping[str, float]:
        """Parameter values, as expressions see them."""
        return self.variant.values

    def handle(self, name: str) -> Handle:
        return self.names.handle(name)

    def name_of(self, handle: Handle) -> str:
        return self.names.name_of(handle)

    def position(self, name: str) -> Positions:
        return self.names.position(name)

    def positions(self, name: str) -> Positions:
        return self.names.positions(name)

    def tension(self, name: str) -> float:
        return measures.tension(self.names, name)

    def stretch(self, name: str) -> float:
        return measures.stretch(self.names, name)

    def rest_length(self, name: str) -> float:
        return measures.rest_length(self.names, name)

    def is_broken(self, name: str) -> bool:
        return measures.is_broken(self.names, name)

    def is_finite(self) -> bool:
        return measures.is_finite(self.names)

    def free_for(self, name: str) -> float:
        return self.hands.free_for(name)

    def energy_gain(self) -> float:
        """Since the start, as a share of what a fall through the level's height would release."""
        gained = float(self.world.energy().total) - self._start_energy
        return gained / self._energy_scale

    def guard_count(self) -> int:
        return sum(self.world.stats.guard.values())
