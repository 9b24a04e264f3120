"""The pointer: what is under it, and what pressing, dragging and letting go mean.

Positions are fractions of the view, from its top left corner.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.app.grab_tool import Grab
from sandbox.app.screen_picking import nearest_segment, within
from sandbox.app.tool_base import Pick, vector

if TYPE_CHECKING:
    from physics import Handle
    from sandbox.app.player import Player

Array = npt.NDArray[np.floating]
Point = tuple[float, float]
_HOVER_EVERY = 10  # frames


class Pointer:
    """The mouse, or what stands in for it: where it is, what it drags, what is under it."""

    def __init__(self, player: "Player") -> None:
        self._player = player
        self.at: Point = (0.5, 0.5)
        self.band: tuple[Point, Point] | None = None  # a box selection being drawn
        self.hovered: Handle | None = None  # what would be taken by a click
        self.cuts: Pick | None = None  # where a rope would be cut
        self.over_interface = True  # until the pointer has moved over the scene
        self.level = False  # Shift: what is dragged stays at its height
        self._drag: str | None = None
        self._hover_age = 0  # frames since it was last looked what is under the pointer

    @property
    def over_scene(self) -> bool:
        """Is it in the window and on nothing but the picture?"""
        return not self.over_interface and all(0.0 <= value <= 1.0 for value in self.at)

    def pick(self, x: float, y: float) -> Pick | None:
        """The nearest thing under the pointer: a body, a rope, a cloth or a solid."""
        view = self._player.camera.view()
        origin, direction = view.ray(x, y)
        hit = self._player.stage.pick(origin, direction)
        soft, away = self._player.stage.softs.pick(origin, direction)
        reach = min(away, hit[1] if hit is not None else np.inf)
        thin = self._pick_thin(x, y, reach)
        if thin is not None:
            return thin
        if soft is not None and away <= reach:
            return Pick(self._player.session.name_of(soft), soft, origin + direction * away)
        if hit is None:
            return None
        body = self._at_slot(hit[0])
        if body is None:
            return None
        return Pick(self._player.session.name_of(body), body, origin + direction * hit[1])

    def _pick_thin(self, x: float, y: float, reach: float) -> Pick | None:
        view = self._player.camera.view()
        a, b = self._player.stage.ropes.spans(self._player.shown)
        found = nearest_segment(view, x, y, a, b, self._player.rows)
        if found is not None and found[2] < reach + 0.3:
            joint = self._player.stage.ropes.span_joints[found[0]]
            body = self._at_slot(
                self._player.stage.ropes.owner(found[0], found[1], self._player.shown)
            )
            if body is not None:
                return Pick(self._player.session.name_of(body), body, found[1], joint)
        return None

    def _at_slot(self, slot: int) -> "Handle | None":
        return next((h for h in self._player.session.handles.values() if h.slot == slot), None)

    def hover(self) -> None:
        """Once a frame: look again if the pointer has moved, or things may have moved under it."""
        self._hover_age += 1
        if self._drag is not None or not self.over_scene or self._player.explosion is not None:
            self.hovered = self.cuts = None
        elif self._hover_age >= _HOVER_EVERY:
            self._hover_age = 0
            pick = self.pick(*self.at)
            self.cuts = pick if pick is not None and pick.joint is not None else None
            loose = pick is not None and (pick.soft or not self._player.world.is_fixed(pick.handle))
            self.hovered = pick.handle if pick is not None and loose else None

    def press(self, x: float, y: float, button: int) -> None:
        """1 left, 2 middle, 3 right."""
        self.at = (x, y)
        if button == 1:
            self._press_left(x, y)
        elif button == 3 and self._pin_held():
            self._drag = None
        else:
            self._drag = "pan"

    def _press_left(self, x: float, y: float) -> None:
        pick = self.pick(x, y)
        if pick is None or pick.handle not in self._player.state.group:
            self._player.state.group = []
        # before the tool is used: what it removes is no longer selected
        self._player.state.selected = pick.handle if pick is not None else None
        self._player.state.joint = self._joint_of(pick)
        used = self._player.tools[self._player.state.tool].press(self._player, x, y, pick)
        if used:
            self._drag = "tool"
        elif self._player.camera.flat:
            self._drag, self.band = "box", ((x, y), (x, y))
        else:
            self._drag = "orbit"

    def _joint_of(self, pick: Pick | None) -> "Handle | None":
        """The joint that was clicked, or the most loaded one of the body that was."""
        if pick is None or pick.joint is not None:
            return pick.joint if pick is not None else None
        world, best, most = self._player.world, None, -1.0
        for joint in world.handles("joint"):
            info = world.joint(joint)
            if pick.handle in (info.a, info.b) and not world.is_broken(joint):
                force = float(np.linalg.norm(world.joint_force(joint)[0]))
                if force > most:
                    best, most = joint, force
        return best

    def _pin_held(self) -> bool:
        from levels.commands import Pin

        tool = self._player.tools["grab"]
        if not isinstance(tool, Grab) or tool.held is None:
            return False
        name, point = tool.held.name, None
        if tool.held.soft and 0 in self._player.session.grabs:  # the node that is in the hand
            point = vector(self._player.world.grab_point(self._player.session.grabs[0]))
        tool.release(self._player, *self.at)
        self._player.edit(Pin(name, point))
        self._player.state.say(f"{name} pinned")
        return True

    def move(self, x: float, y: float) -> None:
        dx, dy = x - self.at[0], y - self.at[1]
        self.at = (x, y)
        self._hover_age = _HOVER_EVERY
        if self._drag == "tool":
            self._player.tools[self._player.state.tool].move(self._player, x, y)
        elif self._drag == "orbit":
            self._player.camera.orbit(dx, dy)
        elif self._drag == "pan":
            self._player.camera.pan(dx, dy)
        elif self._drag == "box" and self.band is not None:
            self.band = (self.band[0], (x, y))

    def release(self, x: float, y: float, button: int) -> None:
        if self._drag == "tool" and button == 1:
            self._player.tools[self._player.state.tool].release(self._player, x, y)
        elif self._drag == "box":
            self._choose_within()
        self._drag, self.band = None, None

    def _choose_within(self) -> None:
        """Everything movable whose middle lies inside the band."""
        if self.band is None:
            return
        handles = [
            h for h in self._player.session.handles.values() if not self._player.world.is_fixed(h)
        ]
        if not handles:
            return
        middles = self._player.shown.positions[[h.slot for h in handles]]
        inside = within(self._player.camera.view(), self.band, middles)
        self._player.state.group = [
            handle for handle, yes in zip(handles, inside, strict=True) if yes
        ]
        if self._player.state.group:
            self._player.state.selected = self._player.state.group[0]
            self._player.state.say(f"{len(self._player.state.group)} selected")

    def wheel(self, notches: float, x: float, y: float) -> None:
        """Depth of what is in the hand, else zoom."""
        tool = self._player.tools[self._player.state.tool]
        if self._drag == "tool" and isinstance(tool, Grab) and tool.held is not None:
            tool.deepen(self._player, notches)
        else:
            self._player.camera.zoom(notches, x, y)

    @property
    def dragging(self) -> bool:
        """Is something being done with the mouse button held?"""
        return self._drag is not None

    def ground_point(self, x: float, y: float) -> Array:
        """Where the pointer's ray meets the ground, or the plane through the middle of things."""
        origin, direction = self._player.camera.view().ray(x, y)
        ground = self._player.stage.ground
        if not self._player.camera.flat and ground is not None and direction[1] < -0.02:
            along = min((ground - origin[1]) / direction[1], 200.0)
            return np.asarray(origin + direction * along)
        return self._player.camera.drag_plane_point(
            x, y, np.asarray(self._player.camera.pose.pivot)
        )
