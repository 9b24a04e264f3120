"""What can be done with what is selected: copy, paste, mirror, group, align, delete, go back."""

from typing import TYPE_CHECKING

from levels.draft import fragments, shaping
from levels.draft.changes import Change
from levels.draft.draft import Entries
from levels.frames import about, vec
from levels.level import Level

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder

_BESIDE = 0.5  # m


class Selection:
    """One method `do_` for every action that keys and buttons can ask for."""

    def __init__(self, builder: "Builder") -> None:
        self._builder = builder
        self.clipboard: fragments.Fragment | None = None
        self.pasted = 0  # how often since it was copied: each lies farther away

    def choose(self, entries: Entries) -> None:
        """No change of the level: it is not undone, but undoing brings it back."""
        self._builder.draft.selected = tuple(dict.fromkeys(entries))
        self._builder.draft.end_change()
        if entries:
            self._builder.tab = "thing"

    def act(self, name: str) -> bool:
        """False: there is no such action."""
        handler = getattr(self, f"do_{name}", None)
        if handler is None:
            return False
        handler()
        return True

    @property
    def _chosen(self) -> Entries:
        return self._builder.draft.selected

    def _needs_some(self) -> bool:
        if not self._chosen:
            self._builder.say("Select something first: click it.")
        return bool(self._chosen)

    def do_undo(self) -> None:
        label = self._builder.draft.undo()
        self._builder.refresh()
        self._builder.say(f"undone: {label}" if label else "nothing to undo")

    def do_redo(self) -> None:
        label = self._builder.draft.redo()
        self._builder.refresh()
        self._builder.say(f"done again: {label}" if label else "nothing to redo")

    def do_select_all(self) -> None:
        things = self._builder.things
        self.choose(tuple(e for e in things.entries if things.box([e]) is not None))

    def do_copy(self) -> None:
        if self._needs_some():
            builder = self._builder
            self.clipboard = fragments.taken(builder.draft, builder.things, self._chosen)
            self.pasted = 0
            builder.say(f"copied {len(self.clipboard.chosen)}")

    def do_cut(self) -> None:
        if self._chosen:
            self.do_copy()
            self.do_delete()

    def do_paste(self) -> None:
        builder, clipboard = self._builder, self.clipboard
        if clipboard is None:
            builder.say("Nothing was copied yet.")
            return
        self.pasted += 1
        way = Change(shift=(_BESIDE * self.pasted, 0.0, 0.0))
        builder.do(lambda: fragments.put(builder.draft, clipboard, "paste", way))

    def do_duplicate(self) -> None:
        """Beside itself, so that it is seen."""
        builder = self._builder
        box = builder.things.box(self._chosen)
        if self._needs_some():
            wide = box[1][0] - box[0][0] if box is not None else 0.0
            way = builder.snap.length(wide + 0.1)
            builder.do(lambda: fragments.duplicated(builder.draft, builder.things, (way, 0.0, 0.0)))

    def do_mirror(self) -> None:
        self._mirror(0)

    def do_mirror_depth(self) -> None:
        if not self._builder.draft.flat:
            self._mirror(2)

    def _mirror(self, axis: int) -> None:
        builder = self._builder
        if self._needs_some():
            builder.do(lambda: fragments.mirrored(builder.draft, builder.things, axis))

    def do_delete(self) -> None:
        builder, chosen = self._builder, self._chosen
        if self._needs_some():
            builder.do(lambda: fragments.removed(builder.draft, builder.things, chosen))

    def do_group(self) -> None:
        builder, chosen = self._builder, self._chosen
        if builder.do(lambda: fragments.assembled(builder.draft, chosen)):
            builder.say(f"grouped {len(chosen)}: they are selected together from now on")

    def do_ungroup(self) -> None:
        builder, chosen = self._builder, self._chosen
        builder.do(lambda: fragments.taken_apart(builder.draft, chosen))

    def align(self, axis: int, where: str) -> None:
        """where: low, middle or high."""
        builder, chosen = self._builder, self._chosen
        builder.do(lambda: shaping.align(builder.draft, builder.things, chosen, axis, where))

    def spread(self, axis: int) -> None:
        builder, chosen = self._builder, self._chosen
        builder.do(lambda: shaping.spread(builder.draft, builder.things, chosen, axis))

    def do_turn(self) -> None:
        """A quarter of a turn; flat levels turn about the line of sight."""
        builder, chosen = self._builder, self._chosen
        middle = builder.things.middle(chosen)
        if self._needs_some() and middle is not None:
            axis = (0.0, 0.0, 1.0) if builder.draft.flat else (0.0, 1.0, 0.0)
            turn = Change(vec(middle), turn=about(axis, 1.5707963267948966))
            builder.do(
                lambda: shaping.change(builder.draft, builder.things, chosen, turn, "rotate")
            )

    def keep_part(self, title: str) -> None:
        """Make a part of one's own of the selection."""
        builder = self._builder
        if self._needs_some():
            title = title.strip() or "My part"
            if builder.do(lambda: builder.parts.keep(builder.draft, title)):
                builder.say(f"“{title}” is in the palette now, under “Your own”.")

    @property
    def level(self) -> Level:
        return self._builder.draft.level
