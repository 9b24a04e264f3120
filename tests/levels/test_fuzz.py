"""Mutated levels: a message or a level, never a traceback, a hang or a touched file."""

import os
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from levels import Level, LevelError, load
from levels.document import LIBRARY
from tests.levels.work import CallCounter

_SEEDS = [path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("*.toml"))]
_NEW = [  # with everything that repeats, moves and reacts
    path.read_text(encoding="utf-8")
    for path in (
        Path(__file__).with_name("everything.toml"),
        *sorted(LIBRARY.glob("examples/*.toml")),
        *sorted(LIBRARY.glob("parts/machines/*.toml")),
    )
]
_NEW_SNIPPETS = [
    "repeat = 3\n", "repeat = 99999\n", "repeat = [9, 9, 9]\n", "{i}", "{i + 1}", "{", "}", "=i",
    "repeat = { count = 2, step = [1, 0, 0], index = \"n\" }\n", "=time()", "=1 / time()",
    "=x('plank.0')", "=exp(9 * time())", "[changed.bodies.\"plank.1\"]\n", "[templates.t]\n",
    "every = 0.001\n", "once = false\n", "spawn('truck', 1e30, 0, 0)", "remove('plank')",
    "force('plank.0', 1e30, 1e30, 0, 9e9)", "set('n', 1e9)", "gravity(1e30, 0, 0)", "count('x')",
    "motion = { path = [[0, 0, 0], [1e6, 0, 0]] }\n", "wind('gust', 1e6, 0, 0)", "[winds.w]\n",
    "through = [[0, 0, 0], [0, 0, 0]]\n", "pose = \"hanging\"\n", "[counters]\nz = 1\n",
    "true", "false", "[assemblies.g]\nparts = [\"plank\", \"ghost\"]\n", "[assemblies]\nx = 1\n",
]  # fmt: skip
_SNIPPETS = [
    "=", "[", "]", "{", "}", '"', "'", "\n", "[[", "]]", "#", ",", ".", "-1", "0", "1e999", "nan",
    "inf", "true", "=load", '"=1/0"', "[bodies.x]\n", "[[expect]]\n", 'include = ["../x"]\n',
    'prefab = "vehicles/truck"\n', "\x00", "é", "\ud7ff", "9" * 50, "a." * 20, "= [" * 10,
    '"""', "''", "\\", "\t", "\r\n", "kind = \"cable\"\n", "segments = 1e9\n", "format = 2\n",
    'include = ["/etc/passwd"]\n', 'prefab = "../../secret"\n', '"=9**9**9"',
    "mass = \"=__import__('os')\"\n",
    'include = ["common/starter.toml"]\n', "size = [1e300, 1, 1]\n", "count = 999999\n",
]  # fmt: skip


_NUMBER = re.compile(r"(?<![\w.])-?\d[\d_.]*(?:e-?\d+)?(?!\w)")
_NUMBERS = [
    "0", "-1", "1", "2", "0.5", "7.7", "1e9", "1e-9", "1e6", "-1e6", "1e30", "1e300", "nan", "inf",
    "true",
]  # fmt: skip
_WORD = re.compile(r'"\w+"')


def _swapped(rng: random.Random, text: str, what: re.Pattern[str], others: list[str]) -> str:
    """One value put in the place of another: the file stays TOML, its meaning does not."""
    found = list(what.finditer(text))
    if not found:
        return text
    chosen = rng.choice(found)
    return text[: chosen.start()] + rng.choice(others) + text[chosen.end() :]


def _mutated(rng: random.Random, seeds: list[str], snippets: list[str]) -> str:
    text = rng.choice(seeds)
    gently = seeds is _NEW and rng.random() < 0.6  # so that enough of them still load
    for _ in range(rng.randint(1, 2 if gently else 4)):
        at = rng.randrange(len(text) + 1)
        length = min(len(text) - at, rng.choice([0, 1, 1, 3, 20, 200]))
        change = rng.choice((3, 4)) if gently else rng.randrange(6)
        if change == 0:
            text = text[:at] + text[at + length :]
        elif change == 1:
            text = text[:at] + rng.choice(snippets) + text[at:]
        elif change == 2:
            text = text[:at] + rng.choice(snippets) + text[at + length :]
        elif change == 3:
            text = _swapped(rng, text, _NUMBER, _NUMBERS)
        elif change == 4:
            text = _swapped(rng, text, _WORD, [*_WORD.findall(text), '"nothing"'])
        else:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
    return text


