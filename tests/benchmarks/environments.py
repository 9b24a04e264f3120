"""Steps a second of learning environments, beside Gymnasium's Box2D and MuJoCo originals.

    pip install -e ".[gym,bench]" "gymnasium[box2d,mujoco]"
    python -m tests.benchmarks environments --seconds 2

Random actions, one environment after the other in one process, several rounds; the best round
counts. Then the same in eight environments at once: on threads here, by Gymnasium's own vector of
one process there. Originals that are not installed are left out, and said to be.
"""

import argparse
import time
from typing import Any

import gymnasium

import sandbox.gym

BESIDE = (
    ("taut/LunarLander-v0", "LunarLander-v3"),
    ("taut/BipedalWalker-v0", "BipedalWalker-v3"),
    ("taut/StandUp-v0", "Walker2d-v5"),
    ("taut/StandUp-v0", "HumanoidStandup-v5"),
    ("taut/Crane-v0", "InvertedDoublePendulum-v5"),
)
ROUNDS, MANY = 3, 8


def rate(env: Any, seconds: float) -> float:
    """Steps a second; a step of a vector counts for each of its environments."""
    count = getattr(env, "num_envs", 1)
    env.reset(seed=0)
    env.action_space.seed(0)
    for _ in range(50):  # what is compiled or read the first time
        _step(env)
    best = 0.0
    for _ in range(ROUNDS):
        steps, began = 0, time.perf_counter()
        while (spent := time.perf_counter() - began) < seconds / ROUNDS:
            for _ in range(10):
                _step(env)
            steps += 10 * count
        best = max(best, steps / spent)
    return best


def _step(env: Any) -> None:
    _, _, ended, cut, _ = env.step(env.action_space.sample())
    if getattr(env, "num_envs", 0) == 0 and (ended or cut):
        env.reset()


def _original(id: str, many: int, seconds: float) -> float | None:
    """None where it cannot be made here."""
    try:
        if many == 1:
            env: Any = gymnasium.make(id)
        else:
            env = gymnasium.make_vec(id, many, vectorization_mode="sync")
    except (gymnasium.error.Error, ImportError):
        return None
    try:
        return rate(env, seconds)
    finally:
        env.close()


def _ours(id: str, many: int, seconds: float) -> float:
    env: Any = gymnasium.make(id) if many == 1 else sandbox.gym.make_vec(id, many)
    try:
        return rate(env, seconds)
    finally:
        env.close()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="environments")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each environment")
    seconds = parser.parse_args(arguments).seconds
    print(f"{'ours':26} {'1/s':>8} {f'x{MANY}':>8}   {'original':28} {'1/s':>8} {f'x{MANY}':>8}")
    for ours, original in BESIDE:
        here = [_ours(ours, many, seconds) for many in (1, MANY)]
        there = [_original(original, many, seconds) for many in (1, MANY)]
        shown = " ".join("  absent" if found is None else f"{found:8.0f}" for found in there)
        print(f"{ours:26} {here[0]:8.0f} {here[1]:8.0f}   {original:28} {shown}", flush=True)
