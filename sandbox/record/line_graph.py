"""A line graph as a picture, for machines that can draw nothing else."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

_SIZE = (960, 540)
_LEFT, _RIGHT, _TOP, _BOTTOM = 96, 24, 56, 48
_COLORS = ("#3f8fd8", "#f0b429", "#20262e", "#a86fd0")
_INK, _GRID, _PAPER = "#20262e", "#dcdfe4", "#fbfaf7"


def save_graph(
    path: Path, title: str, times: Sequence[float], series: Mapping[str, Sequence[float]], unit: str
) -> Path:
    """Series over seconds; the picture is written under `path`."""
    image = Image.new("RGB", _SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(16)
    values = [value for line in series.values() for value in line]
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = 0.06 * (high - low) or max(abs(high), 1.0)
    low, high = low - margin, high + margin
    start, end = (times[0], times[-1]) if len(times) > 1 else (0.0, 1.0)
    wide, tall = _SIZE[0] - _LEFT - _RIGHT, _SIZE[1] - _TOP - _BOTTOM

    def place(t: float, value: float) -> tuple[float, float]:
        x = _LEFT + wide * (t - start) / max(end - start, 1e-9)
        return x, _TOP + tall * (high - value) / (high - low)

    for i in range(6):
        t, value = start + (end - start) * i / 5, low + (high - low) * i / 5
        x, y = place(t, value)
        draw.line((_LEFT, y, _LEFT + wide, y), _GRID)
        draw.text((_LEFT - 8, y), f"{value:.3g}", _INK, font, "rm")
        draw.text((x, _TOP + tall + 8), f"{t:.3g} s", _INK, font, "mt")
    draw.text((_LEFT, 12), f"{title} [{unit}]", _INK, font)
    right = _SIZE[0] - _RIGHT
    for (name, line), color in zip(series.items(), _COLORS, strict=False):
        points = [place(t, value) for t, value in zip(times, line, strict=True)]
        if len(points) > 1:
            draw.line(points, color, 3, "curve")
        draw.text((right, 12), name, color, font, "ra")
        right -= int(draw.textlength(name, font)) + 18
    image.save(path)
    return path