def _read(path: Path) -> Level | str:
    """The level, or what is wrong with it."""
    try:
        return load(path)
    except LevelError as error:
        return str(error)


def _built(level: Level | str) -> Level | str:
    """The level if it can be built; that is physics, compiled, and nothing a level says."""
    try:
        if isinstance(level, Level):
            level.assemble()
    except LevelError as error:
        return str(error)
    return level


@dataclass
class Touched:
    """What Python's audit events say a load did to the system."""

    read: set[Path] = field(default_factory=set)
    other: list[str] = field(default_factory=list)  # writes, processes, sockets


_watching: list[Touched] = []
_FORBIDDEN = ("os.", "shutil.", "subprocess.", "socket.", "tempfile.", "exec", "ctypes.")
_HARMLESS = ("os.listdir", "os.scandir")  # to name the files that do exist


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    for touched in _watching:
        if event == "open":
            path, mode, flags = arguments
            if (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or set(mode or "") & set(
                "wax+"
            ):
                touched.other.append(f"open {path} {mode}")
            elif str(path).endswith(".toml"):
                touched.read.add(Path(str(path)))
        elif event.startswith(_FORBIDDEN) and event not in _HARMLESS:
            touched.other.append(event)


sys.addaudithook(_audit)  # a hook cannot be taken back, so it looks whether anyone is watching


@contextmanager
def _watched() -> Iterator[Touched]:
    touched = Touched()
    _watching.append(touched)
    try:
        yield touched
    finally:
        _watching.remove(touched)


def _tried(path: Path) -> tuple[Level | str, Touched]:
    """What came of reading and building a level, and what was touched; TooMuchWork if it hangs."""
    with CallCounter(), _watched() as touched:
        found = _read(path)
    return _built(found), touched


def _fuzz(folder: Path, seed: int, count: int, *, new: bool = False) -> None:
    seeds, snippets = (_NEW, _SNIPPETS + _NEW_SNIPPETS) if new else (_SEEDS, _SNIPPETS)
    rng = random.Random(seed)
    path = folder / "level.toml"
    loaded = 0
    load("crane").assemble()  # whatever is imported late is there now, for soft bodies, too
    load("jelly_swing")
    load("hammock")
    for i in range(count):
        path.write_bytes(_mutated(rng, seeds, snippets).encode("utf-8", "surrogatepass"))
        found, touched = _tried(path)
        assert found != "", (seed, i)
        assert not touched.other, (seed, i)
        roots = (folder, LIBRARY)
        assert all(any(p.is_relative_to(r) for r in roots) for p in touched.read), (seed, i)
        if isinstance(found, Level):
            loaded += 1
            if len(found.default.plan.known_bodies()) < 130:
                found.session(scripted=True).step(5 if new else 2)  # it can also be played
    print(f"seed {seed}: {count} levels, {loaded} loaded")
    assert 0 < loaded < count


def test_the_watch_notices(tmp_path: Path) -> None:
    with _watched() as touched:
        (tmp_path / "new.txt").write_text("x", encoding="utf-8")
        (tmp_path / "new.txt").unlink()
    assert [entry.split()[0] for entry in touched.other] == ["open", "os.remove"]


def test_a_hundred(tmp_path: Path) -> None:
    _fuzz(tmp_path, seed=1, count=100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_twenty_thousand(seed: int, tmp_path: Path) -> None:
    _fuzz(tmp_path, seed=seed, count=1000)


def test_a_hundred_of_the_new_format(tmp_path: Path) -> None:
    _fuzz(tmp_path, seed=101, count=100, new=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(102, 122))
def test_twenty_thousand_of_the_new_format(seed: int, tmp_path: Path) -> None:
    _fuzz(tmp_path, seed=seed, count=1000, new=True)


def test_random_bytes(tmp_path: Path) -> None:
    rng = random.Random(7)
    path = tmp_path / "level.toml"
    for _ in range(200):
        path.write_bytes(rng.randbytes(rng.randrange(200)))
        with pytest.raises(LevelError):
            load(path)
