"""What the command line says: errors and progress on stderr."""

import sys
import time


class UsageProblem(Exception):
    """The command was not understood; exit code 2."""


class MachineProblem(Exception):
    """This machine lacks something; the text says which command mends it. Exit code 4."""


def error(text: str) -> None:
    print(f"sandbox: {text}", file=sys.stderr)


class Progress:
    """A bar on a terminal, a line every few seconds elsewhere, all on stderr. Call it with the
    share that is done and, if there is more to say, with a note."""

    _WIDTH = 30
    _LINE_EVERY = 5.0  # s

    def __init__(self, label: str) -> None:
        self.label = label
        self._terminal = sys.stderr.isatty()
        self._shown = 0  # characters of the bar that is on the terminal
        self._next_line = time.monotonic() + self._LINE_EVERY

    def __call__(self, share: float, note: str = "") -> None:
        if self._terminal:
            self._draw(share, note)
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + self._LINE_EVERY
            self._line(share, note)

    def _draw(self, share: float, note: str) -> None:
        filled = round(self._WIDTH * share)
        bar = "█" * filled + "░" * (self._WIDTH - filled)
        text = f"{self.label} {bar} {100 * share:3.0f} %" + (f"  {note}" if note else "")
        print(f"\r{text:<{self._shown}}", end="", file=sys.stderr, flush=True)
        self._shown = len(text)

    def _line(self, share: float, note: str) -> None:
        text = f"{self.label}: {100 * share:.0f} %" + (f", {note}" if note else "")
        print(text, file=sys.stderr, flush=True)

    def done(self) -> None:
        """Wipe the bar, so that results stand alone."""
        if self._shown:
            print("\r" + " " * self._shown + "\r", end="", file=sys.stderr, flush=True)
            self._shown = 0
