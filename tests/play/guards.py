"""How often the guard steps in: `python -m tests.play.guards [--seconds 120] [LEVEL…]`.

Every level is played by its script, then with its keys, then left alone, two minutes in all. One
line per level: what the guard did, why substeps were refused, and when.
"""

import argparse
import sys
from collections import Counter

from levels import shipped
from physics.records import Stats
from tests.play.hand import Hand
from tests.play.pace import played


def counted(stats: Stats) -> Counter[str]:
    """All of a run up to now, of what is rigid."""
    found = Counter({f"refused: {reason}": n for reason, n in stats.refused.items()})
    return found + Counter(stats.guard)


def interventions(level: str, seconds: float) -> tuple[Counter[str], list[float]]:
    """By kind and reason, and the seconds of play in which there were some."""
    hand, total, when = Hand(level), Counter[str](), list[float]()
    script, before, last = played(hand, level), Counter[str](), -1
    for tick in range(round(seconds / hand.session.world.h)):
        next(script, None)
        hand.session.step()
        stats = hand.session.world.stats
        now = counted(stats)
        if stats.steps <= last:  # the world was built anew
            before = Counter()
        last = stats.steps
        new = now - before
        new += Counter({"soft guarded": int(stats.soft.get("guarded", 0))})  # in this step
        new += Counter({"soft drained": int(stats.soft.get("drained", 0.0) > 0.0)})
        before = now
        if new:
            total += new
            when.append(tick * hand.session.world.h)
    return total, when


def line(level: str, seconds: float) -> str:
    total, when = interventions(level, seconds)
    if not total:
        return f"{level:15} none"
    what = ", ".join(f"{n} {name}" for name, n in sorted(total.items()))
    moments = ", ".join(f"{t:.1f}" for t in when[:5])
    return f"{level:15} {len(when)} steps ({moments} … s): {what}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("levels", nargs="*")
    given = parser.parse_args(words)
    for level in given.levels or shipped():
        print(line(level, given.seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
