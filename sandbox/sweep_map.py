"""The map of a sweep as a picture: two axes, a colour for every run, a panel for each combination
of the others. Drawn with Pillow: it needs no display and no plotting library."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from levels.files import Aside
from levels.plain_data import TomlTable
from levels.sweep import Table

_INK, _GRID, _PAPER = "#20262e", "#dcdfe4", "#fbfaf7"
_PANEL, _GAP, _LEFT, _TOP, _BOTTOM, _RIGHT = 300, 40, 96, 64, 64, 190
_KNOWN = {  # what became of a run
    "passed": "#3fa34d", "failed": "#f0b429", "frozen": "#8f6fd0", "diverged": "#d8433f",
    "refused": "#9aa3ad", "error": "#20262e", "crashed": "#20262e", "interrupted": "#9aa3ad",
}  # fmt: skip
_OTHERS = ("#3f8fd8", "#f0b429", "#3fa34d", "#a86fd0", "#d8433f", "#20262e")
_RAMP = ((0x2B, 0x2D, 0x6B), (0x3F, 0x8F, 0xD8), (0x7F, 0xC9, 0x9A), (0xF6, 0xE0, 0x6B))
_MOST_PANELS = 24


@dataclass(frozen=True)
class _Scale:
    """Where values of an axis lie between 0 and 1: by rank where they are few, else by size."""

    name: str
    values: tuple[Any, ...]

    @property
    def is_ranked(self) -> bool:
        return len(self.values) <= 40 or any(isinstance(v, str) for v in self.values)

    def place(self, value: Any) -> tuple[float, float]:
        """Share from and to."""
        if self.is_ranked:
            i = self.values.index(value)
            return i / len(self.values), (i + 1) / len(self.values)
        low, high = self._size(self.values[0]), self._size(self.values[-1])
        share = (self._size(value) - low) / ((high - low) or 1.0)
        return 0.98 * share, 0.98 * share + 0.02

    def _size(self, value: float) -> float:
        spread = self.values[0] > 0.0 and self.values[-1] / self.values[0] > 100.0
        return math.log(value) if spread else value

    def marks(self) -> list[Any]:
        """At most seven of the values, for the edge."""
        every = max(1, math.ceil(len(self.values) / 7))
        return list(self.values[::every])


class _Colors:
    """From a value of the shown column to a colour, and the legend."""

    def __init__(self, name: str, values: Sequence[Any]) -> None:
        self.name = name
        found = [value for value in values if value is not None]
        self._words = list(dict.fromkeys(v for v in found if isinstance(v, str)))
        numbers = [float(v) for v in found if not isinstance(v, str)]
        self._low, self._high = min(numbers, default=0.0), max(numbers, default=1.0)
        self._log = self._low > 0.0 and self._high / self._low > 100.0

    def __call__(self, value: Any) -> str:
        if value is None:
            return "#c3c8ce"
        if isinstance(value, str):
            other = _OTHERS[self._words.index(value) % len(_OTHERS)]
            return _KNOWN.get(value, other)
        low, high = self._size(self._low), self._size(self._high)
        return _ramp((self._size(float(value)) - low) / ((high - low) or 1.0))

    def _size(self, value: float) -> float:
        return math.log(value) if self._log else value

    def legend(self) -> list[tuple[str, str]]:
        """Colour and text of each line."""
        if self._words:
            return [(self(word), word) for word in self._words]
        low, high = self._size(self._low), self._size(self._high)
        sizes = [low + (high - low) * i / 4 for i in range(5)]
        numbers = [math.exp(size) if self._log else size for size in sizes]
        return [(self(number), f"{number:.3g}") for number in numbers]


def _ramp(share: float) -> str:
    at = min(max(share, 0.0), 1.0) * (len(_RAMP) - 1)
    i = min(int(at), len(_RAMP) - 2)
    mixed = (a + (b - a) * (at - i) for a, b in zip(_RAMP[i], _RAMP[i + 1], strict=True))
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def save_map(table: Table, path: Path, shown: str = "outcome") -> Path:
    """ValueError if the column is not there, or there would be too many panels."""
    if shown not in table.columns:
        raise ValueError(f'the table has no column "{shown}"; it has {", ".join(table.columns)}')
    scales = [_Scale(name, tuple(_ordered(table.column(name)))) for name in table.varied]
    scales.sort(key=lambda scale: -len(scale.values))  # the longest two span the panels
    across, up, others = scales[0], scales[1] if len(scales) > 1 else None, scales[2:]
    panels = list(product(*(scale.values for scale in others)))
    if len(panels) > _MOST_PANELS:
        raise ValueError(f"a map of {len(panels)} panels; vary fewer things, or read the table")
    columns = min(4, len(panels))
    rows = math.ceil(len(panels) / columns)
    width = _LEFT + columns * (_PANEL + _GAP) + _RIGHT
    image = Image.new("RGB", (width, _TOP + rows * (_PANEL + _BOTTOM + _GAP)), _PAPER)
    draw, colors = ImageDraw.Draw(image), _Colors(shown, table.column(shown))
    for number, values in enumerate(panels):
        corner = (_LEFT + number % columns * (_PANEL + _GAP), _TOP + number // columns * 404)
        chosen = dict(zip((scale.name for scale in others), values, strict=True))
        _panel(draw, corner, across, up, chosen, table, colors)
    _legend(draw, width - _RIGHT, colors)
    with Aside(path) as aside:
        image.save(aside.path)
    return path


def _ordered(values: list[Any]) -> list[Any]:
    kinds = {isinstance(value, str) for value in values}
    return list(dict.fromkeys(values)) if True in kinds else sorted(set(values))


def _panel(
    draw: ImageDraw.ImageDraw,
    corner: tuple[int, int],
    across: _Scale,
    up: _Scale | None,
    chosen: TomlTable,
    table: Table,
    colors: _Colors,
) -> None:
    left, top = corner
    for row in table.rows:
        if all(row[name] == value for name, value in chosen.items()):
            x0, x1 = across.place(row[across.name])
            y0, y1 = up.place(row[up.name]) if up else (0.0, 1.0)
            box = (left + _PANEL * x0, top + _PANEL * (1 - y1), left + _PANEL * x1 - 1)
            draw.rectangle((*box, top + _PANEL * (1 - y0) - 1), colors(row[colors.name]))
    draw.rectangle((left - 1, top - 1, left + _PANEL, top + _PANEL), outline=_GRID)
    font = ImageFont.load_default(14)
    title = ", ".join(f"{name} = {_short(value)}" for name, value in chosen.items())
    draw.text((left + _PANEL / 2, top - 10), title, _INK, font, "ms")
    for value in across.marks():
        middle = left + _PANEL * sum(across.place(value)) / 2
        draw.text((middle, top + _PANEL + 6), _short(value), _INK, font, "mt")
    draw.text((left + _PANEL / 2, top + _PANEL + 28), across.name, _INK, font, "mt")
    for value in up.marks() if up else ():
        middle = top + _PANEL * (1 - sum(up.place(value)) / 2) if up else 0.0
        draw.text((left - 8, middle), _short(value), _INK, font, "rm")
    if up:
        draw.text((left - 40, top - 10), up.name, _INK, font, "ms")


def _legend(draw: ImageDraw.ImageDraw, left: int, colors: _Colors) -> None:
    font = ImageFont.load_default(14)
    draw.text((left, 20), colors.name, _INK, font)
    for i, (color, text) in enumerate(colors.legend()):
        draw.rectangle((left, 48 + 24 * i, left + 16, 64 + 24 * i), color)
        draw.text((left + 24, 56 + 24 * i), text, _INK, font, "lm")


def _short(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"
