"""The pointer: what is under it, and what pressing, dragging and letting go mean.

Positions are fractions of the view, from its top left corner.
"""

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from sandbox.app.screen_picking import nearest_segment
from sandbox.app.tools import Grab, Pick, vector
from sandbox.render.softs import SOFT

if TYPE_CHECKING:
    from sandbox.app.camera import Camera
    from sandbox.app.player import Player
    from sandbox.app.state import GuiState
    from sandbox.app.tools import Tool
    from sandbox.render.model import Poses
    from sandbox.render.stage import Stage

Array = npt.NDArray[np.floating]
Point = tuple[float, float]
_HOVER_EVERY = 10  # frames


class Pointing:
    """The half of the player that follows the mouse."""

    if TYPE_CHECKING:
        session: Any
        camera: Camera
        state: GuiState
        tools: dict[str, Tool]
        stage: Stage
        shown: Poses
        rows: int

        @property
        def world(self) -> Any: ...
        def edit(self, *commands: Any) -> None: ...

    def __init__(self) -> None:
        self.pointer: Point = (0.5, 0.5)
        self.band: tuple[Point, Point] | None = None  # a box selection being drawn
        self.hovered: Any = None  # Handle of what would be taken by a click
        self.over_interface = True  # until the pointer has moved over the scene
        self._drag: str | None = None
        self._hover_age = 0  # frames since it was last looked what is under the pointer

    @property
    def _player(self) -> "Player":
        """The whole of it, for tools."""
        return cast("Player", self)

    def pick(self, x: float, y: float) -> Pick | None:
        """The nearest thing under the pointer: a body, a rope, a cloth or a solid."""
        view = self.camera.view()
        origin, direction = view.ray(x, y)
        hit = self.stage.pick(origin, direction)
        soft, away = self.stage.softs.pick(origin, direction)
        reach = min(away, hit[1] if hit is not None else np.inf)
        thin = self._pick_thin(x, y, reach)
        if thin is not None:
            return thin
        if soft is not None and away <= reach:
            return Pick(self.session.name_of(soft), soft, origin + direction * away)
        if hit is None:
            return None
        body = self._at_slot(hit[0])
        if body is None:
            return None
        return Pick(self.session.name_of(body), body, origin + direction * hit[1])

    def _pick_thin(self, x: float, y: float, reach: float) -> Pick | None:
        view = self.camera.view()
        a, b = self.stage.ropes.spans(self.shown)
        found = nearest_segment(view, x, y, a, b, self.rows)
        if found is not None and found[2] < reach + 0.3:
            joint = self.stage.ropes.span_joints[found[0]]
            body = self._at_slot(self.stage.ropes.owner(found[0], found[1], self.shown))
            if body is not None:
                return Pick(self.session.name_of(body), body, found[1], joint)
        return None

    def _at_slot(self, slot: int) -> Any:
        return next((h for h in self.session.handles.values() if h.slot == slot), None)

    def place_of(self, handle: Any) -> Array:
        """The middle of a body, cloth or solid, m."""
        if handle.kind in SOFT:
            return np.asarray(self.world.node_positions(handle).mean(axis=0))
        return np.asarray(self.world.position(handle), float)

    def hover(self) -> None:
        """Once a frame: look again if the pointer has moved, or things may have moved under it."""
        self._hover_age += 1
        if self._drag is not None or self.over_interface:
            self.hovered = None
        elif self._hover_age >= _HOVER_EVERY:
            self._hover_age = 0
            pick = self.pick(*self.pointer)
            loose = pick is not None and (pick.soft or not self.world.is_fixed(pick.handle))
            self.hovered = pick.handle if pick is not None and loose else None

    def chosen(self) -> list[Any]:
        """Handles of the selected bodies."""
        if self.state.group:
            return self.state.group
        return [self.state.selected] if self.state.selected is not None else []

    def press(self, x: float, y: float, button: int) -> None:
        """1 left, 2 middle, 3 right."""
        self.pointer = (x, y)
        if button == 1:
            self._press_left(x, y)
        elif button == 3 and self._pin_held():
            self._drag = None
        else:
            self._drag = "pan"

    def _press_left(self, x: float, y: float) -> None:
        pick = self.pick(x, y)
        if pick is None or pick.handle not in self.state.group:
            self.state.group = []
        # before the tool is used: what it removes is no longer selected
        self.state.selected = pick.handle if pick is not None else None
        self.state.joint = self._joint_of(pick)
        used = self.tools[self.state.tool].press(self._player, x, y, pick)
        if used:
            self._drag = "tool"
        elif self.camera.flat:
            self._drag, self.band = "box", ((x, y), (x, y))
        else:
            self._drag = "orbit"

    def _joint_of(self, pick: Pick | None) -> Any:
        """The joint that was clicked, or the most loaded one of the body that was."""
        if pick is None or pick.joint is not None:
            return pick.joint if pick is not None else None
        world, best, most = self.world, None, -1.0
        for joint in world.handles("joint"):
            info = world.joint(joint)
            if pick.handle in (info.a, info.b) and not world.is_broken(joint):
                force = float(np.linalg.norm(world.joint_force(joint)[0]))
                if force > most:
                    best, most = joint, force
        return best

    def _pin_held(self) -> bool:
        from levels.commands import Pin

        tool = self.tools["grab"]
        if not isinstance(tool, Grab) or tool.held is None:
            return False
        name, point = tool.held.name, None
        if tool.held.soft and 0 in self.session.grabs:  # the node that is in the hand
            point = vector(self.world.grab_point(self.session.grabs[0]))
        tool.release(self._player, *self.pointer)
        self.edit(Pin(name, point))
        self.state.say(f"{name} pinned")
        return True

    def move(self, x: float, y: float) -> None:
        dx, dy = x - self.pointer[0], y - self.pointer[1]
        self.pointer = (x, y)
        self._hover_age = _HOVER_EVERY
        if self._drag == "tool":
            self.tools[self.state.tool].move(self._player, x, y)
        elif self._drag == "orbit":
            self.camera.orbit(dx, dy)
        elif self._drag == "pan":
            self.camera.pan(dx, dy)
        elif self._drag == "box" and self.band is not None:
            self.band = (self.band[0], (x, y))

    def release(self, x: float, y: float, button: int) -> None:
        if self._drag == "tool" and button == 1:
            self.tools[self.state.tool].release(self._player, x, y)
        elif self._drag == "box":
            self._choose_within()
        self._drag, self.band = None, None

    def _choose_within(self) -> None:
        """Everything movable whose middle lies inside the band."""
        if self.band is None:
            return
        (x0, y0), (x1, y1) = self.band
        handles = [h for h in self.session.handles.values() if not self.world.is_fixed(h)]
        if not handles:
            return
        seen = self.camera.view().project(self.shown.positions[[h.slot for h in handles]])
        inside = (np.abs(seen[:, 0] - (x0 + x1) / 2) <= abs(x1 - x0) / 2) & (
            np.abs(seen[:, 1] - (y0 + y1) / 2) <= abs(y1 - y0) / 2
        )
        self.state.group = [handle for handle, yes in zip(handles, inside, strict=True) if yes]
        if self.state.group:
            self.state.selected = self.state.group[0]
            self.state.say(f"{len(self.state.group)} selected")

    def wheel(self, notches: float, x: float, y: float) -> None:
        self.camera.zoom(notches, x, y)

    def ground_point(self, x: float, y: float) -> Array:
        """Where the pointer's ray meets the ground, or the plane through the middle of things."""
        origin, direction = self.camera.view().ray(x, y)
        ground = self.stage.ground
        if not self.camera.flat and ground is not None and direction[1] < -0.02:
            along = min((ground - origin[1]) / direction[1], 200.0)
            return np.asarray(origin + direction * along)
        return self.camera.drag_plane_point(x, y, np.asarray(self.camera.pose.pivot))
