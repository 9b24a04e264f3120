"""Mutated levels: a message or a level, never a traceback, a hang or a touched file."""

import random
import time
from pathlib import Path

import pytest

from levels import LevelError, load
from levels.document import LIBRARY

_SEEDS = [path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("*.toml"))]
_SNIPPETS = [
    "=", "[", "]", "{", "}", '"', "'", "\n", "[[", "]]", "#", ",", ".", "-1", "0", "1e999", "nan",
    "inf", "true", "=load", '"=1/0"', "[bodies.x]\n", "[[expect]]\n", 'include = ["../x"]\n',
    'prefab = "vehicles/truck"\n', "\x00", "é", "\ud7ff", "9" * 50, "a." * 20, "= [" * 10,
    '"""', "''", "\\", "\t", "\r\n", "kind = \"cable\"\n", "segments = 1e9\n", "format = 2\n",
]  # fmt: skip


def _mutated(rng: random.Random) -> str:
    text = rng.choice(_SEEDS)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        length = min(len(text) - at, rng.choice([0, 1, 1, 3, 20, 200]))
        change = rng.randrange(4)
        if change == 0:
            text = text[:at] + text[at + length :]
        elif change == 1:
            text = text[:at] + rng.choice(_SNIPPETS) + text[at:]
        elif change == 2:
            text = text[:at] + rng.choice(_SNIPPETS) + text[at + length :]
        else:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
    return text


def _message(path: Path) -> str | None:
    try:
        load(path).assemble()
    except LevelError as error:
        return str(error)
    return None


def _fuzz(folder: Path, seed: int, count: int) -> None:
    rng = random.Random(seed)
    path = folder / "level.toml"
    loaded = 0
    for i in range(count):
        text = _mutated(rng)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        began = time.process_time()
        message = _message(path)
        loaded += message is None
        assert message != "", (seed, i)
        assert time.process_time() - began < 2.0, (seed, i)
        assert [entry.name for entry in folder.iterdir()] == ["level.toml"]
    assert loaded > 0


def test_a_few_hundred(tmp_path: Path) -> None:
    _fuzz(tmp_path, seed=1, count=300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_twenty_thousand(seed: int, tmp_path: Path) -> None:
    _fuzz(tmp_path, seed=seed, count=1000)


def test_random_bytes(tmp_path: Path) -> None:
    rng = random.Random(7)
    path = tmp_path / "level.toml"
    for _ in range(200):
        path.write_bytes(rng.randbytes(rng.randrange(200)))
        with pytest.raises(LevelError):
            load(path)
