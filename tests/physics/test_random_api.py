"""Thousands of random calls: each succeeds, or raises a plain error and changes nothing."""

import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from physics import Sphere, World
from tests.physics.random_calls import ALLOWED, Caller, fingerprint, public_calls

CALLS_PER_WORLD = 150


def attempt(call: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """What a call gives, or what it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return call(), None
    except Exception as error:
        return None, error


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
        if not isinstance(error, ALLOWED) or len(str(error)) < 8:
            raise AssertionError(where) from error
        if fingerprint(caller.world) != before:
            raise AssertionError(f"{where} and left a trace") from error


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
