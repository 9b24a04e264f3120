"""Charts as SVG text: curves over linear or logarithmic axes, and maps of words.

Written by hand, because a report must open everywhere without a plotting library.
"""

import math
from html import escape

from sandbox.reproduce.item import Chart, Series

WIDTH, HEIGHT = 640, 380
_LEFT, _TOP, _RIGHT, _BOTTOM = 70, 36, 170, 50
_INK, _GRID, _PAPER = "#20262e", "#dcdfe4", "#fbfaf7"
_COLOURS = (
    "#d8433f", "#3f8fd8", "#3fa34d", "#f0b429", "#8f6fd0", "#20262e", "#e07bb0", "#7a5c3a",
    "#2ab5b5", "#9aa3ad",
)  # fmt: skip
_WORDS = {"holds": "#3fa34d", "drifts": "#f0b429", "loses": "#3f8fd8", "fails": "#d8433f"}
_MOST_POINTS = 400  # of a curve: more cannot be seen


def svg(chart: Chart) -> str:
    """One chart as an `<svg>` element."""
    body = _map(chart) if chart.cells else _curves(chart)
    title = _text(WIDTH / 2, 20, chart.title, "middle", 14, "600")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" role="img" '
        f'aria-label="{escape(chart.title, quote=True)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>{title}{body}</svg>'
    )


def _text(
    x: float, y: float, text: str, anchor: str = "start", size: int = 11, weight: str = "400"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{_INK}">{escape(text)}</text>'
    )


class _Axis:
    """Numbers to places between two ends of the picture."""

    def __init__(self, values: list[float], log: bool, start: float, end: float) -> None:
        self.log, self.start, self.end = log, start, end
        good = [v for v in values if math.isfinite(v) and abs(v) < 1e300 and (v > 0 or not log)]
        low, high = (min(good), max(good)) if good else (1.0, 10.0)
        self.low: float = low
        self.high: float = high
        if log:
            self.low, self.high = math.floor(math.log10(low)), math.ceil(math.log10(high))
        if self.high - self.low < 1e-12 * max(abs(self.high), 1e-300):
            self.low, self.high = self.low - 0.5, self.high + 0.5

    def place(self, value: float) -> float | None:
        if not math.isfinite(value) or abs(value) > 1e300 or (self.log and value <= 0):
            return None
        size = math.log10(value) if self.log else value
        share = (size - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        if self.log:
            every = max(1, math.ceil((self.high - self.low) / 8))
            powers = range(int(self.low), int(self.high) + 1, every)
            return [(10.0**k, f"1e{k}" if abs(k) > 2 else f"{10.0**k:g}") for k in powers]
        raw = (self.high - self.low) / 5
        unit = 10.0 ** math.floor(math.log10(raw))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= raw)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [(k * step, f"{k * step:.6g}") for k in range(first, last + 1)]


def _curves(chart: Chart) -> str:
    x = _Axis([v for s in chart.series for v in s.x], chart.log_x, _LEFT, WIDTH - _RIGHT)
    y = _Axis([v for s in chart.series for v in s.y], chart.log_y, HEIGHT - _BOTTOM, _TOP)
    parts = [_grid(x, y), _labels(chart)]
    for k, series in enumerate(chart.series):
        colour, again = _COLOURS[k % len(_COLOURS)], k >= len(_COLOURS)
        parts.append(_curve(series, x, y, colour, again))
        height = _TOP + 12 + 17 * k
        filled = f'fill="none" stroke="{colour}"' if again else f'fill="{colour}"'
        parts.append(
            f'<rect x="{WIDTH - _RIGHT + 12}" y="{height - 8}" width="12" height="8" '
            f"{filled}/>" + _text(WIDTH - _RIGHT + 30, height, series.name[:25])
        )
    return "".join(parts)


def _grid(x: _Axis, y: _Axis) -> str:
    lines = []
    for value, label in x.ticks():
        place = x.place(value)
        if place is not None:
            lines.append(_line(place, _TOP, place, HEIGHT - _BOTTOM))
            lines.append(_text(place, HEIGHT - _BOTTOM + 16, label, "middle"))
    for value, label in y.ticks():
        place = y.place(value)
        if place is not None:
            lines.append(_line(_LEFT, place, WIDTH - _RIGHT, place))
            lines.append(_text(_LEFT - 6, place + 4, label, "end"))
    return "".join(lines)


def _line(x0: float, y0: float, x1: float, y1: float) -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{_GRID}"/>'


def _labels(chart: Chart) -> str:
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    turned = (
        f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle" '
        f'font-size="12" fill="{_INK}">{escape(chart.y)}</text>'
    )
    return _text(middle, HEIGHT - 12, chart.x, "middle", 12) + turned


def _curve(series: Series, x: _Axis, y: _Axis, colour: str, again: bool) -> str:
    """With `again`, when colours are used a second time, a dashed line with hollow points."""
    stride = max(1, math.ceil(len(series.x) / _MOST_POINTS))
    pairs = zip(series.x[::stride], series.y[::stride], strict=True)
    placed = [(x.place(a), y.place(b)) for a, b in pairs]
    seen = [(a, b) for a, b in placed if a is not None and b is not None]
    if not seen:
        return ""
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in seen)
    dash = ' stroke-dasharray="5 3"' if again else ""
    line = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>'
    if len(seen) > 40 and not series.points:
        return line
    inner = _PAPER if again else colour
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{inner}" stroke="{colour}"/>'
        for a, b in seen
    )
    return dots if series.points else line + dots


def _map(chart: Chart) -> str:
    """Words of cells by colour: rows from the bottom, columns from the left."""
    wide = (WIDTH - _LEFT - _RIGHT) / len(chart.columns)
    high = (HEIGHT - _TOP - _BOTTOM) / len(chart.rows)
    parts = [_labels(chart)]
    for r, (label, cells) in enumerate(zip(chart.rows, chart.cells, strict=True)):
        top = HEIGHT - _BOTTOM - (r + 1) * high
        parts.append(_text(_LEFT - 6, top + high / 2 + 4, label, "end"))
        for c, cell in enumerate(cells):
            word, _, note = cell.partition(" ")
            left = _LEFT + c * wide
            parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide - 2:.1f}" '
                f'height="{high - 2:.1f}" fill="{_WORDS.get(word, "#9aa3ad")}"/>'
                + _text(left + wide / 2, top + high / 2 + 4, note, "middle", 10)
            )
    for c, label in enumerate(chart.columns):
        parts.append(_text(_LEFT + (c + 0.5) * wide, HEIGHT - _BOTTOM + 16, label, "middle"))
    words = sorted({cell.partition(" ")[0] for cells in chart.cells for cell in cells})
    for k, word in enumerate(words):
        height = _TOP + 12 + 17 * k
        parts.append(
            f'<rect x="{WIDTH - _RIGHT + 12}" y="{height - 9}" width="12" height="10" '
            f'fill="{_WORDS.get(word, "#9aa3ad")}"/>' + _text(WIDTH - _RIGHT + 30, height, word)
        )
    return "".join(parts)
