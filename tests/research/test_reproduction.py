"""`sandbox reproduce`: verdicts are computed, results are kept by content, reports stand alone."""

import json
import math
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.reproduce import item as items
from sandbox.reproduce import item_process
from sandbox.reproduce.charts import svg
from sandbox.reproduce.headlines import HEADLINES, Headline, Judged, judge
from sandbox.reproduce.item import Chart, Result, Series, load_items
from sandbox.reproduce.report import Report, as_json, differing, html, markdown
from sandbox.reproduce.results_page import page
from sandbox.reproduce.runner import Finished, Keep, Run

CHEAP = ("forth_and_back", "tilting_plane")  # a fraction of a second each


def finished(name: str, result: Result) -> Finished:
    return Finished(load_items()[name], result)


def filled() -> Result:
    result = Result(metrics={"map_lost": 2.0})
    result.add("|v + e v₀|", "0", "<1e-9", items.HELD)
    result.add("time, ms", "1", "2", items.WORSE, timed=True)
    curve = Series("a & b", [1.0, 10.0, 100.0], [1e-3, math.nan, 1.0])
    result.charts.append(Chart("curves", "x", "y", [curve], log_x=True, log_y=True))
    result.charts.append(
        Chart("map", "x", "y", columns=["a", "b"], rows=["1"], cells=[["holds 99", "fails"]])
    )
    return result


# --- items ------------------------------------------------------------------------------------


def test_every_item_says_where_it_is_from_and_under_which_conditions() -> None:
    found = load_items()
    assert len(found) > 40
    for entry in found.values():
        assert entry.source
        assert len(entry.conditions) > 40, entry.name
        assert entry.limit <= 900


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        (items.near(0.61, 0.63, 0.05), items.AS_PAPER),
        (items.near(0.5, 0.63, 0.05), items.DIFFERS),
        (items.at_most(1.0, 10.0, 2.0), items.BETTER),
        (items.at_most(15.0, 10.0, 2.0), items.AS_PAPER),
        (items.at_most(math.inf, 10.0, 2.0), items.WORSE),
        (items.at_least(100.0, 70.0), items.BETTER),
        (items.at_least(60.0, 70.0), items.WORSE),
        (items.within(math.nan, 1.0), items.MISSED),
        (items.within(0.5, 1.0), items.HELD),
        (items.holds(False), items.DIFFERS),
    ],
)
def test_verdicts_follow_from_numbers(verdict: str, word: str) -> None:
    assert verdict == word


def test_an_item_is_as_good_as_its_worst_row() -> None:
    result = Result()
    assert result.verdict == items.NONE
    result.add("a", "", "", items.BETTER)
    result.add("b", "", "", items.AS_PAPER)
    assert result.verdict == items.AS_PAPER
    result.add("c", "", "", items.WORSE)
    assert result.verdict == items.WORSE


def test_a_result_goes_through_json_and_what_is_not_finite_stays_readable() -> None:
    text = json.dumps(filled().as_json(), allow_nan=False)
    again = Result.from_json(json.loads(text))
    assert [row.what for row in again.rows] == [row.what for row in filled().rows]
    assert again.charts[1].cells == [["holds 99", "fails"]]
    assert items.short(again.charts[0].series[0].y[1]) == "diverged"


def test_a_mistake_in_an_item_is_a_row_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAUT_DEBUG", raising=False)

    def broken(quick: bool) -> Result:
        raise ZeroDivisionError("for the test")

    entry = load_items()["forth_and_back"]
    monkeypatch.setitem(items.ITEMS, "forth_and_back", entry.__class__(
        **{**vars(entry), "compute": broken}
    ))  # fmt: skip
    answer = item_process.answer("forth_and_back", True)
    assert answer["failed"]
    assert "ZeroDivisionError: for the test" in answer["rows"][0]["ours"]


# --- what is kept -----------------------------------------------------------------------------


def run_cheap(folder: Path) -> list[Finished]:
    chosen = [load_items()[name] for name in CHEAP]
    return Run(chosen, True, Keep(folder), jobs=1).all(lambda *_: None)


def test_what_was_computed_is_kept_and_what_is_spoilt_is_computed_again(tmp_path: Path) -> None:
    """A kill leaves whole files of what was finished and nothing of the rest."""
    tmp_path.mkdir(exist_ok=True)
    first = run_cheap(tmp_path)
    assert not any(one.kept or one.failed for one in first)
    paths = sorted(tmp_path.glob("*.json"))
    assert len(paths) == len(CHEAP)
    paths[0].write_text('{"rows": [', encoding="utf-8")
    paths[1].with_name(f".{paths[1].name}.part").write_text("half", encoding="utf-8")
    second = run_cheap(tmp_path)
    assert sorted(one.kept for one in second) == [False, True]
    rows = [[row.verdict for row in one.result.rows] for one in first]
    assert rows == [[row.verdict for row in one.result.rows] for one in second]


