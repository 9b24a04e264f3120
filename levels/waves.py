"""Numbers that come and go with time, for motors, paths and gusts: all periods in seconds."""

import math


def clamp(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def wave(t: float, period: float) -> float:
    """Sine of that period: between -1 and 1, 0 at t = 0 and rising."""
    return math.sin(math.tau * (t / period % 1.0))


def square(t: float, period: float) -> float:
    """1 in the first half of every period, -1 in the second."""
    return 1.0 if t / period % 1.0 < 0.5 else -1.0


def triangle(t: float, period: float) -> float:
    """Straight up and down between -1 and 1, 0 at t = 0 and rising."""
    return 1.0 - 4.0 * abs((t / period + 0.25) % 1.0 - 0.5)


def saw(t: float, period: float) -> float:
    """From 0 up to 1 in every period."""
    return t / period % 1.0


def pulse(t: float, start: float, end: float) -> float:
    """1 from start to end, else 0."""
    return 1.0 if start <= t < end else 0.0


def ramp(t: float, start: float, end: float) -> float:
    """0 until start, 1 from end on, smoothly from one to the other between them."""
    if end <= start:
        return 1.0 if t >= start else 0.0
    s = clamp((t - start) / (end - start), 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)


def gust(t: float, period: float, seed: float) -> float:
    """Something like chance, between -1 and 1, that changes smoothly about once in a period; the
    same seed gives the same numbers on every machine."""
    whole = math.floor(t / period)
    s = t / period - whole
    a, b = _chance(whole, int(seed)), _chance(whole + 1, int(seed))
    return a + (b - a) * s * s * (3.0 - 2.0 * s)


def _chance(number: int, seed: int) -> float:
    """A whole number scattered over -1 … 1, by multiplying and shifting 64 bits."""
    x = (number * 0x9E3779B97F4A7C15 + seed * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) % 2**64
    for multiplier in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        x ^= x >> 33
        x = x * multiplier % 2**64
    return (x ^ (x >> 33)) / 2**63 - 1.0


WAVES = ((wave, 2), (square, 2), (triangle, 2), (saw, 2), (pulse, 3), (ramp, 3), (gust, 3))
