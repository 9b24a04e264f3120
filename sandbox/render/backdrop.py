"""What lies beyond the level: hills, woods, clouds, chosen by the look and placed by arithmetic.

A backdrop throws no shadow, is never picked and stands outside the circle the camera orbits on at
the level's own distance, so it never comes between the player and the level.
"""

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations, scenery  # noqa: F401 - its ornaments register themselves
from sandbox.render.look import Look
from sandbox.render.ornaments import Groups, merged, ornament_parts
from sandbox.render.scene import box, cylinder, sphere

Array = npt.NDArray[np.floating]
Vector = tuple[float, float, float]

_TURNED = rotations.about((1, 0, 0), np.pi / 2)  # a cylinder's axis along z: a disc on the paper
_PAPER = -1.5  # m; just before the sheet everything 2-D lies on


def backdrop(look: Look, center: Vector, clear: float, ground: float) -> Groups:
    """`clear`: radius around `center` that stays empty."""
    if look.flat:
        return _paper(look, center, ground)
    maker = {"forest": _forest, "dusk": _hills, "night": _town}.get(look.name)
    return maker(look, center, clear, ground) if maker is not None else {}


def _moved(groups: Groups, position: Vector, yaw: float) -> Groups:
    turn = np.array(rotations.about((0, 1, 0), yaw))
    for rows in groups.values():
        local = rows["position"].astype(float)
        rows["position"] = rotations.rotate(np.tile(turn, (len(rows), 1)), local) + position
        rows["orientation"] = rotations.multiply(
            np.tile(turn, (len(rows), 1)), rows["orientation"].astype(float)
        )
    return groups


def _mixed(look: Look, sky: float, ground: float = 0.0) -> tuple[float, float, float]:
    """An unlit colour between horizon, zenith and ground, as sRGB numbers."""
    light = np.asarray(look.horizon) * (1 - sky - ground)
    light = light + sky * np.asarray(look.zenith) + ground * np.asarray(look.ground)
    light = np.clip(light, 0.0, 1.0)
    r, g, b = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return (float(r), float(g), float(b))


def _ridge(
    look: Look, center: Vector, ground: float, distance: float, height: float, sky: float
) -> Groups:
    """A ring of unlit domes, the further the paler."""
    rng = np.random.default_rng(round(distance))
    rows = []
    color = _mixed(look, sky, 0.25 * sky)
    count = 26
    for i in range(count):
        angle = 2 * np.pi * (i + 0.6 * rng.random()) / count
        tall = height * (0.45 + 0.75 * rng.random())
        radius = distance * (0.16 + 0.1 * rng.random())
        at = (
            center[0] + distance * np.cos(angle),
            ground + tall - radius,
            center[2] + distance * np.sin(angle),
        )
        rows.append(sphere(radius, color=color, pattern="glow", position=at))
    return {"ball": np.concatenate(rows)}


def _hills(look: Look, center: Vector, clear: float, ground: float) -> Groups:
    far = max(6.0 * clear, 220.0)
    return merged(
        _ridge(look, center, ground, 2.0 * far, 0.20 * far, 0.22),
        _ridge(look, center, ground, 1.3 * far, 0.10 * far, 0.42),
        _ridge(look, center, ground, 0.9 * far, 0.05 * far, 0.62),
    )


