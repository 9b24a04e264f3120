"""The tools: what pressing, dragging and letting go of the left button does.

A tool turns pointer gestures into commands of the level (`levels.commands`); it never touches the
world. Each is a small class with `press`, `move` and `release`; `TOOLS` lists them, and the
toolbar, the keys and the help page follow from it.
"""

from typing import TYPE_CHECKING

import numpy as np

from levels.plain_data import TomlTable
from physics.portable import norm
from sandbox.app.choices import PALETTE
from sandbox.app.grab_tool import Grab
from sandbox.app.screen_picking import crossed_segments
from sandbox.app.tool_base import Array, Pick, Tool, loose, mass_met, vector

if TYPE_CHECKING:
    from levels.commands import Command, Slit
    from sandbox.app.player import Player
    from sandbox.render.soft_sheets import Surface

_KNOT = 0.04  # m, radius of what a rope is tied to on a cloth


class Push(Tool):
    name, key, icon = "push", "2", "\uf0e7"
    hint = "Click to push; the harder the heavier."
    speed = 6.0  # m/s that a free body gains

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        from levels.commands import Push as Command

        if not loose(pick, player):
            return False
        direction = player.camera.view().ray(x, y)[1]
        if player.world.dimension == 2:
            center = np.asarray(player.world.position(pick.handle), float)
            direction = center - pick.point
            direction[2] = 0.0
            length = float(norm(direction))
            direction = direction / length if length > 1e-6 else np.array((0.0, 1.0, 0.0))
        impulse = direction * self.speed * mass_met(player, pick)
        player.issue(Command(pick.name, vector(impulse), vector(pick.point)))
        return True


class Cut(Tool):
    name, key, icon = "cut", "3", "\uf0c4"
    hint = "Draw a stroke across a rope, cable, cloth or solid."

    def __init__(self) -> None:
        self._last: tuple[float, float] | None = None
        self._begun = False  # the stroke has cut cloth already: it is undone as one

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        self._last, self._begun = (x, y), False
        if pick is not None and pick.joint is not None:
            player.cut(pick.joint)
        return True

    def move(self, player: "Player", x: float, y: float) -> None:
        if self._last is None:
            return
        a, b = player.stage.ropes.spans(player.shown)
        joints = player.stage.ropes.span_joints
        for i in crossed_segments(player.camera.view(), self._last, (x, y), a, b):
            joint = joints[i]
            if joint is not None:
                player.cut(joint)
        for surface in player.stage.softs.surfaces:
            slit = stroke_through(player, surface, self._last, (x, y))
            if slit is not None:
                player.edit(slit, again=self._begun)
                self._begun = True
        self._last = (x, y)

    def release(self, player: "Player", x: float, y: float) -> None:
        self._last = None


class Pin(Tool):
    name, key, icon = "pin", "4", "\uf08d"
    hint = "Click to fix a body where it is; again to let it go."

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        from levels.commands import Pin as Command

        if pick is None:
            return False
        player.edit(Command(pick.name, vector(pick.point) if pick.soft else None))
        return True


class Delete(Tool):
    name, key, icon = "delete", "9", "\uf1f8"
    hint = "Click to remove a body, or all of a selection."

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        from levels.commands import Delete as Command

        if pick is None:
            return False
        group = list(player.state.group) if pick.handle in player.state.group else []
        names = [player.session.name_of(handle) for handle in group] or [pick.name]
        player.edit(*(Command(name) for name in names))
        return True


class _TwoBodies(Tool):
    """Press on one thing, let go over another (or over nothing: the world)."""

    kind = "fixed"

    def __init__(self) -> None:
        self.first: Pick | None = None

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        self.first = pick
        return pick is not None

    def release(self, player: "Player", x: float, y: float) -> None:
        if self.first is None:
            return
        second = player.pointer.pick(x, y)
        first, self.first = self.first, None
        if second is not None and second.name == first.name:
            second = None
        there = second.point if second else self._elsewhere(player, x, y, first)
        player.edit(*self.commands(player, first, second, there))

    def commands(
        self, player: "Player", first: Pick, second: Pick | None, there: Array
    ) -> list["Command"]:
        """What makes the connection. A point of a soft thing turns freely, so that welding it and
        hinging it are the same: sewing."""
        from levels.commands import Pin, Sew

        soft = [pick for pick in (first, second) if pick is not None and pick.soft]
        if not soft:
            return [self.join(player, first.name, second.name if second else "", first, there)]
        if second is None:
            return [Pin(first.name, vector(first.point))]
        if len(soft) == 2:
            name, knot = tie_knot(player, first)
            return [*knot, Sew(second.name, name, vector(there))]
        body = second if first.soft else first
        return [Sew(soft[0].name, body.name, vector(soft[0].point))]

    def join(self, player: "Player", a: str, b: str, first: Pick, there: Array) -> "Command":
        from levels.commands import Join

        return Join(
            player.fresh_name(self.kind), self.kind, a, b, self.parameters(player, first, there)
        )

    def _elsewhere(self, player: "Player", x: float, y: float, first: Pick) -> Array:
        return player.camera.drag_plane_point(x, y, first.point)

    def parameters(self, player: "Player", first: Pick, there: Array) -> TomlTable:
        return {"at": vector(first.point)}


