"""What a level's own words add to the picture: its light, its scenery, its goal areas."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.plain_data import TomlTable
from sandbox.render import rotations, scenery  # noqa: F401 - its ornaments register themselves
from sandbox.render.look import LOOKS, Look, choose_look
from sandbox.render.ornaments import ornament_parts
from sandbox.render.scene import Parts, box

if TYPE_CHECKING:
    from levels.plan import Plan
    from levels.view_tables import Look as LevelLook
    from levels.view_tables import Scenery


_FLOATS = 0.3  # m above the ground from which a goal area is seen as a box in the air


def scenery_parts(piece: "Scenery") -> dict[str, Parts]:
    """One `[[look.scenery]]` entry of a level, in world axes."""
    half = np.asarray(piece.size, float) / 2
    if half[2] == 0.0:
        half[2] = min(half[0], half[1])  # two-dimensional levels leave the depth out
    groups = ornament_parts(piece.ornament, half, piece.color or "grey")
    turn = np.array(rotations.about((0.0, 1.0, 0.0), np.radians(piece.turn)))
    for rows in groups.values():
        turns = np.tile(turn, (len(rows), 1))
        rows["position"] = rotations.rotate(turns, rows["position"].astype(float)) + piece.position
        rows["orientation"] = rotations.multiply(turns, rows["orientation"].astype(float))
    return groups


def zone_marks(plan: "Plan | None", ground: float | None) -> dict[str, Parts]:
    """Goal areas: a bright frame on the ground with short posts; in the air all edges."""
    frames = [
        zone_frame(
            np.asarray(zone.center, float),
            np.asarray(zone.size, float),
            getattr(zone, "color", None) or "green",
            ground,
        )
        for zone in getattr(plan, "zones", {}).values()
        if not getattr(zone, "hidden", False)
    ]
    return {"box": np.concatenate(frames)} if frames else {}


def zone_frame(
    center: npt.NDArray[np.floating],
    size: npt.NDArray[np.floating],
    color: str,
    ground: float | None,
) -> Parts:
    """Thin unlit bars around the floor of a box; around all of it where it floats, so that one
    sees how high it is."""
    low = center - size / 2
    floats = ground is None or low[1] > ground + _FLOATS
    if ground is not None:
        low[1] = max(low[1], ground + 0.03)
    top = float(center[1] + size[1] / 2)
    bar, rows = float(np.clip(0.012 * size.max(), 0.02, 0.1)), []
    options: TomlTable = {"bevel": 0.0, "color": color, "pattern": "glow"}
    for sign in (-1, 1):
        x, z = center[0] + sign * size[0] / 2, center[2] + sign * size[2] / 2
        rows.append(box((size[0] + bar, bar, bar), position=(center[0], low[1], z), **options))
        rows.append(box((bar, bar, size[2] + bar), position=(x, low[1], center[2]), **options))
        tall = float(size[1]) if floats else min(0.5, float(size[1]))
        if floats:
            rows.append(box((size[0] + bar, bar, bar), position=(center[0], top, z), **options))
            rows.append(box((bar, bar, size[2] + bar), position=(x, top, center[2]), **options))
        for other in (-1, 1):
            corner = (x, low[1] + tall / 2, center[2] + other * size[2] / 2)
            rows.append(box((bar, tall, bar), position=corner, **options))
    return np.concatenate(rows)


def level_look(look: "LevelLook | None", dimension: int) -> Look:
    """The renderer's look for a level's [look] table."""
    chosen = choose_look(getattr(look, "palette", None), dimension)
    if look is None:
        return chosen
    sky = LOOKS.get(getattr(look, "sky", None) or "")
    if sky is not None:
        chosen = replace(chosen, zenith=sky.zenith, horizon=sky.horizon)
    for name, key in (("sun", "sun_direction"), ("fog", "fog"), ("exposure", "exposure")):
        value = getattr(look, name, None)
        if value is not None:
            change: TomlTable = {key: tuple(value) if name == "sun" else value}
            chosen = replace(chosen, **change)
    if not getattr(look, "grid", True):
        chosen = replace(chosen, grid=chosen.ground)
    return chosen
