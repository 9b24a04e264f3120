"""What the hand shows of its intentions: where a held thing is in depth, where a rope would be
cut, where something would be put, and what was pinned, welded or hinged by hand."""

from typing import TYPE_CHECKING

import numpy as np

from sandbox.app.grab_tool import Grab
from sandbox.app.marks import dots, needles, thickness
from sandbox.app.tools import Spawn
from sandbox.render.look import linear
from sandbox.render.scene import Parts, Scene, box, capsule, sphere

if TYPE_CHECKING:
    from sandbox.app.player import Player
    from sandbox.app.tool_base import Array

_LINE, _SHADOW, _CUT, _BOLT = "#ffe9b0", "#20262e", "#ff7a1a", "#2b3038"
_GHOST = 0.45  # opacity
_MADE = ("fixed", "hinge", "ball")  # joints of tools that are not drawn otherwise

Marks = dict[str, list[Parts]]


def add_hand_marks(scene: Scene, player: "Player") -> None:
    """Once a frame, on top of everything."""
    if player.explosion is not None:
        return
    marks: Marks = {"ball": [], "rod": []}
    grab = player.tools["grab"]
    if isinstance(grab, Grab) and grab.held is not None:
        _held(scene, marks, player, grab)
    _cut_here(marks, player)
    if player.state.tool == "spawn" and player.pointer.over_scene and not player.pointer.dragging:
        _preview(scene, player)
    _bolts(marks, player)
    for mesh, rows in marks.items():
        if rows:
            old = [scene.glow[mesh]] if mesh in scene.glow else []
            scene.glow[mesh] = np.concatenate((*old, *rows))


def _cut_here(marks: Marks, player: "Player") -> None:
    """Where a rope would be cut, or where a stroke would go through cloth or a solid."""
    chosen, pointer = player.state.tool == "cut", player.pointer
    where = pointer.cuts.point if pointer.cuts is not None else None
    if where is None and chosen and pointer.over_scene:
        pick = pointer.pick(*pointer.at)
        where = pick.point if pick is not None and pick.soft else None
    if where is not None:
        size = (4.5 if chosen else 2.2) * thickness(player)
        marks["ball"].append(_dot(where, size, _CUT))


def _held(scene: Scene, marks: Marks, player: "Player", grab: Grab) -> None:
    """A line from the point that was taken to the hand, and a shadow straight below."""
    if grab.held is None:
        return
    start, end = _taken(player, grab), grab.target
    thick = thickness(player)
    if float(np.linalg.norm(end - start)) > 2 * thick:
        marks["rod"].append(_rod(start, end, 0.7 * thick, _LINE))
    marks["ball"].append(_dot(end, 1.8 * thick, _LINE))
    if grab.placing:
        rows, _ = player.stage.drawn([grab.held.handle])
        move = grab.placed() - player.place_of(grab.held.handle)
        for mesh, parts in rows.items():
            _ghost(scene, mesh, parts, move)
    if not player.camera.flat:
        below = _ground_below(player, end, grab.held.handle.slot)
        if below is not None and end[1] - below > 4 * thick:
            foot = np.array((end[0], below + 0.01, end[2]))
            marks["rod"].append(_rod(foot, end, 0.35 * thick, _SHADOW))
            disc = _dot(foot, 6.0 * thick, _SHADOW)
            disc["half"][:, 1], disc["radius"], disc["gloss"] = 0.3 * thick, 0.0, 0.55
            marks["ball"].append(disc)


def _taken(player: "Player", grab: Grab) -> "Array":
    """Where the hand holds the thing now."""
    hand = player.session.grabs.get(0)
    if hand is None or grab.held is None:
        return grab.held.point if grab.held is not None else grab.target
    return np.asarray(player.world.grab_point(hand), float)


def _ground_below(player: "Player", point: "Array", slot: int) -> float | None:
    """Height of what is straight below a point, but for the thing in the hand."""
    hit = player.stage.pick(np.asarray(point, float), np.array((0.0, -1.0, 0.0)), slot)
    ground = player.stage.ground
    if hit is not None:
        return float(point[1] - hit[1])
    return ground


def _preview(scene: Scene, player: "Player") -> None:
    """What the spawn tool would make, where it would be."""
    tool = player.tools["spawn"]
    if not isinstance(tool, Spawn):
        return
    x, y = player.pointer.at
    table = tool.table(player, x, y, player.pointer.pick(x, y))
    where, color = table["position"], table.get("color", "grey")
    if table["shape"] == "sphere":
        _ghost(scene, "ball", sphere(table["radius"], position=where, color=color))
    elif table["shape"] == "capsule":
        rows = capsule(table["radius"], table["length"], position=where, color=color)
        _ghost(scene, "ball", rows)
    else:
        _ghost(scene, "box", box(table["size"], position=where, color=color))


def _ghost(scene: Scene, mesh: str, rows: Parts, move: "Array | None" = None) -> None:
    rows = rows.copy()
    rows["gloss"] = _GHOST
    if move is not None:
        rows["position"] += move
    old = scene.ghosts.get(mesh)
    scene.ghosts[mesh] = rows if old is None else np.concatenate((old, rows))


def _bolts(marks: Marks, player: "Player") -> None:
    """On every joint that was made by hand."""
    made, world = player.made_joints(), player.world
    points = [
        np.asarray(world.joint(handle).anchor_a, float)
        for handle in made
        if world.joint(handle).kind in _MADE
    ]
    if points:
        where, thick = np.array(points), thickness(player)
        rim, head = (np.tile(linear(c), (len(points), 1)) for c in (_BOLT, "#d8dee6"))
        marks["ball"].append(dots(where, np.full(len(points), 2.6 * thick), rim))
        marks["ball"].append(dots(where, np.full(len(points), 1.5 * thick), head))


def _dot(point: "Array", radius: float, color: str) -> Parts:
    return dots(np.asarray(point, float)[None], np.array([radius]), np.array([linear(color)]))


def _rod(start: "Array", end: "Array", radius: float, color: str) -> Parts:
    return needles(start[None], end[None], radius, np.array([linear(color)]))
