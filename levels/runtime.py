"""A level in play. The game, headless runs and replays all drive this one object.

One tick: queued commands are applied, scripted inputs of the level act, keys steer their drives,
`world.step()`, then goal, triggers and expectations are looked at. Given the same level, values and
commands at the same ticks, every number is the same, bit by bit.

`tick` counts steps for ever (it is what a replay refers to); `time` begins anew with a restart.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from levels.assembled import Things
from levels.carry import carry_state, join_again, same_things, sew_again
from levels.commands import Command, Key
from levels.editing import edited_text
from levels.expressions import Expression, explain
from levels.files import write_atomically
from levels.level import Level, Variant
from levels.plan import Drive
from levels.progress import Outcome, Status, Watch, begin, copy_progress, renew
from levels.reel import wind_to
from levels.rules import Scripted
from levels.steering import resume, steer
from physics.portable import norm

_FAR = 1e7  # m; a body beyond it has left every level

# What was done, newest first: (all before it, tick, command). Moments share what is common.
Branch = tuple["Branch", int, Command] | None


@dataclass(frozen=True)
class Event:
    """Something the player should learn of: broken joints, messages, the end."""

    kind: Literal["broken", "contact", "say", "won", "lost", "rebuilt", "diverged"]
    text: str = ""
    data: tuple[Any, ...] = ()


@dataclass
class SessionState:
    """Everything needed to come back to this very moment."""

    snapshot: Any
    private: dict[str, Any]


class Session(Things):
    """A running level. `issue` commands, `step`, read `events`."""

    def __init__(self, level: Level, *, scripted: bool = False, **given: Any) -> None:
        self.level = level
        self.scripted = scripted  # play the level's own [[input]], as headless runs do
        self.expecting = True  # look at every [[expect]]; a game has no use for them
        self.given = dict(given)
        self.tick = 0
        self.generation = 0  # grows whenever `world` is replaced, so that views can notice
        self.held: set[str] = set()
        self.events: list[Event] = []
        self.on_command: Callable[[int, Command], None] | None = None  # see listen()
        self._queue: list[Command] = []
        self._scheduled: deque[tuple[int, Command]] = deque()
        self.branch: Branch = None  # what led to the present moment
        self._begin(level.variant(**given))

    # --- what a game does -----------------------------------------------------------------------

    def issue(self, command: Command) -> None:
        """Apply the command before the next step."""
        self._queue.append(command)

    def schedule(self, commands: Iterable[tuple[int, Command]]) -> None:
        """Apply commands at their ticks, as a replay has them."""
        self._scheduled.extend(commands)

    def commands(self, since: int = 0) -> list[tuple[int, Command]]:
        """Everything done since that tick that led to the present moment, in order."""
        found: list[tuple[int, Command]] = []
        node = self.branch
        while node is not None and node[1] >= since:
            found.append((node[1], node[2]))
            node = node[0]
        return found[::-1]

    def listen(self, listener: Callable[[int, Command], None]) -> None:
        """Call `listener(tick, command)` for every command, besides whoever listens already."""
        before = self.on_command

        def both(tick: int, command: Command) -> None:
            if before is not None:
                before(tick, command)
            listener(tick, command)

        self.on_command = both

    def step(self, count: int = 1) -> list[Event]:
        """Advance; returns what happened."""
        self.events = []
        for _ in range(count):
            self._step()
        return self.events

    @property
    def time(self) -> float:
        """Seconds since the level began."""
        return self._time_before + float(self.world.time)

    @property
    def status(self) -> Status:
        return self.progress.status

    @property
    def stars(self) -> int:
        return self.progress.stars

    @property
    def outcomes(self) -> list[Outcome]:
        return self.progress.outcomes

    @property
    def values(self) -> Mapping[str, float]:
        """Parameter values, as expressions see them."""
        return self.variant.values

    def save(self, path: Path) -> None:
        """Write the level as it stands now to a file; comments of the original are kept.

        The file that was there is replaced only when the new one is whole.
        """
        write_atomically(path, edited_text(self))

    def keys(self) -> dict[str, Drive]:
        """Keys the level listens to."""
        bound = [(key, drive) for drive in self.plan.drives for key in (drive.forward, drive.back)]
        return {key: drive for key, drive in bound if key}

    # --- commands -------------------------------------------------------------------------------

    def restart(self) -> None:
        """Begin the level anew with the present parameters."""
        self.held.clear()
        self._begin(self.level.variant(**self.given))
        self._rebuilt()

    def set_parameter(self, name: str, value: float) -> None:
        """Rebuild the world with the new value; whatever still exists keeps its motion."""
        given = {**self.given, name: value}
        variant = self.level.variant(**given)
        old, gone, time = self.built, self.gone, self.time
        spawned, joined, sewn, reels = self.spawned, self.joined, self.sewn, self.reels
        self.given = given
        self._use(variant)
        for drive in self.plan.drives:
            if drive.name in reels:
                wind_to(self, drive, reels[drive.name])
        if same_things(old, self.built, set(spawned)):
            for name in spawned.keys() & old.handles.keys():
                self.spawn(name, spawned[name])
            for name in [name for name in self.handles if name not in old.handles]:
                self.remove_body(name)  # it was deleted
            self.gone = gone | carry_state(old, self.built)
            for made in joined:
                if made.name in old.joints:
                    join_again(self, made, old.world.joint(old.joints[made.name]))
            for pair in sewn:
                sew_again(self, *pair, old)
            self._time_before = time
            self.progress.start_energy += self.world.energy().total - old.world.energy().total
            renew(self.progress, variant.rules)
            for drive in self.plan.drives:
                resume(self, drive)
        else:
            self._begin(variant)
        self._rebuilt()

    def set_option(self, name: str, value: Any) -> None:
        """stabilization, solver, rate, gravity: changed in the running world."""
        if name not in ("stabilization", "solver", "rate", "gravity"):
            raise ValueError(f'there is no option "{name}"')
        setattr(self.world, name, value)
        if name in ("stabilization", "solver", "rate"):
            self.given[name] = value

    def say(self, text: str) -> None:
        self.events.append(Event("say", text))

    def finish(self, status: Literal["won", "lost"], text: str = "") -> None:
        if self.progress.status != "playing":
            return
        self.progress.status = status
        self.progress.finished_at = self.time
        self.progress.stars = self._rate_stars() if status == "won" else 0
        self.events.append(Event(status, text))

    def drive(self, joint: str, speed: float) -> None:
        """Run a joint's motor at that speed."""
        handle = self.joint_handle(joint)
        motor = self.world.joint(handle).parameters.get("motor") or {"max_force": math.inf}
        self.world.set_joint(handle, motor={**motor, "speed": speed})

    # --- coming back to a moment ----------------------------------------------------------------

    def snapshot(self) -> SessionState:
        """This moment: the world and the level's own progress."""
        private = {
            "tick": self.tick,
            "held": sorted(self.held),
            "progress": copy_progress(self.progress),
            "given": dict(self.given),
            "generation": self.generation,
            "time_before": self._time_before,
            "things": self.copy_names(),
            "branch": self.branch,
        }
        return SessionState(self.world.snapshot(), private)

    def restore(self, state: SessionState) -> None:
        private = state.private
        if private["given"] != self.given or private["generation"] != self.generation:
            self.given = dict(private["given"])
            self._use(self.level.variant(**self.given))
            self.generation = private["generation"]
        self.world.restore(state.snapshot, twin=True)
        self.set_names(private["things"])
        self._time_before = private["time_before"]
        self.tick = private["tick"]
        self.held = set(private["held"])
        self.progress = copy_progress(private["progress"])
        self.branch = private["branch"]
        self._queue.clear()

    # --- one tick -------------------------------------------------------------------------------

    def _begin(self, variant: Variant) -> None:
        self._use(variant)
        drives = {drive.name: drive.start for drive in self.plan.drives}
        self.progress = begin(variant.rules, drives, float(self.world.energy().total))

    def _use(self, variant: Variant) -> None:
        self.variant = variant
        self.set_assembly(variant.build())
        self._time_before = 0.0  # s in worlds that were rebuilt since
        inputs = variant.rules.inputs if self.scripted else []
        self._inputs = sorted(inputs, key=lambda scripted: scripted.at)
        self._energy_scale = self._fall_energy()

    def _step(self) -> None:
        while self._scheduled and self._scheduled[0][0] <= self.tick:
            self._queue.append(self._scheduled.popleft()[1])
        for command in self._queue:
            self._apply(command)
        self._queue.clear()
        self._play_inputs()
        for drive in self.plan.drives:
            steer(self, drive)
        self.world.step()
        self.tick += 1
        self._collect_events()
        self._judge()

    def _apply(self, command: Command) -> None:
        self.branch = (self.branch, self.tick, command)
        if self.on_command is not None:
            self.on_command(self.tick, command)
        try:
            command.apply(self)
        except (ValueError, KeyError) as error:
            # a tool used on something that is gone: say so and play on
            self.events.append(Event("say", str(error.args[0])))

    def _play_inputs(self) -> None:
        """Scripted keys and actions of the level; they are part of it, so they are not recorded."""
        now = self.time + 0.5 * self.world.h
        progress = self.progress
        while (
            progress.next_input < len(self._inputs) and self._inputs[progress.next_input].at <= now
        ):
            self._play(self._inputs[progress.next_input])
            progress.next_input += 1
        for key, until in list(progress.scripted_keys.items()):
            if until <= now:
                del progress.scripted_keys[key]
                self.held.discard(key)

    def _play(self, scripted: Scripted) -> None:
        if scripted.key:
            Key(scripted.key, True).apply(self)
            self.progress.scripted_keys[scripted.key] = scripted.until
        elif scripted.action is not None:
            scripted.action(self)
        elif scripted.command is not None:
            scripted.command.apply(self)

    def _collect_events(self) -> None:
        for kind, *data in self.world.events():
            if kind == "broken":
                name = self.forget_joint(data[0])
                self.events.append(Event("broken", name, tuple(data)))
            else:
                self.events.append(Event("contact", kind, tuple(data)))

    def _judge(self) -> None:
        rules = self.variant.rules
        for watch in self.progress.watches:
            if self._came_true(watch):
                if watch.rule is rules.win:
                    self.finish("won", watch.rule.say)
                elif watch.rule is rules.lose:
                    self.finish("lost", watch.rule.say)
                else:
                    for action in watch.rule.then:
                        self._evaluate(action)
        for outcome in self.progress.outcomes if self.expecting else ():
            if outcome.state == "waiting":
                self._expect(outcome)

    def _came_true(self, watch: Watch) -> bool:
        if watch.fired and watch.rule.once:
            return False
        if not self._evaluate(watch.rule.condition):
            watch.since, watch.fired = None, False
            return False
        if watch.since is None:
            watch.since = self.time
        if watch.fired or self.time - watch.since < watch.rule.hold - 0.5 * self.world.h:
            return False
        watch.fired = True
        return True

    def _expect(self, outcome: Outcome) -> None:
        model, time = outcome.expected.model, self.time
        if model.at is not None and time < model.at - 0.5 * self.world.h:
            return
        holds = self._evaluate(outcome.expected.condition)
        if model.always is not None:
            if not holds:
                self._settle(outcome, "failed")
        elif model.eventually is not None:
            if holds:
                self._settle(outcome, "passed")
            elif model.by is not None and time >= model.by - 0.5 * self.world.h:
                self._settle(outcome, "failed")
        else:
            self._settle(outcome, "passed" if holds else "failed")

    def _settle(self, outcome: Outcome, state: Literal["passed", "failed"]) -> None:
        outcome.state, outcome.when = state, self.time
        try:
            outcome.values = explain(outcome.expected.condition, self)
        except (ArithmeticError, ValueError, LookupError):
            outcome.values = "no finite value"

    def close(self) -> list[Outcome]:
        """The end of a run: what always held has passed, what never came has failed."""
        for outcome in self.progress.outcomes:
            if outcome.state != "waiting":
                continue
            model = outcome.expected.model
            if model.always is not None:
                self._settle(outcome, "passed")
            elif model.at is not None or model.by is not None:
                outcome.state = "unreached"  # the run was shorter than that
            else:
                self._settle(outcome, "failed")
        return self.progress.outcomes

    def _evaluate(self, expression: Expression) -> bool:
        """A condition about something that no longer exists, or with no finite value, is false."""
        try:
            return bool(expression(self))
        except (ArithmeticError, ValueError, LookupError):
            return False

    def _rate_stars(self) -> int:
        stars = self.level.goal.stars
        if stars is None:
            return 3
        if stars.time is not None:
            return sum(self.time <= limit for limit in stars.time)
        expression = self.variant.rules.stars
        value = float(expression(self)) if expression else math.inf
        if stars.at_most is not None:
            return sum(value <= limit for limit in stars.at_most)
        return sum(value >= limit for limit in stars.at_least or ())

    def _rebuilt(self) -> None:
        self.generation += 1
        self.events.append(Event("rebuilt"))

    # --- numbers --------------------------------------------------------------------------------

    def is_finite(self) -> bool:
        positions = self.world.poses()[0]
        nodes = [self.world.node_positions(handle) for handle in self.softs.values()]
        positions = np.concatenate([positions, *nodes])
        near = np.abs(positions).max(initial=0.0) < _FAR  # false for nan as well
        return bool(near and not self.world.diverged)

    def energy_gain(self) -> float:
        gained = float(self.world.energy().total) - self.progress.start_energy
        return gained / self._energy_scale

    def guard_count(self) -> int:
        return sum(self.world.stats.guard.values())

    def _fall_energy(self) -> float:
        """Energy everything movable would release falling through the height of the level, J."""
        weights, heights = 0.0, [0.0]
        gravity = float(norm(self.world.gravity))
        for handle in self.handles.values():
            heights.append(float(self.world.position(handle)[1]))
            mass = float(self.world.mass(handle))
            weights += mass * gravity if math.isfinite(mass) else 0.0
        for handle in self.softs.values():
            heights += self.world.node_positions(handle)[:, 1].tolist()
            weights += gravity * self.world.mass(handle)
        return max(weights * (max(heights) - min(heights)), 1e-9)
