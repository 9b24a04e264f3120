"""Synthesised sound, and silence without a device."""

import numpy as np
import pytest

from sandbox.audio import Sound, synth
from sandbox.audio.sound import impact_voice, impact_volume


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
