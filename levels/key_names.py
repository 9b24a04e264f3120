"""Names of keys in level files, by their position on a US keyboard."""

from levels.problems import LevelError, Place, Problem, did_you_mean, listing

KEYS: tuple[str, ...] = (
    *"abcdefghijklmnopqrstuvwxyz",
    *"0123456789",
    *("up", "down", "left", "right", "space", "enter", "backspace"),
)

# What the game itself uses; a level that takes one of them hides that control.
TAKEN = {"q": "spawn palette", "r": "restart", "f": "frame the selection", "g": "stabilization"}


def split_keys(written: str, place: Place) -> tuple[str, str]:
    """`"a/d"` → forward and back; a single key only drives forward."""
    names = [name.strip().lower() for name in written.split("/")]
    if len(names) > 2:
        raise LevelError(
            [Problem(f'"{written}" names {len(names)} keys', place, 'one or two: "a/d"')]
        )
    for name in names:
        if name not in KEYS:
            note = f"known keys: letters, digits, {listing(k for k in KEYS if len(k) > 1)}"
            hint = did_you_mean(name, KEYS)
            raise LevelError([Problem(f'unknown key "{name}"', place, hint, note)])
    return names[0], names[1] if len(names) == 2 else ""
