"""Waveforms from arithmetic: no samples are shipped.

An impact is a few damped modes of a struck bar plus a short burst of noise; a creak is filtered
stick-slip noise; wind is slowly modulated low-passed noise. All are mono float arrays in −1..1 and
the same on every run.
"""

import numpy as np
import numpy.typing as npt

RATE = 44_100
Wave = npt.NDArray[np.float64]

# Modes of a free bar: ratios of its natural frequencies to the first.
_MODES = np.array((1.0, 2.757, 5.404, 8.933))


def impact(pitch: float, ring: float, hardness: float, seed: int = 0) -> Wave:
    """pitch in Hz, ring the decay time of the lowest mode in s, hardness 0 dull … 1 bright."""
    rng = np.random.default_rng(seed)
    t = np.arange(int(RATE * min(0.9, 5.0 * ring + 0.08))) / RATE
    amplitude = hardness ** np.arange(len(_MODES))
    decay = ring / (1.0 + 0.8 * np.arange(len(_MODES)))
    phases = 2 * np.pi * pitch * _MODES[:, None] * t[None]
    tone = np.sum(amplitude[:, None] * np.sin(phases) * np.exp(-t[None] / decay[:, None]), axis=0)
    click = low_pass(rng.normal(size=len(t)), 600.0 + 5000.0 * hardness) * np.exp(-t / 0.012)
    return faded(normalised(tone + 1.6 * click))


def creak(seed: int = 1) -> Wave:
    """A tight rope moving over itself."""
    rng = np.random.default_rng(seed)
    t = np.arange(int(0.5 * RATE)) / RATE
    slips = np.cumsum(rng.uniform(0.004, 0.02, 60))
    wave = np.zeros(len(t))
    for slip in slips[slips < 0.45]:
        after = np.maximum(t - slip, 0.0)
        pulse = np.exp(-after / 0.004) * np.sin(2 * np.pi * rng.uniform(320, 560) * after)
        wave += pulse * (t >= slip) * rng.uniform(0.3, 1.0)
    return faded(normalised(wave * np.sin(np.pi * t / t[-1])))


def snap(seed: int = 3) -> Wave:
    """A rope tears: a crack, and its end whips through the air."""
    rng = np.random.default_rng(seed)
    t = np.arange(int(0.45 * RATE)) / RATE
    crack = rng.normal(size=len(t)) * np.exp(-t / 0.006)
    sweep = np.sin(2 * np.pi * (900.0 * t - 700.0 * t**2)) * np.exp(-t / 0.05)
    air = low_pass(rng.normal(size=len(t)), 1800.0) * np.exp(-(((t - 0.09) / 0.05) ** 2))
    return faded(normalised(crack + 0.35 * sweep + 0.8 * normalised(air)))


def chime(notes: tuple[float, ...], apart: float = 0.11) -> Wave:
    """Struck bars one after the other; notes in Hz."""
    long = apart * len(notes) + 0.9
    wave = np.zeros(int(long * RATE))
    for i, pitch in enumerate(notes):
        start = int(i * apart * RATE)
        t = np.arange(len(wave) - start) / RATE
        wave[start:] += np.sin(2 * np.pi * pitch * t) * np.exp(-t / 0.28)
        wave[start:] += 0.3 * np.sin(2 * np.pi * 2.757 * pitch * t) * np.exp(-t / 0.09)
    return faded(normalised(wave))


def wind(seconds: float = 6.0, seed: int = 2) -> Wave:
    """A loop of moving air."""
    rng = np.random.default_rng(seed)
    count = int(seconds * RATE)
    noise = low_pass(rng.normal(size=count), 380.0)
    t = np.arange(count) / count
    gusts = 0.6 + 0.25 * np.sin(2 * np.pi * 2 * t) + 0.15 * np.sin(2 * np.pi * 5 * t + 1.0)
    seam = int(0.25 * RATE)
    loop = normalised(noise * gusts)
    blend = np.linspace(0.0, 1.0, seam)
    loop[:seam] = loop[:seam] * blend + loop[-seam:] * (1 - blend)
    return loop[:-seam]


def low_pass(wave: Wave, cutoff: float) -> Wave:
    """First-order, by the transfer function in the frequency domain."""
    spectrum = np.fft.rfft(wave)
    frequency = np.fft.rfftfreq(len(wave), 1 / RATE)
    return np.fft.irfft(spectrum / (1 + 1j * frequency / cutoff), len(wave))


def normalised(wave: Wave) -> Wave:
    return wave / max(float(np.abs(wave).max()), 1e-9)


def faded(wave: Wave) -> Wave:
    """No click at either end."""
    edge = min(len(wave) // 4, 220)
    wave = wave.copy()
    wave[:edge] *= np.linspace(0.0, 1.0, edge) ** 0.5
    wave[-4 * edge :] *= np.linspace(1.0, 0.0, len(wave[-4 * edge :]))
    return wave


def stereo(wave: Wave, volume: float) -> npt.NDArray[np.int16]:
    samples = np.clip(wave * volume * 32_000, -32_767, 32_767).astype(np.int16)
    return np.ascontiguousarray(np.repeat(samples[:, None], 2, axis=1))
