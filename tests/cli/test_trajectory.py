"""`sandbox run --out`: what the files hold, and that they are whole or not there."""

import csv
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levels import Session, load
from sandbox.cli import main
from sandbox.tables import CsvWriter, NpzWriter, ParquetWriter
from sandbox.trajectory import Trajectory

_LEVEL = """\
format = 1
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0, 10, 0]
mass = 1
[bodies.ground]
shape = "plane"
fixed = true
[bodies.box]
shape = "box"
size = [1, 1, 1]
position = [5, 0.5, 0]
mass = 2
[bodies.pendulum]
shape = "sphere"
radius = 0.1
position = [-5, 5, 0]
mass = 3
[joints.hook]
kind = "ball"
bodies = ["pendulum"]
at = [-5, 6, 0]
[cloths.flag]
size = [1, 1]
rows = 3
columns = 3
position = [0, 20, 0]
pins = ["top"]
[props.line]
kind = "rope"
from = [3, 29, 0]
length = 6
segments = 12
winch = { keys = "w/s", speed = 4, min = 1 }
[[input]]
at = 0
hold = "w"
for = 2
"""
SUFFIXES = ("npz", "csv", "parquet")
TABLES = ("bodies", "energies", "joints", "contacts", "nodes")


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "fall.toml"
    path.write_text(_LEVEL, encoding="utf-8")
    return path


def _run(level: Path, out: Path, seconds: str = "1") -> int:
    return main(["run", str(level), "--seconds", seconds, "--out", str(out)])


def _beside(out: Path, table: str) -> Path:
    return out if table == "bodies" else out.with_suffix(f".{table}{out.suffix}")


