"""A level that is being edited: one text, checked after every change, with a way back.

The text is the truth. A change that would not leave a level is refused as a whole, with the
sentence that the level's author would get; what is drawn, tested and saved is always the last good
text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from levels.draft.level_text import LevelText
from levels.files import write_atomically
from levels.level import Level, Variant, load_text
from levels.problems import LevelError

if TYPE_CHECKING:
    from levels.table_checks import Checked

Entry = tuple[str, str]  # section and name
Entries = tuple[Entry, ...]
_STEPS = 300  # that can be taken back


class Refused(ValueError):
    """Why a change was not made."""


@dataclass(frozen=True)
class Step:
    """A moment one can go back to: the text, and what was selected then."""

    label: str
    text: str
    selected: Entries


class Draft:
    """The text of a level and the level it says."""

    def __init__(self, level: Level, text: str | None = None) -> None:
        self.path = level.path
        self.text = level.document.source.text if text is None else text
        self.level = level if text is None else load_text(self.text, self.path)
        self.selected: Entries = ()
        self.version = 0  # grows with every change, back and forth
        self._taken: Variant | None = None  # the last one that the engine was asked about
        self._undo: list[Step] = []
        self._redo: list[Step] = []
        self._kept = self.text  # as it is in the file
        self._last = ""  # label of the last change, while it may go on

    @property
    def checked(self) -> "Checked":
        return self.level.default.checked

    @property
    def flat(self) -> bool:
        return self.level.dimension == 2

    @property
    def unsaved(self) -> bool:
        return self.text != self._kept

    # --- changing ------------------------------------------------------------------------------

    def edit(
        self,
        label: str,
        work: Callable[[LevelText], None],
        selected: Entries | None = None,
        *,
        goes_on: bool = False,
    ) -> None:
        """Change the text; Refused says why it cannot be. `goes_on`: if the last change had the
        same label, both are taken back together, as when a slider is drawn along."""
        text = LevelText(self.text)
        work(text)
        wanted = str(text)
        level = self._checked(wanted)
        if not (goes_on and self._last == label and self._undo):
            self._undo = [*self._undo[-_STEPS + 1 :], Step(label, self.text, self.selected)]
        self._redo = []
        self._last = label if goes_on else ""
        self._take(wanted, level, self.selected if selected is None else selected)

    def end_change(self) -> None:
        """What was going on is finished: the next change is one of its own."""
        self._last = ""

    def replace(self, label: str, text: str) -> None:
        """Another text altogether, as of a file that was changed elsewhere."""
        level = self._checked(text)
        self._undo.append(Step(label, self.text, self.selected))
        self._redo = []
        self._take(text, level, ())

    def _checked(self, text: str) -> Level:
        """The level, once the engine would take it, too."""
        try:
            level = load_text(text, self.path)
            problems = level.default.refused(self._taken)
        except LevelError as error:
            problems = list(error.problems)
        if problems:
            hint = f" ({problems[0].hint})" if problems[0].hint else ""
            raise Refused(f"{problems[0].message}{hint}")
        self._taken = level.default
        return level

    def _take(self, text: str, level: Level, selected: Entries) -> None:
        self.text, self.level = text, level
        self.selected = tuple(entry for entry in selected if self.has(entry))
        self.version += 1

    def has(self, entry: Entry) -> bool:
        """Is there such an entry, in this file or in one it includes?"""
        section, name = entry
        entries = self.level.document.data.get(section)
        return isinstance(entries, dict) and name in entries

    # --- back and forth ------------------------------------------------------------------------

    def undo(self) -> str | None:
        """Take the last change back; what it was, or None."""
        return self._go(self._undo, self._redo)

    def redo(self) -> str | None:
        return self._go(self._redo, self._undo)

    def _go(self, source: list[Step], sink: list[Step]) -> str | None:
        if not source:
            return None
        step = source.pop()
        sink.append(Step(step.label, self.text, self.selected))
        self._last = ""
        self._take(step.text, load_text(step.text, self.path), step.selected)
        return step.label

    def cancel(self) -> None:
        """Take the last change back as if it had never been."""
        if self.undo() is not None:
            self._redo.pop()

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo)

    def note_file(self) -> None:
        """The file was looked at: it is not new any more."""
        self.level = load_text(self.text, self.path)

    # --- keeping -------------------------------------------------------------------------------

    def save(self, path: Path | None = None) -> Path:
        """Write the text as it stands; OSError or Refused: nothing was written."""
        path = self.path if path is None else path
        load_text(self.text, path)  # it may speak of files beside the first place
        write_atomically(path, self.text)
        self.path, self._kept = path, self.text
        self.note_file()
        return path


def fresh(taken: "set[str] | dict[str, object]", wanted: str) -> str:
    """The name itself, or with the first number that is free."""
    base = wanted.rstrip("0123456789").rstrip("_") or wanted
    if wanted not in taken:
        return wanted
    number = 2
    while f"{base}_{number}" in taken:
        number += 1
    return f"{base}_{number}"
