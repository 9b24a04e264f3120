"""What is wedged between parts that a joint holds is not thrown: overlaps leave without speed."""

import numpy as np
import pytest

from physics import Box, Capsule, World


def grip(rate: float, opening: float, overlap: float, mass: float) -> World:
    """A rod hangs from links and is wedged between two fingers of a hand that turns with it."""
    world = World(rate=rate)
    fingers = []
    for side in (-1, 1):
        lean = side * opening
        finger = world.add_body(
            f"finger {side}",
            Box((0.1, 0.6, 0.2)),
            mass=mass,
            position=(side * (0.1 - overlap), 0.0, 0.0),
            orientation=(np.cos(lean / 2), 0, 0, np.sin(lean / 2)),
            velocity=(3.0, 0.0, 0.0),
        )
        fingers.append(finger)
    world.add_joint("fixed", fingers[0], fingers[1], at=(0, -0.3, 0))
    above = world.add_body("rod", Capsule(0.05, 0.4), mass=1.0, velocity=(3.0, 0.0, 0.0))
    for k in range(6):
        y = 0.35 + 0.3 * k
        link = world.add_body(f"link {k}", Capsule(0.02, 0.2), mass=1.0, position=(0, y, 0))
        world.add_joint("ball", above, link, at=(0, y - 0.15, 0))
        above = link
    world.add_joint("ball", above, at=(0, 2.0, 0))
    return world


@pytest.mark.parametrize("rate", [30, 100, 240])
@pytest.mark.parametrize("opening", [-0.2, 0.0, 0.05, 0.2])
@pytest.mark.parametrize("overlap", [0.0, 0.005, 0.03])
@pytest.mark.parametrize("mass", [0.1, 40.0, 4e3])
def test_a_rod_wedged_between_fingers(
    rate: float, opening: float, overlap: float, mass: float
) -> None:
    world = grip(rate, opening, overlap, mass)
    begins = world.energy().total
    scale = max(world.energy().kinetic, mass * 2 * 9.81 * 0.1)
    highest = begins
    for _ in range(rate):
        world.step()
        highest = max(highest, world.energy().total)
    assert highest - begins < 0.1 * scale + 2.0
    assert world.stats.guard["frozen"] == 0