def _forest(look: Look, center: Vector, clear: float, ground: float) -> Groups:
    """Trees in three rings, tall ones behind, and blue hills."""
    rng = np.random.default_rng(7)
    groups = []
    for ring, (count, near, tall) in enumerate(((20, 1.3, 0.30), (26, 1.7, 0.42), (30, 2.3, 0.55))):
        for i in range(count):
            angle = 2 * np.pi * (i + 0.8 * rng.random()) / count
            away = clear * near * (1.0 + 0.22 * rng.random())
            height = float(np.clip(clear * tall, 5.0, 26.0)) * (0.7 + 0.6 * rng.random())
            kind = "pine" if rng.random() < (0.35, 0.6, 0.85)[ring] else "tree"
            half = np.array((0.22, 0.5, 0.22)) * height * (1.0 if kind == "pine" else 1.35)
            half[1] = height / 2
            color = ("green", "olive", "#4f8f5a", "#6f9a4c")[int(rng.integers(4))]
            at = (
                center[0] + away * np.cos(angle),
                ground + half[1],
                center[2] + away * np.sin(angle),
            )
            groups.append(_moved(ornament_parts(kind, half, color), at, 6.0 * rng.random()))
    far = max(7.0 * clear, 200.0)
    return merged(
        *groups,
        _ridge(look, center, ground, 1.6 * far, 0.13 * far, 0.25),
        _ridge(look, center, ground, far, 0.07 * far, 0.45),
    )


def _town(look: Look, center: Vector, clear: float, ground: float) -> Groups:
    """Dark blocks with lit windows under far hills."""
    rng = np.random.default_rng(3)
    rows = []
    for i in range(46):
        angle = 2 * np.pi * (i + 0.7 * rng.random()) / 46
        away = clear * (2.2 + 1.4 * rng.random())
        wide, tall = clear * (0.10 + 0.1 * rng.random()), clear * (0.2 + 0.5 * rng.random())
        at = np.array((center[0] + away * np.cos(angle), ground, center[2] + away * np.sin(angle)))
        middle = (at[0], ground + tall / 2, at[2])
        rows.append(box((wide, tall, wide), bevel=0.0, color="#1d2638", gloss=0.1, position=middle))
        for _ in range(6):
            face = np.array((np.cos(angle), 0.0, np.sin(angle))) * -0.5 * wide * 1.42
            up = np.array((0.0, tall * (0.15 + 0.75 * rng.random()), 0.0))
            side = (
                np.array((-np.sin(angle), 0.0, np.cos(angle))) * wide * (rng.random() - 0.5) * 0.6
            )
            pane = 0.02 * clear
            rows.append(
                box(
                    (pane, pane, pane),
                    bevel=0.0,
                    color="#ffc766",
                    pattern="glow",
                    position=at + face + up + side,
                )
            )
    far = max(7.0 * clear, 200.0)
    return merged({"box": np.concatenate(rows)}, _ridge(look, center, ground, far, 0.1 * far, 0.5))


def _disc(x: float, y: float, radius: float, depth: float, color: str) -> npt.NDArray[np.void]:
    return cylinder(
        radius, 0.02, bevel=0.0, color=color, gloss=0.0, orientation=_TURNED, position=(x, y, depth)
    )


def _paper(look: Look, center: Vector, ground: float) -> Groups:
    """Cut-out hills, a low sun and clouds, one sheet above the other."""
    rng = np.random.default_rng(11)
    rows = [_disc(center[0] + 6.2, ground + 6.4, 1.1, _PAPER - 0.08, "#f6dfb4")]
    for layer, (color, height, spread) in enumerate(
        (("#dfe4e2", 5.0, 17.0), ("#d3ddd6", 3.4, 12.0), ("#c7d6c6", 1.9, 8.0))
    ):
        depth = _PAPER - 0.06 + 0.02 * layer
        for i in range(-8, 9):
            radius = spread * (0.8 + 0.7 * rng.random())
            x = center[0] + spread * 0.9 * (i + 0.5 * rng.random())
            top = ground + height * (0.5 + 0.7 * rng.random())
            rows.append(_disc(x, top - radius, radius, depth, color))
    for i in range(-4, 5):
        x, y = center[0] + 7.5 * (i + 0.6 * rng.random()), ground + 5.2 + 3.2 * rng.random()
        for dx, r in ((-0.8, 0.45), (0.0, 0.75), (0.8, 0.5)):
            rows.append(_disc(x + dx, y + 0.3 * r, r, _PAPER, "#fbf8f1"))
    return {"cylinder": np.concatenate(rows)}
