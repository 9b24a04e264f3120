"""Many environments in one process, stepped by threads.

The compiled part of a step runs without Python's lock, so threads step worlds at once without
copying observations between processes; each thread has a row of environments of its own. What is
Python in a step (reading the action, observing, the reward) still waits for its turn: large worlds
gain, small ones hardly (`python -m tests.benchmarks environments` prints the share of both).

Actions, seeds and the order of results are those of Gymnasium's own vector environments; ended
episodes begin anew at the next step (NEXT_STEP).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

Result = tuple[Any, float, bool, bool, dict[str, Any]]


class ThreadedVectorEnv(VectorEnv[Any, Any, Any]):
    """`ThreadedVectorEnv([make, make, …])`; results do not depend on the number of threads."""

    def __init__(
        self, makers: Sequence[Callable[[], gymnasium.Env[Any, Any]]], threads: int | None = None
    ) -> None:
        super().__init__()
        if not makers:
            raise ValueError("a vector environment needs at least one environment")
        self.envs = [make() for make in makers]
        first = self.envs[0]
        self.num_envs = len(self.envs)
        self.metadata = {**first.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode, self.spec = first.render_mode, first.spec
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        for env in self.envs:
            if env.observation_space != self.single_observation_space:
                raise ValueError("the environments observe different things")
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        count = min(self.num_envs, threads or os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(count)
        bounds = [self.num_envs * i // count for i in range(count + 1)]
        self._shares = [range(*ends) for ends in pairwise(bounds)]
        self._ended = np.zeros(self.num_envs, bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = _seeds(seed, self.num_envs)
        found = self._each(lambda i: self.envs[i].reset(seed=seeds[i], options=options))
        self._ended[:] = False
        infos: dict[str, Any] = {}
        for i, (_, info) in enumerate(found):
            infos = self._add_info(infos, info, i)
        return self._together([observation for observation, _ in found]), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        chosen = list(iterate(self.action_space, actions))
        results = self._each(lambda i: self._one(i, chosen[i]))
        observations, rewards, ended, cut, infos = zip(*results, strict=True)
        together: dict[str, Any] = {}
        for i, info in enumerate(infos):
            together = self._add_info(together, info, i)
        terminated, truncated = np.array(ended, bool), np.array(cut, bool)
        self._ended = terminated | truncated
        return self._together(observations), np.array(rewards), terminated, truncated, together

    def _each(self, work: Callable[[int], Any]) -> list[Any]:
        """For every environment, in their order; every thread has a share of them."""
        if len(self._shares) == 1:
            return [work(i) for i in self._shares[0]]
        done = self._pool.map(lambda share: [work(i) for i in share], self._shares)
        return [result for results in done for result in results]

    def _one(self, i: int, action: Any) -> Result:
        if self._ended[i]:
            observation, info = self.envs[i].reset()
            return observation, 0.0, False, False, info
        observation, reward, ended, cut, info = self.envs[i].step(action)
        return observation, float(reward), ended, cut, info

    def _together(self, observations: Sequence[Any]) -> Any:
        place: Any = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, observations, place)

    def render(self) -> tuple[Any, ...] | None:
        return tuple(env.render() for env in self.envs)

    def close_extras(self, **_: Any) -> None:
        self._pool.shutdown()
        for env in self.envs:
            env.close()


def _seeds(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    if seed is None:
        return [None] * count
    if isinstance(seed, int):
        return [seed + i for i in range(count)]
    return list(seed)


def make_vec(
    id: str, num_envs: int, threads: int | None = None, **options: Any
) -> ThreadedVectorEnv:
    """n environments of one kind: `make_vec("taut/LunarLander-v0", 8)`."""
    return ThreadedVectorEnv(
        [lambda: gymnasium.make(id, **options) for _ in range(num_envs)], threads
    )
