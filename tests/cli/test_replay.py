"""Replays: the same bits, the first difference named, readable after a crash, usable as tests."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from levels import Session, load
from levels.commands import Cut, Drag, Drop, Grab, Key, Push, Restart, SetOption, SetParameter
from sandbox.app.player import Player
from sandbox.cli import main
from sandbox.recording import record_game, recordings
from sandbox.replay_file import Recorder, Replay, ReplayError, verify
from sandbox.rewind import Rewind
from tests.another_process import printed

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
    path.write_text(_LEVEL, encoding="utf-8")
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
    lines = file.read_text(encoding="utf-8").splitlines()
    lines = [line.replace("[30.0,0.0,10.0]", "[30.0,0.0,10.000001]") for line in lines]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    replay = Replay.read(file)
    difference = verify(replay, replay.session(load(level)))
    assert difference is not None
    assert difference.tick == 21
    assert "ball" in difference.bodies


def test_killed_game_leaves_a_readable_replay(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    _record(level, file)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: int(len(text) * 0.7)], encoding="utf-8")
    replay = Replay.read(file)
    assert not replay.complete
    assert replay.end in (60, 120)
    assert verify(replay, replay.session(load(level))) is None


def test_changed_level_is_refused(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    _record(level, file, 10)
    level.write_text(_LEVEL + "# changed\n", encoding="utf-8")
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
    assert 'check = "won()"' in test.read_text(encoding="utf-8")
    assert main(["test", str(test)]) == 0


def test_run_records_and_replays(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.replay"
    assert main(["run", str(level), "--seconds", "1", "--record", str(file)]) == 0
    assert main(["replay", str(file), "--level", str(level)]) == 0
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[-1])["end"] == 60


def _long_game(file: Path, seconds: float) -> Session:
    """The crane under a restless hand: keys, slider, stabilization, drags."""
    hand = random.Random(5)
    session = load("crane").session()
    recorder = Recorder(session, file)
    held: set[str] = set()
    for _ in range(round(60 * seconds)):
        if hand.random() < 0.05:
            key = hand.choice("adws")
            session.issue(Key(key, key not in held))
            held ^= {key}
        if hand.random() < 0.002:
            session.issue(SetParameter("load", hand.choice([1e3, 1.5e4, 1e5])))
        if hand.random() < 0.01:
            place = session.position("truck")
            session.issue(Grab(1, "truck", tuple(map(float, place))))
            session.issue(Drag(1, (float(place[0]), float(place[1]), hand.uniform(-4, 4))))
        if hand.random() < 0.02:
            session.issue(Drop(1))
        session.step()
        recorder.after_step()
    recorder.close()
    return session


def _verified(file: Path, played: Session) -> None:
    replay = Replay.read(file)
    assert replay.end == played.tick
    session = replay.session()
    assert verify(replay, session) is None
    assert session.world.hash() == played.world.hash()


def test_ten_seconds(tmp_path: Path) -> None:
    _verified(tmp_path / "short.replay", _long_game(tmp_path / "short.replay", 10))


@pytest.mark.slow
def test_ten_minutes(tmp_path: Path) -> None:
    file = tmp_path / "long.replay"
    _verified(file, _long_game(file, 600))
    print(f"{file.stat().st_size / 1e6:.1f} MB, {len(Replay.read(file).commands)} commands")
    assert file.stat().st_size < 10_000_000


def test_keys_are_recorded(level: Path, tmp_path: Path) -> None:
    session = load(level).session()
    recorder = Recorder(session, tmp_path / "k.replay")
    session.issue(Key("a", True))
    session.step()
    recorder.after_step()
    recorder.close()
    assert Replay.read(tmp_path / "k.replay").commands == [(0, Key("a", True))]


# --- games ---------------------------------------------------------------------------------------

_GAME = """
import sys
from pathlib import Path
from levels import load
from levels.commands import Push
from sandbox.app.player import Player
from sandbox.recording import record_game

