"""Replays with any content: a sentence and exit code 2, never a traceback or a run without end."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from levels import load
from levels.commands import Grab, Key, Push, Restart, SetOption, Spawn
from sandbox.cli import main
from sandbox.replay_file import Recorder, Replay, ReplayError

_LEVEL = """\
format = 1
[parameters]
weight = { default = 2, min = 1, max = 10 }
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0, 10, 0]
mass = "=weight"
"""
_COMMANDS = {
    3: Key("a", True),
    5: Push("ball", (1.0, 2.0, 3.0), (0.0, 10.0, 0.0)),
    8: Grab(0, "ball", (0.0, 9.9, 0.0)),
    12: Spawn("box", {"shape": "box", "size": [1, 1, 1], "position": [5, 5, 0], "mass": 1}),
    20: SetOption("rate", 120),
    30: Restart(),
}


@pytest.fixture
def lines(tmp_path: Path) -> list[dict[str, Any]]:
    """A recorded game, line by line; its level is beside it."""
    level, path = tmp_path / "fall.toml", tmp_path / "game.replay"
    level.write_text(_LEVEL, encoding="utf-8")
    session = load(level).session(weight=3.0)
    recorder = Recorder(session, path)
    for tick in range(70):
        if tick in _COMMANDS:
            session.issue(_COMMANDS[tick])
        session.step()
        recorder.after_step()
    recorder.close()
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, lines: list[Any]) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_the_game_itself_is_good(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    path = _write(tmp_path / "again.replay", lines)
    assert main(["replay", str(path)]) == 0


Change = Callable[[list[Any]], object]
_CASES: dict[str, tuple[Change, str]] = {
    "deep": (lambda lines: lines.insert(0, "[" * 100_000), "is not a replay"),
    "digits": (lambda lines: lines.insert(0, "9" * 5_000), "is not a replay"),
    "a list": (lambda lines: lines.insert(0, []), "is not a replay"),
    "no level": (lambda lines: lines[0].pop("level"), "is damaged: 'level' is missing"),
    "level": (lambda lines: lines[0].update(level=3), '"level" is a int instead of a str'),
    "given": (lambda lines: lines[0].update(given=[1]), '"given" is a list instead of a dict'),
    "a given list": (lambda lines: lines[0].update(given={"weight": [1]}), "no number and no text"),
    "a huge value": (lambda lines: lines[0].update(given={"weight": 10**400}), "no number"),
    "a wrong value": (lambda lines: lines[0].update(given={"weight": 99}), "above the maximum"),
    "a wrong name": (lambda lines: lines[0].update(given={"level": 1}), 'no parameter "level"'),
    "names": (lambda lines: lines[0].update(names=[{}]), '"names" holds something else'),
    "scripted": (lambda lines: lines[0].update(scripted="no"), '"scripted" is a str'),
    "other level": (lambda lines: lines[0].update(digest="x"), "has changed since"),
    "end": (lambda lines: lines[-1].update(end=1_000_000), "nothing is recorded after 70"),
    "absurd end": (lambda lines: lines[-1].update(end=10**15), "is no step of a replay"),
    "no end": (lambda lines: lines[-1].update(end="soon"), "soon is no step of a replay"),
    "infinite end": (lambda lines: lines[-1].update(end=float("inf")), "inf is no step"),
    "far mark": (
        lambda lines: lines.insert(-1, {**lines[-2], "t": 10**8}),
        "nothing is recorded from step 70",
    ),
    "negative": (lambda lines: lines[1].update(t=-1), "-1 is no step of a replay"),
    "steps": (lambda lines: lines[-2].update(steps=5), '"steps" is a int'),
    "no base64": (lambda lines: lines[-2].update(steps="!"), "is damaged"),
    "do": (lambda lines: lines[1].update(do=5), '"do" is a int instead of a list'),
    "verb": (lambda lines: lines[1].update(do=[["kye", "a", True]]), 'unknown command "kye"'),
    "huge number": (
        lambda lines: lines[1].update(do=[["push", "ball", [10**400, 0, 0]]]),
        "impulse has the wrong type",
    ),
}


@pytest.mark.parametrize(("change", "sentence"), _CASES.values(), ids=_CASES)
@pytest.mark.parametrize("verb", ["replay", "run"])
def test_damaged_replays(
    verb: str,
    change: Change,
    sentence: str,
    lines: list[Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    change(lines)
    path = str(_write(tmp_path / "bad.replay", lines))
    level = str(tmp_path / "fall.toml")
    arguments = ["replay", path, "--level", level]
    if verb == "run":
        arguments = ["run", level, "--replay", path]
        if sentence == "has changed since":  # a run may try the commands on another level
            return
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert len(told) < 500


def test_ten_hours_are_read(lines: list[Any], tmp_path: Path) -> None:
    """36,000 marks, each looked at once."""
    mark = lines[-2]
    many = [{**mark, "t": 60 * i, "steps": "", "bodies": ""} for i in range(2, 36_000)]
    path = _write(tmp_path / "long.replay", [*lines[:-1], *many])
    assert len(Replay.read(path).marks) > 35_000


def _mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        cut = rng.choice((0, 0, 1, 5, 100))
        new = rng.choice(
            ("", "0", "-1", "1e999", "null", "[]", "{}", '"', ",", "9" * 30, '"rate"', "true", "\n")
        )
        text = text[:at] + new + text[at + cut :]
    return text


def _play(path: Path, level: Path) -> None:
    """What can be read can be played."""
    replay = Replay.read(path)
    session = replay.session(load(level))
    session.schedule(replay.commands)
    session.step(min(replay.end, 40))


@pytest.mark.usefixtures("lines")
def test_mutated_replays(tmp_path: Path) -> None:
    rng = random.Random(3)
    text = (tmp_path / "game.replay").read_text(encoding="utf-8")
    path, played = tmp_path / "mutated.replay", 0
    for _ in range(400):
        path.write_text(_mutated(rng, text), encoding="utf-8")
        try:
            _play(path, tmp_path / "fall.toml")
            played += 1
        except ReplayError:
            continue
    assert 0 < played < 400