def _columns(path: Path) -> dict[str, list[Any]]:
    """A .csv or .parquet file, all numbers as numbers."""
    if path.suffix == ".parquet":
        import pyarrow.parquet

        return dict(pyarrow.parquet.read_table(path).to_pydict())
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    texts = dict(zip(head, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    named = ("name", "a", "b")
    return {
        key: list(column) if key in named else [*map(float, column)]
        for key, column in texts.items()
    }


# --- what the files hold -------------------------------------------------------------------------


def test_the_arrays_are_the_documented_ones(level: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.npz"
    assert _run(level, out) == 0
    data = np.load(out)
    n, j, t = len(data["names"]), len(data["joint_names"]), 61
    contacts = len(data["contact_steps"])
    assert {key: data[key].shape for key in data} == {
        "time": (t,), "names": (n,), "joint_names": (j,), "soft_names": (1,), "node_softs": (9,),
        "positions": (t, n, 3), "orientations": (t, n, 4), "velocities": (t, n, 3),
        "angular_velocities": (t, n, 3), "energies": (t, 4), "joint_forces": (t, j, 3),
        "joint_torques": (t, j, 3), "contact_steps": (contacts,), "contact_a": (contacts,),
        "contact_b": (contacts,), "contact_points": (contacts, 3),
        "contact_normals": (contacts, 3), "contact_depths": (contacts,),
        "contact_forces": (contacts,), "contact_frictions": (contacts, 3),
        "node_positions": (t, 9, 3), "node_velocities": (t, 9, 3),
    }  # fmt: skip


def test_the_numbers_are_those_of_the_motion(level: Path, tmp_path: Path) -> None:
    """Free fall, a weight at rest on the ground and one on a joint, a cloth on its pins."""
    out = tmp_path / "run.npz"
    assert _run(level, out) == 0
    data = np.load(out)
    names = list(data["names"])
    assert data["time"] == pytest.approx(np.arange(61) / 60)
    falling = data["velocities"][:, names.index("ball"), 1]
    assert falling == pytest.approx(-9.81 * data["time"], abs=1e-9)
    assert data["energies"][:, 3] == pytest.approx(data["energies"][:, :3].sum(axis=1))
    hook = data["joint_forces"][-1, list(data["joint_names"]).index("hook")]
    assert hook == pytest.approx([0, 3 * 9.81, 0], abs=1e-6)
    last = data["contact_steps"] == 60
    assert data["contact_forces"][last].sum() == pytest.approx(2 * 9.81, rel=1e-3)
    pair = {names[i] for i in (*data["contact_a"][last], *data["contact_b"][last])}
    assert pair == {"box", "ground"}
    heights = data["node_positions"][:, :, 1]
    assert (heights == heights[0]).all(axis=0).sum() == 3
    assert list(data["soft_names"]) == ["flag"]


def test_what_is_wound_up_ends_in_the_trajectory(level: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.npz"
    assert _run(level, out, "2") == 0
    data = np.load(out)
    first = data["positions"][:, list(data["names"]).index("line.1")]
    gone = np.isnan(first).any(axis=1)
    assert not gone[0]
    assert gone[-1]
    assert (np.diff(gone.astype(int)) >= 0).all()
    ball = data["positions"][:, list(data["names"]).index("ball")]
    assert np.isfinite(ball).all()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_tables_hold_what_the_arrays_hold(suffix: str, level: Path, tmp_path: Path) -> None:
    arrays, out = tmp_path / "run.npz", tmp_path / f"run.{suffix}"
    assert _run(level, arrays, "0.5") == 0
    assert _run(level, out, "0.5") == 0
    data = np.load(arrays)
    found = {table: _columns(_beside(out, table)) for table in TABLES}
    assert found["bodies"]["name"] == [*data["names"]] * 31
    for table, columns, array in (
        ("bodies", "x y z", "positions"),
        ("bodies", "qw qx qy qz", "orientations"),
        ("bodies", "vx vy vz", "velocities"),
        ("bodies", "wx wy wz", "angular_velocities"),
        ("energies", "kinetic potential elastic total", "energies"),
        ("joints", "fx fy fz", "joint_forces"),
        ("joints", "tx ty tz", "joint_torques"),
        ("contacts", "x y z", "contact_points"),
        ("contacts", "nx ny nz", "contact_normals"),
        ("contacts", "force", "contact_forces"),
        ("contacts", "gx gy gz", "contact_frictions"),
        ("nodes", "x y z", "node_positions"),
        ("nodes", "vx vy vz", "node_velocities"),
    ):
        written = np.array([found[table][column] for column in columns.split()]).T
        assert np.array_equal(written, data[array].reshape(written.shape), equal_nan=True), array
    assert found["nodes"]["node"][:9] == [*range(9)]
    numbers = [list(data["names"]).index(name) for name in found["contacts"]["a"]]
    assert numbers == list(data["contact_a"])


def test_a_level_without_joints_has_the_same_files(tmp_path: Path) -> None:
    level = tmp_path / "ball.toml"
    level.write_text(_LEVEL.partition("[bodies.ground]")[0], encoding="utf-8")
    assert _run(level, tmp_path / "run.csv", "0.1") == 0
    names = {"run.csv", *(f"run.{table}.csv" for table in TABLES[1:]), "ball.toml"}
    assert {path.name for path in tmp_path.iterdir()} == names
    text = (tmp_path / "run.joints.csv").read_text(encoding="utf-8")
    assert text.split() == ["time,name,fx,fy,fz,tx,ty,tz"]


def test_parquet_without_pyarrow_says_how_to_get_it(
    level: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["run", str(level), "--out", "x.parquet"]) == 4
    assert f"{sys.executable} -m pip install pyarrow" in capsys.readouterr().err


# --- whole or not there --------------------------------------------------------------------------


def _start(level: Path, out: Path) -> "subprocess.Popen[str]":
    """A run that is under way: its recording has a mark, which comes after a second."""
    words = ["run", str(level), "--seconds", "36000", "--out", str(out)]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job may ignore it
    started = subprocess.Popen(
        [sys.executable, "-m", "sandbox.cli", *words, "--record", str(out.with_suffix(".replay"))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    while started.poll() is None and not any(
        '"steps"' in path.read_text(encoding="utf-8") for path in out.parent.glob(".*.part.replay")
    ):
        time.sleep(0.05)
    return started


def test_a_killed_run_keeps_the_old_file(level: Path, tmp_path: Path) -> None:
    """What a kill leaves of the other kinds is what the next test sees while they run."""
    out = tmp_path / "run.npz"
    out.write_bytes(b"old")
    run = _start(level, out)
    run.kill()
    run.communicate()
    assert out.read_bytes() == b"old"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
@pytest.mark.parametrize(
    "suffix", ["parquet", *(pytest.param(one, marks=pytest.mark.slow) for one in SUFFIXES[:2])]
)
def test_ctrl_c_says_what_it_kept(suffix: str, level: Path, tmp_path: Path) -> None:
    out, replay = tmp_path / f"run.{suffix}", tmp_path / "run.replay"
    out.write_bytes(b"old")
    run = _start(level, out)
    assert out.read_bytes() == b"old"  # and so it stays if the run is killed now
    run.send_signal(signal.SIGINT)
    printed, told = run.communicate()
    assert run.returncode == 130, told
    assert "steps" in printed  # the summary, as far as it came
    kept = tmp_path / f"run.interrupted.{suffix}"
    assert "s of 36000 s were simulated" in told
    assert str(kept) in told
    assert out.read_bytes() == b"old"
    assert not replay.exists()
    assert not list(tmp_path.glob(".*"))
    assert main(["replay", str(tmp_path / "run.interrupted.replay"), "--level", str(level)]) == 0
    times = np.load(kept)["time"] if suffix == "npz" else _columns(kept)["time"]
    assert times[-1] > 0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_disk_that_fails_costs_the_file_and_not_the_summary(
    suffix: str,
    level: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / f"run.{suffix}"
    out.write_bytes(b"old")
    kind = {"npz": NpzWriter, "csv": CsvWriter, "parquet": ParquetWriter}[suffix]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kind, "finish", full)
    assert _run(level, out, "0.2") == 4
    told = capsys.readouterr()
    assert "state hash" in told.out
    sentence = f"sandbox: cannot write {out}: No space left on device; the old file is as it was"
    assert told.err.count(sentence) == 2  # when it happens, and after the summary
    assert out.read_bytes() == b"old"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full disk to try")
def test_a_recording_on_a_full_disk_costs_the_recording(level: Path) -> None:
    from sandbox.replay_file import Recorder

    session = load(level).session()
    recorder = Recorder(session, Path("/dev/full"))
    for _ in range(70):
        session.step()
        recorder.after_step()
    recorder.close()
    assert recorder.failure == "No space left on device"


def test_too_little_room_is_told_before(
    level: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage)
    assert _run(level, tmp_path / "run.npz", "3600") == 4
    told = capsys.readouterr()
    assert "needs about" in told.err
    assert "steps" not in told.out


class _Usage:
    free = 1000


@pytest.mark.parametrize("option", ["--out", "--record", "--video"])
def test_a_place_that_cannot_be_written_is_told_before(
    option: str,
    level: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("levels.files._new_file", refuse)
    name = str(tmp_path / ("run.mp4" if option == "--video" else "run.npz"))
    assert main(["run", str(level), "--seconds", "0.1", option, name]) == 2
    told = capsys.readouterr()
    assert f"cannot write {name}: Permission denied" in told.err
    assert told.out == ""


# --- memory --------------------------------------------------------------------------------------


def _growth(level: Path, out: Path, steps: int) -> int:
    """Bytes of memory that noting so many steps leaves, beyond those of the first thousand."""
    trajectory = Trajectory(Session(load(level)), out, 1.0)
    tracemalloc.start()
    for i in range(steps):
        if i == 1000:
            before = tracemalloc.get_traced_memory()[0]
        trajectory.after_step()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    trajectory.drop()
    return grown


@pytest.fixture
def ball(tmp_path: Path) -> Path:
    path = tmp_path / "ball.toml"
    path.write_text(_LEVEL.partition("[bodies.ground]")[0], encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_memory_does_not_grow_with_the_run(suffix: str, ball: Path, tmp_path: Path) -> None:
    assert _growth(ball, tmp_path / f"run.{suffix}", 5_000) < 20_000


def test_parquet_keeps_one_group_of_rows(
    ball: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ParquetWriter, "_GROUP", 500)
    assert _growth(ball, tmp_path / "run.parquet", 5_000) < 200_000


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "most"), [("npz", 5e4), ("csv", 5e4), ("parquet", 3e7)])
def test_memory_is_flat_over_an_hour(suffix: str, most: float, ball: Path, tmp_path: Path) -> None:
    """At 60 steps a second; parquet keeps one group of rows."""
    assert _growth(ball, tmp_path / f"run.{suffix}", 216_000) < most