def test_what_compares_times_runs_last_and_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[list[str], int | None]] = []

    def computed(self: Run, left: list[items.Item], jobs: int | None) -> list[Finished]:
        asked.append(([one.name for one in left], jobs))
        return [Finished(one, Result()) for one in left]

    monkeypatch.setattr(Run, "_computed", computed)
    chosen = [load_items()[name] for name in ("time_of_a_step", *CHEAP)]
    found = Run(chosen, True, Keep(tmp_path), jobs=2).all(lambda *_: None)
    assert [one.item.name for one in found] == ["time_of_a_step", *CHEAP]
    assert asked == [(list(CHEAP), 2), (["time_of_a_step"], 1)]


def test_another_processor_or_another_length_is_another_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, entry = Keep(tmp_path), load_items()["tilting_plane"]
    usual = keep.path(entry, True)
    assert keep.path(entry, False) != usual
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    assert keep.path(entry, True) != usual
    assert os.environ["OPENBLAS_CORETYPE"] == "Prescott"


# --- reports ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chart", [*filled().charts, Chart("empty", "x", "y", [Series("", [], [])])]
)
def test_charts_are_whole_pictures(chart: Chart) -> None:
    root = ElementTree.fromstring(svg(chart))
    assert root.tag.endswith("svg")
    assert root.attrib["aria-label"] == chart.title
    assert "nan" not in svg(chart)


def test_the_page_stands_alone_and_bars_in_texts_do_not_break_tables() -> None:
    report = Report([finished("tilting_plane", filled())], True, "abc")
    text = markdown(report)
    assert r"| \|v + e v₀\| | 0 | <1e-9 | holds |" in text
    whole = html(report, text)
    assert "<td>|v + e v₀|</td><td>0</td><td>&lt;1e-9</td>" in whole
    assert whole.count("<svg") == 2
    links = [part for part in whole.split('"') if part.startswith(("http", "charts/"))]
    assert set(links) <= {"http://www.w3.org/2000/svg"}


def test_why_it_differs_is_told_only_where_it_does() -> None:
    entry = next(one for one in load_items().values() if one.why)
    good, bad = Result(), Result()
    good.add("a", "", "", items.BETTER)
    bad.add("a", "", "", items.DIFFERS)
    assert entry.why not in markdown(Report([Finished(entry, good)], True, ""))
    assert entry.why in markdown(Report([Finished(entry, bad)], True, ""))


def test_verdicts_of_two_runs_are_compared_but_for_times() -> None:
    before = as_json(Report([finished("tilting_plane", filled())], True, ""))
    again = filled()
    again.rows = [
        items.Row(row.what, row.paper, row.ours, items.MISSED, row.timed) for row in again.rows
    ]
    report = Report([finished("tilting_plane", again)], True, "")
    assert differing(report, before) == ["tilting_plane, |v + e v₀|: holds became missed"]
    assert not differing(Report([finished("tilting_plane", filled())], True, ""), before)


def test_headlines_fall_and_may_be_absent_only_where_a_peer_is() -> None:
    judged = {one.headline.metric: one for one in judge([finished("tilting_plane", filled())])}
    assert not judged["map_lost"].kept  # two cells
    assert not judged["order"].kept  # not measured
    assert judged["chain_over_mujoco"].kept  # no peer, no complaint
    assert {headline.metric for headline in HEADLINES} == judged.keys()
    bound = Headline("", "", least=0.998, most=1.0)
    assert [Judged(bound, value).kept for value in (0.99, 0.999, 1.1)] == [False, True, False]
    assert bound.bound == "≥ 0.998 and ≤ 1"


def test_the_page_of_results_begins_with_headlines_and_has_every_item() -> None:
    report = Report([finished("stability_map", filled()), finished("rolling", filled())], False, "")
    text = page(report, "results")
    assert text.index("cells of the stability map") < text.index("## All items")
    assert "results/stability_map_0.svg" in text
    assert text.count("`sandbox reproduce rolling`") == 1


# --- the command ------------------------------------------------------------------------------


def test_the_command_writes_a_report_and_goes_by_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    assert main(["reproduce", "forth_and_back", "--quick", "--out", out, "--jobs", "1"]) == 0
    for name in ("report.md", "report.html", "report.json"):
        assert (tmp_path / "out" / name).is_file()
    other = tmp_path / "out" / "report.json"
    again = ["reproduce", "forth_and_back", "--quick", "--out", out, "--against", str(other)]
    assert main(again) == 0
    assert "the same verdicts as the other run" in capsys.readouterr().out
    changed = json.loads(other.read_text(encoding="utf-8"))
    changed["items"]["forth_and_back"][0]["verdict"] = "better"
    other.write_text(json.dumps(changed), encoding="utf-8")
    assert main(again) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["stability_mop"], "stability_map"),
        (["--against", "nowhere.json"], "nowhere.json"),
        (["--jobs", "0"], "at least 1"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_items_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list"]) == 0
    assert "stability_map" in capsys.readouterr().out
