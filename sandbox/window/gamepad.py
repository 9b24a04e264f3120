"""The gamepad, by SDL's standard layout, whatever the make.

Sticks press the level's own keys, the right trigger is the left mouse button at the pointer, the
left trigger slows time while it is held, left on the cross rewinds, right on it takes one step,
Start opens the wall of levels.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.window.game import Game

_DEAD_ZONE = 0.35
_PULLED = 0.4  # of a trigger's way
_SLOW = 0.25
# SDL_GameControllerAxis and SDL_GameControllerButton
_STICKS = (0, 1, 2, 3)  # left x and y, right x and y
_LEFT_TRIGGER, _RIGHT_TRIGGER = 4, 5
_START, _LEFT, _RIGHT = 6, 13, 14
_FULL = 32768.0


class Gamepad:
    """Reads the first pad there is, once per frame."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self.device: Any = None
        self.rewinding = False
        self._keys: set[str] = set()
        self._down: set[int | str] = set()
        self._speed: float | None = None  # to go back to when the slow trigger is let go
        self.look_for_one()

    def look_for_one(self) -> None:
        """At the start, and whenever one is plugged in or pulled out."""
        self.device = None
        try:
            from pygame._sdl2 import controller

            controller.init()
            found = (i for i in range(controller.get_count()) if controller.is_controller(i))
            self.device = next((controller.Controller(i) for i in found), None)
        except Exception:  # a driver may fail in any way; there is always the keyboard
            self.device = None

    def poll(self) -> None:
        if self.device is None:
            return
        self._steer()
        self._triggers()
        self.rewinding = bool(self.device.get_button(_LEFT))
        if self._pressed(_RIGHT):
            self._game.action("step")
        if self._pressed(_START):
            self._game.action("wall")

    def _axis(self, number: int) -> float:
        return float(self.device.get_axis(number)) / _FULL

    def _pressed(self, button: int) -> bool:
        """True in the one frame in which it goes down."""
        return self._edge(button, bool(self.device.get_button(button))) is True

    def _edge(self, name: int | str, down: bool) -> bool | None:
        """True when it just went down, False when it just went up, else None."""
        if down == (name in self._down):
            return None
        (self._down.add if down else self._down.discard)(name)
        return down

    def _steer(self) -> None:
        """One drive of the level per stick axis; pushing right or down drives back."""
        player = self._game.player
        drives = list({d.name: d for d in player.session.keys().values()}.values())
        wanted: set[str] = set()
        for axis, drive in zip(_STICKS, drives, strict=False):
            value = self._axis(axis)
            if abs(value) > _DEAD_ZONE:
                wanted.add(drive.back if value > 0 else drive.forward)
        for name in wanted - self._keys:
            player.level_key(name, True)
        for name in self._keys - wanted:
            player.level_key(name, False)
        self._keys = wanted

    def _triggers(self) -> None:
        player = self._game.player
        grab = self._edge("grab", self._axis(_RIGHT_TRIGGER) > _PULLED)
        if grab is True:
            player.pointer.press(*player.pointer.at, 1)
        elif grab is False:
            player.pointer.release(*player.pointer.at, 1)
        slow = self._edge("slow", self._axis(_LEFT_TRIGGER) > _PULLED)
        if slow is True:
            self._speed, player.clock.speed = player.clock.speed, _SLOW
        elif slow is False and self._speed is not None:
            player.clock.speed, self._speed = self._speed, None
