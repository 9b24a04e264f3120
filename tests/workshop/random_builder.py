"""Somebody who builds at random, saves, opens the file again, and compares the worlds.

    python -m tests.workshop.random_builder --minutes 10

Everything goes through the mouse and the actions of the builder. What is refused must be refused
with a sentence, and must leave the text as it was.
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from levels.draft import about, fields
from levels.draft.ends import ends, hold, holdable
from levels.level import load
from tests.workshop.workshop import Workshop, new

_HEAP = 40  # bodies: built one through the other, a step of more takes seconds
_MOST = 60  # entries: then some are deleted


class RandomBuilder:
    """One level after the other, by chance."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._random = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.compared = 0
        self._begin()

    def _begin(self) -> None:
        kind = self._random.choice(("3-D", "2-D"))
        self.work: Workshop = new(self._folder, kind)

    def _place(self) -> tuple[float, ...]:
        r = self._random
        if self.work.draft.flat:
            return (r.uniform(-4, 4), r.uniform(0.2, 5))
        return (r.uniform(-4, 4), r.choice((0.0, 0.0, 0.4)), r.uniform(-3, 4))

    def act(self) -> None:
        """One thing, whatever it is."""
        work = self.work
        act = self._random.choice(
            (self._draw, self._part, self._part, self._gizmo, self._gizmo, self._edit, self._field,
             self._hold, self._back, self._about, self._click)
        )  # fmt: skip
        before = work.draft.text
        work.said.clear()
        act()
        self.done[act.__name__] += 1
        if any(text.startswith("Not done") for text in work.said):
            self.done["refused"] += 1
            if act in (self._part, self._draw):
                assert work.draft.text == before, work.said
        if len(work.builder.things.entries) > _MOST:
            work.act("select_all")
            work.act("delete")

    def _draw(self) -> None:
        tool = self._random.choice(("box", "ball", "zone", "rope", "polygon"))
        self.work.builder.choose_tool(tool)
        if tool == "polygon":
            corners = [self._place() for _ in range(self._random.randint(3, 6))]
            for corner in (*corners, corners[0]):
                self.work.click(*corner)
            self.work.builder.choose_tool("select")
        else:
            self.work.drag(self._place(), self._place())

    def _part(self) -> None:
        parts = self.work.builder.parts.search("", flat=self.work.draft.flat)
        part = self._random.choice(parts)
        self.work.builder.choose_part(part)
        if part.connects:
            self.work.drag(self._place(), self._place())
        else:
            self.work.click(*self._place())

    def _click(self) -> None:
        self.work.builder.choose_tool("select")
        self.work.builder.hand.adding = self._random.random() < 0.3
        entries = self.work.builder.things.entries
        middle = self.work.builder.things.middle([self._random.choice(entries)])
        self.work.click(*(middle or self._place()))
        self.work.builder.hand.adding = False

    def _gizmo(self) -> None:
        self._click()
        builder = self.work.builder
        builder.gizmo.mode = self._random.choice(("move", "rotate", "scale"))
        handles = builder.gizmo.handles()
        if handles:
            tip = self._random.choice(handles).marks[-1].points[-1]
            self.work.drag(tuple(map(float, tip)), self._place())

    def _edit(self) -> None:
        self._click()
        name = self._random.choice(
            ("copy", "paste", "duplicate", "mirror", "mirror_depth", "turn", "group", "ungroup",
             "delete", "select_all", "cut")
        )  # fmt: skip
        self.work.act(name)
        self.work.builder.selection.align(self._random.randrange(3), "middle")

    def _field(self) -> None:
        """Another value of a key that the inspector shows."""
        builder, r = self.work.builder, self._random
        entry = r.choice(builder.things.entries)
        field = r.choice(
            [f for found in fields.fields(self.work.draft, entry).values() for f in found]
        )
        values = {
            "number": lambda: round(r.uniform(0.05, 5), 2),
            "flag": lambda: r.random() < 0.5,
            "choice": lambda: r.choice(field.choices),
            "color": lambda: r.choice(field.choices),
            "vector": lambda: [round(r.uniform(-2, 2), 2) for _ in range(3)],
            "pair": lambda: [-1, 1],
            "text": lambda: "a/d",
        }
        value = None if r.random() < 0.2 else values[field.kind]()
        builder.do(lambda: fields.set_value(self.work.draft, entry, field.path, value))

    def _hold(self) -> None:
        """Another thing at an end of a joint or rope."""
        draft, r = self.work.draft, self._random
        found = [(e, h.key) for e in self.work.builder.things.entries for h in ends(draft, e)]
        if found:
            entry, key = r.choice(found)
            body = r.choice([None, *holdable(draft)])
            self.work.builder.do(lambda: hold(draft, entry, key, body))

    def _back(self) -> None:
        for _ in range(self._random.randint(1, 4)):
            self.work.act(self._random.choice(("undo", "undo", "redo")))

    def _about(self) -> None:
        draft, r = self.work.draft, self._random
        self.work.builder.do(
            r.choice(
                (
                    lambda: about.set_text(draft, "title", f"Level {r.random():.3f}"),
                    lambda: about.set_condition(draft, "win", "time() > 3", 0.5, "Done"),
                    lambda: about.set_condition(draft, "win", "", 0.0, ""),
                    lambda: about.add_slider(draft),
                    lambda: about.set_camera(draft, (1.0, 2.0, 9.0), (0.0, 1.0, 0.0), None),
                )
            )
        )

    def compare(self) -> None:
        """Save, open again: the same text and world, also after a step unless it is a heap."""
        draft = self.work.draft
        path = draft.save()
        again = load(path)
        assert again.document.source.text == draft.text
        worlds = [level.build() for level in (draft.level, again)]
        assert worlds[0].hash() == worlds[1].hash()
        if len(again.default.plan.bodies) <= _HEAP:
            for world in worlds:
                world.step()
            assert worlds[0].hash() == worlds[1].hash()
        self.compared += 1
        if self._random.random() < 0.4:
            self._begin()


def run(acts: int, every: int, seed: int) -> RandomBuilder:
    """So many acts; saved and compared after every so many."""
    with tempfile.TemporaryDirectory() as folder:
        builder = RandomBuilder(Path(folder), seed)
        for i in range(acts):
            builder.act()
            if (i + 1) % every == 0:
                builder.compare()
        return builder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        builder = RandomBuilder(Path(folder), given.seed)
        end = time.monotonic() + 60 * given.minutes
        minute = time.monotonic() + 60
        try:
            while time.monotonic() < end:
                builder.act()
                if time.monotonic() >= minute:
                    begun = time.monotonic()
                    builder.compare()
                    took = time.monotonic() - begun
                    print(
                        f"{sum(builder.done.values())} acts, compared in {took:.1f} s", flush=True
                    )
                    minute += 60
            builder.compare()
        except Exception:
            print(builder.work.draft.text)  # what it was doing that with
            print(f"after {sum(builder.done.values())} acts, seed {given.seed}")
            raise
    print(f"{sum(builder.done.values())} acts, {builder.compared} times saved and compared")
    print(dict(builder.done))


if __name__ == "__main__":
    main()
