"""What the command line says: errors on stderr, a progress bar only where somebody can see it."""

import sys


class UsageProblem(Exception):
    """The command was not understood; exit code 2."""


class MachineProblem(Exception):
    """This machine lacks something; the text says which command mends it. Exit code 4."""


def error(text: str) -> None:
    print(f"sandbox: {text}", file=sys.stderr)


class Progress:
    """A bar on a terminal, silence in a pipe. Call it with the share that is done."""

    _WIDTH = 30

    def __init__(self, label: str) -> None:
        self.label = label
        self.visible = sys.stderr.isatty()

    def __call__(self, share: float) -> None:
        if not self.visible:
            return
        filled = round(self._WIDTH * share)
        bar = "█" * filled + "░" * (self._WIDTH - filled)
        print(f"\r{self.label} {bar} {100 * share:3.0f} %", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Wipe the bar, so that results stand alone."""
        if self.visible:
            print("\r" + " " * (len(self.label) + self._WIDTH + 8) + "\r", end="", file=sys.stderr)


def first_start_notice() -> str:
    """What to expect where no compiled physics is kept yet; empty where it is."""
    from physics.jit import cache_folder

    folder = cache_folder()
    if folder and next(folder.glob("*.kernel"), None) is not None:
        return ""
    return "First start: the physics is compiled once, which takes about a minute."
