"""What is jerked off its course within a step does not end behind a surface."""

import pytest

from physics import Sphere
from tests.physics.contact.test_thin import GROUNDS, ground


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("height", [0.1, 0.3])
def test_a_spring_does_not_pull_a_gram_through(name: str, height: float) -> None:
    """At rest above the ground, on a spring to a point as far below that would have it there within
    a twentieth of a step: nothing is near where it was heading."""
    world, top = ground(name)
    world.add_body("peg", Sphere(0.01), fixed=True, position=(0, top - height, 0), mask=0)
    world.add_body("gram", Sphere(0.02), mass=1e-3, position=(0, top + height, 0))
    world.add_joint("spring", "peg", "gram", stiffness=1e3, length=0.0)
    for _ in range(60):
        world.step(1)
        assert world.position("gram")[1] > top
    assert world.stats.guard["frozen"] == 0
    assert world.position("gram")[1] < top + 0.05  # pulled down onto it
