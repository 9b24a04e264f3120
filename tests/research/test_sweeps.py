"""Sweeps: the same table from any number of workers, after any number of kills."""

import json
import signal
import time
from pathlib import Path

import pytest

from levels.sweep import Study, Table, sweep
from levels.sweep.journal import Journal, JournalProblem
from levels.sweep.local_workers import LocalWorkers
from levels.sweep.one_run import WALL
from sandbox.cli import main
from tests.research.falling import begun, falling

AXES = {"weight": "1:100:log5", "height": [2, 8], "rate": "60,120"}


@pytest.fixture
def level(tmp_path: Path) -> Path:
    return falling(tmp_path)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The table of one worker whom nobody disturbs."""
    return sweep(falling(tmp_path_factory.mktemp("undisturbed")), AXES, jobs=1)


def test_one_worker_and_two_give_one_table(level: Path, one: Table) -> None:
    two = sweep(level, AXES, jobs=2)
    assert len(one) == 20
    assert one.digest() == two.digest()
    rows = [{k: v for k, v in row.items() if k != WALL} for row in two.rows]
    assert rows == [{k: v for k, v in row.items() if k != WALL} for row in one.rows]
    assert set(one.column("outcome")) == {"passed", "failed"}
    heavy = [row for row in one.rows if row["weight"] > 20]
    assert {row["expect 2: it stays light"] for row in heavy} == {"failed"}
    assert len(set(one.column("hash"))) == 20


def test_a_run_is_the_run_of_a_level(level: Path) -> None:
    """The same hash as a session that is stepped by hand."""
    from levels import load

    (row,) = sweep(level, {"weight": [7.0]}, seconds=0.25, measures={"up": "y('ball')"}).rows
    session = load(level).session(scripted=True, weight=7.0)
    session.step(15)
    assert row["hash"] == session.world.hash()
    assert row["up"] == session.position("ball")[1]
    assert row["steps"] == 15


def test_drawn_values_are_whole_where_the_level_wants_whole_ones(level: Path) -> None:
    study = Study(level, {"links": "1:9", "weight": "1:100:log"}, sample=9)
    assert {point["links"] for point in study.points} <= {float(n) for n in range(1, 10)}
    assert study.level.variant(**study.points[0])


@pytest.mark.parametrize(
    ("varied", "word"),
    [
        ({"wieght": [1]}, "weight"),
        ({"weight": "1:1000:log3"}, "1000"),
        ({"weight": "heavy"}, "not a number"),
        ({"stabilization": "nothing"}, "nothing"),
        ({}, "nothing is varied"),
    ],
)
def test_what_the_level_refuses_is_told_before_anything_runs(
    level: Path, varied: dict[str, object], word: str
) -> None:
    with pytest.raises(Exception, match=word):
        Study(level, varied)


def test_a_process_that_is_killed_is_replaced(level: Path, one: Table) -> None:
    study = Study(level, AXES)
    with LocalWorkers(study.task, 2) as workers:
        rows = {}
        for number, row in workers.rows(dict(enumerate(study.points))):
            rows[number] = row
            if len(rows) == 5:
                workers.processes()[0].kill()
    assert study.table(rows).digest() == one.digest()


def test_a_run_that_always_kills_its_process_is_a_row(
    level: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Study(level, {"weight": [1, 2]})
    monkeypatch.setattr("levels.sweep.local_workers.PROGRAM", ["-c", "input(); input()"])
    table = study.table(dict(LocalWorkers(study.task, 1).rows(dict(enumerate(study.points)))))
    assert table.column("outcome") == ["crashed", "crashed"]


# --- the journal ----------------------------------------------------------------------------------


def test_a_torn_line_is_cut_off_and_a_spoilt_one_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal(path, {"p": 1}) as journal:
        for number in range(5):
            journal.note(number, {"x": number})
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[3].replace(b'"x":2', b'"x":9'), *lines[4:]]))
    with Journal(path, {"p": 1}) as journal:
        assert sorted(journal.rows) == [0, 1, 3, 4]
    for cut in range(len(whole) - len(lines[-1]), len(whole)):
        path.write_bytes(whole[:cut])
        with Journal(path, {"p": 1}) as journal:
            assert sorted(journal.rows) == [0, 1, 2, 3]
            journal.note(4, {"x": 4})
        assert path.read_bytes() == whole


def test_another_plan_another_owner_and_another_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal(path, {"seconds": 1}), pytest.raises(JournalProblem, match="at this moment"):
        Journal(path, {"seconds": 1})
    with pytest.raises(JournalProblem, match="seconds differ"):
        Journal(path, {"seconds": 2})
    path.write_text("something else\n", encoding="utf-8")
    with pytest.raises(JournalProblem, match="no journal"):
        Journal(path, {"seconds": 2})
    assert path.read_text(encoding="utf-8") == "something else\n"


# --- killed and resumed ---------------------------------------------------------------------------


def _killed_and_resumed(level: Path, varied: list[str], runs: int, every: int) -> str:
    """Kill the command whenever `every` more runs are in the journal; the digest in the end."""
    folder, journal = level.parent, level.parent / "map.journal"
    words = ["sweep", level.name, *varied, "--out", "map.csv", "--jobs", "2", "--json"]
    for wanted in range(every, runs, every):
        process = begun(*words, cwd=folder)
        deadline = time.monotonic() + 300
        while process.poll() is None and _lines(journal) <= wanted:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert begun(*words, cwd=folder).wait() == 0
    lines = journal.read_text(encoding="utf-8").splitlines()[1:]
    numbers = [json.loads(line.partition(" ")[2])["run"] for line in lines]
    assert sorted(numbers) == list(range(runs)), "every run once"
    text = (folder / "map.csv").read_text(encoding="utf-8")
    return "\n".join(line.rpartition(",")[0] for line in text.splitlines())


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _undisturbed(level: Path, varied: list[str]) -> str:
    axes = dict(entry.split("=") for entry in varied[1::2])
    text = sweep(level, axes, jobs=1).to_csv()
    return "\n".join(line.rpartition(",")[0] for line in text.splitlines())


def test_killed_and_resumed_is_the_same_table(level: Path) -> None:
    varied = ["--set", "weight=1:100:log8", "--set", "height=1:50:lin3"]
    assert _killed_and_resumed(level, varied, 24, 12) == _undisturbed(level, varied)


@pytest.mark.slow
def test_500_runs_killed_four_times_and_resumed(level: Path) -> None:
    varied = ["--set", "weight=1:100:log25", "--set", "height=1:50:lin20"]
    assert _killed_and_resumed(level, varied, 500, 100) == _undisturbed(level, varied)


# --- the command ----------------------------------------------------------------------------------


def test_the_command_writes_table_and_map(
    level: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import pandas

    monkeypatch.chdir(level.parent)
    words = ["sweep", "falling.toml", "--set", "weight=1:100:log3", "--set", "height=2,4"]
    words += ["--set", "stabilization=none,adaptive", "--out", "map.parquet", "--plot", "map.png"]
    assert main([*words, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["runs"] == 12
    assert summary["resumed"] == 0
    frame = pandas.read_parquet("map.parquet")
    assert list(frame["stabilization"][:2]) == ["none", "adaptive"]
    assert sum(summary["outcomes"].values()) == len(frame) == 12
    assert Path("map.png").stat().st_size > 1000
    assert main([*words, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["resumed"] == 12
    assert again["digest"] == summary["digest"]


def test_the_command_says_what_is_wrong(
    level: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(level.parent)
    for words, said in (
        (["--set", "weight"], "NAME="),
        (["--set", "weihgt=1,2"], 'did you mean "weight"'),
        (["--set", "weight=1,2", "--out", "map.xlsx"], ".csv or .parquet"),
        (["--set", "weight=1,2", "--measure", "h=y('bal')"], "ball"),
        (["--set", "weight=1,2", "--jobs", "0"], "at least 1"),
    ):
        assert main(["sweep", "falling.toml", *words]) == 2, words
        assert said in capsys.readouterr().err
    assert not list(level.parent.glob("*.csv"))
