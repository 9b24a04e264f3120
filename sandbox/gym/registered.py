"""The list of environments; `register_all` tells Gymnasium of them."""

from dataclasses import dataclass, field
from typing import Any

import gymnasium


@dataclass(frozen=True)
class Environment:
    """One entry of the registry."""

    id: str
    entry_point: str
    max_episode_steps: int
    kwargs: dict[str, Any] = field(default_factory=dict)
    reward_threshold: float | None = None


ENVIRONMENTS = (
    Environment("taut/Level-v0", "sandbox.gym.level_env:LevelEnv", 3600, {"level": "crane"}),
    Environment("taut/Crane-v0", "sandbox.gym.level_tasks:CraneEnv", 300),
    Environment("taut/Liana-v0", "sandbox.gym.level_tasks:LianaEnv", 300),
    Environment("taut/StandUp-v0", "sandbox.gym.level_tasks:StandUpEnv", 300),
    Environment("taut/LunarLander-v0", "sandbox.gym.lunar_lander:LunarLander", 1000, {}, 200),
    Environment(
        "taut/LunarLanderContinuous-v0",
        "sandbox.gym.lunar_lander:LunarLander",
        1000,
        {"continuous": True},
        200,
    ),
    Environment("taut/BipedalWalker-v0", "sandbox.gym.bipedal_walker:BipedalWalker", 1600, {}, 300),
    Environment(
        "taut/BipedalWalkerHardcore-v0",
        "sandbox.gym.bipedal_walker:BipedalWalker",
        2000,
        {"hardcore": True},
        300,
    ),
)


def register_all() -> None:
    """Once; a second call changes nothing."""
    for entry in ENVIRONMENTS:
        if entry.id not in gymnasium.registry:
            gymnasium.register(
                entry.id,
                entry.entry_point,
                reward_threshold=entry.reward_threshold,
                max_episode_steps=entry.max_episode_steps,
                kwargs=dict(entry.kwargs),
            )
