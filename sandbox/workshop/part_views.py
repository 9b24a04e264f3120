"""How parts look: a ghost under the pointer, a picture in the palette."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from levels.draft.changes import Change
from levels.draft.parts import Part
from levels.draft.things import Things
from levels.still import StillWorld
from sandbox.app.camera import Camera
from sandbox.app.view_setup import wished_look
from sandbox.render.scene import TUBE, Scene, box, placed
from sandbox.render.stage import Stage
from sandbox.workshop.ghosts import add_ghost

if TYPE_CHECKING:
    from sandbox.render.view import View

_OPACITY = 0.5
_UNIT = ((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))


@lru_cache(maxsize=256)
def _stage(part: Part) -> Stage:
    world = StillWorld(part.level.default)
    return Stage(world, world.plan, wished_look(part.level.look, ""))


def part_scene(part: Part) -> Scene:
    stage = _stage(part)
    return stage.scene(stage.poses())


def part_ghost(scene: Scene, part: Part, change: Change) -> None:
    """The part as it would stand."""
    seen = part_scene(part)
    turn, shift = np.array(change.turn), np.array(change.shift)
    scene.meshes = {**scene.meshes, **seen.meshes}
    for mesh, rows in (*seen.parts.items(), *seen.marks.items()):
        moved = placed(rows, shift, turn)
        add_ghost(scene, mesh, moved)
    for sheet in seen.sheets:  # a cloth or solid is shown as the box around it
        low, high = sheet.points.min(axis=0), sheet.points.max(axis=0)
        around = box(np.maximum(high - low, 0.03), position=(low + high) / 2, color=sheet.color)
        add_ghost(scene, "box", placed(around, shift, turn))
    if len(seen.tubes) and change.only_moves:
        tubes = seen.tubes.copy()
        for key in ("a", "b", "before", "after"):
            tubes[key] += shift
        tubes["gloss"] = _OPACITY
        scene.ghost_tubes = np.concatenate((scene.ghost_tubes.astype(TUBE), tubes))


def portrait(part: Part, aspect: float) -> tuple[Scene, "View"]:
    """The part alone, from a little above."""
    scene = part_scene(part)
    camera = Camera(aspect=aspect, floor=None)
    things = Things(part.level)
    low, high = (np.array(corner) for corner in things.box(things.entries) or _UNIT)
    center, radius = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 0.1)
    camera.look_from(center + 4.0 * radius * np.array((0.42, 0.34, 0.84)), center)
    camera.frame(center, 0.98 * radius)
    camera.jump()
    scene.center, scene.radius = (float(center[0]), float(center[1]), float(center[2])), radius
    scene.ground = 0.0
    scene.look = replace(scene.look, grid=scene.look.ground)
    return scene, camera.view()
