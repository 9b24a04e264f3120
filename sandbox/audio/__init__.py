"""Sound: impacts, rope creak and wind, synthesised at start; silent where there is no device."""

from sandbox.audio.sound import Sound

__all__ = ["Sound"]
