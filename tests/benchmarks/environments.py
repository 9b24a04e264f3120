"""Steps a second of learning environments, beside Gymnasium's Box2D and MuJoCo originals.

    pip install -e ".[gym,bench]" "gymnasium[box2d,mujoco]"
    python -m tests.benchmarks environments --seconds 2

Random actions, one environment after the other in one process, several rounds; the best round
counts. Then the same in eight environments at once: on threads here, by Gymnasium's own vector of
one process there. Originals that are not installed are left out, and said to be.

"free" is the share of a step that is spent in compiled code which lets other threads go on; the
rest is Python and waits for its turn, so that any number of threads gains at most 1 / (1 - free).
"processes" is Gymnasium's own vector with a process for each environment.
"""

import argparse
import time
from typing import Any

import gymnasium

import sandbox.gym
from physics import stepper
from physics.step import run_steps

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


def free_share(id: str, steps: int = 300) -> float:
    """Of the time of a step, how much is spent without Python's lock."""
    spent = [0.0]

    def timed(*arguments: Any) -> Any:
        began = time.thread_time()
        try:
            return run_steps(*arguments)
        finally:
            spent[0] += time.thread_time() - began

    env: Any = gymnasium.make(id)
    env.reset(seed=0)
    stepper.run_steps = timed
    try:
        for _ in range(50):
            _step(env)
        spent[0], began = 0.0, time.thread_time()
        for _ in range(steps):
            _step(env)
        return spent[0] / (time.thread_time() - began)
    finally:
        stepper.run_steps = run_steps
        env.close()


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


def _ours(id: str, many: int, seconds: float, mode: str = "threads") -> float:
    if mode == "processes":
        env: Any = gymnasium.make_vec(f"sandbox.gym:{id}", many, vectorization_mode="async")
    else:
        env = gymnasium.make(id) if many == 1 else sandbox.gym.make_vec(id, many)
    try:
        return rate(env, seconds)
    finally:
        env.close()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="environments")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each environment")
    seconds = parser.parse_args(arguments).seconds
    names = f"{'ours':22} {'1/s':>7} {'free':>5} {f'x{MANY}':>7} {'processes':>9}"
    print(f"{names}   {'original':26} {'1/s':>7} {f'x{MANY}':>7}")
    for ours, original in BESIDE:
        here = [_ours(ours, many, seconds) for many in (1, MANY)]
        apart = _ours(ours, MANY, seconds, "processes")
        there = [_original(original, many, seconds) for many in (1, MANY)]
        shown = " ".join(" absent" if found is None else f"{found:7.0f}" for found in there)
        row = f"{ours:22} {here[0]:7.0f} {free_share(ours):5.0%} {here[1]:7.0f} {apart:9.0f}"
        print(f"{row}   {original:26} {shown}", flush=True)
