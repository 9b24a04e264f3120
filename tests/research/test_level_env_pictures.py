"""Pictures of level environments: drawn by the game's own renderer."""

import gymnasium
import numpy as np
import pytest

import sandbox.gym


@pytest.mark.parametrize("id", ["taut/Crane-v0", "taut/StandUp-v0"])
def test_a_level_is_drawn_and_moves(id: str) -> None:
    assert id in [entry.id for entry in sandbox.gym.ENVIRONMENTS]
    env = gymnasium.make(id, render_mode="rgb_array", size=(160, 96))
    env.reset(seed=0)
    env.action_space.seed(0)
    before = env.render()
    for _ in range(12):
        env.step(env.action_space.sample())
    after = env.render()
    assert before.shape == after.shape == (96, 160, 3)
    assert before.dtype == np.uint8
    assert (before != after).any()
    env.reset(seed=0)
    again = env.render()
    assert np.abs(again.astype(int) - before).mean() < 1.0, "the same moment, the same picture"
    env.close()


def test_a_window_shows_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = gymnasium.make("taut/LunarLander-v0", render_mode="human")
    env.reset(seed=0)
    env.step(2)
    assert env.render() is None
    env.close()
