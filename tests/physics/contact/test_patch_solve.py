"""The points of one patch solved together, against pivoting; what that does for a tall wall."""

import numpy as np
import pytest

from physics.contact.pile.coupling import HARDLY, SOFTLY, invert_coupling
from physics.contact.pile.sweep import balance
from physics.params import PILE_LEAK
from tests.physics.contact.lemke import lemke
from tests.physics.contact.pile_harness import Piles
from tests.physics.contact.test_piles import _wall

SPRING = PILE_LEAK / (1.0 - PILE_LEAK)


def _patch(rng, count):
    """Row of a patch of `count` points of one body on another, its S, and speeds it may have."""
    levers = np.column_stack((np.ones(count), rng.uniform(-1, 1, (count, 2))))
    heavy = 10.0 ** rng.uniform(-2, 2, 3)
    S = (levers * heavy) @ levers.T
    row = np.zeros((1, 128))
    block = np.zeros((4, 4))
    block[:count, :count] = S
    row[0, 80:96] = block.ravel()
    invert_coupling(row, 0, SPRING, SOFTLY)
    invert_coupling(row, 0, 1e-3, HARDLY)
    return row[0], S, levers @ (heavy * rng.normal(0.0, 1.0, 3))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("leak", [0.0, PILE_LEAK])
def test_points_of_a_patch_get_what_pivoting_finds(count, leak):
    """Any μ ≥ 0 to begin with: the regularised problem in the new impulses has one solution."""
    rng, solved = np.random.default_rng(count), 0
    for _ in range(200):
        row, S, w = _patch(rng, count)
        m = rng.exponential(1.0, count)
        epsilon = SPRING if leak > 0.0 else 1e-3
        D = np.diag(np.diag(S))
        # what is left of the speed is ε D (new - old), or ε D new where an overlap lets go
        offset = w - S @ m - (0.0 if leak > 0.0 else 1.0) * epsilon * D @ m
        pad = np.zeros(4 - count)
        found, *new = balance(row, *np.append(m, pad), *np.append(w, pad), leak)
        if not found:
            continue
        solved += 1
        expected = lemke(S + epsilon * D, offset)
        assert new[:count] == pytest.approx(expected, rel=1e-8, abs=1e-8 * (1.0 + expected.max()))
    assert solved > 100  # the rest, with two points that lift, is left to single updates


def test_a_point_that_nothing_presses_on_leaves_the_others_their_digits():
    """Where a point is not wanted at all, the other three are those of a patch without it."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        row, S, _ = _patch(rng, 4)
        w = np.append(-0.1 * np.sqrt(np.diag(S))[:3], 1e6)
        found, *new = balance(row, 1.0, 1.0, 1.0, 0.0, *w, 0.0)
        if found:
            D = 1e-3 * np.diag(np.diag(S)[:3])
            change = np.linalg.solve(S[:3, :3] + D, -w[:3])
            assert np.array(new[:3]) - 1.0 == pytest.approx(change, abs=1e-5)
            assert new[3] == 0.0


def test_a_wall_of_two_hundred_boxes_stops_swaying():
    """Points solved one by one left 1 mm/s and more after four seconds."""
    world, slots = _wall(210)
    pile = Piles(world)
    pile.step(180)
    fastest = 0.0
    for _ in range(30):
        pile.step()
        speed = np.abs(pile.bodies.velocity.reshape(-1, 6)[slots, :3])
        fastest = max(fastest, speed.max())
    assert fastest < 5e-4
    assert pile.overlap() < 6e-4
