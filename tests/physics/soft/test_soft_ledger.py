"""The ledger of soft bodies: what swings is left alone, what comes from nothing is taken back."""

import numpy as np
import pytest

from physics import Box, Sphere, World
from tests.play.hand import Hand
from tests.play.pace import played


def stepped(world, steps):
    """Steps in which the guard took over, and J that were taken back."""
    guarded, drained = 0, 0.0
    for _ in range(steps):
        world.step()
        guarded += world.stats.soft["guarded"]
        drained += world.stats.soft["drained"]
    return guarded, drained


def strip_with_weight(mass, stepping="euler"):
    """A strip of membrane that hangs from its upper side, a weight sewn to the lower one."""
    world = World()
    rows, columns = 9, 5
    world.add_cloth(
        "strip", size=(0.8, 1.6), rows=rows, columns=columns, mass=0.4, model="membrane",
        young=2e6, poisson=0.2, thickness=1e-3, damping=0.01, stepping=stepping,
        pins=range(columns),
    )  # fmt: skip
    world.add_body("weight", Box((0.8, 0.2, 0.2)), mass=mass, position=(0.0, -0.9, 0.0))
    world.attach("strip", range((rows - 1) * columns, rows * columns), "weight")
    return world


def test_a_weight_bounces_on_a_membrane_without_the_guard():
    """Work on the weight and what the strip stores were of two moments: half the steps were
    refused, and the guard stopped the strip but not the weight."""
    world = strip_with_weight(40.0)
    assert stepped(world, 120) == (0, 0.0)
    assert world.position("weight")[1] < -0.9  # it hangs, and has bounced


def test_energy_added_by_hand_is_taken_back_from_strip_and_weight():
    world = strip_with_weight(40.0)
    stepped(world, 30)
    before, body = world.energy().total, world.soft("strip").item.body
    body.ledger.debt += 5.0  # as if it had been gained
    stepped(world, 60)
    assert world.energy().total < before - 3.0
    speed = np.linalg.norm(body.v[-1] - world.velocity("weight"))
    assert speed < 0.05  # both were slowed alike: the seam is whole


def test_a_heavy_ball_within_a_sheet_is_not_pushed_out_against_its_threads():
    """A sewn weight that has grown into the sheet: pushing it out made 12 J a step."""
    world, n = World(), 8
    world.add_cloth(
        "sheet", size=(2, 2), rows=n, columns=n, mass=1.0, stretch=0.0, shear=0.01, pins=range(n)
    )
    for x, corner in ((-1.0, n * n - n), (1.0, n * n - 1)):
        name = "left" if x < 0.0 else "right"
        world.add_body(name, Sphere(0.36), mass=250.0, position=(x, -1.2, 0.0))
        world.attach("sheet", [corner], name)
    start = world.energy().total
    guarded, _ = stepped(world, 120)
    assert guarded <= 3
    assert world.energy().total - start < 5.0


@pytest.mark.parametrize("delay", [0, 7])
def test_a_doll_that_falls_through_a_trampoline_is_not_thrown(delay):
    """Limbs caught within the cloth were pushed both ways: 1.7e6 J of the 8.9e3 of the fall."""
    hand = Hand("trampoline")
    world = hand.session.world
    for _ in range(delay):
        hand.session.step()
    script, top = played(hand, "trampoline"), 0.0
    for _ in range(400):
        next(script, None)
        hand.session.step()
        top = max(top, world.energy().kinetic)
    assert top < 9.5e3


def test_the_ledger_is_saved_with_the_world():
    world = strip_with_weight(40.0)
    world.soft("strip").item.body.ledger.debt += 5.0
    world.step(10)
    saved = world.snapshot()
    world.step(20)
    after = world.hash()
    world.restore(saved)
    world.step(20)
    assert world.hash() == after
