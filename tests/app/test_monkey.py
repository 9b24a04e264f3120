"""Random input: a short run always, a longer one among the slow tests (an hour by hand)."""

import os

import pytest

from levels import shipped
from tests.app.monkey import Monkey, memory


@pytest.fixture
def offscreen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):  # the monkey sets them
        monkeypatch.setenv(name, os.environ.get(name, ""))


def test_random_hands_for_a_moment(offscreen: None) -> None:
    monkey = Monkey(13)
    for level in ("crane", "hammock"):
        monkey.play(level, 5)
    assert monkey.events > 0
    monkey.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_a_minute_of_random_hands(offscreen: None, seed: int) -> None:
    monkey = Monkey(seed)
    for level in shipped()[seed % 2 :: 2]:
        monkey.play(level, 12)
    assert monkey.events > 10
    monkey.close()


@pytest.mark.slow
def test_random_hands_over_all_levels_and_flat_memory(offscreen: None) -> None:
    monkey = Monkey(21)
    rounds = []
    for _ in range(6):
        for level in shipped():
            monkey.play(level, 60)
        rounds.append(memory())
    monkey.close()
    # Caches (fonts, meshes, rewinds of up to 64 MB) fill in the first rounds; then it is flat.
    assert rounds[-1] - rounds[2] < 120.0, rounds
