"""`sandbox bench` and `sandbox profile`: what they print, keep and refuse."""

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.measure import bench_records
from sandbox.measure.beside import scenes, settings
from sandbox.measure.call_tree import Call, add_stages, by_function, profiled
from sandbox.measure.flame import flame
from sandbox.measure.revisions import judged
from sandbox.measure.step_times import StepTimes, exponent, megabytes

LEVEL = """
format = 1
[bodies.ball]
shape = "sphere"
radius = 0.1
mass = 1
position = [0, 2, 0]
"""


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "falling.toml"
    path.write_text(LEVEL, encoding="utf-8")
    return path


def test_bench_writes_a_file_by_machine_and_commit(
    level: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "numbers"
    assert main(["bench", str(level), "--seconds", "0.01", "--csv", str(folder), "--stages"]) == 0
    (path,) = folder.glob("*.csv")
    assert bench_records.machine() in path.name
    with path.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["scene"] == str(level)
    assert float(row["ms"]) <= float(row["p99_ms"]) <= float(row["longest_ms"])
    assert str(path) in capsys.readouterr().out


def test_bench_tells_the_same_as_json(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(level), "--seconds", "0.01", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == 1
    (row,) = told["levels"]
    assert row["steps"] >= 20
    assert row["megabytes"] > 1
    assert sum(row["stages"].values()) > 0


def test_bench_lists_its_scenes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--list"]) == 0
    assert "chain-100" in capsys.readouterr().out


def test_a_commit_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--compare", "no-such-commit", "chain-10"]) == 2
    assert "no-such-commit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ([1.0, 1.1, 0.9, 1.0, 1.05], "no difference to be seen"),
        ([2.0, 2.1, 1.9, 2.0, 0.9], "slower"),  # one odd round does not hide it
        ([0.5, 0.6, 0.5, 0.5, 1.4], "faster"),
    ],
)
def test_a_difference_counts_beyond_the_noise(now: list[float], verdict: str) -> None:
    found = judged("scene", [1.0] * 5, now)
    assert found.verdict == verdict
    assert found.low <= found.ratio <= found.high


def test_growth_is_the_slope() -> None:
    assert exponent([10.0, 100.0, 1000.0], [2.0, 20.0, 200.0]) == pytest.approx(1.0)


def test_memory_is_told() -> None:
    assert megabytes() > 1


def test_engines_are_measured_as_shipped_and_at_their_best() -> None:
    from sandbox.engines.engine import ENGINES

    for engine in ENGINES.values():
        assert settings(engine)[0] == engine.shipped
        assert engine.best in settings(engine)
        assert engine.notes
    assert len(scenes()) >= 5


def inner() -> int:
    return sum(k * k for k in range(2000))


def outer() -> int:
    return inner() + inner()


def test_the_tree_of_calls_adds_up() -> None:
    tree = profiled(outer)
    (found,) = (call for call in tree.walk() if call.name.endswith(": outer"))
    (below,) = (call for call in found.below.values() if call.name.endswith(": inner"))
    assert below.count == 2
    assert 0 < below.seconds <= found.seconds <= tree.seconds
    whole = sum(call.seconds for call in by_function(tree))
    assert whole == pytest.approx(tree.seconds, rel=1e-6)


def test_stages_hang_under_the_kernel() -> None:
    tree = Call("everything", 1.0, 1, {"k": Call("physics/step.py: run_steps", 0.8, 4)})
    add_stages(tree, "run_steps", {"rows": 3.0, "solve": 1.0, "soft": 0.0})
    kernel = tree.below["k"]
    assert kernel.below["stage rows"].seconds == pytest.approx(0.6)
    assert "stage soft" not in kernel.below
    assert kernel.own == pytest.approx(0.0)


def test_a_flame_is_a_picture() -> None:
    tree = Call("everything", 1.0, 1, {"a<b": Call("a<b", 0.5, 1), "c": Call("c", 1e-6, 1)})
    root = ElementTree.fromstring(flame(tree, "x & y"))
    titles = [node.text for node in root.iter() if node.tag.endswith("title")]
    assert len(titles) == 2  # what is too narrow is left out
    assert titles[1] is not None
    assert titles[1].startswith("a<b: 50.0 %")


def test_profile_tells_stages_and_functions(
    level: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "flame.svg"
    asked = ["profile", str(level), "--steps", "5", "--warm", "1", "--out", str(out)]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert "stage" in text
    assert "physics/stepper.py: run" in text
    ElementTree.parse(out)
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"] == 5
    assert sum(told["stages"].values()) <= told["ms"]
    assert main(["profile", str(level), "--steps", "0"]) == 2


def test_rows_of_a_file_have_every_stage(tmp_path: Path) -> None:
    rows = [
        StepTimes("a", 1, 2, 3, 0.1, 20, 90, {"rows": 0.5}),
        StepTimes("b", 1, 2, 3, 0.1, 20, 90, {"soft": 0.7}),
    ]
    with bench_records.write(rows, tmp_path).open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["rows_ms"] for row in table] == ["0.5", "0"]
    assert [row["soft_ms"] for row in table] == ["0", "0.7"]
