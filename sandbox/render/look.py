"""Colours: names, and the few looks a level can choose from.

Colours are written as sRGB because that is what people pick, and are used as linear light because
that is what adds up. A `Look` holds everything about the picture that is not an object.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from levels.appearance import COLORS

Color = tuple[float, float, float]

# Loose bodies without a colour of their own take these in turn.
CYCLE = ("red", "yellow", "teal", "cream", "sand", "blue", "coral")


def linear(color: str | Sequence[float]) -> Color:
    """Linear RGB of a palette name, "#rrggbb", or three sRGB numbers in 0..1."""
    if isinstance(color, str):
        text = COLORS.get(color, color)
        if not (text.startswith("#") and len(text) == 7):
            raise ValueError(f'unknown colour "{color}"; known: {", ".join(COLORS)}, or "#rrggbb"')
        srgb = np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    else:
        srgb = np.clip(np.asarray(color, float), 0.0, 1.0)
    value = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return (float(value[0]), float(value[1]), float(value[2]))


@dataclass(frozen=True)
class Look:
    """Light, air and ground of a picture. Colours are linear."""

    name: str
    zenith: Color
    horizon: Color
    ground: Color
    grid: Color
    sun_color: Color
    sun_direction: tuple[float, float, float]  # towards the sun
    ambient_sky: Color
    ambient_ground: Color
    fog: float = 0.0095  # extinction per metre
    exposure: float = 1.0
    grid_size: float = 2.0
    flat: float = 0.0  # 1: the paper-cut shading of two-dimensional levels
    outline: float = 0.0  # metres; 0 draws none
    outline_color: Color = (0.02, 0.025, 0.04)


def _scaled(color: str, factor: float) -> Color:
    r, g, b = linear(color)
    return (r * factor, g * factor, b * factor)


STUDIO = Look(
    name="studio",
    zenith=_scaled("#5f8fd0", 1.15),
    horizon=_scaled("#f2e6d6", 1.18),
    ground=_scaled("#b5c1cd", 1.02),
    grid=_scaled("#eef2f4", 1.25),
    sun_color=(2.75, 2.42, 1.95),
    sun_direction=(0.48, 0.68, 0.56),
    ambient_sky=(0.40, 0.50, 0.68),
    ambient_ground=(0.24, 0.21, 0.19),
    exposure=0.78,
)

DUSK = Look(
    name="dusk",
    zenith=_scaled("#41508f", 1.0),
    horizon=_scaled("#f4b28c", 1.1),
    ground=_scaled("#a48f99", 0.75),
    grid=_scaled("#ffd9bf", 0.85),
    sun_color=(3.1, 1.75, 0.95),
    sun_direction=(0.72, 0.36, 0.42),
    ambient_sky=(0.36, 0.38, 0.62),
    ambient_ground=(0.32, 0.22, 0.20),
    fog=0.012,
)

FOREST = Look(
    name="forest",
    zenith=_scaled("#7fb4c4", 1.1),
    horizon=_scaled("#eef0d8", 1.1),
    ground=_scaled("#93a874", 0.75),
    grid=_scaled("#c2d3a3", 0.7),
    sun_color=(2.7, 2.35, 1.65),
    sun_direction=(-0.42, 0.74, 0.5),
    ambient_sky=(0.46, 0.58, 0.60),
    ambient_ground=(0.24, 0.27, 0.17),
    fog=0.0085,
)

NIGHT = Look(
    name="night",
    zenith=_scaled("#141c33", 0.9),
    horizon=_scaled("#39496b", 1.0),
    ground=_scaled("#39435a", 0.8),
    grid=_scaled("#7f94c4", 0.55),
    sun_color=(1.55, 1.65, 2.1),
    sun_direction=(0.4, 0.8, 0.45),
    ambient_sky=(0.16, 0.2, 0.34),
    ambient_ground=(0.09, 0.09, 0.12),
    fog=0.013,
    exposure=1.15,
)

PAPER = Look(
    name="paper",
    zenith=_scaled("#c9d8e4", 1.0),
    horizon=_scaled("#f3ede2", 1.0),
    ground=_scaled("#efe8db", 1.0),
    grid=_scaled("#d8d6d0", 1.0),
    sun_color=(1.25, 1.18, 1.05),
    sun_direction=(0.34, 0.62, 0.75),
    ambient_sky=(0.62, 0.66, 0.72),
    ambient_ground=(0.52, 0.5, 0.48),
    fog=0.0,
    grid_size=1.0,
    flat=1.0,
    outline=0.045,
)

LOOKS: dict[str, Look] = {look.name: look for look in (STUDIO, DUSK, FOREST, NIGHT, PAPER)}


def choose_look(name: str | None, dimension: int) -> Look:
    """The look of a level; two-dimensional ones are drawn as paper in any light."""
    look = LOOKS.get(name or "", PAPER if dimension == 2 else STUDIO)
    if dimension == 2 and not look.flat:
        look = replace(look, flat=1.0, outline=PAPER.outline, fog=0.0, grid_size=1.0)
    return look
