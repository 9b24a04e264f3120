"""Replays: the same bits, the first difference named, readable after a crash, usable as tests."""

import json
from pathlib import Path

import pytest

from levels import Session, load
from levels.commands import Grab, Key, Push
from sandbox.cli import main
from sandbox.replay import Recorder, Replay, ReplayError, verify
from sandbox.rewind import Rewind

_LEVEL = """\
format = 1
[parameters]
weight = { default = 10, min = 1, max = 1000 }
[bodies.post]
shape = "box"
size = [1, 1, 1]
position = [0, 8, 0]
fixed = true
[bodies.ball]
shape = "sphere"
radius = 0.2
position = [3, 6, 0]
mass = "=weight"
[props.chain]
kind = "chain"
from = [0, 6, 0]
to = "ball"
links = 5
[zones.left]
center = [-3, 6, 0]
size = [4, 6, 4]
[goal]
win = "inside('ball', 'left')"
"""


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "swing.toml"
    path.write_text(_LEVEL)
    return path


def _record(level: Path, file: Path, steps: int = 150) -> Session:
    session = load(level).session(weight=40.0)
    recorder = Recorder(session, file)
    for tick in range(steps):
        if tick == 20:
            session.issue(Push("ball", (30.0, 0.0, 10.0)))
        if tick == 50:
            session.issue(Grab(1, "ball", tuple(map(float, session.position("ball")))))
        session.step()
        recorder.after_step()
    recorder.close()
    return session


def test_replay_is_the_same_bit_by_bit(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    played = _record(level, file)
    replay = Replay.read(file)
    assert (replay.end, replay.complete, len(replay.commands)) == (150, True, 2)
    session = replay.session(load(level))
    assert verify(replay, session) is None
    assert session.world.hash() == played.world.hash()


def test_first_difference_is_named(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    _record(level, file)
    lines = file.read_text().splitlines()
    lines = [line.replace("[30.0,0.0,10.0]", "[30.0,0.0,10.000001]") for line in lines]
    file.write_text("\n".join(lines) + "\n")
    replay = Replay.read(file)
    difference = verify(replay, replay.session(load(level)))
    assert difference is not None
    assert difference.tick == 21
    assert "ball" in difference.bodies


def test_killed_game_leaves_a_readable_replay(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    _record(level, file)
    text = file.read_text()
    file.write_text(text[: int(len(text) * 0.7)])
    replay = Replay.read(file)
    assert not replay.complete
    assert replay.end in (60, 120)
    assert verify(replay, replay.session(load(level))) is None


def test_changed_level_is_refused(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    _record(level, file, 10)
    level.write_text(_LEVEL + "# changed\n")
    with pytest.raises(ReplayError, match='the level "swing" has changed since'):
        Replay.read(file).session(load(level))


@pytest.mark.parametrize("text", ["", "{}\n", "not json\n", '{"taut-replay": 9}\n', "\xff"])
def test_other_files_are_no_replays(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.replay"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ReplayError):
        Replay.read(file)


def test_rewinding_while_recording(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    session = load(level).session()
    recorder, rewind = Recorder(session, file), Rewind(session)
    for _ in range(80):
        session.step()
        recorder.after_step()
        rewind.after_step()
    rewind.back_to(33)
    recorder.rewound()
    session.issue(Push("ball", (50.0, 0.0, 0.0)))
    for _ in range(40):
        session.step()
        recorder.after_step()
        rewind.after_step()
    recorder.close()
    replay = Replay.read(file)
    assert replay.end == 73
    assert verify(replay, replay.session(load(level))) is None


def test_command_line(level: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "play.replay"
    _record(level, file)
    assert main(["replay", str(file), "--level", str(level)]) == 0
    out = capsys.readouterr().out
    assert "swing with weight=40.0: 150 steps, 2 commands" in out
    assert "verified: all 150 steps are the same, bit by bit" in out


def test_play_becomes_a_test(level: Path, tmp_path: Path) -> None:
    file, test = tmp_path / "play.replay", tmp_path / "swing_test.toml"
    session = load(level).session()
    recorder = Recorder(session, file)
    for tick in range(240):
        if tick == 5:
            session.issue(Push("ball", (-20.0, 0.0, 0.0)))
        session.step()
        recorder.after_step()
    recorder.close()
    assert session.status == "won"
    assert main(["replay", str(file), "--level", str(level), "--to-test", str(test)]) == 0
    assert 'check = "won()"' in test.read_text()
    assert main(["test", str(test)]) == 0


def test_run_records_and_replays(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.replay"
    assert main(["run", str(level), "--seconds", "1", "--record", str(file)]) == 0
    assert main(["replay", str(file), "--level", str(level)]) == 0
    assert json.loads(file.read_text().splitlines()[-1])["end"] == 60


@pytest.mark.slow
def test_ten_minutes(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "long.replay"
    session = load(level).session()
    recorder = Recorder(session, file)
    for tick in range(36_000):
        if tick % 300 == 0:
            session.issue(Push("ball", (40.0, 0.0, float(tick % 7))))
        session.step()
        recorder.after_step()
    recorder.close()
    assert file.stat().st_size < 3_000_000
    replay = Replay.read(file)
    assert verify(replay, replay.session(load(level))) is None


def test_keys_are_recorded(level: Path, tmp_path: Path) -> None:
    session = load(level).session()
    recorder = Recorder(session, tmp_path / "k.replay")
    session.issue(Key("a", True))
    session.step()
    recorder.after_step()
    recorder.close()
    assert Replay.read(tmp_path / "k.replay").commands == [(0, Key("a", True))]
