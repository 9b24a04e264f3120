"""What a setting changes at once; the others are looked at when they are needed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sandbox.render.quality import QUALITIES

if TYPE_CHECKING:
    from sandbox.settings import Settings
    from sandbox.window.game import Game


def _set_scale(game: "Game", settings: "Settings") -> None:
    game.wanted_scale = settings.ui_scale


def _set_motion(game: "Game", settings: "Settings") -> None:
    game.player.camera.still = game.player.effects.still = settings.reduced_motion


def _set_volume(game: "Game", settings: "Settings") -> None:
    game.sound.volume = settings.volume


def _set_mute(game: "Game", settings: "Settings") -> None:
    game.muted = settings.mute


EFFECTS: dict[str, Callable[["Game", "Settings"], None]] = {
    "ui_scale": _set_scale,
    "reduced_motion": _set_motion,
    "palette": lambda game, settings: game.player.set_palette(settings.palette),
    "quality": lambda game, settings: game.quality.choose(QUALITIES.get(settings.quality)),
    "volume": _set_volume,
    "mute": _set_mute,
}
