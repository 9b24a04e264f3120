"""People who watch turn their heads after what moves. For the eye alone, and for windows alone."""

from typing import TYPE_CHECKING

import numpy as np

from sandbox.render.model import WORLD
from sandbox.render.scene import Scene

if TYPE_CHECKING:
    from sandbox.app.player import Player
    from sandbox.app.tool_base import Array

_SLOWEST = 0.3  # m/s that is worth a look
_BEHIND = 0.21  # how far back the hair sits on a head, of its radius
_ABOVE = 0.21
_EASE = 0.08  # of the way to a new point of interest, a frame


class Heads:
    """Where everybody looks."""

    def __init__(self) -> None:
        self._focus: Array | None = None

    def turn(self, scene: Scene, player: "Player") -> None:
        """Heads are pairs of balls: a face, and the hair that sits behind it."""
        rows = scene.parts.get("head")
        if rows is None:
            return
        self._follow(player)
        own = np.flatnonzero(player.stage.slots_of("head") == WORLD)
        if self._focus is None or len(own) % 2:
            return
        rows = rows.copy()
        faces, hair = own[::2], own[1::2]
        face = rows["position"][faces].astype(float)
        way = self._focus - face
        way[:, 1] *= 0.4  # one does not tilt the head as far
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
        radius = rows["radius"][faces].astype(float)[:, None]
        up = np.array((0.0, 1.0, 0.0))
        rows["position"][hair] = face + radius * (_ABOVE * up - _BEHIND * way)
        scene.parts["head"] = rows
        scene.still = scene.still - {"head"}

    def _follow(self, player: "Player") -> None:
        """The fastest thing, with a calm neck."""
        before, after = player.view.before.positions, player.view.after.positions
        count = min(len(before), len(after), len(player.view.after.orientations)) - 1
        if count <= 0:
            return
        speed = np.linalg.norm(after[:count] - before[:count], axis=1) / player.clock.h
        fastest = int(np.argmax(np.nan_to_num(speed)))
        if not _SLOWEST < speed[fastest] < 1e3:
            return
        if self._focus is None:
            self._focus = after[fastest].copy()
        self._focus = self._focus + _EASE * (after[fastest] - self._focus)
