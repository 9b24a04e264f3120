"""A virtual display and a hand on its mouse and keyboard."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NEEDED = ("Xvfb", "xdotool")


def available() -> bool:
    return all(shutil.which(program) for program in NEEDED)


@contextmanager
def virtual_display(size: str = "1280x800x24", screen: Path | None = None) -> Iterator[str]:
    """Start Xvfb on a free display; yields its name. `screen`: a folder in which the file
    Xvfb_screen0 always has what is on it, in XWD format."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
        + (["-fbdir", str(screen)] if screen is not None else []),
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        number = pipe.readline().strip()
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


class Hand:
    """Real X events through xdotool, in pixels of the window."""

    def __init__(self, display: str) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        self._corner = (0, 0)
        self.window = ""

    def __call__(self, *words: object) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, words)],
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        return done.stdout.strip()

    def find(self, patience: float = 60.0) -> None:
        """Wait for the window and learn where it is."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                window = self("search", "--class", ".+").split()[-1]
                place = dict(
                    line.split("=") for line in self("getwindowgeometry", "--shell", window).split()
                )
            except (subprocess.CalledProcessError, IndexError):
                time.sleep(0.05)
                continue
            self._corner = (int(place["X"]), int(place["Y"]))
            self.window = window
            return
        raise TimeoutError("no window has appeared")

    def move(self, x: float, y: float) -> None:
        # without --sync, which waits 15 s where the pointer is there already; the command ends
        # when the server has answered
        self("mousemove", round(x) + self._corner[0], round(y) + self._corner[1])

    def down(self, button: int = 1) -> None:
        self("mousedown", button)

    def up(self, button: int = 1) -> None:
        self("mouseup", button)

    def key(self, name: str) -> None:
        self("key", name)

    def key_down(self, name: str) -> None:
        self("keydown", name)

    def key_up(self, name: str) -> None:
        self("keyup", name)
