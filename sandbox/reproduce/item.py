"""An item: one table, figure or claim of a paper, and how it is computed anew.

A verdict is never written down: a row gets it from a comparison of our number with the paper's.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

AS_PAPER, BETTER, DIFFERS, WORSE, NONE = (
    "as in the paper", "better", "differs", "worse", "not measured",
)  # fmt: skip
HELD, MISSED, SHOWN = "holds", "missed", "for comparison"
VERDICTS = (
    MISSED,
    WORSE,
    DIFFERS,
    NONE,
    AS_PAPER,
    HELD,
    BETTER,
    SHOWN,
)  # the first found is the item's
GOOD = (AS_PAPER, BETTER, HELD, SHOWN)
_FOLDER = Path(__file__).parent / "items"


@dataclass(frozen=True)
class Row:
    """One comparison. `timed` rows depend on how busy the machine is."""

    what: str
    paper: str
    ours: str
    verdict: str
    timed: bool = False


@dataclass(frozen=True)
class Series:
    """A curve, or the points of one."""

    name: str
    x: list[float]
    y: list[float]
    points: bool = False


@dataclass(frozen=True)
class Chart:
    """Curves over common axes; with `cells`, a map of (column, row, word) instead."""

    title: str
    x: str
    y: str
    series: list[Series] = field(default_factory=list)
    log_x: bool = False
    log_y: bool = False
    columns: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)


@dataclass
class Result:
    """What came out; `metrics` are numbers that headlines look at."""

    rows: list[Row] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, what: str, paper: str, ours: str, verdict: str, timed: bool = False) -> None:
        self.rows.append(Row(what, paper, ours, verdict, timed))

    @property
    def verdict(self) -> str:
        """The worst of the rows."""
        found = {row.verdict for row in self.rows} or {NONE}
        return next(verdict for verdict in VERDICTS if verdict in found)

    def as_json(self) -> dict[str, Any]:
        return _without_nan(asdict(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Result":
        charts = [
            Chart(**{**chart, "series": [Series(**one) for one in chart["series"]]})
            for chart in data["charts"]
        ]
        rows = [Row(**row) for row in data["rows"]]
        return cls(rows, charts, dict(data["metrics"]), list(data["notes"]))


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: what is not finite becomes the largest number there is, or its negative."""
    if isinstance(value, dict):
        return {key: _without_nan(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return -1.7e308 if value < 0 else 1.7e308
    if hasattr(value, "item"):
        return _without_nan(value.item())
    return value


@dataclass(frozen=True)
class Item:
    """`compute(quick)` gives the result; the rest is text for the report."""

    name: str
    source: str  # [Tournier15], …
    title: str
    conditions: str
    left_open: str  # what the paper does not say, and the value chosen here
    why: str  # shown where a row differs
    compute: Callable[[bool], Result]
    module: str
    limit: float  # s of processor time
    with_peers: bool
    alone: bool  # it compares times: nothing else is computed beside it


ITEMS: dict[str, Item] = {}


def item(
    source: str,
    title: str,
    *,
    conditions: str,
    left_open: str = "",
    why: str = "",
    limit: float = 300.0,
    with_peers: bool = False,
    alone: bool = False,
) -> Callable[[Callable[[bool], Result]], Callable[[bool], Result]]:
    """Registers a function of `quick` as an item; its name is that of the function."""

    def register(compute: Callable[[bool], Result]) -> Callable[[bool], Result]:
        name = compute.__name__
        ITEMS[name] = Item(
            name=name,
            source=source,
            title=_plain(title),
            conditions=_plain(conditions),
            left_open=_plain(left_open),
            why=_plain(why),
            compute=compute,
            module=compute.__module__,
            limit=limit,
            with_peers=with_peers,
            alone=alone,
        )
        return compute

    return register


def _plain(text: str) -> str:
    return " ".join(text.split())


def load_items() -> dict[str, Item]:
    """All items, in the order of their files and of their place in them."""
    for path in sorted(_FOLDER.glob("[!_]*.py")):
        import_module(f"sandbox.reproduce.items.{path.stem}")
    return ITEMS


# --- comparisons ------------------------------------------------------------------------------


def near(ours: float, paper: float, share: float) -> str:
    """As in the paper if within that share of it."""
    return AS_PAPER if abs(ours - paper) <= share * abs(paper) else DIFFERS


def at_most(ours: float, paper: float, slack: float = 1.0) -> str:
    """Less is better; up to `slack` times the paper's is as in the paper."""
    if ours < paper / slack:
        return BETTER
    return AS_PAPER if ours <= paper * slack else WORSE


def at_least(ours: float, paper: float, slack: float = 1.0) -> str:
    """More is better."""
    if ours > paper * slack:
        return BETTER
    return AS_PAPER if ours >= paper / slack else WORSE


def within(error: float, bound: float) -> str:
    """Against a known answer: whether the error is within a bound."""
    return HELD if error <= bound else MISSED


def holds(condition: bool) -> str:
    """Against a statement that is true or not."""
    return AS_PAPER if condition else DIFFERS


def short(value: float, digits: int = 3) -> str:
    """A number to read."""
    if not math.isfinite(value) or abs(value) > 1e300:
        return "diverged"
    return f"{value:.{digits}g}"