player = Player(load(Path(sys.argv[1])).session())
player.history.recorder = record_game(player.session)
while True:
    if player.session.tick % 25 == 7:
        player.issue(Push("ball", (20.0, 0.0, 3.0)))
    player.step_once()
    print(player.session.tick, flush=True)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sandbox.settings.sys.platform", "linux")
    return tmp_path / "home" / "taut" / "replays"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_game_is_there_up_to_its_last_second(
    level: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = subprocess.Popen(
        [sys.executable, "-c", _GAME, str(level)],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert game.stdout is not None
    try:
        tick = next(tick for line in game.stdout if (tick := int(line)) >= 200)
    finally:
        game.send_signal(signal.SIGKILL)
        rest = game.stdout.read().split("\n")
        game.wait()
        game.stdout.close()
    tick = max([tick, *(int(line) for line in rest[:-1] if line)])
    replay = Replay.read(home / "swing.replay")
    assert not replay.complete
    assert tick - 60 <= replay.end
    assert len(replay.commands) >= replay.end // 25
    monkeypatch.chdir(level.parent)
    assert main(["replay", "swing"]) == 0
    assert ", cut short" in capsys.readouterr().out


def test_game_with_undo_redo_and_rewind_verifies(level: Path, home: Path) -> None:
    player = Player(load(level).session())
    player.history.recorder = record_game(player.session)

    def play(steps: int) -> None:
        for _ in range(steps):
            player.step_once()

    play(30)
    player.edit(Cut("chain.joint2"))
    play(20)
    player.edit(SetParameter("weight", 50.0))
    play(20)
    player.action("undo")  # the slider
    player.action("undo")  # the cut
    assert player.session.tick == 30
    play(10)
    player.action("redo")
    player.action("redo")
    assert "chain.joint2" not in player.session.joints
    play(15)
    player.history.back(0.2)
    player.issue(Push("ball", (9.0, 0.0, 0.0)))
    play(35)
    player.history.close()
    replay = Replay.read(home / "swing.replay")
    assert replay.end == player.session.tick
    session = replay.session(load(level))
    assert verify(replay, session) is None
    assert session.world.hash() == player.session.world.hash()


def test_the_game_before_is_kept(level: Path, home: Path) -> None:
    for steps in (5, 9):
        session = load(level).session()
        recorder = record_game(session)
        assert recorder is not None
        session.step(steps)
        recorder.close()
    assert Replay.read(home / "swing.replay").end == 9
    assert Replay.read(home / "swing.previous.replay").end == 5
    assert recordings() == ["swing"]


def test_unknown_game_names_the_known_ones(
    level: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = record_game(load(level).session())
    assert recorder is not None
    recorder.close()
    assert main(["replay", "swnig"]) == 2
    assert 'there is no replay "swnig"; did you mean "swing"?' in capsys.readouterr().err


def test_test_case_of_a_game_with_sliders_inputs_and_a_restart(
    level: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The level plays itself and expects something else; the test does what the player did."""
    own_input = "[[input]]\nat = 0.1\ndo = \"push('ball', 900, 0, 0)\"\n"
    own_expectation = '[[expect]]\nalways = "weight < 5"\n'
    settings = "[simulation]\ngravity = [0, -5, 0]\n"
    level.write_text(_LEVEL + settings + own_input + own_expectation, encoding="utf-8")
    session = load(level).session()
    recorder = Recorder(session, level.with_name("game.replay"))
    commands = {
        3: Push("ball", (400.0, 0.0, 0.0)),
        20: SetParameter("weight", 20.0),
        40: SetOption("stabilization", "geometric"),
        50: Restart(),
        60: Push("ball", (-40.0, 0.0, 0.0)),
    }
    for tick in range(400):
        if tick in commands:
            session.issue(commands[tick])
        session.step()
        recorder.after_step()
    recorder.close()
    assert session.status == "won"
    test = level.with_name("swing_test.toml")
    assert main(["replay", str(level.with_name("game.replay")), "--to-test", str(test)]) == 0
    written = load(test)
    assert written.default.values == {"weight": 20.0}
    assert written.default.simulation.stabilization == "geometric"
    assert written.default.simulation.gravity == [0, -5, 0]
    assert len(written.default.rules.inputs) == 1
    again = written.session(scripted=True)
    again.step(350)
    assert again.world.hash() == session.world.hash()
    assert main(["test", str(test)]) == 0


def test_run_takes_the_values_of_the_replay(
    level: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "play.replay"
    played = _record(level, file)
    assert main(["run", str(level), "--replay", str(file), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["parameters"] == {"weight": 40.0}
    assert result["steps"] == 150
    assert result["hash"] == played.world.hash()


# --- the same everywhere -------------------------------------------------------------------------

_HASH = """
import sys
from pathlib import Path
from levels import load
from sandbox.replay_file import Replay
replay = Replay.read(Path(sys.argv[2]))
session = replay.session(load(Path(sys.argv[1])))
session.schedule(replay.commands)
session.step(replay.end)
print(session.world.hash())
"""


def test_another_process_and_a_rewind_give_the_same_hash(level: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.replay"
    played = _record(level, file)
    assert printed(_HASH, str(level), str(file)) == played.world.hash()
    replay = Replay.read(file)
    session = replay.session(load(level))
    rewind = Rewind(session)
    session.schedule(replay.commands)
    for _ in range(replay.end):
        session.step()
        rewind.after_step()
    rewind.back_to(30)  # before the grab, after the push
    session.schedule([entry for entry in replay.commands if entry[0] >= 30])
    session.step(replay.end - 30)
    assert session.world.hash() == played.world.hash()
