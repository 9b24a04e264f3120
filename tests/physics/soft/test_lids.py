"""A rigid lid sewn to a soft cube, dropped on it: what lies between two things is no free body."""

import numpy as np
import pytest
from tests.physics.soft.lids import drop_lid

SIDES = (0, 90, 135, 180)


@pytest.mark.parametrize("turn", SIDES)
@pytest.mark.parametrize("young", [2e4, 1e6, 1e7, 1e8])
def test_a_lid_gains_nothing(turn, young):
    fall = drop_lid(turn, young)
    assert fall.highest <= 1.02
    assert fall.moves
