"""Ropes of pieces that are struck straight: what pushes for a moment pulls in the next step."""

import pytest

from physics import Box, Handle, World


def _load_on_a_rope(load: float, pieces: int, rate: float) -> tuple[World, Handle]:
    """4 m of rope of half a kilogram, and a box that hangs on it by a point of its lid."""
    world, piece = World(rate=rate), 4.0 / pieces
    last = world.add_particle("hook", mass=1.0, position=(0, 0, 0), fixed=True)
    for i in range(1, pieces):
        point = world.add_particle(f"point{i}", mass=0.5 / pieces, position=(0, -piece * i, 0))
        world.add_joint("distance", last, point)
        last = point
    box = world.add_body("box", Box((0.5, 0.6, 0.5)), mass=load, position=(0, -4.6, 0))
    world.add_joint("distance", last, box, at_a=(0, piece - 4.0, 0), at_b=(0, -4.0, 0))
    return world, box


@pytest.mark.parametrize("load", [50.0, 5000.0])
@pytest.mark.parametrize("rate", [60.0, 240.0])
def test_a_load_that_is_struck_sideways_and_up(load: float, rate: float) -> None:
    """Twice a second, by .6 m/s to and fro; 53, 18, 138 and 61 substeps were refused before.

    The upward part lets the straight rope push for one step. Lengths that push get no added
    inertia, so the next step had none, just as the load fell back into the rope.
    """
    world, box = _load_on_a_rope(load, 40, rate)
    half = round(rate / 2)
    for k in range(6 * half):
        if k % half == 7:
            to_and_fro = 0.6 if (k // half) % 2 == 0 else -0.6
            world.apply_impulse(box, (to_and_fro * load, 0.18 * load, 0.0))
        world.step()
    assert sum(world.stats.refused.values()) <= 2