def tie_knot(player: "Player", pick: Pick) -> tuple[str, list["Command"]]:
    """A small body sewn to a point of a cloth or solid, for ropes to hang on; its name."""
    from levels.commands import Sew
    from levels.commands import Spawn as Command

    name, around = player.fresh_name("knot"), mass_met(player, pick)
    plan = player.session.plan
    table = {
        "shape": "sphere",
        "radius": _KNOT,
        "mass": float(np.clip(0.2 * around, 0.01, 5.0)),
        "position": [float(value) for value in pick.point],
        "ignores": [plan.softs[pick.name].collision.group] if plan is not None else [],
        "color": "charcoal",
    }
    return name, [Command(name, table), Sew(pick.name, name, vector(pick.point))]


class Weld(_TwoBodies):
    name, key, icon = "weld", "6", "\uf0ad"
    hint = "Drag from one body to another to weld them; onto nothing: to the world."
    kind = "fixed"


class Hinge(_TwoBodies):
    name, key, icon = "hinge", "7", "\uf013"
    hint = "Drag from one body to another: a hinge where the drag began."
    kind = "hinge"

    def parameters(self, player: "Player", first: Pick, there: Array) -> TomlTable:
        axis = (0.0, 0.0, 1.0)
        if player.world.dimension == 3:
            axis = vector(-player.camera.view().axes()[2])
        return {"at": vector(first.point), "axis": axis}


class Rope(_TwoBodies):
    name, key, icon = "rope", "5", "\uf0c1"
    hint = "Drag from one body to another: a rope between the two points."
    kind = "distance"

    def commands(
        self, player: "Player", first: Pick, second: Pick | None, there: Array
    ) -> list["Command"]:
        commands: list[Command] = []
        names = []
        for pick in (first, second):
            if pick is not None and pick.soft:
                name, knot = tie_knot(player, pick)
                commands += knot
            else:
                name = pick.name if pick is not None else ""
            names.append(name)
        return [*commands, self.join(player, names[0], names[1], first, there)]

    def parameters(self, player: "Player", first: Pick, there: Array) -> TomlTable:
        length = float(norm(there - first.point))
        return {
            "at_a": vector(first.point),
            "at_b": vector(there),
            "length": max(length, 0.05),
            "slack": True,
        }


class Spawn(Tool):
    name, key, icon = "spawn", "8", "\uf067"
    hint = "Click to drop a new body; Q chooses which."

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        from levels.commands import Spawn as Command

        table = self.table(player, x, y, pick)
        player.edit(Command(player.fresh_name(player.state.spawn.replace(" ", "_")), table))
        return True

    def table(self, player: "Player", x: float, y: float, pick: Pick | None) -> TomlTable:
        """What would be made there: on top of what is under the pointer, or on the ground."""
        table = dict(PALETTE[player.state.spawn])
        size = max(table.get("size", [2 * table.get("radius", 0.4)]))
        if pick is not None:
            back = np.asarray(player.camera.view().eye) - pick.point
            out = np.array((0.0, 1.0, 0.0)) if player.camera.flat else back
            place = pick.point + out / max(float(norm(out)), 1e-6) * 0.8 * size
        else:
            place = player.pointer.ground_point(x, y) + np.array((0.0, 0.7 * size, 0.0))
        if player.world.dimension == 2:
            place[2] = 0.0
        table["position"] = [float(value) for value in place]
        return table


def stroke_through(
    player: "Player", surface: "Surface", before: tuple[float, float], after: tuple[float, float]
) -> "Slit | None":
    """The command that cuts what a stroke on the screen crosses of a cloth or solid; None: it
    misses."""
    from levels.commands import Slit

    view, points = player.camera.view(), np.asarray(surface.sheet.points)
    threads = player.world.threads(surface.handle)
    threads = threads[threads.max(axis=1, initial=0) < len(points)]  # not the springs that hold it
    sides = surface.sheet.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    ends = np.concatenate((threads, sides))
    crossed = crossed_segments(view, before, after, points[ends[:, 0]], points[ends[:, 1]])
    if not crossed:
        return None
    # the cut runs in the plane of the two rays, at the depth of what it goes through
    through = points[ends[crossed]].mean(axis=(0, 1))
    a, b = (player.camera.drag_plane_point(*point, through) for point in (before, after))
    along = view.ray((before[0] + after[0]) / 2, (before[1] + after[1]) / 2)[1]
    name = player.session.name_of(surface.handle)
    return Slit(name, vector(a), vector(b), vector(along))


def tool_action(name: str) -> str:
    """The action that chooses a tool."""
    return f"tool_{name}"


TOOLS: tuple[type[Tool], ...] = (Grab, Push, Cut, Pin, Rope, Weld, Hinge, Spawn, Delete)
