"""How long steps take in play: `python -m tests.play.pace [--seconds 30] [LEVEL…]`.

Every level is played by its script as it ships, then with each slider at either end while its keys
are held one after the other. Milliseconds a step, median and worst, of what a step may take.
"""

import argparse
import sys
import time

import numpy as np

from levels import load, shipped
from tests.play.hand import Hand, Script, keys_of
from tests.play.scripts import SCRIPTS

_HELD = 1.5  # s that each key is held


def all_keys(hand: Hand, keys: list[str]) -> Script:
    while keys:
        for key in keys:
            hand.press(key)
            yield from hand.wait(_HELD)
            hand.let_go(key)
            yield
    yield


def extremes(level: str) -> list[dict[str, float]]:
    """Each slider at its ends, the others as they are."""
    found = load(level).parameters
    return [
        {name: float(end)}
        for name, parameter in found.items()
        for end in (parameter.min, parameter.max)
        if end is not None
    ]


def steps(hand: Hand, script: Script, seconds: float) -> np.ndarray:
    """Milliseconds of every step but the first few, which may compile."""
    took, going = [], True
    while hand.time < seconds and len(took) < 40 * seconds * 10:
        going = going and next(script, "done") is None
        began = time.perf_counter()
        hand.session.step()
        took.append(1e3 * (time.perf_counter() - began))
    return np.array(took[5:] or [0.0])


def row(level: str, seconds: float) -> str:
    hand = Hand(level)
    allowed = 1e3 * hand.session.world.h
    play = SCRIPTS[level](hand) if level in SCRIPTS else all_keys(hand, keys_of(level))
    shipped_as = steps(hand, play, seconds)
    worst, where, median = 0.0, "", 0.0
    ends = extremes(level)
    for given in ends:
        hand = Hand(level, **given)
        took = steps(hand, all_keys(hand, keys_of(level)), seconds / len(ends))
        median = max(median, float(np.median(took)))
        if took.max() > worst:
            worst, where = float(took.max()), " ".join(f"{k} = {v:g}" for k, v in given.items())
    return (
        f"{level:15} {allowed:6.1f} {np.median(shipped_as):8.2f} {shipped_as.max():8.1f}"
        f" {median:8.2f} {worst:8.1f}  {where}"
    )


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("levels", nargs="*")
    given = parser.parse_args(words)
    print("level            allowed   median    worst  extreme sliders: median, worst, where")
    for level in given.levels or shipped():
        print(row(level, given.seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
