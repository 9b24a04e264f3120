"""A process that computes one item after the other: `python -m sandbox.reproduce.item_process`.

It reads lines of JSON, {"item": name, "quick": bool}, and answers each with one. When whoever
started it is gone, its input ends, and so does it, in the middle of an item.
"""

import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any, BinaryIO

from sandbox.reproduce.item import NONE, Result, load_items


def _read(source: BinaryIO, lines: SimpleQueue[bytes]) -> None:
    for line in source:
        lines.put(line)
    os._exit(0)


def answer(name: str, quick: bool) -> dict[str, Any]:
    """The result of an item; a mistake in one is a row of it, not the end of the rest."""
    began, spent = time.perf_counter(), time.process_time()
    failed = False
    try:
        result = load_items()[name].compute(quick)
    except Exception as problem:
        if os.environ.get("TAUT_DEBUG"):
            raise
        failed = True
        result = Result()
        result.add("could not be computed", "", f"{type(problem).__name__}: {problem}"[:300], NONE)
    return {
        **result.as_json(),
        "failed": failed,
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - spent,
    }


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is no answer
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()
    while True:
        wanted = json.loads(lines.get())
        found = answer(wanted["item"], wanted["quick"])
        answers.write(json.dumps(found, allow_nan=False).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
