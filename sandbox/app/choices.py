"""What the player has chosen: tool, overlays, open panels, selection, messages."""

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from levels.plain_data import TomlTable
from sandbox.app.overlays import OVERLAYS, rounds

if TYPE_CHECKING:
    from physics import Handle

# What the spawn tool offers: the table a level file would have, without a position.
PALETTE: dict[str, TomlTable] = {
    "crate": {"shape": "box", "size": [0.8, 0.8, 0.8], "density": 400.0, "color": "sand"},
    "ball": {"shape": "sphere", "radius": 0.4, "density": 300.0, "color": "red", "pattern": "ball"},
    "beam": {"shape": "box", "size": [2.4, 0.3, 0.3], "density": 500.0, "color": "wood"},
    "capsule": {"shape": "capsule", "radius": 0.25, "length": 0.8, "density": 500.0},
    "iron ball": {"shape": "sphere", "radius": 0.45, "density": 7800.0, "color": "charcoal"},
    "plate": {"shape": "box", "size": [1.6, 0.15, 1.6], "density": 900.0, "color": "steel"},
}

_TOAST_SECONDS = 4.0
_CARD_WAITS = 1.4  # s: how it ended is worth looking at


@dataclass
class Toast:
    text: str
    until: float
    bad: bool = False


@dataclass
class GuiState:
    """Everything of the interface that outlives a frame."""

    tool: str = "grab"
    spawn: str = "crate"
    overlays: set[str] = field(default_factory=set)
    hidden: bool = False
    open: set[str] = field(default_factory=lambda: {"sliders"})  # names of panels and pages
    reads: frozenset[str] = frozenset()  # what open panels show of every step: "stats", "energy"
    card: bool = True  # the win or lose card may be dismissed
    ended: float = 0.0  # s of the clock at the wall, when the game was won or lost
    end_text: str = ""  # what the level says to it
    advanced: bool = False  # physics and overlays below the level's own sliders
    rebinding: str | None = None  # the action whose next key press is taken
    selected: "Handle | None" = None  # a body
    group: list["Handle"] = field(default_factory=list)  # chosen together with a box
    joint: "Handle | None" = None  # the one that was clicked, for its force
    error: str = ""  # of the level file, while the last good version runs on
    toasts: list[Toast] = field(default_factory=list)

    def say(self, text: str, *, bad: bool = False, now: float | None = None) -> None:
        """News of the same kind ("overlays: axes", "speed 1/2") replace what was said before."""
        now = time.monotonic() if now is None else now
        kind = _kind(text)
        self.toasts = [toast for toast in self.toasts if _kind(toast.text) != kind][-3:]
        self.toasts.append(Toast(text, now + _TOAST_SECONDS * (2.0 if bad else 1.0), bad))

    def end(self, status: str, text: str) -> None:
        """The game was won or lost: what happens then is seen first, the card comes later."""
        self.card, self.ended, self.end_text = True, time.monotonic(), text

    @property
    def card_due(self) -> bool:
        return self.card and time.monotonic() - self.ended > _CARD_WAITS

    def messages(self, now: float | None = None) -> list[Toast]:
        now = time.monotonic() if now is None else now
        self.toasts = [toast for toast in self.toasts if toast.until > now]
        return self.toasts

    def toggle(self, name: str) -> None:
        """Open or close a panel or page."""
        self.open ^= {name}

    def toggle_overlay(self, name: str) -> None:
        self.overlays ^= {name}

    def cycle_overlays(self) -> str:
        """Nothing, tension, contacts, stabilization, everything, nothing …; what is shown now."""
        choices = rounds()
        at = choices.index(self.overlays) if self.overlays in choices else -1
        self.overlays = set(choices[(at + 1) % len(choices)])
        if self.overlays == set(OVERLAYS):
            return "all"
        return ", ".join(sorted(self.overlays)) or "none"


def _kind(text: str) -> str:
    """What comes before a colon or a number; texts without either are kinds of their own."""
    head, colon, _ = text.partition(":")
    if colon:
        return head
    return re.split(r"(?<=[a-z]) \d", text)[0]
