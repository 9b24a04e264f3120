"""The window of the tests of the game."""

from tests.app.conftest import display, sit_down

__all__ = ["display", "sit_down"]
