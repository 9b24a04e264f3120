"""Compare: the same level under the same input, up to four stabilizations or step sizes at once.

Each run is a session of its own that starts from the player's present moment and hears the same
commands, but for the one setting that is compared. They are shown side by side, or as translucent
ghosts around the player's own world.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.commands import SetOption
from physics import STABILIZATIONS
from physics.stabilization import DEFAULT
from sandbox.app.divergence import diverged
from sandbox.app.session_view import SessionView
from sandbox.render.look import linear
from sandbox.render.scene import PART, TUBE, Parts, Scene, concatenated
from sandbox.render.stage import Stage

if TYPE_CHECKING:
    from moderngl import Framebuffer

    from levels.commands import Command
    from sandbox.app.player import Player
    from sandbox.render.renderer import Renderer

Option = str | int  # a stabilization, or steps per second
MOST = 4
_STRONGEST_FIRST = tuple(
    sorted(STABILIZATIONS, key=lambda name: (name != DEFAULT, -STABILIZATIONS[name].mass_ratio))
)
CHOICES: dict[str, tuple["Option", ...]] = {
    "stabilization": _STRONGEST_FIRST,
    "rate": (20, 30, 60, 120, 240),
}
_FIRST: dict[str, tuple["Option", ...]] = {
    "stabilization": (*_STRONGEST_FIRST[: MOST - 1], _STRONGEST_FIRST[-1]),
    "rate": (20, 60, 120, 240),
}
COLORS = ("#3f8fd8", "#f0b429", "#a86fd0", "#5d6570")  # told apart by any kind of eyes
_OPACITY = 0.45
_SAME = 0.03  # m; a ghost nearer than that would only stain what it covers


class ComparedRun:
    """A session of its own that hears the same commands."""

    def __init__(self, player: "Player", what: str, value: "Option", color: str) -> None:
        self.player, self.what, self.value, self.color = player, what, value, color
        mine = player.session
        self.session = mine.level.session(**mine.given)
        self.session.expecting = False
        self.session.restore(mine.snapshot())
        self.session.set_option(what, value)
        self.alive, self.ended = True, 0.0
        self._debt = 0.0
        self._view = SessionView(self.session, player.look_wish)
        self.stage.backdrop = player.stage.backdrop

    @property
    def stage(self) -> Stage:
        return self._view.stage

    @property
    def label(self) -> str:
        name = _named(self.what, self.value)
        return name if self.alive else f"{name}: flew apart at {self.ended:.1f} s"

    def advance(self, seconds: float) -> None:
        """Steps of its own length; what is left of the time shows as interpolation."""
        self._debt += seconds
        h = float(self.session.world.h)
        while self._debt > h - 1e-9 and self.alive:
            self._debt -= h
            self._step()

    def _step(self) -> None:
        self.session.step()
        if diverged(self.session):
            self.alive, self.ended = False, float(self.session.time)
            return
        if self._view.stale:
            self._view.renew(self.player.look_wish)
            self.stage.backdrop = self.player.stage.backdrop
        elif self._view.changed and self._view.rebuild_if_changed():
            self._view.hold()
        else:
            self._view.advance()

    def scene(self) -> Scene:
        alpha = min(self._debt / float(self.session.world.h), 1.0) if self.alive else 1.0
        return self.stage.scene(self._view.show(alpha))

    def ghost(self, beside: Scene) -> tuple[dict[str, Parts], Parts]:
        """What of it moves and is elsewhere than in the scene it is compared with."""
        scene = self.scene()
        groups = {}
        for mesh, rows in scene.parts.items():
            moving = rows[
                self.stage.moving(mesh) & _apart(rows, beside.parts.get(mesh), "position")
            ]
            if len(moving) and mesh not in scene.meshes:
                groups[mesh] = self._faint(moving)
        return groups, self._faint(scene.tubes[_apart(scene.tubes, beside.tubes, "a")])

    def _faint(self, rows: Parts) -> Parts:
        rows = rows.copy()
        rows["color"], rows["gloss"] = linear(self.color), _OPACITY
        return rows


def _named(what: str, value: "Option") -> str:
    return str(value) if what == "stabilization" else f"{value:g} steps/s"


def _apart(rows: Parts, others: Parts | None, field: str) -> npt.NDArray[np.bool_]:
    """Rows that are not in the same place as their counterparts."""
    if others is None or len(others) != len(rows):
        return np.ones(len(rows), bool)
    return np.asarray(np.abs(rows[field] - others[field]).max(axis=1) > _SAME)


class Comparison:
    """The player's own session is not among them and goes on unchanged."""

    def __init__(self, player: "Player") -> None:
        self.player = player
        self.what = "stabilization"
        self.ghosts = False
        self.runs: list[ComparedRun] = []
        self._values = dict(_FIRST)
        player.listeners.append(self._hear)
        self.sync()

    @property
    def values(self) -> tuple["Option", ...]:
        return self._values[self.what]

    def name_of(self, value: "Option") -> str:
        """A value of what is compared, in words."""
        return _named(self.what, value)

    def choose(self, what: str) -> None:
        """Compare stabilizations ("stabilization") or step sizes ("rate")."""
        if what != self.what:
            self.what = what
            self.sync()

    def toggle(self, value: "Option") -> None:
        """Add or drop one; the oldest makes room for a fifth, and the last one stays."""
        now = [v for v in self.values if v != value]
        if value not in self.values:
            now = [*now[-(MOST - 1) :], value]
        if now:
            order = CHOICES[self.what]
            self._values[self.what] = tuple(sorted(now, key=order.index))
            self.sync()

    def compare_only(self, *values: "Option") -> None:
        """These and no others, side by side."""
        order = CHOICES[self.what]
        self._values[self.what] = tuple(sorted(dict.fromkeys(values), key=order.index))
        self.ghosts = False
        self.sync()

    def sync(self) -> None:
        """All begin again from the player's present moment."""
        self.jumps, self._tick = self.player.jumps, self.player.session.tick
        self.runs = [
            ComparedRun(self.player, self.what, value, color)
            for value, color in zip(self.values, COLORS, strict=False)
        ]

    def _hear(self, command: "Command") -> None:
        if isinstance(command, SetOption) and command.name == self.what:
            return
        for run in self.runs:
            run.session.issue(command)

    def close(self) -> None:
        """Stop listening; the player's session goes on alone."""
        self.player.listeners.remove(self._hear)
        self.runs = []

    def update(self) -> None:
        """Follow the player's session to where it is now."""
        if self.player.jumps != self.jumps:
            self.sync()
        tick = self.player.session.tick
        seconds, self._tick = (tick - self._tick) * self.player.clock.h, tick
        for run in self.runs:
            run.advance(seconds)

    def tiles(self, size: tuple[int, int]) -> list[tuple[int, int, int, int]]:
        """Left, top, width and height of each view in pixels."""
        count = len(self.runs)
        columns = 1 if count == 1 else 2
        rows = 1 if count <= 2 else 2
        width, height = max(size[0] // columns, 1), max(size[1] // rows, 1)
        return [
            ((i % columns) * width, (i // columns) * height, width, height) for i in range(count)
        ]

    def draw(self, renderer: "Renderer", canvas: "Framebuffer", size: tuple[int, int]) -> None:
        """Side by side on a canvas of that size."""
        if len(self.runs) == 3:  # three of four tiles: the fourth is not what was there before
            canvas.clear(0.075, 0.09, 0.12, 1.0)
        view = self.player.camera.view()
        for run, (left, top, width, height) in zip(self.runs, self.tiles(size), strict=True):
            corner = (left, size[1] - top - height)
            renderer.render(run.scene(), view, (width, height), canvas, corner)

    def add_ghosts(self, scene: Scene) -> None:
        """As ghosts in the player's own scene."""
        groups: dict[str, list[Parts]] = {}
        tubes = []
        for run in self.runs:
            parts, ropes = run.ghost(scene)
            for mesh, rows in parts.items():
                groups.setdefault(mesh, []).append(rows)
            tubes.append(ropes)
        scene.ghosts = {mesh: concatenated(rows, PART) for mesh, rows in groups.items()}
        scene.ghost_tubes = concatenated(tubes, TUBE)
