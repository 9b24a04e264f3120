"""Random building, saved and opened again: the same world."""

import pytest

from tests.workshop.random_builder import run


def test_a_minute_of_random_building_is_the_same_world_again() -> None:
    builder = run(acts=60, every=20, seed=3)
    assert builder.compared == 3
    assert builder.done["refused"] < 40  # most of it is done


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_minutes_of_random_building(seed: int) -> None:
    builder = run(acts=600, every=60, seed=100 + seed)
    assert builder.compared == 10
