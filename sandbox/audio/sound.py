"""Playing the waves: which sound when, how loud, from which side."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.audio import synth

if TYPE_CHECKING:
    from sandbox.app.player import Player

_SOFTEST = 0.25  # m/s of speed change that is heard
_LOUDEST = 9.0  # m/s
_PER_FRAME = 4
_VARIANTS = ((96.0, 0.10, 0.25), (150.0, 0.09, 0.35), (240.0, 0.10, 0.45), (410.0, 0.12, 0.6))


class Sound:
    """Impacts, creaks and wind; every method is safe without a device."""

    def __init__(self, volume: float = 0.6) -> None:
        self.volume = volume
        self._mixer: Any = _open_mixer()
        self._impacts: list[Any] = []
        self._creak: Any = None
        self._strain = 0.0
        if self._mixer is not None:
            self._prepare()

    @property
    def silent(self) -> bool:
        return self._mixer is None

    def _prepare(self) -> None:
        sound = self._mixer.Sound
        waves = [synth.impact(*variant, seed=i) for i, variant in enumerate(_VARIANTS)]
        self._impacts = [sound(synth.stereo(wave, 1.0)) for wave in waves]
        self._creak = sound(synth.stereo(synth.creak(), 0.7))
        self._wind = sound(synth.stereo(synth.wind(), 0.5))
        self._wind.set_volume(0.12 * self.volume)
        self._wind.play(loops=-1, fade_ms=2000)

    def hear(self, player: "Player", *, muted: bool) -> None:
        """Play what happened since the last frame."""
        impacts, player.impacts = player.impacts, []
        if self._mixer is None:
            return
        self._wind.set_volume(0.0 if muted else 0.12 * self.volume)
        if muted:
            return
        for point, impulse, mass in sorted(impacts, key=lambda i: -i[1])[:_PER_FRAME]:
            self._impact(player, point, impulse, mass)

    def _impact(self, player: "Player", point: Any, impulse: float, mass: float) -> None:
        loudness = impact_volume(impulse, mass)
        if loudness <= 0.0:
            return
        channel = self._impacts[impact_voice(mass)].play()
        if channel is None:
            return
        x = float(player.camera.view().project(np.asarray(point))[0, 0])
        right = min(max(x, 0.0), 1.0)
        volume = loudness * self.volume
        channel.set_volume(volume * (1.0 - 0.6 * right), volume * (0.4 + 0.6 * right))

    def creak(self, loudness: float) -> None:
        if self._creak is not None and not self._creak.get_num_channels():
            self._creak.set_volume(loudness * self.volume)
            self._creak.play()

    def close(self) -> None:
        if self._mixer is not None:
            self._mixer.quit()
            self._mixer = None


def impact_volume(impulse: float, mass: float) -> float:
    """0..1 by the change of speed the blow made, logarithmically as ears hear."""
    speed = impulse / max(mass, 1e-9)
    if not np.isfinite(speed) or speed < _SOFTEST:
        return 0.0
    return float(min(np.log(speed / _SOFTEST) / np.log(_LOUDEST / _SOFTEST), 1.0))


def impact_voice(mass: float) -> int:
    """Heavy things sound low."""
    return int(np.clip(3 - np.log10(max(mass, 1e-3)), 0, len(_VARIANTS) - 1))


def _open_mixer() -> Any:
    """The mixer, or None where there is no sound card; ALSA must not fill the terminal."""
    import pygame

    try:
        if not _has_device():
            return None
        pygame.mixer.init(synth.RATE, -16, 2, 512)
    except (pygame.error, NotImplementedError):
        return None
    return pygame.mixer


def _has_device() -> bool:
    if os.environ.get("SDL_AUDIODRIVER"):
        return os.environ["SDL_AUDIODRIVER"] != "dummy"
    if os.path.isdir("/proc/asound"):
        return any(name.startswith("card") for name in os.listdir("/proc/asound"))
    pulse = os.environ.get("PULSE_SERVER") or os.environ.get("PIPEWIRE_REMOTE")
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    sockets = [os.path.join(runtime, name) for name in ("pulse/native", "pipewire-0")]
    return bool(pulse) or any(map(os.path.exists, sockets)) or os.name == "nt" or _is_mac()


def _is_mac() -> bool:
    import sys

    return sys.platform == "darwin"
