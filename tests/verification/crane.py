"""The crane of [Andrews17, Fig. 1]: boom 100 t, 30 cable segments of 0.2 kg, a load of 15 t.

Not stated in the paper and chosen here: boom 20 m x 1 m x 1 m, segments 0.4 m, bending and twist
10 N m/rad, load a cube of 2 m. The mass ratio of neighbours is 75 000 : 1.
"""

import math
from typing import Any

import numpy as np

from physics import Box
from tests.physics.scenes import G, Scene, about, make_world

BOOM, REACH = 1e5, 20.0  # kg, m
SEGMENTS, LENGTH, SEGMENT = 30, 0.4, 0.2  # m, kg
LOAD, SIDE = 1.5e4, 2.0  # kg, m
CABLE = {"axial_stiffness": 1e10, "shear_stiffness": 1e10}


def crane(h: float, elevation: float, swing: float = 0.0, **boom: Any) -> Scene:
    """Boom hinged at the origin, `elevation` above the horizontal; the cable `swing` off plumb.

    `boom` holds the parameters of its hinge, such as a motor.
    """
    scene = Scene(make_world(h))
    world = scene.world
    along = np.array([math.cos(elevation), math.sin(elevation), 0.0])
    turn = about((0, 0, 1), elevation)
    world.add_body("base", Box((2, 2, 2)), fixed=True, mask=0)
    middle = 0.5 * REACH * along
    world.add_body("boom", Box((REACH, 1, 1)), mass=BOOM, position=middle, orientation=turn, mask=0)
    hinge = world.add_joint(
        "hinge", "base", "boom", at=(0, 0, 0), axis=(0, 0, 1), name="foot", **boom
    )
    scene.joints.append(hinge)
    _hang(scene, REACH * along, swing)
    return scene


def _hang(scene: Scene, tip: np.ndarray, swing: float) -> None:
    """Cable and load from the boom's tip."""
    world = scene.world
    down = np.array([math.sin(swing), -math.cos(swing), 0.0])
    turn = about((0, 0, 1), math.atan2(down[1], down[0]))
    previous: Any = "boom"
    for i in range(SEGMENTS):
        start = tip + i * LENGTH * down
        body = world.add_body(
            f"segment {i}",
            Box((LENGTH, 0.05, 0.05)),
            mass=SEGMENT,
            position=start + 0.5 * LENGTH * down,
            orientation=turn,
            mask=0,
        )
        scene.joints.append(_joint(scene, body, previous, start, down))
        scene.links.append(body)
        previous = body
    end = tip + SEGMENTS * LENGTH * down
    scene.load = world.add_body(
        "load",
        Box((SIDE, SIDE, SIDE)),
        mass=LOAD,
        position=end + 0.5 * SIDE * down,
        orientation=turn,
        mask=0,
    )
    scene.joints.append(_joint(scene, scene.load, previous, end, down))
    scene.releasable = LOAD * G * (SEGMENTS * LENGTH + SIDE / 2) * (1 - math.cos(swing))


def _joint(scene: Scene, body: Any, above: Any, at: np.ndarray, down: np.ndarray) -> Any:
    return scene.world.add_joint("cable", body, above, at=at, axis=down, **CABLE)


def boom_angle(scene: Scene) -> float:
    """Of the boom above the horizontal, rad."""
    x, y, _ = scene.world.position("boom")
    return math.atan2(y, x)


def tip(scene: Scene) -> np.ndarray:
    R = scene.world._bodies.arrays.rotation[scene.world.find("boom").slot]
    return scene.world.position("boom") + R @ np.array([REACH / 2, 0, 0])


def stretch(scene: Scene) -> float:
    """How much longer than the cable the way from tip to load is, m; negative when slack."""
    centre = scene.world.position("load")
    full = SEGMENTS * LENGTH + SIDE / 2
    return float(np.linalg.norm(centre - tip(scene))) - full
