"""Text that came out of a file, made fit for a terminal, a report or a window."""

import unicodedata

_JOINERS = "\u200c\u200d"  # scripts and emoji need them, and they move no cursor
_REPLACEMENT = "\ufffd"


def printable(text: str) -> str:
    """The text without anything that could steer a terminal: escapes, backspaces, text direction.

    Each such character becomes one replacement character, so that columns stay where they are.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _is_harmless(c) else _REPLACEMENT for c in text)


def _is_harmless(c: str) -> bool:
    return c in "\t\n" or c.isprintable() or c in _JOINERS or unicodedata.category(c) == "Zs"


def shortened(text: str, limit: int) -> str:
    """The beginning of a long text."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
