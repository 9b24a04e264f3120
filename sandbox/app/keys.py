"""Actions and the physical keys they are bound to.

Keys are named by where they sit on a US board (SDL scancodes), so that W A S D stay a cross on
every layout. A binding is text like "Ctrl+Z", "Space" or "F12"; levels bind their own axes with
the same names in lower case ("a/d").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

# Named keys of SDL's scancode table, which is fixed by the USB HID usage page.
SCANCODES: dict[str, int] = {
    **{chr(ord("A") + i): 4 + i for i in range(26)},
    **{str((i + 1) % 10): 30 + i for i in range(10)},
    "Return": 40,
    "Escape": 41,
    "Backspace": 42,
    "Tab": 43,
    "Space": 44,
    "-": 45,
    "=": 46,
    "[": 47,
    "]": 48,
    ";": 51,
    "'": 52,
    "`": 53,
    ",": 54,
    ".": 55,
    "/": 56,
    **{f"F{i + 1}": 58 + i for i in range(12)},
    "Home": 74,
    "PageUp": 75,
    "Delete": 76,
    "End": 77,
    "PageDown": 78,
    "Right": 79,
    "Left": 80,
    "Down": 81,
    "Up": 82,
}
NAMES = {code: name for name, code in SCANCODES.items()}

DEFAULTS: dict[str, str] = {
    "pause": "Space",
    "step": ".",
    "rewind": ",",
    "slower": "-",
    "faster": "=",
    "restart": "R",
    "undo": "Ctrl+Z",
    "redo": "Ctrl+Y",
    "tool_grab": "1",
    "tool_push": "2",
    "tool_cut": "3",
    "tool_pin": "4",
    "tool_rope": "5",
    "tool_weld": "6",
    "tool_hinge": "7",
    "tool_spawn": "8",
    "tool_delete": "9",
    "palette": "Q",
    "cut": "X",
    "stabilization": "G",
    "compare": "C",
    "overlays": "V",
    "frame": "F",
    "previous_level": "[",
    "next_level": "]",
    "wall": "Escape",
    "hide": "Tab",
    "help": "F1",
    "settings": "F2",
    "profiler": "F3",
    "plots": "F4",
    "save": "F5",
    "full_screen": "F11",
    "screenshot": "F12",
    "record": "Ctrl+F12",
    "mute": "M",
}

LABELS: dict[str, str] = {
    "pause": "Pause",
    "step": "Single step",
    "rewind": "Rewind (hold)",
    "slower": "Slower",
    "faster": "Faster",
    "restart": "Restart the level",
    "undo": "Undo",
    "redo": "Redo",
    "tool_grab": "Tool: grab",
    "tool_push": "Tool: push",
    "tool_cut": "Tool: cut",
    "tool_pin": "Tool: pin",
    "tool_rope": "Tool: rope",
    "tool_weld": "Tool: weld",
    "tool_hinge": "Tool: hinge",
    "tool_spawn": "Tool: spawn",
    "tool_delete": "Tool: delete",
    "palette": "What to spawn",
    "cut": "Cut the rope under the pointer",
    "stabilization": "Next stabilization",
    "compare": "Compare: split, ghosts, off",
    "overlays": "Overlays",
    "frame": "Frame the selection",
    "previous_level": "Previous level",
    "next_level": "Next level",
    "wall": "Level wall",
    "hide": "Hide the interface",
    "help": "Help",
    "settings": "Settings",
    "profiler": "Profiler",
    "plots": "Plots",
    "save": "Save the level",
    "full_screen": "Full screen",
    "screenshot": "Screenshot",
    "record": "Record a video",
    "mute": "Sound on or off",
}


@dataclass(frozen=True)
class Chord:
    """A key with or without Ctrl and Shift."""

    code: int
    ctrl: bool = False
    shift: bool = False

    @staticmethod
    def parse(text: str) -> "Chord":
        *modifiers, name = text.split("+") if text not in ("+",) else [text]
        key = name if name in SCANCODES else name.upper() if len(name) == 1 else name.capitalize()
        wanted = {word.strip().lower() for word in modifiers}
        if key not in SCANCODES or not wanted <= {"ctrl", "shift"}:
            raise ValueError(f'there is no key "{text}"; keys: {", ".join(SCANCODES)}')
        return Chord(SCANCODES[key], "ctrl" in wanted, "shift" in wanted)

    def __str__(self) -> str:
        return _written(self.code, self.ctrl, self.shift)


@cache  # the interface asks for every key in every frame
def _written(code: int, ctrl: bool, shift: bool) -> str:
    return "+".join(["Ctrl"] * ctrl + ["Shift"] * shift + [NAMES.get(code, "?")])


@dataclass
class KeyMap:
    """Which chord triggers which action; later bindings win over earlier ones."""

    bindings: dict[str, Chord] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @staticmethod
    def load(changes: Mapping[str, str] | None = None) -> "KeyMap":
        """The defaults with a settings file's changes; wrong entries are reported, not raised."""
        keys = KeyMap({action: Chord.parse(text) for action, text in DEFAULTS.items()})
        for action, text in (changes or {}).items():
            if action not in DEFAULTS:
                keys.problems.append(f'unknown action "{action}" in the key settings')
                continue
            try:
                keys.bind(action, Chord.parse(text))
            except ValueError as error:
                keys.problems.append(f"{action}: {error}")
        return keys

    def bind(self, action: str, chord: Chord) -> str | None:
        """Give an action a chord; the action that had it loses it and is returned."""
        previous = self.action(chord)
        if previous and previous != action:
            del self.bindings[previous]
        self.bindings[action] = chord
        return previous if previous != action else None

    def action(self, chord: Chord) -> str | None:
        return next((name for name, bound in self.bindings.items() if bound == chord), None)

    def changes(self) -> dict[str, str]:
        """What differs from the defaults, for the settings file."""
        return {
            action: str(chord)
            for action, chord in self.bindings.items()
            if str(chord) != DEFAULTS[action]
        }

    def label(self, action: str) -> str:
        chord = self.bindings.get(action)
        return str(chord) if chord else "unbound"
