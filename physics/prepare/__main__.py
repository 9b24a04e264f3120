"""`python -m physics.prepare [TASK …]`: compile everything, or the tasks named, on all cores."""

import argparse
import os
import sys
import time

from physics.prepare.processes import Preparation, serve
from physics.prepare.tasks import TASKS

_EVERY = 2.0  # s between two lines of progress


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m physics.prepare", description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"of: {', '.join(TASKS)}")
    parser.add_argument("--workers", type=int, help="processes; default: one for each core")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--nice", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.nice and hasattr(os, "nice"):
        os.nice(options.nice)
    if options.worker:
        serve()
        return 0
    unknown = [name for name in options.tasks if name not in TASKS]
    if unknown:
        parser.error(f"no such task: {', '.join(unknown)}; there are {', '.join(TASKS)}")
    return _prepare(options.tasks or list(TASKS), options.workers)


def _prepare(names: list[str], workers: int | None) -> int:
    preparation = Preparation(names, workers)
    try:
        while not preparation.done:
            what = ", ".join(preparation.current)
            left = f"about {preparation.seconds_left:.0f} s left"
            print(f"{preparation.share:4.0%}  {what} ({left})", file=sys.stderr)
            _wait(preparation)
    finally:
        preparation.close()
    if preparation.failed:
        print(f"cannot compile {preparation.failed}", file=sys.stderr)
        return 1
    return 0


def _wait(preparation: Preparation) -> None:
    until = time.monotonic() + _EVERY
    while time.monotonic() < until and not preparation.done:
        time.sleep(0.05)


if __name__ == "__main__":
    raise SystemExit(main())
