"""The order of the game's levels: chapters, and within each from easy to hard.

The wall, the keys for the next and the previous level and the card at the end follow it. A level
that no chapter names comes last, so that none is lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    title: str
    about: str
    levels: tuple[str, ...]


CHAPTERS = (
    Chapter(
        "Play",
        "Hands on: drag, swing, throw, topple.",
        (
            "tutorial",
            "crane",
            "domino",
            "liana",
            "rope_swing",
            "tower_2d",
            "wrecking_ball",
            "trampoline",
            "catapult",
            "bow",
            "winch_rescue",
            "curtain",
            "jelly_swing",
            "jump_2d",
            "stand_up",
        ),
    ),
    Chapter(
        "Build",
        "Choose, place and spend as little as you can.",
        (
            "empty",
            "hammock",
            "chain_bridge",
            "footbridge",
            "press",
            "boom_drop",
            "see_saw_2d",
            "supported_beam",
        ),
    ),
    Chapter(
        "Physics",
        "What the papers show, to be tried out.",
        (
            "million",
            "ghosts",
            "tune_it",
            "sheets",
            "materials",
            "twist",
            "knee",
            "quads",
            "strongman",
            "integrators",
        ),
    ),
)
COMPARED = ("ghosts",)  # begin side by side under several stabilizations
OTHERS = Chapter("More", "", ())


def ordered(names: Iterable[str]) -> list[str]:
    """All of them, in the order of the chapters."""
    return [name for _, found in chapters(names) for name in found]


def chapters(names: Iterable[str]) -> list[tuple[Chapter, list[str]]]:
    """Each chapter with those of its levels that there are."""
    left = list(dict.fromkeys(names))
    found = []
    for chapter in CHAPTERS:
        own = [name for name in chapter.levels if name in left]
        left = [name for name in left if name not in own]
        if own:
            found.append((chapter, own))
    return [*found, (OTHERS, left)] if left else found
