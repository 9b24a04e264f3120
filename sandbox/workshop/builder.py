"""Building a level without a window: a draft, a camera, tools, and what is shown of them.

Pointer positions are fractions of the view, from its top left corner. Everything that is done is a
change of the draft; what is drawn is built from its text (`levels.still`), without an engine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.draft.draft import Draft, Entries, Entry, Refused
from levels.draft.parts import Palette, Part
from levels.draft.things import Things
from levels.still import StillWorld
from sandbox.app.camera import Camera
from sandbox.app.view_setup import aim, set_backdrop, wished_look
from sandbox.render.scene import Scene, placed
from sandbox.render.stage import Stage
from sandbox.workshop.build_tool import BuildTool
from sandbox.workshop.build_tools import TOOLS
from sandbox.workshop.draft_marks import JOINT, ZONE, Mark, box_marks, held_marks, joint_marks
from sandbox.workshop.ghosts import add_ghost
from sandbox.workshop.gizmo import Gizmo
from sandbox.workshop.hand import Hand
from sandbox.workshop.selection import Selection

if TYPE_CHECKING:
    from physics import Handle
    from sandbox.app.watch import Course

Array = npt.NDArray[np.floating]
_HANDLE = 0.13  # of what is seen from bottom to top: how long the arrows are


@dataclass
class Snap:
    """The grid that lengths and angles keep to."""

    step: float = 0.1  # m
    degrees: float = 15.0
    wanted: bool = True
    loosened: bool = False  # while Ctrl is held it is the other way round

    @property
    def on(self) -> bool:
        return self.wanted != self.loosened

    def length(self, value: float) -> float:
        return round(round(value / self.step) * self.step, 6) if self.on else value

    def angle(self, value: float) -> float:
        step = float(np.radians(self.degrees))
        return round(value / step) * step if self.on else value


class Builder:
    """Builds one draft."""

    def __init__(
        self,
        draft: Draft,
        say: Callable[[str, bool], None],
        parts: Palette | None = None,
        *,
        rows: int = 720,
        palette: str = "",
    ) -> None:
        self.draft, self.parts = draft, parts or Palette()
        self._say, self._palette = say, palette
        self.rows = rows
        self.snap = Snap()
        self.pointer = (0.5, 0.5)
        self.over_scene = False
        self.upright = False  # Shift: what is dragged goes up and down, not along the ground
        self.camera = Camera(flat=draft.flat)
        self.tools: dict[str, BuildTool] = {kind.name: kind() for kind in TOOLS}
        self.tool = "select"
        self.part: Part | None = None  # in the hand
        self.gizmo = Gizmo(self)
        self.hand = Hand(self)
        self.selection = Selection(self)
        self.tab = "thing"  # of the inspector: thing | level
        self.words = ""  # that the palette is searched for
        self.watching = True  # forces and plots of the selection are open in a test
        self.tested: dict[str, Course] = {}  # how things went in the last test, by full name
        self._version = draft.version
        self._marked: tuple[tuple[int, float], dict[Entry, list[Mark]]] | None = None
        self._see(None, None)
        aim(self.camera, self.stage, draft.level.camera)
        set_backdrop(self.stage, self.camera)

    def say(self, text: str, *, bad: bool = False) -> None:
        self._say(text, bad)

    def do(self, work: Callable[[], object]) -> bool:
        """Change the draft; what cannot be is told."""
        try:
            work()
        except Refused as reason:
            self.say(f"Not done: {reason}", bad=True)
            return False
        finally:
            self.refresh()
        return True

    def refresh(self) -> None:
        """See the draft as it is now."""
        if self._version == self.draft.version:
            return
        self._version = self.draft.version
        backdrop = self.stage.backdrop
        self._see(self.world, self.stage)
        self.stage.backdrop = backdrop
        if self.camera.flat != self.draft.flat:
            self.camera = Camera(flat=self.draft.flat, aspect=self.camera.aspect)
            aim(self.camera, self.stage, self.draft.level.camera)
            set_backdrop(self.stage, self.camera)

    def _see(self, world: StillWorld | None, stage: Stage | None) -> None:
        """Make what is drawn; what is as it was in the ones before is taken from there."""
        level = self.draft.level
        self.things = Things(level)
        look = wished_look(level.look, self._palette)
        self.world = StillWorld(level.default, world)
        self.stage = Stage(self.world, self.world.plan, look, stage)
        self.poses = self.stage.poses()
        self.stage.scene(self.poses)  # places the parts, so that they can be picked

    # --- names ---------------------------------------------------------------------------------

    def name_at(self, slot: int) -> str | None:
        """The body or particle with that slot."""
        for kind in ("body", "particle"):
            for handle in self.world.handles(kind):
                if handle.slot == slot:
                    return self.world.name(handle)
        return None

    def handles_of(self, entries: Entries) -> "list[Handle]":
        names = self.things.all_members(entries)
        return [self.world.find(name) for name in sorted(names)]

    # --- picture -------------------------------------------------------------------------------

    @property
    def joint_marks(self) -> dict[Entry, list[Mark]]:
        """Made anew after a change or when the camera comes nearer, not in every frame."""
        now = (self.draft.version, self.handle_size())
        if self._marked is None or self._marked[0] != now:
            self._marked = (now, joint_marks(self))
        return self._marked[1]

    def handle_size(self) -> float:
        """m that the arrows are long: the same on the screen, however far away."""
        return _HANDLE * (
            self.camera.pose.distance
            if self.camera.flat
            else 2 * self.camera.pose.distance * float(np.tan(self.camera.fov / 2))
        )

    def marks(self) -> list[Mark]:
        """Joints, chosen zones, handles, and what the tool shows."""
        found: list[Mark] = []
        chosen = set(self.draft.selected)
        for entry, marks in self.joint_marks.items():
            for mark in marks:
                width = mark.width + (1.5 if entry in chosen else 0.0)
                color = "#ffffff" if entry in chosen else JOINT
                found.append(Mark(mark.points, color, width, dot=mark.dot))
        for entry in chosen if len(chosen) == 1 else ():
            found += held_marks(self, entry)
        for entry in chosen:
            box = self.things.box([entry]) if entry[0] == "zones" else None
            if box is not None:
                found += box_marks(np.array(box[0]), np.array(box[1]), ZONE, 2.5)
        if self.tool == "select":
            found += self.gizmo.marks()
        return [*found, *self.tools[self.tool].marks(self)]

    def scene(self) -> Scene:
        """What is seen, with ghosts of what would be."""
        scene = self.stage.scene(self.poses)
        reach = self.camera.pose.distance * (0.6 if self.camera.flat else 0.75)
        if reach < scene.radius:
            scene.center, scene.radius = self.camera.pose.pivot, max(reach, 3.0)
        chosen = self.handles_of(self.draft.selected)
        if chosen:
            scene.selected, scene.selected_sheets = self.stage.drawn(chosen)
        hovered = self.hand.hovered
        if hovered is not None and hovered not in self.draft.selected and self.tool == "select":
            scene.hovered, scene.hovered_sheets = self.stage.drawn(self.handles_of((hovered,)))
        self._drag_ghost(scene)
        self.tools[self.tool].ghost(self, scene)
        return scene

    def _drag_ghost(self, scene: Scene) -> None:
        frame = self.gizmo.ghost()
        if frame is None or self.gizmo.drag is None:
            return
        rows, _ = self.stage.drawn(self.handles_of(self.draft.selected))
        about = np.array(self.gizmo.drag.change.about)
        for mesh, parts in rows.items():
            moved = parts.copy()
            moved["position"] -= about
            moved = placed(moved, about + frame.position, np.array(frame.orientation))
            add_ghost(scene, mesh, moved)

    def update(self, frame: float) -> None:
        self.camera.update(frame)

    # --- places --------------------------------------------------------------------------------

    def surface(self, x: float, y: float) -> Array:
        """Where something put down under the pointer would stand, on the grid."""
        if self.draft.flat:
            point = self.camera.drag_plane_point(x, y, np.zeros(3))
            return np.array([self.snap.length(point[0]), self.snap.length(point[1]), 0.0])
        origin, direction = self.camera.view().ray(x, y)
        hit = self.stage.pick(origin, direction)
        floor = self.stage.ground if self.stage.ground is not None else 0.0
        along = np.inf
        if direction[1] < -0.02:
            along = (floor - origin[1]) / direction[1]
        if hit is not None and hit[1] < along:
            point = origin + direction * hit[1]
        else:
            point = origin + direction * min(along, 200.0)
        if not np.isfinite(point).all():
            point = self.camera.drag_plane_point(x, y, np.asarray(self.camera.pose.pivot))
        return np.array(
            [self.snap.length(point[0]), round(float(point[1]), 3), self.snap.length(point[2])]
        )

    def level_point(self, x: float, y: float, height: float) -> Array:
        """Where the pointer is on a level plane, on the grid; of a flat level, in its plane."""
        if self.draft.flat:
            return self.surface(x, y)
        origin, direction = self.camera.view().ray(x, y)
        slope = min(float(direction[1]), -0.02)
        along = min((height - float(origin[1])) / slope, 200.0)
        point = origin + direction * max(along, 0.0)
        return np.array([self.snap.length(point[0]), height, self.snap.length(point[2])])

    # --- tools ---------------------------------------------------------------------------------

    def choose_tool(self, name: str) -> None:
        self.tools[self.tool].cancel(self)
        self.gizmo.cancel()
        self.tool = name
        if name not in ("place", "connect"):
            self.part = None

    def choose_part(self, part: Part) -> None:
        """Take a part in the hand."""
        self.choose_tool("connect" if part.connects else "place")
        self.part = part

    @property
    def hint(self) -> str:
        """What to do now, in one sentence."""
        return self.tools[self.tool].said(self)
