"""Figures of the house: how many files a folder has, how long functions are, who knows a noun.

    python -m tests.house                      of this tree, as the tables of docs/house.md
    python -m tests.house --beside 2145a31     of an older commit, too
    python -m tests.house --hops               modules that a level and a drag of the mouse pass

"Files that know it" are source files (no tests, levels or generated pages) in which the word of a
noun stands: about what has to be touched to add another one like it, in trees where nobody can try.
What it takes in this tree is tried: `python -m tests.additions`.
"""

import argparse
import ast
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
LAYERS = ("physics", "levels", "sandbox")
NOUNS = (  # what, its words in older trees, its words now
    ("row primitive", r"pulley", r"screw"),
    ("joint kind of known rows", r'"universal"', r'"universal"'),
    ("stabilization", r'"inertial"', r'"inertial"'),
    ("panel", r'"plots"', r'"plots"'),
    ("overlay", r'"tension"', r'"tension"'),
    ("key of a body", r"rolling_friction", r"surface_velocity"),
    ("solid material", r"neo.hookean", r"neo.hookean"),
    ("cloth model", r'"membrane"', r'"quads"'),
    ("tool of the game", r'"weld"', r'"delete"'),
)
FOREIGN = "levels/importers/"  # words of other formats
LONG = 65  # lines of a function
_LISTED = 4  # files that are named one by one


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8")
    return done.stdout


def sources(commit: str | None) -> dict[str, str]:
    """Path → text of every module that is shipped."""
    if commit is None:
        paths = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
        return {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in paths}
    listed = _git("ls-tree", "-r", "--name-only", commit, *LAYERS).split()
    return {path: _git("show", f"{commit}:{path}") for path in listed if path.endswith(".py")}


def functions(texts: dict[str, str]) -> list[tuple[int, str]]:
    """Lines and place of every function."""
    found = []
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append(((node.end_lineno or 0) - node.lineno + 1, f"{path}: {node.name}"))
    return sorted(found, reverse=True)


def folders(texts: dict[str, str]) -> Counter[str]:
    return Counter(path.rpartition("/")[0] for path in texts)


def doubled(texts: dict[str, str]) -> dict[str, list[str]]:
    """Basenames that several files have; a joint kind and its row may share their noun."""
    names: dict[str, list[str]] = {}
    for path in texts:
        if not path.endswith(("__init__.py", "__main__.py")):
            names.setdefault(path.rpartition("/")[2], []).append(path)
    rows = "physics/constraints/rows/"
    return {
        name: paths
        for name, paths in names.items()
        if len([path for path in paths if not path.startswith(rows)]) > 1
    }


def knowing(texts: dict[str, str], word: str) -> list[str]:
    """Files in which the word stands."""
    return [
        path
        for path, text in texts.items()
        if re.search(word, text, re.IGNORECASE) and not path.startswith(FOREIGN)
    ]


def report(commit: str | None) -> Iterator[str]:
    texts = sources(commit)
    lengths = functions(texts)
    sizes = folders(texts)
    yield f"{len(texts)} modules in {len(sizes)} folders; the fullest: " + ", ".join(
        f"{name} {count}" for name, count in sizes.most_common(5)
    )
    median = statistics.median(lines for lines, _ in lengths)
    too_long = sum(lines > LONG for lines, _ in lengths)
    yield f"{len(lengths)} functions, median {median:g} lines, {too_long} above {LONG}"
    yield from (f"    {lines} lines  {place}" for lines, place in lengths[:5])
    loose = sum(len(re.findall(r"^.*\bAny\b.*$", text, re.M)) for text in texts.values())
    yield f"{loose} lines mention Any"
    again = doubled(texts)
    yield f"{len(again)} basenames used twice: {', '.join(sorted(again))}"
    for noun, before, now in NOUNS:
        word = now if commit is None else before
        found = knowing(texts, word)
        listed = ", ".join(found) if len(found) <= _LISTED else ""
        yield f"{len(found):3} files know the {noun} {word}  {listed}"


# --- hops -----------------------------------------------------------------------------------------


def passed(work: Callable[[], Any]) -> list[str]:
    """Modules of ours in the order in which they are entered while something is done."""
    seen: list[str] = []

    def enter(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        ours = event == "call" and name.split(".")[0] in LAYERS
        if ours and (not seen or seen[-1] != name):
            seen.append(name)

    sys.setprofile(enter)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen


def hops(what: str, work: Callable[[], Any]) -> Iterator[str]:
    """First visits in order; how often the way goes back up to a layer that it has left."""
    seen = passed(work)
    first = list(dict.fromkeys(seen))
    layers = [name.split(".")[0] for name in first]
    back = sum(LAYERS.index(b) > LAYERS.index(a) for a, b in pairwise(layers))
    yield f"{what}: {len(first)} modules, {back} times back to a layer above"
    yield "    " + " → ".join(first)


def way_of_a_level() -> None:
    from levels import load
    from sandbox.app.player import Player

    player = Player(load("crane").session(), 720)
    player.aim_camera()
    player.show(1.0)
    player.scene()


def ways() -> Iterator[str]:
    from levels import load
    from levels.commands import Drag, Grab

    way_of_a_level()  # imports and what is made once
    yield from hops("a level from its text to a scene", way_of_a_level)
    session = load("crane").session()
    point = tuple(float(x) for x in session.position("truck"))

    def drag() -> None:
        session.issue(Grab(0, "truck", point))
        session.step()
        session.issue(Drag(0, (point[0] + 0.5, point[1], point[2])))
        session.step()

    yield from hops("a drag of the mouse to a force", drag)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="tests.house", description=__doc__)
    parser.add_argument("--beside", metavar="COMMIT", help="an older commit to compare with")
    parser.add_argument("--hops", action="store_true", help="ways through the modules")
    options = parser.parse_args(arguments)
    if options.beside:
        print(f"--- {options.beside}")
        print("\n".join(report(options.beside)))
        print("--- now")
    print("\n".join(report(None)))
    if options.hops:
        print("\n".join(ways()))


if __name__ == "__main__":
    main()
