"""Playing the waves: which sound when, how loud, from which side."""

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.audio import synth

if TYPE_CHECKING:
    from levels.level_tables import Appearance
    from sandbox.app.player import Player

_SOFTEST = 0.25  # m/s of speed change that is heard
_LOUDEST = 9.0  # m/s
_PER_FRAME = 4
_PITCHES = (96.0, 150.0, 240.0, 410.0)  # Hz, from heavy to light
MATERIALS = {  # how long the lowest mode rings, s, and how bright the blow is
    "plain": (0.10, 0.4),
    "wood": (0.06, 0.3),
    "metal": (0.32, 0.75),
    "stone": (0.04, 0.5),
    "rubber": (0.09, 0.12),
}
_PATTERNS = {
    "wood": "wood",
    "metal": "metal",
    "panel": "metal",
    "hazard": "metal",
    "concrete": "stone",
    "tyre": "rubber",
    "ball": "rubber",
}
_COLORS = {"steel": "metal", "charcoal": "metal", "stone": "stone", "concrete": "stone"}
_CREAK_EVERY = 0.9  # s at least
_CREAK_RISE = 1.2  # tension over its running mean at which a rope is heard
_FAINTEST_PULL = 20.0  # N


class Sound:
    """Impacts, creaks and wind; every method is safe without a device."""

    def __init__(self, volume: float = 0.6) -> None:
        self.volume = volume
        self._mixer: Any = _open_mixer()
        self._impacts: dict[tuple[int, str], Any] = {}
        self._creak: Any = None
        self._pull = 0.0  # N, running mean of the tension that is listened to
        self._next_creak = 0.0
        if self._mixer is not None:
            self._prepare()

    @property
    def silent(self) -> bool:
        return self._mixer is None

    def _prepare(self) -> None:
        sound = self._mixer.Sound
        self._creak = sound(synth.stereo(synth.creak(), 0.7))
        self._others = {
            "snap": sound(synth.stereo(synth.snap(), 0.9)),
            "won": sound(synth.stereo(synth.chime((523.3, 659.3, 784.0, 1046.5)), 0.5)),
            "lost": sound(synth.stereo(synth.chime((311.1, 233.1), 0.2), 0.45)),
        }
        self._wind = sound(synth.stereo(synth.wind(), 0.5))
        self._wind.set_volume(0.12 * self.volume)
        self._wind.play(loops=-1, fade_ms=2000)

    def hear(self, player: "Player", *, muted: bool) -> None:
        """Play what happened since the last frame."""
        impacts, others = player.monitor.take_impacts(), player.monitor.take_sounds()
        if self._mixer is None:
            return
        self._wind.set_volume(0.0 if muted else 0.12 * self.volume)
        if muted:
            return
        for impact in sorted(impacts, key=lambda i: -i.impulse)[:_PER_FRAME]:
            self._impact(player, impact)
        for name in dict.fromkeys(others):
            self._others[name].set_volume(self.volume)
            self._others[name].play()
        self.strain(player.monitor.traces.last("force"), player.session.time)

    def strain(self, pull: float, now: float) -> bool:
        """A rope creaks when its tension rises well above what it has been; true when it does."""
        before, self._pull = self._pull, self._pull + 0.05 * (pull - self._pull)
        if now < self._next_creak - 2 * _CREAK_EVERY:
            self._next_creak = now  # time was turned back
        if pull < max(_CREAK_RISE * before, _FAINTEST_PULL) or before <= 0.0:
            return False
        if now < self._next_creak:
            return False
        self._next_creak = now + _CREAK_EVERY
        self.creak(float(np.clip(np.log2(pull / before), 0.15, 1.0)))
        return True

    def _voice(self, mass: float, material: str) -> Any:
        """Made when it is first heard."""
        key = (impact_voice(mass), material)
        if key not in self._impacts:
            ring, hardness = MATERIALS[material]
            wave = synth.impact(_PITCHES[key[0]], ring, hardness, seed=key[0])
            self._impacts[key] = self._mixer.Sound(synth.stereo(wave, 1.0))
        return self._impacts[key]

    def _impact(self, player: "Player", impact: "Impact") -> None:
        loudness = impact_volume(impact.impulse, impact.mass)
        if loudness <= 0.0:
            return
        voice, volume = self._voice(impact.mass, impact.material), loudness * self.volume
        # before it plays: the mixer may be faster than we are, and a channel begins at its loudest
        if not voice.get_num_channels() or volume > voice.get_volume():
            voice.set_volume(volume)
        channel = voice.play()
        if channel is None:
            return
        x = float(player.camera.view().project(np.asarray(impact.point))[0, 0])
        right, share = min(max(x, 0.0), 1.0), min(volume / max(voice.get_volume(), 1e-6), 1.0)
        channel.set_volume(share * (1.0 - 0.6 * right), share * (0.4 + 0.6 * right))

    def creak(self, loudness: float) -> None:
        if self._creak is not None and not self._creak.get_num_channels():
            self._creak.set_volume(loudness * self.volume)
            self._creak.play()

    def close(self) -> None:
        if self._mixer is not None:
            self._mixer.quit()
            self._mixer = None


class Impact(NamedTuple):
    """One blow: where, N s, the lighter body's kg, what it sounds like."""

    point: npt.NDArray[np.floating]
    impulse: float
    mass: float
    material: str = "plain"


def material_of(look: "Appearance | None") -> str:
    """What a body sounds like, from how it looks."""
    pattern, color = getattr(look, "pattern", None), getattr(look, "color", None)
    return _PATTERNS.get(pattern or "") or _COLORS.get(color or "") or "plain"


def impact_volume(impulse: float, mass: float) -> float:
    """0..1 by the change of speed the blow made, logarithmically as ears hear."""
    speed = impulse / max(mass, 1e-9)
    if not np.isfinite(speed) or speed < _SOFTEST:
        return 0.0
    return float(min(np.log(speed / _SOFTEST) / np.log(_LOUDEST / _SOFTEST), 1.0))


def impact_voice(mass: float) -> int:
    """Heavy things sound low."""
    return int(np.clip(3 - np.log10(max(mass, 1e-3)), 0, len(_PITCHES) - 1))


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
