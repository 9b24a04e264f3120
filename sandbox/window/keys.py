"""Actions and the physical keys they are bound to.

Keys are named by where they sit on a US board (SDL scancodes), so that W A S D stay a cross on
every layout. A binding is text like "Ctrl+Z", "Space" or "F12"; levels bind their own axes with
the same names in lower case ("a/d").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from sandbox.app.tools import TOOLS, tool_action
from sandbox.ui.panels import PAGES, PANELS
from sandbox.workshop.build_actions import BUILD_ACTIONS

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


@dataclass(frozen=True)
class Action:
    """Something a key does. The player or the game has a method `_do_` and its name."""

    name: str
    key: str  # by default
    title: str


_TIME = (
    Action("pause", "Space", "Pause"),
    Action("step", ".", "Single step"),
    Action("rewind", ",", "Rewind (hold)"),
    Action("slower", "-", "Slower"),
    Action("faster", "=", "Faster"),
    Action("restart", "R", "Restart the level"),
    Action("undo", "Ctrl+Z", "Undo"),
    Action("redo", "Ctrl+Y", "Redo"),
)
_OTHERS = (
    Action("build", "B", "Build: edit this level"),
    Action("share", "Ctrl+L", "Copy the level as a line of text"),
    Action("palette", "Q", "What to spawn"),
    Action("cut", "X", "Cut the rope under the pointer"),
    Action("stabilization", "G", "Next stabilization"),
    Action("compare", "C", "Compare: split, ghosts, off"),
    Action("overlays", "V", "Overlays"),
    Action("frame", "F", "Frame the selection"),
    Action("previous_level", "[", "Previous level"),
    Action("next_level", "]", "Next level"),
    Action("hide", "Tab", "Hide the interface"),
    Action("save", "F5", "Save the level"),
    Action("full_screen", "F11", "Full screen"),
    Action("screenshot", "F12", "Screenshot"),
    Action("record", "Ctrl+F12", "Record a video"),
    Action("mute", "M", "Sound on or off"),
    Action("clip", "F9", "Save the last seconds as a clip"),
    Action("quit", "Ctrl+Q", "Quit"),
)

# In the order of the help page; tools, panels and pages bring theirs along.
ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        *_TIME,
        *(Action(tool_action(tool.name), tool.key, f"Tool: {tool.name}") for tool in TOOLS),
        *_OTHERS,
        *(Action(panel.name, panel.key, panel.title) for panel in PANELS.values()),
        *(Action(page.name, page.key, page.title) for page in PAGES.values()),
    )
}


# While a level is built; settings name them with "build_" in front.
BUILDING: dict[str, Action] = {name: Action(name, key, title) for name, key, title in BUILD_ACTIONS}
PREFIX = "build_"


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
    actions: Mapping[str, Action] = field(default_factory=lambda: ACTIONS)  # that can have a key
    prefix: str = ""  # of their names in the settings

    @staticmethod
    def load(changes: Mapping[str, str] | None = None) -> "KeyMap":
        """The defaults with a settings file's changes; wrong entries are reported, not raised."""
        return KeyMap._loaded(ACTIONS, changes or {}, "")

    @staticmethod
    def load_building(changes: Mapping[str, str] | None = None) -> "KeyMap":
        """Those of building."""
        return KeyMap._loaded(BUILDING, changes or {}, PREFIX)

    @staticmethod
    def _loaded(known: Mapping[str, Action], changes: Mapping[str, str], prefix: str) -> "KeyMap":
        defaults = {name: Chord.parse(action.key) for name, action in known.items()}
        keys = KeyMap(defaults, actions=known, prefix=prefix)
        others = {PREFIX + name for name in BUILDING} if not prefix else set(ACTIONS)
        for written, text in changes.items():
            action = written.removeprefix(prefix)
            if written in others and not (prefix and written.startswith(prefix)):
                continue  # of the other map
            if action not in known:
                keys.problems.append(f'unknown action "{written}" in the key settings')
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
            self.prefix + action: str(chord)
            for action, chord in self.bindings.items()
            if str(chord) != self.actions[action].key
        }

    def label(self, action: str) -> str:
        chord = self.bindings.get(action)
        return str(chord) if chord else "unbound"
