"""Saving a world and coming back to it, bit by bit.

Every store saves and restores itself. A snapshot has an entry for each of them, and the number of
the world that it was taken of.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from physics.schema import Group, allocate, fields, scratch_fields

Saved = Mapping[str, Any]  # what a store has saved of itself; only that store reads it

WORLD_KEY = "world"
# Entries of a store's part that many moments have in common, to be held once for all of them; the
# rest is plain data. `sandbox/rewind.py` keeps snapshots by the hundred.
SELDOM_CHANGED = {
    "names": ("handles", "twins"),
    "bodies": ("shapes", "generation"),
    "joints": ("joints", "generation", "free"),
    "softs": ("world", "items", "made", "clusters"),
    "hands": ("grabs", "made"),
    "stepping": ("stepper",),
}


class Store(Protocol):
    """Owns part of a world's state."""

    def save(self) -> Saved:
        """A copy of everything that is not recomputed within a step."""
        ...

    def restore(self, saved: Saved) -> None:
        """Back to what was saved, which stays as it is."""
        ...


def take(world: int, stores: Mapping[str, Store]) -> Saved:
    """What every store saves, by its name."""
    return {WORLD_KEY: world, **{name: store.save() for name, store in stores.items()}}


def check(world: int, stores: Mapping[str, Store], saved: object, twin: bool) -> None:
    """ValueError unless that is a snapshot of this world, or of any if it may be a twin's."""
    if not isinstance(saved, Mapping):
        raise ValueError(f"a snapshot is what world.snapshot() gives, not a {type(saved).__name__}")
    missing = [name for name in (WORLD_KEY, *stores) if name not in saved]
    foreign = [str(name)[:80] for name in saved if name not in stores and name != WORLD_KEY]
    if missing or foreign:
        lacks = f" lacks {', '.join(missing)}" if missing else ""
        knows = f" holds {', '.join(foreign)}, which no world has" if foreign else ""
        both = " and" if missing and foreign else ""
        raise ValueError(f"this snapshot{lacks}{both}{knows}; take one with world.snapshot()")
    if saved[WORLD_KEY] != world and not twin:
        raise ValueError(
            "this snapshot was taken of another world; if the two were built alike, "
            "restore(snapshot, twin=True) takes it over"
        )


def put_back(stores: Mapping[str, Store], saved: Saved) -> None:
    """Restores every store; if one of them cannot be, all are as they were before."""
    before = {name: store.save() for name, store in stores.items()}
    for name, store in stores.items():
        try:
            store.restore(saved[name])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            for known, touched in stores.items():
                touched.restore(before[known])
            raise ValueError(
                f'this snapshot is damaged or of a world built otherwise: its part "{name}" does '
                "not fit"
            ) from error


# --- for stores of arrays -----------------------------------------------------------------------


def saved_arrays(arrays: NamedTuple) -> dict[str, NDArray[Any]]:
    """Copies of what must be saved of a group, by name."""
    scratch = scratch_fields(type(arrays))
    return {n: array.copy() for n, array in arrays._asdict().items() if n not in scratch}


def restored_arrays(arrays: Group, saved: Saved) -> Group:
    """`arrays` with the saved contents; made anew where the sizes differ."""
    group: Any = type(arrays)
    if saved.keys() != fields(group).keys() - scratch_fields(group):
        raise ValueError(f"it has other arrays than {group.__name__.lower()}")
    if all(len(getattr(arrays, name)) == len(value) for name, value in saved.items()):
        for name, value in saved.items():
            getattr(arrays, name)[...] = value
        return arrays
    name, first = next(iter(saved.items()))
    (letter,) = fields(group)[name].shape  # the first field of a store has one entry a slot
    fresh = allocate(group, **{letter: len(first)})
    for name, value in saved.items():
        getattr(fresh, name)[...] = value
    return fresh
