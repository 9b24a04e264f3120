"""Environments for learning: clean by Gymnasium's own checker, repeatable, worth learning."""

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sandbox.gym import ENVIRONMENTS, make_vec
from sandbox.gym.level_env import LevelEnv
from sandbox.gym.policies import pilot
from tests.research.falling import falling

IDS = [entry.id for entry in ENVIRONMENTS]


@pytest.mark.parametrize("id", IDS)
def test_the_checker_has_nothing_to_say(id: str) -> None:
    env = gymnasium.make(id).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    env.close()


def _played(env: Any, seed: int, steps: int) -> list[Any]:
    env.action_space.seed(seed)
    seen = [env.reset(seed=seed)[0]]
    for _ in range(steps):
        observation, reward, ended, cut, _ = env.step(env.action_space.sample())
        seen.append(np.append(observation, reward))
        if ended or cut:
            seen.append(env.reset()[0])
    return seen


@pytest.mark.parametrize("id", IDS)
def test_the_same_seed_gives_the_same_bits(id: str) -> None:
    env, other = gymnasium.make(id), gymnasium.make(id)
    first, second, third = _played(env, 5, 12), _played(other, 5, 12), _played(env, 5, 12)
    for a, b, c in zip(first, second, third, strict=True):
        assert a.tobytes() == b.tobytes() == c.tobytes()


def _score(id: str, seed: int, policy: Any, **options: Any) -> float:
    env = gymnasium.make(id, **options)
    env.action_space.seed(seed)
    observation, _ = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        action = policy(observation) if policy else env.action_space.sample()
        observation, reward, ended, cut, _ = env.step(action)
        total, over = total + float(reward), ended or cut
    return total


# By how much a scripted policy is better: of a level, won is 1; the others count in tens.
BETTER = {"taut/Level-v0": (0.5, {"max_episode_steps": 250})}
LONG = ("taut/Crane-v0", "taut/Level-v0")  # one game of these is as long as many of the others


@pytest.mark.parametrize("id", IDS)
def test_a_scripted_policy_beats_a_random_one(id: str) -> None:
    _compare(id, (1,) if id in LONG else (1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("id", LONG)
def test_a_scripted_policy_beats_a_random_one_again(id: str) -> None:
    _compare(id, (2, 3))


def _compare(id: str, seeds: tuple[int, ...]) -> None:
    least, options = BETTER.get(id, (10.0, {}))
    scripted = np.mean([_score(id, seed, pilot(id), **options) for seed in seeds])
    random = np.mean([_score(id, seed, None, **options) for seed in seeds])
    assert scripted > random + least


@pytest.mark.parametrize("id", ["taut/LunarLander-v0", "taut/LunarLanderContinuous-v0"])
def test_the_lander_lands(id: str) -> None:
    """200 counts as solved; not on average but every time."""
    scores = [_score(id, seed, pilot(id)) for seed in range(12)]
    assert min(scores) > 200.0


def test_the_walker_does_not_fall() -> None:
    """A fall costs a hundred and ends the walk; steady steps earn two hundred in the time given."""
    id = "taut/BipedalWalker-v0"
    assert min(_score(id, seed, pilot(id)) for seed in range(4)) > 150.0


@pytest.mark.parametrize("name", ["LunarLander", "BipedalWalker"])
def test_spaces_are_those_of_the_classics(name: str) -> None:
    """As Gymnasium documents them; the originals need Box2D, which is not asked for here."""
    env = gymnasium.make(f"taut/{name}-v0")
    count, actions = {"LunarLander": (8, 4), "BipedalWalker": (24, 4)}[name]
    assert env.observation_space.shape == (count,)
    assert env.observation_space.dtype == np.float32
    assert getattr(env.action_space, "n", None) == actions or env.action_space.shape == (actions,)


def test_pictures() -> None:
    for id in ("taut/LunarLander-v0", "taut/BipedalWalkerHardcore-v0"):
        env = gymnasium.make(id, render_mode="rgb_array")
        env.reset(seed=0)
        before = env.render()
        for _ in range(20):
            env.step(env.action_space.sample())
        after = env.render()
        assert before.shape == after.shape == (400, 600, 3)
        assert (before != after).any()
        env.close()


# --- many at once ---------------------------------------------------------------------------------


def test_threads_step_what_one_after_the_other_would() -> None:
    id, count = "taut/LunarLander-v0", 3
    vector = make_vec(id, count, threads=2)
    single = [gymnasium.make(id) for _ in range(count)]
    vector.action_space.seed(0)
    together, _ = vector.reset(seed=7)
    alone = [env.reset(seed=7 + i)[0] for i, env in enumerate(single)]
    assert together.tobytes() == np.stack(alone).tobytes()
    ended = np.zeros(count, bool)
    for _ in range(120):
        actions = vector.action_space.sample()
        together, rewards, terminated, truncated, _ = vector.step(actions)
        for i, env in enumerate(single):
            if ended[i]:
                alone[i], reward = env.reset()[0], 0.0
            else:
                alone[i], reward, *_ = env.step(actions[i])
            assert rewards[i] == reward
        assert together.tobytes() == np.stack(alone).tobytes()
        ended = terminated | truncated
    assert ended.any() or vector.envs[0].unwrapped.world.time > 0
    vector.close()


def test_gymnasium_makes_vectors_of_them_too() -> None:
    vector = gymnasium.make_vec("taut/StandUp-v0", 2, vectorization_mode="sync")
    vector.reset(seed=1)
    observations, *_ = vector.step(vector.action_space.sample())
    assert observations.shape[0] == 2
    vector.close()


# --- any level ------------------------------------------------------------------------------------


def test_any_level_is_an_environment(tmp_path: Path) -> None:
    env = LevelEnv(
        str(falling(tmp_path)),
        parameters={"weight": (1.0, 10.0), "height": 6.0},
        sensors={"up": "y('ball')"},
        reward="-y('ball')",
    )
    assert env.observations[:3] == ["ball.x", "ball.y", "ball.z"]
    assert env.observations[-1] == "up"
    weights = set()
    for seed in range(4):
        observation, _ = env.reset(seed=seed)
        weights.add(env.session.values["weight"])
        assert observation[1] == observation[-1] == 6.0
    assert len(weights) == 4
    assert all(1.0 <= weight <= 10.0 for weight in weights)
    observation, reward, ended, _, info = env.step(env.action_space.sample())
    assert reward == -observation[1]
    assert not ended
    assert info["time"] == pytest.approx(0.1)


def test_keys_are_actions() -> None:
    env = LevelEnv("crane", observed=["boom"])
    env.reset(seed=0)
    slew = env.actions.index("slew")
    action = np.zeros(len(env.actions), np.int64)
    action[slew] = 1
    for _ in range(5):
        env.step(action)
    assert env.session.held == {"a"}
    before = env.session.world.joint_value(env.session.joints["slew"])
    action[slew] = 2
    env.step(action)
    assert env.session.held == {"d"}
    assert before != 0.0


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"parameters": {"laod": 1.0}}, "load"),
        ({"parameters": {"load": (5.0, 1.0)}}, "range"),
        ({"observed": ["trukc"]}, "truck"),
        ({"sensors": {"s": "hight('truck')"}}, "height|unknown"),
        ({"render_mode": "ansi"}, "rgb_array"),
    ],
)
def test_mistakes_are_told_when_it_is_made(options: dict[str, Any], word: str) -> None:
    with pytest.raises((ValueError, KeyError), match=word):
        LevelEnv("crane", **options)
