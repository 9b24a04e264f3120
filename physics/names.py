"""The names of everything in a world, and the handles that stand for it."""

import difflib
import itertools
from dataclasses import replace

from physics.checks import shown
from physics.records import Handle
from physics.snapshot import Saved

_WORLDS = itertools.count(1)  # every world of this process has a number of its own
BODIES, SOFT = ("body", "particle"), ("cloth", "solid")
KINDS = {  # and several of them
    "body": "bodies",
    "particle": "particles",
    "joint": "joints",
    "grab": "grabs",
    "cloth": "cloths",
    "solid": "solids",
}
_ARTICLES = {BODIES: "a body", SOFT: "a cloth or solid", ("joint",): "a joint", ("grab",): "a grab"}


class NameTable:
    """Owns names and handles; refuses those of other worlds and of what was removed."""

    def __init__(self) -> None:
        self.world = next(_WORLDS)
        self._twins = {self.world}  # worlds whose handles are valid here: see `restore`
        self._by_name: dict[str, Handle] = {}
        self._live: dict[Handle, Handle] = {}  # equal handles may come from anywhere

    # --- asking ---------------------------------------------------------------------------------

    def find(self, name: str) -> Handle:
        """The handle of that name."""
        if not isinstance(name, str):
            raise TypeError(f"a name is a text, not {shown(name)}")
        if name in self._by_name:
            return self._by_name[name]
        near = difflib.get_close_matches(name[:80], self._by_name, 3)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise ValueError(f'nothing is named "{name[:80]}"{hint}')

    def resolve(self, handle: Handle | str) -> Handle:
        """The handle itself, if what it stands for is in this world."""
        if isinstance(handle, str):
            return self.find(handle)
        if self.known(handle) not in self._live:
            raise ValueError(f"{handle!r} is not in this world any more; it was removed")
        return self._live[handle]

    def slot(self, handle: Handle | str, kinds: tuple[str, ...]) -> int:
        """Slot of something of one of these kinds."""
        target = self.resolve(handle)
        if target.kind not in kinds:
            raise ValueError(f'"{target.name}" is a {target.kind}, not {_ARTICLES[kinds]}')
        return target.slot

    def body(self, handle: Handle | str) -> int:
        return self.slot(handle, BODIES)

    def joint(self, handle: Handle | str) -> int:
        return self.slot(handle, ("joint",))

    def grab(self, handle: Handle | str) -> int:
        return self.slot(handle, ("grab",))

    def known(self, handle: Handle) -> Handle:
        """The handle, if it is one of this world's, of something present or removed."""
        if not isinstance(handle, Handle):
            raise TypeError(f"give a handle or a name, not {shown(handle)}")
        if handle.world not in self._twins:
            raise ValueError(f"{handle!r} belongs to another world; find its like here by its name")
        return handle

    def at(self, kinds: tuple[str, ...], slot: int, generation: int) -> Handle | None:
        """The handle of what is in that slot."""
        for kind in kinds:
            found = self._live.get(Handle(kind, slot, generation))
            if found is not None:
                return found
        return None

    def handles(self, kind: str | None = None) -> list[Handle]:
        """All, or those of one kind, in order of their slots."""
        chosen = [handle for handle in self._live.values() if kind in (None, handle.kind)]
        return sorted(chosen, key=lambda handle: (handle.kind, handle.slot))

    # --- changing -------------------------------------------------------------------------------

    def check_new(self, name: str) -> None:
        """ValueError unless something may be given that name."""
        if not isinstance(name, str) or not name:
            raise ValueError(f"a name must be a text that is not empty, not {shown(name)}")
        if name in self._by_name:
            raise ValueError(f'there is already something named "{name}"; names must differ')

    def fresh(self, kind: str, count: int) -> str:
        """A name that is not taken: the kind and a number, `count` if possible."""
        while f"{kind} {count}" in self._by_name:
            count += 1
        return f"{kind} {count}"

    def add(self, name: str, kind: str, slot: int, generation: int = 0) -> Handle:
        """A new handle."""
        handle = Handle(kind, slot, generation, name, self.world)
        self._by_name[name] = handle
        self._live[handle] = handle
        return handle

    def forget(self, handle: Handle) -> None:
        del self._by_name[self._live.pop(handle).name]

    # --- saving ---------------------------------------------------------------------------------

    def save(self) -> Saved:
        return {"handles": dict(self._by_name), "twins": set(self._twins)}

    def restore(self, saved: Saved) -> None:
        """All names as they were. Those of a twin become this world's own, and the handles that it
        has given away are valid here, too."""
        own = {
            name: handle if handle.world == self.world else replace(handle, world=self.world)
            for name, handle in saved["handles"].items()
        }
        self._twins = self._twins | saved["twins"]
        self._by_name, self._live = own, {handle: handle for handle in own.values()}
