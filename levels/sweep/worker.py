"""A process that runs one point after the other: `python -m levels.sweep.worker`.

It reads lines of JSON from its input and answers each with one: first the task, then points. When
whoever started it is gone, its input ends, and so does it, at once and in the middle of a run.
"""

import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import BinaryIO

from levels.sweep.one_run import Task, row_of


def _read(source: BinaryIO, lines: SimpleQueue[bytes]) -> None:
    """Nobody is there any more at the end of the input: what is being run is for nobody."""
    for line in source:
        lines.put(line)
    os._exit(0)


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is no answer
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()
    task = Task.from_json(json.loads(lines.get()))
    while True:
        row = row_of(task, json.loads(lines.get()))
        answers.write(json.dumps(row, allow_nan=False).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
