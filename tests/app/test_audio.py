"""Synthesised sound, and silence without a device."""

import time
from pathlib import Path

import numpy as np
import pytest

from sandbox.app.player import Player
from sandbox.audio import Sound, synth
from sandbox.audio.sound import Impact, impact_voice, impact_volume
from tests.app.fakes import toy


@pytest.mark.parametrize(
    "wave",
    [synth.impact(150.0, 0.1, 0.4), synth.creak(), synth.wind(1.0)],
    ids=["hit", "creak", "wind"],
)
def test_waves_are_finite_and_within_bounds(wave: np.ndarray) -> None:
    assert np.isfinite(wave).all()
    assert 0.05 < np.abs(wave).max() <= 1.0 + 1e-9


def test_an_impact_dies_away() -> None:
    wave = synth.impact(150.0, 0.1, 0.4)
    assert np.abs(wave[-500:]).max() < 0.02


def test_the_same_wave_every_time() -> None:
    assert np.array_equal(synth.creak(), synth.creak())


def test_louder_for_harder_blows_and_lower_for_heavier_things() -> None:
    assert impact_volume(0.1, 1.0) == 0.0
    assert 0.0 < impact_volume(1.0, 1.0) < impact_volume(5.0, 1.0) <= 1.0
    assert impact_volume(float("nan"), 1.0) == 0.0
    assert impact_voice(1e5) == 0
    assert impact_voice(0.1) == 3


def test_without_a_device_there_is_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sound = Sound()
    assert sound.silent
    sound.creak(1.0)
    sound.close()


def test_blows_creaks_and_wind_reach_the_mixer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SDL can play into a file: the real mixer without a device."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(tmp_path / "heard.raw"))
    sound = Sound(volume=1.0)
    assert not sound.silent
    player = Player(toy())
    middle = np.asarray(player.camera.pose.pivot)

    def loudest(*blows: Impact, muted: bool = False) -> int:
        before = heard_bytes(tmp_path)
        player.monitor.impacts = list(blows)
        sound.hear(player, muted=muted)
        if muted:
            before = heard_bytes(tmp_path) + BUFFERED
        while heard_bytes(tmp_path) < before + HEARD:  # the mixer takes its time
            time.sleep(0.05)
        new = np.frombuffer((tmp_path / "heard.raw").read_bytes()[before:], np.int16)
        return int(np.abs(new.astype(int)).max(initial=0))

    hard, soft = (Impact(middle, blow, 10.0, "wood") for blow in (80.0, 4.0))
    assert loudest(muted=True) < 200  # not even the wind
    quiet = loudest(soft)
    assert 200 < quiet < 0.6 * loudest(hard)
    sound.close()


HEARD = int(0.4 * synth.RATE) * 4  # bytes of 0.4 s of stereo samples
BUFFERED = 8 * 512 * 4  # bytes that were mixed, and are on their way to the file


def heard_bytes(folder: Path) -> int:
    path = folder / "heard.raw"
    size = path.stat().st_size if path.is_file() else 0
    return size - size % 4  # whole stereo samples
