"""What there is to build with: the parts of the library, and those somebody has kept.

A part is a small level file, in a folder that names its kind; its title is its name, its
description says what it is for. Whoever adds a file adds a part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from levels.draft.changes import Change
from levels.draft.connecting import is_connector
from levels.draft.draft import Draft, Refused
from levels.draft.fragments import Fragment, fragment_of, taken
from levels.draft.things import Things
from levels.files import write_atomically
from levels.frames import Vec
from levels.level import Level, load, load_text
from levels.library import LIBRARY
from levels.problems import LevelError
from physics import JOINTS

SHELVES = {  # folders of the library, in order, with their headings
    "solids": "Solids",
    "ground": "Ground and walls",
    "joints": "Joints",
    "lines": "Ropes and springs",
    "soft": "Soft",
    "people": "People and piles",
    "machines": "Machines",
    "marks": "Zones and targets",
}
OWN = "Your own"
_FOLDER = LIBRARY / "parts"
_MOST_OWN = 200


@dataclass(frozen=True)
class Part:
    """Something to put into a level."""

    path: Path
    shelf: str

    @cached_property
    def level(self) -> Level:
        return load(self.path)

    @cached_property
    def fragment(self) -> Fragment:
        return fragment_of(self.level)

    @property
    def title(self) -> str:
        return self.level.title

    @property
    def about(self) -> str:
        return self.level.default.checked.header.description

    @cached_property
    def connects(self) -> bool:
        """Does it go between two things?"""
        return is_connector(self.fragment)

    @cached_property
    def words(self) -> str:
        """What a search looks through."""
        kinds = [str(t.get("kind", t.get("material", ""))) for t in self.fragment.entries.values()]
        return " ".join([self.title, self.about, self.path.stem, self.shelf, *kinds]).lower()

    @cached_property
    def flat(self) -> bool:
        """Does it make sense in two dimensions?"""
        if self.connects:
            kinds = [JOINTS[str(t["kind"])] for (s, _), t in self.fragment.entries.items()
                     if s == "joints"]  # fmt: skip
            return all(k.flat_axis or k.coordinate or not k.needs_axis for k in kinds)
        text = self.level.document.source.text
        try:
            level = load_text(text.replace("format = 1", "format = 1\ndimension = 2", 1), self.path)
        except LevelError:
            return False
        plan = level.default.plan
        depths = [abs(plan.center(name)[2]) for name in (*plan.bodies, *plan.particles)]
        return max(depths, default=0.0) < 1e-9


@cache
def _library() -> tuple[Part, ...]:
    """Those of the game, which are read once."""
    return tuple(
        Part(path, title)
        for folder, title in SHELVES.items()
        for path in sorted((_FOLDER / folder).glob("*.toml"))
    )


class Palette:
    """All parts, found by words."""

    def __init__(self, own_folder: Path | None = None) -> None:
        self.own_folder = own_folder
        self.problems: list[str] = []
        self.parts: list[Part] = []
        self.look_again()

    def look_again(self) -> None:
        """Files may have come."""
        found = [*_library()]
        if self.own_folder is not None and self.own_folder.is_dir():
            files = sorted(self.own_folder.glob("*.toml"))[:_MOST_OWN]
            found += [Part(path, OWN) for path in files if self._is_sound(path)]
        self.parts = found

    def _is_sound(self, path: Path) -> bool:
        try:
            load(path)
        except LevelError as error:
            self.problems.append(f"{path.name}: {error.problems[0].message}")
            return False
        return True

    def search(self, words: str, *, flat: bool = False) -> list[Part]:
        """Parts in which all the words occur, of those that fit the level."""
        wanted = words.lower().split()
        parts = self.parts if not flat else [part for part in self.parts if part.flat]
        return [part for part in parts if all(word in part.words for word in wanted)]

    def keep(self, draft: Draft, title: str) -> Part:
        """Make a part of the selection, its lowest middle at the origin."""
        if self.own_folder is None:
            raise Refused("there is no folder for parts of your own")
        things = Things(draft.level)
        box = things.box(draft.selected)
        if box is None:
            raise Refused("select what the part shall be made of")
        entries = taken(draft, things, draft.selected).entries
        low, high = box
        down: Vec = (-(low[0] + high[0]) / 2, -low[1], -(low[2] + high[2]) / 2)
        if draft.flat:
            down = (down[0], down[1], 0.0)
        path = _free_path(self.own_folder, title)
        try:
            level = load_text(Fragment(entries, title).text(), path)
        except LevelError as error:
            raise Refused(f"it cannot stand alone: {error.problems[0].message}") from None
        moved = Draft(level)
        _move_all(moved, down)
        write_atomically(path, moved.text)
        self.look_again()
        return next(part for part in self.parts if part.path == path)


def _move_all(draft: Draft, shift: Vec) -> None:
    from levels.draft.shaping import change

    things = Things(draft.level)
    change(draft, things, things.entries, Change(shift=shift))


def _free_path(folder: Path, title: str) -> Path:
    stem = "".join(c if c.isalnum() else "_" for c in title.lower()).strip("_")[:40] or "part"
    names: Iterable[str] = (stem, *(f"{stem}_{i}" for i in range(2, 1000)))
    return next(p for name in names if not (p := folder / f"{name}.toml").exists())
