"""What all tools of building have in common."""

from typing import TYPE_CHECKING

from levels.draft.draft import Entry
from levels.draft.fields import new_name
from levels.draft.level_text import plain
from levels.plain_data import TomlTable
from sandbox.workshop.draft_marks import Mark

if TYPE_CHECKING:
    from sandbox.render.scene import Scene
    from sandbox.workshop.builder import Builder


class BuildTool:
    """Base: does nothing."""

    name: str
    key: str  # "": it is begun by something else
    icon: str  # of Font Awesome 4
    hint: str
    has_button = True  # of its own above the palette

    def said(self, builder: "Builder") -> str:
        """The hint, as it is now."""
        return self.hint

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        """True when a drag begins."""
        return False

    def move(self, builder: "Builder", x: float, y: float) -> None:
        return

    def release(self, builder: "Builder", x: float, y: float) -> None:
        return

    def right_click(self, builder: "Builder") -> bool:
        """True when it was used."""
        return False

    def wheel(self, builder: "Builder", notches: float) -> bool:
        return False

    def marks(self, builder: "Builder") -> list[Mark]:
        return []

    def ghost(self, builder: "Builder", scene: "Scene") -> None:
        return

    def cancel(self, builder: "Builder") -> bool:
        """Stop what was begun; False: nothing was."""
        return False

    def add(self, builder: "Builder", section: str, kind: str, table: TomlTable) -> None:
        """A new entry, which is then selected."""
        name = new_name(builder.draft, kind)
        made: tuple[Entry, ...] = ((section, name),)
        builder.do(
            lambda: builder.draft.edit(
                f"draw {kind}", lambda text: text.add(section, name, plain(table)), made
            )
        )
