"""How long steps take in play: `python -m tests.play.pace [--seconds 30] [LEVEL…]`.

Every level is played by its script as it ships, then with each slider at either end while its keys
are held one after the other. Milliseconds of one core a step (time of this process, whatever else
runs beside it): median, one in a hundred, worst, of what a step may take.
"""

import argparse
import itertools
import sys
import time

import numpy as np

from levels import load, shipped
from sandbox.preparing import read_kept
from tests.play.hand import Hand, Script, keys_of
from tests.play.scripts import LONGEST, SCRIPTS

_HELD = 1.5  # s that each key is held


def all_keys(hand: Hand, keys: list[str]) -> Script:
    while keys:
        for key in keys:
            hand.press(key)
            yield from hand.wait(_HELD)
            hand.let_go(key)
            yield
    yield


def played(hand: Hand, level: str) -> Script:
    """By its script, if it has one, then with its keys."""
    if level in SCRIPTS:
        yield from SCRIPTS[level](hand)
        # a script that ends with a key held is not over before the level is
        yield from hand.until(lambda: hand.status != "playing", LONGEST[level] - hand.time)
        hand.let_go_of_all()
    yield from all_keys(hand, keys_of(level))


def extremes(level: str) -> list[dict[str, float]]:
    """Each slider at its ends, the others as they are."""
    found = load(level).parameters
    return [
        {name: float(end)}
        for name, parameter in found.items()
        for end in (parameter.min, parameter.max)
        if end is not None
    ]


def steps(hand: Hand, script: Script, seconds: float, built: list[float]) -> np.ndarray:
    """Milliseconds of every step but the first few, which may compile.

    Where a restart or a slider builds the world anew, the time is added to `built`.
    """
    took, last = [], -1
    for _ in range(round(seconds / hand.session.world.h)):
        next(script, None)
        began = time.process_time()
        hand.session.step()
        spent = 1e3 * (time.process_time() - began)
        count = hand.session.world.stats.steps
        (took if count == last + 1 else built).append(spent)
        last = count
    return np.array(took[5:] or [0.0])


def _three(took: np.ndarray) -> str:
    return f"{np.median(took):8.2f} {np.percentile(took, 99):7.1f} {took.max():7.1f}"


def row(level: str, seconds: float) -> str:
    read_kept(load(level))  # as the game does while it loads a level
    hand = Hand(level)
    allowed = 1e3 * hand.session.world.h
    built: list[float] = []
    as_shipped = steps(hand, played(hand, level), seconds, built)
    text = f"{level:15} {allowed:6.1f} {_three(as_shipped)}"
    slow = [as_shipped]
    ends, tried = extremes(level), []
    for given in ends:
        hand = Hand(level, **given)
        keys = all_keys(hand, keys_of(level))
        took = steps(hand, keys, max(5.0, seconds / len(ends)), built)
        tried.append((took, " ".join(f"{k} = {v:g}" for k, v in given.items())))
        slow.append(took)
    if tried:
        median = max(float(np.median(took)) for took, _ in tried)
        p99 = max(float(np.percentile(took, 99)) for took, _ in tried)
        took, where = max(tried, key=lambda one: float(one[0].max()))
        text += f" {median:8.2f} {p99:7.1f} {took.max():7.1f}  {where}"
    late = sum(int((took > allowed).sum()) for took in slow)
    return f"{text}  [{late} of {sum(map(len, slow))} late; to build anew {max(built):.0f}]"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("levels", nargs="*")
    given = parser.parse_args(words)
    heads = itertools.repeat(f"{'median':>8} {'99 %':>7} {'worst':>7}", 2)
    print(f"{'level':13} allowed {' '.join(heads)}  (extreme sliders, the worst of each)")
    for level in given.levels or shipped():
        print(row(level, given.seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
