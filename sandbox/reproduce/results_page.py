"""The page of results: headlines and five pictures first, then every item of the report."""

from pathlib import Path

from levels.files import write_atomically
from sandbox.reproduce.charts import svg
from sandbox.reproduce.report import Report, headline_table, section
from sandbox.reproduce.runner import Finished

FIRST = (  # items whose pictures or tables come first
    "stability_map", "energy_of_a_swing", "precision_chain_1e5", "precision_double_pendulum",
    "walls_of_boxes",
)  # fmt: skip


def write_page(report: Report, path: Path) -> Path:
    """The page, and its charts in a folder of its name beside it."""
    folder = path.with_suffix("")
    for one in report.finished:
        for k, chart in enumerate(one.result.charts):
            write_atomically(folder / f"{one.item.name}_{k}.svg", svg(chart) + "\n")
    write_atomically(path, page(report, folder.name))
    return path


def page(report: Report, charts: str) -> str:
    found = {one.item.name: one for one in report.finished}
    first = [found[name] for name in FIRST if name in found]
    rest = [one for one in report.finished if one.item.name not in FIRST]
    parts = [
        "# Results\n",
        f"Every number here was printed by `{report.command} --page`, {report.conditions()}\n",
        "How to run it, what a verdict means and how to add an item: [Proof](reproducing.md).\n",
        "## At a glance\n",
        headline_table(report.headlines),
        *(section(one, charts) for one in first),
        "## All items\n",
        _summary(report),
    ]
    source = ""
    for one in rest:
        if one.item.source != source:
            source = one.item.source
            parts.append(f"## {source}\n")
        parts.append(section(one, charts))
    return "\n".join(parts)


def _summary(report: Report) -> str:
    lines = ["| source | item | verdict of its worst row |", "|---|---|---|"]
    lines += [_line(one) for one in report.finished]
    return "\n".join(lines) + "\n"


def _line(one: Finished) -> str:
    return f"| {one.item.source} | {one.item.title} | {one.result.verdict} |"
