"""Names of a level's things as a player would say them: "the cable", "the climber's left knee"."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from levels.plan import Plan

_LINES = ("rope", "cable", "chain")  # props whose parts are all alike
_SIDES = ("left", "right")


def plain_name(name: str, plan: "Plan | None" = None) -> str:
    """ "cable.joint8" → "the cable", "climber.knee_left" → "the climber's left knee"."""
    whole, _, piece = name.partition(".")
    group = plan.groups.get(whole) if plan is not None else None
    if not piece or (group is not None and group.kind in _LINES):
        return f"the {_spaced(whole)}"
    piece = piece.replace(".", " ")
    if piece.rstrip("0123456789_") in ("", "joint", "piece", "link", "bond"):
        return f"the {_spaced(whole)}"
    return f"the {_spaced(whole)}'s {_spaced(piece)}"


def _spaced(name: str) -> str:
    words = name.replace("_", " ").split()
    if words and words[-1] in _SIDES:  # "knee left" is a programmer's order
        words = [words[-1], *words[:-1]]
    return " ".join(words)


def capital(text: str) -> str:
    """As the first words of a sentence."""
    return text[:1].upper() + text[1:]
