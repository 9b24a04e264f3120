"""The hand: drags what it has taken, in all three dimensions, and places things in a pause."""

from typing import TYPE_CHECKING

import numpy as np

from physics.portable import norm
from sandbox.app.tool_base import Array, Pick, Tool, loose, tied, vector

if TYPE_CHECKING:
    from sandbox.app.player import Player

_HANDS = 24  # bodies that can be held at once


class Grab(Tool):
    name, key, icon = "grab", "1", "\uf256"
    hint = "Drag anything. Wheel: nearer or away. Shift: level. Right click: pin it there."

    def __init__(self) -> None:
        self.held: Pick | None = None
        self.target: Array = np.zeros(3)  # where the hand is, m
        self.placing = False  # taken while time stands: it is put there when it is let go
        self._through: Array = np.zeros(3)
        self._offset: Array = np.zeros(3)  # from the middle of the body to the hand
        self._hands: list[Array] = []  # from the point that was taken to where each hand holds
        self._at = (0.5, 0.5)

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        from levels.commands import Grab as Command

        if not loose(pick, player):
            return False
        self.held, self._through, self.target, self._at = pick, pick.point, pick.point, (x, y)
        self._hands = [np.zeros(3)]
        self.placing = player.clock.paused and self._can_be_placed(player, pick)
        if self.placing:
            self._offset = pick.point - player.place_of(pick.handle)
            return True
        player.issue(Command(0, pick.name, vector(pick.point)))
        for handle in player.state.group:  # a box selection is held with one hand each
            if handle != pick.handle and len(self._hands) < _HANDS:
                place = player.place_of(handle)
                player.issue(
                    Command(len(self._hands), player.session.name_of(handle), vector(place))
                )
                self._hands.append(place - pick.point)
        return True

    def _can_be_placed(self, player: "Player", pick: Pick) -> bool:
        """Nothing holds it: neither a joint nor the threads of a cloth."""
        if pick.soft or tied(player, pick.handle):
            player.state.say("It hangs on something: it will be pulled when time goes on.")
            return False
        return not player.state.group

    def move(self, player: "Player", x: float, y: float) -> None:
        if self.held is not None:
            self._at = (x, y)
            self._aim(player, self._reach(player, x, y))

    def _reach(self, player: "Player", x: float, y: float) -> Array:
        """Under the pointer: on the plane that faces the camera, or with Shift on the level one."""
        if player.pointer.level and not player.camera.flat:
            origin, direction = player.camera.view().ray(x, y)
            if abs(direction[1]) > 0.03:
                along = float((self._through[1] - origin[1]) / direction[1])
                if 0.0 < along < 4.0 * player.camera.pose.distance:
                    return np.asarray(origin + direction * along)
            return self.target
        return player.camera.drag_plane_point(x, y, self._through)

    def deepen(self, player: "Player", notches: float) -> None:
        """The wheel, while something is held: nearer to the camera, or farther away."""
        if self.held is None or player.camera.flat:
            return
        eye = np.asarray(player.camera.view().eye)
        ray = self.target - eye
        away = float(norm(ray))
        farther = float(np.clip(away * 1.06**notches, 0.5, 8.0 * player.camera.pose.distance))
        self._aim(player, eye + ray * (farther / max(away, 1e-6)))

    def _aim(self, player: "Player", target: Array) -> None:
        from levels.commands import Drag

        ground = player.stage.ground
        if ground is not None:
            target[1] = max(target[1], ground)
        self.target = self._through = np.asarray(target, float)
        if not self.placing:
            for hand, offset in enumerate(self._hands):
                player.issue(Drag(hand, vector(target + offset)))

    def placed(self) -> Array:
        """Where the middle of what is being placed would be, m."""
        return self.target - self._offset

    def release(self, player: "Player", x: float, y: float) -> None:
        from levels.commands import Drop, Place

        held, self.held = self.held, None
        if held is None:
            return
        if self.placing:
            self.placing = False
            if float(norm(self.target - held.point)) > 1e-3:
                player.edit(Place(held.name, vector(self.placed())))
            return
        for hand in range(len(self._hands)):
            player.issue(Drop(hand))
