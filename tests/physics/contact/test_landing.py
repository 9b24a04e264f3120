"""Plates that are thinner than their way in a step land on their lower face."""

import numpy as np
import pytest

from physics import Box, Hull, Plane, World
from physics.shapes import HeightField

SIZES = [(0.4, 0.4), (0.4, 0.1), (0.4, 0.02), (2.0, 0.4), (2.0, 0.1), (2.0, 0.005)]  # m
SPEEDS = (1.0, 5.0, 20.0, 60.0)  # m/s, up to 1 m in a step
GROUNDS = {
    "plane": (Plane(), 0.0),
    "box": (Box((50.0, 1.0, 50.0)), -0.5),
    "field": (HeightField(np.zeros((9, 9)), 5.0), 0.0),
}


def lowest(world: World, corners: np.ndarray) -> float:
    """Height of the lowest corner of "plate"."""
    w, x, y, z = world.orientation("plate")
    up = np.array([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)])
    return float(world.position("plate")[1] + (corners @ up).min())


def deepest(ground: str, shape: str, size: float, thick: float, speed: float, tilt: float) -> float:
    """How far a plate that hits the ground within its first step ever gets into it [m]."""
    world = World(sleeping=False)
    surface, height = GROUNDS[ground]
    world.add_body("ground", surface, position=(0, height, 0), fixed=True)
    box = Box((size, thick, size))
    corners = np.asarray(box.core()[0])
    above = 0.5 * thick + 0.5 * size * np.sin(tilt) + 0.3 * speed / 60
    world.add_body(
        "plate",
        Hull(corners) if shape == "hull" else box,
        density=500.0,
        position=(0, above, 0),
        orientation=(np.cos(tilt / 2), 0, 0, np.sin(tilt / 2)),
        velocity=(0, -speed, 0),
    )
    least = 0.0
    for _ in range(60):
        world.step()
        least = min(least, lowest(world, corners))
    assert np.abs(world.velocity("plate")).max() < 0.01
    return -least


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("shape", ["box", "hull"])
def test_a_plate_lands_on_its_lower_face(ground: str, shape: str) -> None:
    """Flat, or leaning by less than an eye sees: as deep as what rests, and what turning adds."""
    for size, thick in SIZES:
        for speed in SPEEDS:
            for tilt in (0.0, 0.002):
                depth = deepest(ground, shape, size, thick, speed, tilt)
                assert depth < 1e-3, (size, thick, speed, tilt)


@pytest.mark.parametrize("shape", ["box", "hull"])
def test_a_leaning_plate_lands_on_its_edge(shape: str) -> None:
    """The other edge swings down within the same step: it may arrive a little late."""
    for size, thick in SIZES:
        for speed in SPEEDS:
            depth = deepest("plane", shape, size, thick, speed, 0.1)
            assert depth < 5e-3, (size, thick, speed)
