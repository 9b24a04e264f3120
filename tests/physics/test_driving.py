"""Motors and servos that get new numbers in every step: the quick way writes what `change` does."""

from typing import Any

import pytest

from physics import Box, World
from physics.constraints import JOINTS

DRIVEN = [name for name, kind in JOINTS.items() if {"motor", "servo"} <= set(kind.parameters)]
MOTOR = {"speed": 1.0, "max_force": 3.0}
SERVO = {"target": 0.1, "stiffness": 50.0, "damping": 2.0, "max_force": 9.0}


def _driven(kind: str) -> World:
    world = World(60)
    base = world.add_body("base", Box((1, 1, 1)), fixed=True)
    arm = world.add_body("arm", Box((1, 1, 1)), mass=1.0, position=(2, 0, 0))
    more = {"pitch": 0.1} if kind == "screw" else {}
    world.add_joint(
        kind, base, arm, name="joint", at=(1, 0, 0), axis=(1, 0, 0), motor=MOTOR, servo=SERVO,
        limits=(-1.0, 1.0), **more,
    )  # fmt: skip
    return world


@pytest.mark.parametrize("kind", DRIVEN)
@pytest.mark.parametrize(
    "given",
    [
        {"motor": {"speed": -2.0}},
        {"motor": {"speed": 0.5, "max_force": 0.0}},
        {"servo": {"target": 0.7}},
        {"servo": {"target": -0.2, "stiffness": 10.0, "damping": 0.0, "max_force": 1.0}},
    ],
)
def test_quick_and_slow_ways_write_the_same(kind: str, given: dict[str, Any]) -> None:
    quick, slow = _driven(kind), _driven(kind)
    quick.set_joint("joint", **given)
    slow.set_joint("joint", **given, breaks_at=float("inf"))  # two parameters: the slow way
    assert quick.joint("joint").parameters == slow.joint("joint").parameters
    for _ in range(5):
        quick.step()
        slow.step()
        assert quick.hash() == slow.hash()


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"motor": {"speed": float("nan")}}, "speed"),
        ({"motor": {"sped": 1.0}}, "sped"),
        ({"servo": {"stiffness": -1.0}}, "stiffness"),
    ],
)
def test_bad_numbers_change_nothing(given: dict[str, Any], word: str) -> None:
    world = _driven("hinge")
    before, known = world.hash(), world.joint("joint").parameters
    with pytest.raises(ValueError, match=word):
        world.set_joint("joint", **given)
    assert (world.hash(), world.joint("joint").parameters) == (before, known)
