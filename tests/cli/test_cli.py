"""The command line: what it answers, with which exit code, and what it does not import."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sandbox.cli import main
from tests.another_process import printed

_LEVEL = """\
format = 1
[parameters]
weight = { default = 2, min = 1, max = 10 }
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0, 10, 0]
mass = "=weight"
[[expect]]
name = "it falls"
at = 0.5
check = "y('ball') < 9.5"
[[expect]]
name = "it stays light"
always = "weight < 5"
"""


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "fall.toml"
    path.write_text(_LEVEL, encoding="utf-8")
    return path


def test_help_opens_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert text.index("sandbox run crane --seconds 10 --set load=1e6") < text.index("verbs")
    assert all(verb in text for verb in ("play", "list", "check", "new", "schema", "doctor"))


@pytest.mark.parametrize(
    "verb",
    [
        "play",
        "list",
        "run",
        "test",
        "check",
        "new",
        "schema",
        "render",
        "replay",
        "config",
        "doctor",
    ],
)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([verb, "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: sandbox {verb} ")
    assert f"\n  sandbox {verb} " in text or f"\n  sandbox {verb}\n" in text
    assert "exit codes: 0 passed, 1 an expectation failed, 2 bad level or usage" in text


def test_unknown_verb_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chekc", "crane"]) == 2
    assert 'no verb or level "chekc"; did you mean "check"?' in capsys.readouterr().err


def test_run_passes(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(level)]) == 0
    out = capsys.readouterr().out
    assert "fall: 30 steps, 0.5 s simulated" in out
    assert "ok   it falls [0.50 s: y('ball') = 8.774]" in out
    assert "state hash" in out


def test_run_fails_with_the_values(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(level), "--set", "weight=7"]) == 1
    assert "FAIL it stays light [0.02 s: weight = 7]" in capsys.readouterr().out


def test_json_is_the_documented_object(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(level), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == [
        "format", "level", "level_digest", "parameters", "settings", "steps", "seconds",
        "wall_seconds", "prepare_seconds", "status", "stars", "expectations", "energy",
        "worst_constraint_error", "guard", "frozen_steps", "diverged_at", "interrupted_at", "hash",
        "exit_code", "written", "failures",
    ]  # fmt: skip
    assert result["parameters"] == {"weight": 2.0}
    assert result["settings"] == {"rate": 60.0, "stabilization": "adaptive", "solver": "direct"}
    assert result["expectations"][0] == {
        "name": "it falls",
        "state": "passed",
        "at": pytest.approx(0.5),
        "values": "y('ball') = 8.774",
        "line": 9,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "wieght=3"], 'has no parameter "wieght"; did you mean "weight"?'),
        (["--set", "weight=30"], "weight: 30 is above the maximum 10"),
        (["--set", "weight=heavy"], '"heavy" is not a number'),
        (["--set", "weight"], "write NAME=VALUE"),
        (["--set", "solver=magic"], 'unknown solver "magic"'),
        (["--set", "rate=0"], '"rate" must be at least 1, not 0'),
        (["--seconds", "-1"], "must be above 0"),
        (["--out", "x.txt"], "trajectories are .npz, .csv or .parquet"),
        (["--out", "no/such/folder/x.npz"], "there is no folder"),
        (["--replay", "missing.replay"], "cannot read missing.replay"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_usage_mistakes_exit_with_two(
    level: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(level), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_bad_level_exits_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('format = 1\n[bodies.b]\nshape = "bax"\n', encoding="utf-8")
    assert main(["run", str(path)]) == 2
    assert capsys.readouterr().err.startswith('bad.toml:3:9: error: unknown shape "bax"\n')


def test_settings_can_be_set(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--set", "rate=30", "--set", "stabilization=none", "--json"]
    assert main(["run", str(level), *arguments]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["settings"]["rate"] == 30
    assert result["settings"]["stabilization"] == "none"
    assert result["steps"] == 15


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_trajectories(level: Path, suffix: str, tmp_path: Path) -> None:
    import numpy as np

    out = tmp_path / f"fall.{suffix}"
    assert main(["run", str(level), "--out", str(out)]) == 0
    if suffix == "npz":
        data = np.load(out)
        assert data["positions"].shape == (31, 1, 3)
        assert data["positions"][0, 0, 1] == 10
        assert list(data["names"]) == ["ball"]
    else:
        lines = out.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "time,name,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"
        assert len(lines) == 1 + 31


def test_check_counts_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(_LEVEL, encoding="utf-8")
    bad.write_text('format = 1\nx = 1\n[bodies.b]\nshape = "bax"\n', encoding="utf-8")
    assert main(["check", str(good), str(bad)]) == 2
    captured = capsys.readouterr()
    assert f"{good}: ok (1 bodies, 0 particles, 0 joints, 2 expectations)" in captured.out
    assert f"{bad}: 2 problems" in captured.err


def test_warnings_do_not_fail_unless_strict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "heavy.toml"
    path.write_text(
        'format = 1\n[simulation]\nstabilization = "none"\n'
        '[bodies.ball]\nshape = "sphere"\nradius = 1\nmass = 1e6\n'
        '[props.r]\nkind = "rope"\nfrom = [0, 9, 0]\nto = "ball"\n',
        encoding="utf-8",
    )
    assert main(["check", str(path)]) == 0
    assert 'heavy.toml:4:2: warning: "ball" is 2e+07 times heavier than' in capsys.readouterr().err
    assert main(["check", "--strict", str(path)]) == 2


def test_new_level_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.toml"
    assert main(["new", str(path)]) == 0
    assert main(["check", "--strict", str(path)]) == 0
    assert main(["new", str(path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["new", str(path), "--force"]) == 0
    assert main(["new", str(tmp_path / "my.txt")]) == 2


def test_test_writes_junit(level: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level.with_name("failing.toml").write_text(_LEVEL.replace("< 9.5", "< 0"), encoding="utf-8")
    level.with_name("broken.toml").write_text("format = 1\n", encoding="utf-8")
    report = tmp_path / "report.xml"
    assert main(["test", str(tmp_path), "--junit", str(report)]) == 2
    assert "3 passed, 2 failed" in capsys.readouterr().out
    root = ElementTree.parse(report).getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert suites["fall"].get("failures") == "0"
    assert suites["failing"].get("failures") == "1"
    assert suites["broken"].get("errors") == "1"
    failure = suites["failing"].find("testcase/failure")
    assert failure is not None
    assert "y('ball') = 8.774" in (failure.get("message") or "")
    assert "y('ball') = 8.774" in (failure.text or "")


def test_junit_is_what_ci_systems_read(
    level: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Totals that add up, whole counts, seconds, names, a file; and XML whatever a level holds."""
    monkeypatch.chdir(tmp_path)
    level.with_name("failing.toml").write_text(_LEVEL.replace("< 9.5", "< 0"), encoding="utf-8")
    level.with_name("odd.toml").write_text('format = 1\ntitle = "\x01<&>"\n', encoding="utf-8")
    assert main(["test", ".", "--junit", "report.xml"]) == 2
    root = ElementTree.parse("report.xml").getroot()
    assert root.tag == "testsuites"
    for key in ("tests", "failures", "errors"):
        assert int(root.get(key, "")) == sum(int(suite.get(key, "")) for suite in root)
    for suite in root:
        cases = suite.findall("testcase")
        assert suite.tag == "testsuite"
        assert len(cases) == int(suite.get("tests", ""))
        assert len(suite.findall("testcase/failure")) == int(suite.get("failures", ""))
        assert len(suite.findall("testcase/error")) == int(suite.get("errors", ""))
        for case in cases:
            assert case.get("classname") == suite.get("name")
            assert case.get("name")
            assert float(case.get("time", "")) >= 0
            assert (tmp_path / case.get("file", "")).is_file()
    error = root.find("testsuite[@name='odd']/testcase/error")
    assert error is not None
    assert (error.get("message") or "").startswith("odd.toml:2:")


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert "crane" in capsys.readouterr().out
    assert main(["list", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert {"name", "title", "hint", "description", "path"} == set(entries[0])


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    findings = {entry["what"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert findings["python"]["works"]
    assert findings["physics"]["works"]
    assert all(entry["works"] or entry["cure"] for entry in findings.values())


_WITHOUT_WINDOWS = """
import sys
from sandbox.cli import main
codes = [main(arguments) for arguments in {verbs}]
loaded = [name for name in ("pygame", "moderngl", "imgui_bundle") if name in sys.modules]
print("LOADED", loaded)
sys.exit(max(codes))
"""


def test_headless_verbs_load_no_window(level: Path, tmp_path: Path) -> None:
    """All of them in one process: what any of them imported would still be there."""
    replay = str(tmp_path / "run.replay")
    verbs = [
        ["list"],
        ["check", "crane"],
        ["new", str(tmp_path / "new.toml")],
        ["schema"],
        ["schema", "--reference"],
        ["run", str(level), "--record", replay, "--out", str(tmp_path / "run.csv")],
        ["test", str(level), "--junit", str(tmp_path / "report.xml")],
        ["replay", replay, "--level", str(level)],
        ["config", "path"],
        ["doctor", "--json"],
    ]
    told = printed(_WITHOUT_WINDOWS.format(verbs=verbs), XDG_CONFIG_HOME=str(tmp_path))
    assert told.endswith("LOADED []"), told[-300:]


def test_bench_times_the_steps_of_levels(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(level), "--seconds", "0.01"]) == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading.split()[0] == "level"
    name, typical, p99, longest, share = line.split()
    assert name == str(level)
    assert 0.0 < float(typical) <= float(p99) <= float(longest)
    assert share.endswith("%")


def test_bench_names_a_level_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "crame"]) != 0
    assert "crane" in capsys.readouterr().err
