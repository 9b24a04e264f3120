"""A picture that comes piece by piece.

Every pattern and every kind of thing has a shader program of its own, which the driver compiles
when it is first drawn: on a processor that takes up to a second each. Drawn all at once, a level's
first picture would hold the window for that long times twelve.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sandbox.render.scene import COIL, TUBE, Parts, Scene


def unfold(scene: Scene) -> Iterator[Scene]:
    """Scenes that lead to this one, each with one more program in it; the last is the whole."""
    bare = replace(
        scene, parts={}, still=frozenset(), backdrop={}, marks={}, sheets=[],
        tubes=np.zeros(0, TUBE), coils=np.zeros(0, COIL),
    )  # fmt: skip
    yield bare
    patterns = sorted({int(p) for rows in scene.parts.values() for p in np.rint(rows["pattern"])})
    shown = bare
    for i in range(len(patterns)):
        shown = replace(bare, parts=_with_patterns(scene.parts, patterns[: i + 1]))
        yield shown
    for name in ("tubes", "coils", "sheets", "marks", "backdrop"):
        if len(getattr(scene, name)):
            shown = replace(shown, **{name: getattr(scene, name)})
            yield shown
    yield scene


def _with_patterns(groups: dict[str, Parts], patterns: list[int]) -> dict[str, Parts]:
    found = {}
    for mesh, rows in groups.items():
        chosen = rows[np.isin(np.rint(rows["pattern"]), patterns)]
        if len(chosen):
            found[mesh] = chosen
    return found
