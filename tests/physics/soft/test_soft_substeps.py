"""Rigid bodies on soft ones where several touch each other, whirl, or take substeps."""

import numpy as np
import pytest

from levels import load
from physics import Sphere, World
from tests.physics.soft.test_soft_ledger import stepped
from tests.physics.soft.test_soft_world import hung_mat
from tests.play.hand import Hand
from tests.play.pace import played


def two_balls(mass, rate=60, **options):
    """Two balls that roll together in the middle of a mat."""
    world = World(rate=rate)
    mat = hung_mat(world, 9, mass=1.0, stretch=2e-5, shear=1e-3, friction=0.5)
    for k, x in enumerate((-0.2, 0.2)):
        world.add_body(f"ball{k}", Sphere(0.2), mass=mass, position=(x, 1.3, 0.02), **options)
    return world, world.soft(mat).item.body


def borne(body):
    """What the pins bear, kg."""
    i, j = body.model.link_nodes.T
    way = body.x[i] - body.x[j]
    pull = (body.state.lam / np.linalg.norm(way, axis=1))[:, None] * way
    force = np.zeros_like(body.x)
    np.add.at(force, i, pull)
    np.add.at(force, j, -pull)
    return -force[body.state.pinned][:, 1].sum() / 9.81


@pytest.mark.parametrize("mass", [2.0, 20.0])
@pytest.mark.parametrize("rate", [60, 120])
def test_a_mat_bears_all_of_what_takes_substeps(mass, rate):
    """Balls that roll and touch are a pile. Forces acted on it for the whole step, but were
    reckoned for half of it: the mat felt little more than half of the weight."""
    world, body = two_balls(mass, rate, rolling_friction=0.02)
    stepped(world, 6 * rate)
    mean = np.mean([borne(body) for _ in range(2 * rate) if world.step() is None])
    assert mean == pytest.approx(2.0 * mass + 1.0, rel=0.12)  # it still swings


@pytest.mark.parametrize("mass", [2.0, 20.0, 100.0])
def test_touching_balls_bounce_on_as_one_does(mass):
    """What was placed as the coupled solve had it was reported without the mat's force; the ledger
    read the report, and took all motion back in every step."""
    world, _ = two_balls(mass)
    assert stepped(world, 150)[1] == 0.0
    speeds = []
    for _ in range(90):
        world.step()
        speeds.append(abs(world.velocity("ball0")[1]))
    assert max(speeds) > 0.2  # m/s, in the third and fourth second


def test_a_limp_person_whirls_on_the_mat_without_gaining():
    """Arms in substeps have none of the inertia that is added to a whole step: friction reckoned
    with that turned them the other way and faster in every step, up to 6e7 J."""
    hand = Hand("trampoline")
    script = played(hand, "trampoline")
    for _ in range(1300):
        next(script, None)
        hand.session.step()
    assert hand.session.world.stats.guard["frozen"] == 0
    assert hand.session.energy_gain() < 0.01


def test_threads_that_gave_way_close_again_and_nothing_is_drained():
    """Closing lifts what hangs on them. It was refused for want of energy, or done on credit that
    nobody had given; what the guard lost in stretching them is theirs."""
    session = load("hammock").session()
    body = session.world.soft("hammock").item.body
    for _ in range(45):
        session.step()
    assert body.firm.now == 1.0  # the guard stretched them half a second after the start
    assert body.firm.credit == 0.0
    for _ in range(135):
        session.step()
    drained = 0
    for _ in range(300):
        session.step()
        drained += session.world.stats.soft["drained"] > 0.0
    assert drained == 0
