"""Small worlds with contacts."""

import math

import numpy as np

from physics import Box, Handle, Plane, World


def on_ground(friction: float = 0.5, **settings) -> World:
    """A world with a floor at y = 0."""
    world = World(**settings)
    world.add_body("ground", Plane(), fixed=True, friction=friction)
    return world


def on_slope(angle: float, friction: float) -> World:
    """A slope through the origin that falls towards +x."""
    world = World()
    normal = (math.sin(angle), math.cos(angle), 0.0)
    world.add_body("slope", Plane(normal), fixed=True, friction=friction)
    return world


def turned_z(angle: float) -> tuple[float, float, float, float]:
    return (math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle))


def pyramid(world: World, rows: int, size: float = 0.5) -> list[Handle]:
    """Boxes of 1 kg, one more in each lower row, side by side without touching sideways."""
    handles = []
    for row in range(rows):
        for k in range(rows - row):
            x = (k - 0.5 * (rows - row - 1)) * 1.05 * size
            handles.append(
                world.add_body(
                    f"box {row} {k}",
                    Box((size, size, size)),
                    mass=1.0,
                    position=(x, (row + 0.5) * size, 0.0),
                )
            )
    return handles


def positions(world: World, handles: list[Handle]) -> np.ndarray:
    return np.array([world.position(handle) for handle in handles])


def deepest(world: World) -> float:
    """Largest overlap of the last step, m."""
    return float(world.contacts()["depth"].max(initial=0.0))
