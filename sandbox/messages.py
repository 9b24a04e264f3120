"""What the command line says: results on stdout, errors on stderr, and how far it has come.

All of it passes `printable`, so that no name in a file can steer the terminal.
"""

import codecs
import os
import sys
import threading
import time
import traceback
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

from levels.text import printable, shortened

_STAND_INS = {"→": "->", "…": "...", "█": "#", "░": ".", "—": "-", "−": "-", "·": "*"}


class UsageProblem(Exception):
    """The command was not understood; exit code 2."""


class MachineProblem(Exception):
    """This machine lacks something; the text says which command mends it. Exit code 4."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; the text says what was kept. Exit code 130."""


def tell(text: str, end: str = "\n", flush: bool = False) -> None:
    """A result, on stdout."""
    print(printable(text), end=end, flush=flush)


def warn(text: str) -> None:
    """Something beside the result, on stderr."""
    print(printable(text), file=sys.stderr, flush=True)


def error(text: str) -> None:
    warn(f"sandbox: {text}")


def internal_error(problem: BaseException) -> str:
    """A mistake of ours in one line, and what to do with it; all of it under TAUT_DEBUG=1."""
    if os.environ.get("TAUT_DEBUG"):
        warn("".join(traceback.format_exception(problem)).rstrip())
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    what = "".join(traceback.format_exception_only(problem)).strip().partition("\n")[0]
    return (
        f"internal error: {shortened(what, 200)}{where}\n"
        "this is a mistake of Taut's: please report the line above with the command and the level; "
        "TAUT_DEBUG=1 shows where it happened"
    )


def accept_any_text() -> None:
    """What a stream's encoding cannot say is written as near as it can, instead of failing."""
    codecs.register_error("taut-nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="taut-nearest")


def _nearest(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return "".join(_plain(c) for c in problem.object[problem.start : problem.end]), problem.end


def _plain(c: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode("ascii")
    return _STAND_INS.get(c) or ascii_only or "?"


_silent = ContextVar("silent", default=False)


@contextmanager
def without_progress(silent: bool = True) -> Iterator[None]:
    """Nobody wants to know how far it has come: --quiet."""
    before = _silent.set(silent)
    try:
        yield
    finally:
        _silent.reset(before)


def is_silent() -> bool:
    """Within `without_progress`."""
    return _silent.get()


class Progress:
    """How far something has come: a bar on a terminal, elsewhere a line every few seconds.

    Call it with the share that is done; before the first call it says that it prepares. The lines
    come from a thread of their own, because preparing (compiling) may take minutes.
    """

    _WIDTH = 30
    _BAR_EVERY, _LINE_EVERY = 0.1, 5.0  # s

    def __init__(self, label: str) -> None:
        self.label = printable(label)
        self.stream: TextIO = sys.stderr
        self.is_bar = self.stream.isatty()
        self.share: float | None = None
        self.note = ""  # what there is to say besides
        self._began = self._drawn = time.monotonic()
        self._longest = 0  # characters drawn, to be wiped
        self._ended = threading.Event()
        self._ticking: threading.Thread | None = None
        if not _silent.get():
            self._ticking = threading.Thread(target=self._tick, daemon=True)
            self._ticking.start()

    def __call__(self, share: float, note: str = "") -> None:
        self.share, self.note = share, note
        if self.is_bar and self._ticking and (share >= 1.0 or self._is_due(self._BAR_EVERY)):
            self._draw_bar()

    def done(self) -> None:
        """Wipe the bar, so that results stand alone."""
        self._ended.set()
        if self._ticking:
            self._ticking.join()
            self._ticking = None
        if self._longest:
            print("\r" + " " * self._longest + "\r", end="", file=self.stream, flush=True)
            self._longest = 0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.done()

    def _tick(self) -> None:
        while not self._ended.wait(1.0 if self.is_bar else self._LINE_EVERY):
            if not self.is_bar:
                print(f"{self.label}: {self._state()}", file=self.stream, flush=True)
            elif self.share is None:
                self._draw(f"{self.label} {self._state()}")

    def _state(self) -> str:
        seconds = time.monotonic() - self._began
        if self.share is None:
            return f"preparing the physics, {seconds:.0f} s so far"
        return ", ".join(
            filter(None, (f"{100 * self.share:.0f} % after {seconds:.0f} s", self.note))
        )

    def _is_due(self, every: float) -> bool:
        now = time.monotonic()
        due = now - self._drawn >= every
        if due:
            self._drawn = now
        return due

    def _draw_bar(self) -> None:
        share = self.share or 0.0
        filled = round(self._WIDTH * share)
        bar = "█" * filled + "░" * (self._WIDTH - filled)
        self._draw(f"{self.label} {bar} {100 * share:3.0f} %  {self.note}".rstrip())

    def _draw(self, text: str) -> None:
        wiped = " " * max(0, self._longest - len(text))
        self._longest = len(text)
        print(f"\r{text}{wiped}", end="", file=self.stream, flush=True)
