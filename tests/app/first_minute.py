"""The first minute of a new player: `python -m tests.app.first_minute FOLDER [LEVEL] [SECONDS]`.

Starts the real program on a virtual display with nothing compiled, and watches the window from
outside: a picture every ten seconds in FOLDER. The program's own heartbeat (when each frame was
presented, what the drawing thread worked for it, what was compiled inside it) is summed up at the
end. On a machine that does other things, too, frames are long by waiting: then look at the work.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from PIL import Image

from tests.app.display import Hand, virtual_display

ROOT = Path(__file__).parents[2]
EVERY = 10.0  # s between pictures
LONG = 0.25  # s: a frame that takes longer is felt

HEARTBEAT = """
import json, sys, time
began = time.monotonic()
out = open({log!r}, "w", buffering=1)

def note(what, **more):
    print(json.dumps({{"t": round(time.monotonic() - began, 3), "what": what, **more}}), file=out)

from sandbox.window.window import Window
present, title = Window.present, Window.set_title

last = [0.0]

def presented(window):
    present(window)
    last[0] = time.monotonic()
    note("frame", own=round(time.thread_time(), 3))

def titled(window, text):
    title(window, text)
    note("playing", title=text)

Window.present, Window.set_title = presented, titled

import threading, traceback

def listen():
    while "numba.core.event" not in sys.modules:
        time.sleep(0.02)
    time.sleep(0.3)
    import numba.core.event as event

    class Listener(event.Listener):
        def on_start(self, event):
            note("compile", kernel=event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            pass

    event.register("numba:compile", Listener())

def watch():
    told = 0.0
    while True:
        time.sleep(0.05)
        late = time.monotonic() - last[0]
        if late > {long} and time.monotonic() - told > 1.0:
            told = time.monotonic()
            stack = traceback.extract_stack(sys._current_frames()[threading.main_thread().ident])
            place = [f"{{f.filename.rsplit('/', 1)[-1]}}:{{f.lineno}} {{f.name}}" for f in stack]
            note("late", where=[name for name in place if "importlib" not in name][-12:])

threading.Thread(target=listen, daemon=True).start()
threading.Thread(target=watch, daemon=True).start()
from sandbox.cli import main
sys.exit(main(["play", {level!r}]))
"""


def picture(screen: Path, path: Path) -> None:
    """What the X server shows."""
    dump = (screen / "Xvfb_screen0").read_bytes()
    header = [int.from_bytes(dump[4 * i : 4 * i + 4], "big") for i in range(25)]
    size, (width, height, row, colors) = header[0], (header[4], header[5], header[12], header[19])
    pixels = dump[size + 12 * colors :]
    Image.frombytes("RGB", (width, height), pixels, "raw", "BGRX", row).save(path)


def watch(
    folder: Path, level: str = "crane", seconds: float = 600.0, *, until_playing: bool = False
) -> list[dict[str, object]]:
    """The heartbeat of that many seconds, or until the level is played and a picture longer.

    Pictures are left in the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "heartbeat.jsonl"
    with (
        tempfile.TemporaryDirectory() as empty,
        virtual_display("1280x720x24", Path(empty)) as display,
    ):
        environment = {
            **os.environ,
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "XDG_CACHE_HOME": f"{empty}/cache",
            "XDG_CONFIG_HOME": f"{empty}/config",
            "PYTHONPATH": str(ROOT),
        }
        code = HEARTBEAT.format(log=str(log), level=level, long=LONG)
        game = subprocess.Popen([sys.executable, "-c", code], cwd=empty, env=environment)
        try:
            began = time.monotonic()
            Hand(display).find()
            for i in range(1 + int(seconds / EVERY)):
                time.sleep(max(0.0, began + (2.0 if i == 0 else i * EVERY) - time.monotonic()))
                played = until_playing and '"playing"' in log.read_text(encoding="utf-8")
                picture(Path(empty), folder / f"{i * 10 or 2:03d}s.png")
                assert game.poll() is None, "the game has ended"
                if played:
                    break
        finally:
            end(game)
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def end(game: "subprocess.Popen[bytes]") -> None:
    game.terminate()
    try:
        game.wait(20)
    except subprocess.TimeoutExpired:  # it is frozen
        game.kill()
        game.wait()


def report(beats: list[dict[str, object]]) -> str:
    shown = [beat for beat in beats if beat["what"] == "frame"]
    frames = [float(str(beat["t"])) for beat in shown]
    own = [float(str(beat["own"])) for beat in shown]  # processor seconds of the drawing thread
    busy = sorted(
        ((b - a, t) for (a, b), t in zip(pairwise(own), frames, strict=False)), reverse=True
    )
    gaps = sorted(((b - a, a) for a, b in pairwise(frames)), reverse=True)
    playing = [beat["t"] for beat in beats if beat["what"] == "playing"]
    compiled = [beat for beat in beats if beat["what"] == "compile"]
    held_up = [f"{beat['t']} s: {beat['where']}" for beat in beats if beat["what"] == "late"]
    most = ", ".join(f"{1000 * work:.0f} ms at {at:.1f} s" for work, at in busy[:5])
    longest = ", ".join(f"{1000 * gap:.0f} ms at {at:.1f} s" for gap, at in gaps[:5])
    return (
        f"first frame after {frames[0]:.1f} s, {len(frames)} frames, playing after {playing} s\n"
        f"longer than {1000 * LONG:.0f} ms: {sum(gap > LONG for gap, _ in gaps)}; "
        f"the longest: {longest}\n"
        f"most work of its own: {most}\n"
        f"kernels compiled in the game itself: {len(compiled)} {compiled[:5]}\n"
        + "\n".join(held_up)
    )


if __name__ == "__main__":
    words = sys.argv[1:]
    place, name = Path(words[0]), words[1] if len(words) > 1 else "crane"
    print(report(watch(place, name, float(words[2]) if len(words) > 2 else 100.0)))
