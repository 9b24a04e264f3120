"""In what light a level is seen, where the camera stands, and what stands behind it all."""

from typing import TYPE_CHECKING

import numpy as np

from sandbox.app.camera import Camera
from sandbox.render.backdrop import backdrop
from sandbox.render.stage import Stage

if TYPE_CHECKING:
    from levels.view_tables import Camera as CameraWish
    from levels.view_tables import Look


def wished_look(look: "Look | None", palette: str) -> "Look | None":
    """The level's look, in the light the player prefers; "" leaves it to the level."""
    if not palette:
        return look
    from levels.view_tables import Look

    return Look.model_construct(palette=palette, scenery=look.scenery if look is not None else [])


def aim(camera: Camera, stage: Stage, wish: "CameraWish | None") -> None:
    """As the level wishes, or so that everything is seen."""
    camera.floor = stage.ground
    center = np.asarray(stage.center)
    camera.frame(center, 0.8 * stage.radius)
    if wish is not None and wish.target is not None:
        center = np.asarray(wish.target, float)
    if wish is not None and wish.position is not None and not camera.flat:
        camera.fov = float(np.radians(wish.field_of_view))
        camera.look_from(np.asarray(wish.position, float), center)
    elif camera.flat and wish is not None and wish.height:
        camera.frame(center, wish.height / 2.3)
    camera.middle = (float(center[0]), float(center[1]), float(center[2]))
    camera.reach = max(2.0 * stage.radius, 1.2 * camera.goal.distance)
    camera.jump()


def set_backdrop(stage: Stage, camera: Camera) -> None:
    """Hills and woods stand outside the circle the camera turns on."""
    goal = camera.goal
    clear = max(1.25 * goal.distance, 1.3 * stage.radius)
    ground = stage.floor
    if camera.flat and stage.ground is None:
        ground = goal.pivot[1] - 0.4 * goal.distance
    stage.backdrop = backdrop(stage.look, goal.pivot, clear, ground)
