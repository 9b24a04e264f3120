"""Thousands of random calls: each succeeds, or raises a plain error and changes nothing."""

import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from physics import Sphere, World
from tests.physics.random_calls import Caller, fingerprint, public_calls

CALLS_PER_WORLD = 150
RAW = (  # words of Python's and numpy's own errors, which say nothing of what was given
    "truth value", "could not convert", "inhomogeneous", "unpack", "setting an array",
    "invalid literal", "broadcast", "shapes (", "zip()", "cannot reshape", "object is not",
)  # fmt: skip


def attempt(call: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """What a call gives, or what it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return call(), None
    except Exception as error:
        return None, error


def is_plain(error: Exception) -> bool:
    """Whether an error is one of ours: of the right type, and in words about what was given."""
    text = str(error)
    if isinstance(error, TypeError):
        return text.startswith(("give a handle", "a name is a text"))
    raw = any(words in text for words in RAW)
    return isinstance(error, (ValueError, KeyError)) and len(text) > 8 and not raw


def play(seed: int, stranger: World, done: Counter[str]) -> None:
    """Random calls of one small world; counts those that succeed."""
    caller = Caller(seed, stranger)
    for number in range(CALLS_PER_WORLD):
        words, call = caller.draw()
        before = fingerprint(caller.world)
        result, error = attempt(call)
        if error is None:
            caller.remember(result)
            done[words.split("(")[0].split(" =")[0]] += 1
            continue
        where = f"seed {seed}, call {number}: {words} raised {error!r}"
        if not is_plain(error):
            raise AssertionError(where) from error
        if fingerprint(caller.world) != before:
            raise AssertionError(f"{where} and left a trace") from error
    check_whole(caller.world, f"seed {seed}")


def check_whole(world: World, where: str) -> None:
    """Everything is finite, and a step can be taken back."""
    assert np.isfinite(world.poses()[0]).all(), where
    assert np.isfinite(world.poses()[1]).all(), where
    here, saved = fingerprint(world), world.snapshot()
    world.step(2)
    world.restore(saved)
    assert fingerprint(world) == here, where


def stranger() -> World:
    """Another world, whose handles and snapshots are refused."""
    world = World()
    world.add_body("floor", Sphere(1.0), mass=1.0)
    return world


def test_random_calls_succeed_or_change_nothing() -> None:
    done: Counter[str] = Counter()
    for seed in range(4):
        play(seed, stranger(), done)
    assert done.total() > 100


@pytest.mark.slow
def test_twelve_thousand_random_calls_succeed_or_change_nothing() -> None:
    done: Counter[str] = Counter()
    for seed in range(100, 180):
        play(seed, stranger(), done)
    never = {name for name in public_calls(World) if not done[f"World.{name}"]}
    assert not never, "the test never managed to call these"
