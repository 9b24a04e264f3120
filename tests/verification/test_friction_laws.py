"""The capstan and falling dominoes: within a twentieth of what is known, at 60 steps a second."""

import pytest

from sandbox.measure.friction_laws import DOMINOES, LOADS, capstan_law, domino_law


@pytest.mark.parametrize("load", LOADS)
def test_a_chain_holds_as_much_as_the_capstan_says(load: float) -> None:
    """Links of 50 g and up to a ton. The bisection by itself is good to 0.3 %."""
    assert abs(capstan_law(load).off) < 0.05


@pytest.mark.parametrize(("distance", "thickness"), DOMINOES)
def test_dominoes_fall_as_fast_as_in_fine_steps(distance: float, thickness: float) -> None:
    assert abs(domino_law(distance, thickness).off) < 0.05
