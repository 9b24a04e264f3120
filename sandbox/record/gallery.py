"""Pictures of all props, and the page that shows them: `python -m sandbox.record.gallery`.

Every prop is drawn as it begins, with its keys left as they are by default.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from levels import load
from levels.props import PROPS
from levels.reference_page import NEEDED

ROOT = Path(__file__).parents[2]
PAGE, PICTURES = ROOT / "levels" / "GALLERY.md", ROOT / ".pictures" / "props"
SIZE = (480, 270)
# where a prop that has a place of its own stands, so that it is above the ground
_PLACES = {"ragdoll": [0, 0.9, 0], "trampoline": [0, 0, 0]}


def level_of(kind: str) -> str:
    """A level with one prop and a ground."""
    needed = {**NEEDED.get(kind, {})}
    if kind in _PLACES:
        needed["position"] = _PLACES[kind]
    if kind == "cloth":
        needed["pins"] = ["top"]
    keys = "".join(f"{key} = {value}\n".replace("'", '"') for key, value in needed.items())
    ground = '[bodies.ground]\nshape = "plane"\nfixed = true\n'
    return f'format = 1\n{ground}[props.{kind}]\nkind = "{kind}"\n{keys}'


def page() -> str:
    """Markdown, two props to a row."""
    lines = [
        "# Props",
        "",
        "Made by `python -m sandbox.record.gallery`; do not edit. Each has its keys as they are",
        "by default; all keys and the names of parts are in the [reference](REFERENCE.md).",
        "",
        "| | |",
        "|---|---|",
    ]
    cells = [
        f"![{kind}](../.pictures/props/{kind}.jpg)<br>`{kind}`: {' '.join(prop.doc.split())}"
        for kind, prop in sorted(PROPS.items())
    ]
    cells += [""] * (len(cells) % 2)
    lines += [f"| {a} | {b} |" for a, b in zip(cells[::2], cells[1::2], strict=True)]
    return "\n".join(lines) + "\n"


def main(kinds: Sequence[str]) -> int:
    """Draw the props named, or all, and write the page."""
    from PIL import Image

    from sandbox.record.offline import still_picture

    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds or sorted(PROPS):
            path = Path(folder) / f"{kind}.toml"
            path.write_text(level_of(kind), encoding="utf-8")
            picture = Image.fromarray(still_picture(load(path), SIZE))
            picture.save(PICTURES / f"{kind}.jpg", quality=88)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
