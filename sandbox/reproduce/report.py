"""The report: one page as Markdown with its charts as files, and as HTML that stands alone."""

import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from levels.files import write_atomically
from sandbox.reproduce.charts import svg
from sandbox.reproduce.headlines import Judged, judge
from sandbox.reproduce.item import GOOD, NONE
from sandbox.reproduce.runner import Finished, versions

FORMAT = 1
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color:#20262e;background:#fff}table{border-collapse:collapse;margin:.6rem 0}td,th{border:1px solid
#dcdfe4;padding:.25rem .6rem;text-align:left;vertical-align:top}h2{margin-top:2.4rem}svg{max-width:
100%;height:auto}.good{color:#2c7a39}.bad{color:#b3261e}small{color:#5b6470}"""


@dataclass(frozen=True)
class Report:
    """Everything that was computed in one run."""

    finished: Sequence[Finished]
    quick: bool
    commit: str

    @property
    def headlines(self) -> list[Judged]:
        return judge(self.finished)

    @property
    def command(self) -> str:
        return "sandbox reproduce --quick" if self.quick else "sandbox reproduce"

    def conditions(self) -> str:
        found = ", ".join(f"{name} {number}" for name, number in versions().items())
        commit = f"commit {self.commit}; " if self.commit else ""
        return f"{commit}Python {platform.python_version()} on {platform.machine()}; {found}."

    def counts(self) -> str:
        words = [one.result.verdict for one in self.finished]
        return ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(sorted(words)))


def differing(report: Report, other: Mapping[str, Any]) -> list[str]:
    """Verdicts that are not those of another run, but for rows that measure time."""
    found = []
    for one in report.finished:
        theirs = {row["what"]: row["verdict"] for row in other["items"].get(one.item.name, [])}
        for row in one.result.rows:
            before = theirs.get(row.what)
            if not row.timed and before is not None and before != row.verdict:
                found.append(f"{one.item.name}, {row.what}: {before} became {row.verdict}")
    return found


def as_json(report: Report) -> dict[str, Any]:
    """Verdicts and numbers, to compare another run with."""
    items = {
        one.item.name: [
            {"what": r.what, "ours": r.ours, "verdict": r.verdict, "timed": r.timed}
            for r in one.result.rows
        ]
        for one in report.finished
    }
    return {"format": FORMAT, "quick": report.quick, "commit": report.commit, "items": items}


def write(report: Report, folder: Path) -> list[Path]:
    """report.md with its charts, report.html and report.json."""
    write_atomically(folder / "report.json", json.dumps(as_json(report), indent=1))
    for one in report.finished:
        for k, chart in enumerate(one.result.charts):
            write_atomically(folder / "charts" / f"{one.item.name}_{k}.svg", svg(chart) + "\n")
    text = markdown(report)
    write_atomically(folder / "report.md", text)
    write_atomically(folder / "report.html", html(report, text))
    return [folder / "report.md", folder / "report.html"]


def markdown(report: Report, charts: str = "charts") -> str:
    """`charts` is the folder of the charts, seen from the page."""
    parts = [
        "# The papers, computed anew\n",
        f"Written by `{report.command}`; {report.conditions()}\n",
        f"{len(report.finished)} items: {report.counts()}. A verdict compares our number with the "
        "paper's and is computed in the same run. Rows about time are the processor's, on the "
        "machine of the run.\n",
        headline_table(report.headlines),
    ]
    source = ""
    for one in report.finished:
        if one.item.source != source:
            source = one.item.source
            parts.append(f"## {source}\n")
        parts.append(section(one, charts))
    return "\n".join(parts)


def headline_table(headlines: Sequence[Judged]) -> str:
    lines = ["| headline | number | bound | |", "|---|---|---|---|"]
    for judged in headlines:
        value = "not measured" if judged.value is None else f"{judged.value:.4g}"
        kept = "kept" if judged.kept else "**fallen**"
        kept = "–" if judged.value is None else kept
        lines.append(f"| {judged.headline.text} | {value} | {judged.headline.bound} | {kept} |")
    return "\n".join(lines) + "\n"


def _cells(*texts: str) -> str:
    """A line of a table; a bar within a text is no end of a cell."""
    return "| " + " | ".join(text.replace("|", r"\|") for text in texts) + " |"


def section(one: Finished, charts: str) -> str:
    """An item: conditions, what is left open, the table, why it differs, charts."""
    item, result = one.item, one.result
    lines = [f"### {item.title}\n", f"*{item.conditions}*\n"]
    if item.left_open:
        lines.append(f"Not said by the source, chosen here: {item.left_open}\n")
    lines += ["| | source | here | verdict |", "|---|---|---|---|"]
    lines += [_cells(r.what, r.paper, r.ours, r.verdict) for r in result.rows]
    lines.append("")
    if item.why and any(row.verdict not in (*GOOD, NONE) for row in result.rows):
        lines.append(f"Why it differs: {item.why}\n")
    lines += [f"{note}\n" for note in result.notes]
    for k, chart in enumerate(result.charts):
        lines.append(f"![{chart.title}]({charts}/{item.name}_{k}.svg)\n")
    lines.append(f"`sandbox reproduce {item.name}`: {one.cpu_seconds:.1f} s of processor time.\n")
    return "\n".join(lines)


# --- HTML -------------------------------------------------------------------------------------


def html(report: Report, text: str) -> str:
    """The same page; the few forms of Markdown that it uses, with the charts within."""
    charts = {
        f"charts/{one.item.name}_{k}.svg": svg(chart)
        for one in report.finished
        for k, chart in enumerate(one.result.charts)
    }
    parts: list[str] = []
    table: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            table.append(line)
            continue
        if table:
            parts.append(_table(table))
            table = []
        parts.append(_line(line, charts))
    body = "\n".join(filter(None, parts))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>The papers, computed anew</title><style>{_STYLE}</style></head>"
        f"<body>{body}</body></html>\n"
    )


def _line(line: str, charts: Mapping[str, str]) -> str:
    if not line:
        return ""
    picture = re.fullmatch(r"!\[.*\]\((.*)\)", line)
    if picture:
        return charts.get(picture[1], "")
    level = len(line) - len(line.lstrip("#"))
    if level:
        return f"<h{level}>{_inline(line[level:].strip())}</h{level}>"
    return f"<p>{_inline(line)}</p>"


def _table(lines: Sequence[str]) -> str:
    rows = [
        [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line[1:-1])]
        for line in lines
    ]
    head = "".join(f"<th>{_inline(cell)}</th>" for cell in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td{_shade(cell)}>{_inline(cell)}</td>" for cell in row) + "</tr>"
        for row in rows[2:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _shade(cell: str) -> str:
    if cell in (*GOOD, "kept"):
        return ' class="good"'
    return ' class="bad"' if cell in ("worse", "missed", "**fallen**") else ""


def _inline(text: str) -> str:
    found = escape(text, quote=False)
    found = re.sub(r"`([^`]+)`", r"<code>\1</code>", found)
    found = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", found)
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<em>\1</em>", found)
