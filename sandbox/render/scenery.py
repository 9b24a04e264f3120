"""Ornaments for places rather than machines: trees, rocks, cliffs, people, fences, clouds.

Like those of `ornaments` they fill a box of half extents `half` and come back as parts grouped by
mesh. Levels use them on bodies (`ornament = "cliff"`) or on their own (`[[look.scenery]]`).
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.look import linear
from sandbox.render.ornaments import Color, Groups, merged, ornament, struts
from sandbox.render.scene import Parts, Vector, box, capsule, cylinder, part, sphere

Array = npt.NDArray[np.floating]

_GOLDEN = 2.39996  # rad; successive turns never line up


def shade(color: Color, factor: float) -> tuple[float, float, float]:
    """A colour made lighter or darker, as three sRGB numbers."""
    light = np.clip(np.asarray(linear(color)) * factor, 0.0, 1.0)
    r, g, b = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return (float(r), float(g), float(b))


def cone(radius: float, height: float, **options: object) -> Parts:
    """Along local y, its middle at the origin; draw it with the mesh "cone"."""
    return part(half=(radius, height / 2, radius), **options)  # type: ignore[arg-type]


@ornament
def pine(half: Array, color: Color) -> Groups:
    """A conifer: a trunk and four skirts that narrow towards the top."""
    hx, hy, hz = half
    wide = float(min(hx, hz))
    trunk = struts(np.array([((0, -hy, 0), (0, 0, 0))]), 0.12 * wide, "brown")
    skirts = []
    for i, (low, high) in enumerate(((0.16, 0.52), (0.34, 0.70), (0.52, 0.86), (0.68, 1.0))):
        radius = wide * (1.0 - 0.22 * i)
        middle = -hy + (low + high) * hy
        tone = shade(color, 0.72 + 0.14 * i)
        skirts.append(
            cone(radius, 2 * hy * (high - low), color=tone, gloss=0.05, position=(0, middle, 0))
        )
    return merged(trunk, {"cone": np.concatenate(skirts)})


@ornament
def tree(half: Array, color: Color) -> Groups:
    """A broad-leaved tree: a forked trunk under a crown of round clumps."""
    hx, hy, hz = half
    wide, thick = float(min(hx, hz)), 0.075 * float(min(hx, hz))
    fork = np.array((0.0, -0.2 * hy, 0.0))
    wood = merged(
        struts(np.array([((0, -hy, 0), fork)]), thick, "brown", mesh="cylinder"),
        struts(
            np.array([(fork, (s * 0.45 * wide, 0.3 * hy, 0.2 * s * wide)) for s in (-1, 1)]),
            0.7 * thick,
            "brown",
            mesh="cylinder",
        ),
        {"ball": sphere(thick, color="brown", gloss=0.1, position=fork)},
    )
    clumps = []
    for i, (rim, up, size) in enumerate(_CLUMPS):
        angle = _GOLDEN * i
        at = (rim * wide * np.cos(angle), up * hy, rim * wide * np.sin(angle))
        tone = shade(color, 0.74 + 0.09 * (i % 3) + 0.3 * (up - 0.2))
        clumps.append(sphere(size * wide, color=tone, pattern="grass", position=at))
    return merged(wood, {"ball": np.concatenate(clumps)})


# A crown: distance from its axis and radius in widths, height in heights of the box.
_CLUMPS = (
    *((0.60, 0.16, 0.34), (0.62, 0.22, 0.38), (0.58, 0.18, 0.36), (0.64, 0.26, 0.34)),
    *((0.56, 0.44, 0.38), (0.52, 0.52, 0.36), (0.54, 0.48, 0.40), (0.30, 0.30, 0.46)),
    *((0.28, 0.70, 0.36), (0.10, 0.78, 0.34)),
)


@ornament
def bush(half: Array, color: Color) -> Groups:
    """Five clumps on the ground."""
    hx, hy, hz = half
    rows = [
        sphere(
            r * hy, color=shade(color, t), pattern="grass", position=(x * hx, (r - 1) * hy, z * hz)
        )
        for x, z, r, t in (
            (-0.5, 0.0, 0.7, 0.88),
            (0.32, -0.25, 0.95, 0.94),
            (-0.12, -0.3, 0.85, 1.0),
            (0.1, 0.45, 0.62, 1.08),
            (0.62, 0.2, 0.6, 1.02),
        )
    ]
    return {"ball": np.concatenate(rows)}


@ornament
def rock(half: Array, color: Color) -> Groups:
    """A few bevelled blocks grown together."""
    hx, hy, hz = half
    rows = []
    for x, y, z, s, turn, tone in (
        (0.0, -0.1, 0.0, 0.85, 0.3, 1.0),
        (0.35, -0.4, 0.25, 0.55, 1.2, 0.9),
        (-0.4, -0.45, -0.2, 0.5, 2.1, 1.08),
    ):
        size = 2 * s * np.array((hx, hy, hz)) * np.array((0.95, 1.0, 0.9))
        rows.append(
            box(
                size,
                bevel=0.35 * float(size.min()) / 2,
                color=shade(color, tone),
                pattern="concrete",
                gloss=0.05,
                position=(x * hx, y * hy, z * hz),
                orientation=(np.cos(turn / 2), 0.12, np.sin(turn / 2), 0.05),
            )
        )
    for row in rows:
        row["orientation"] /= np.linalg.norm(row["orientation"], axis=1, keepdims=True)
    return {"ball": np.concatenate(rows)}


@ornament
def cliff(half: Array, color: Color) -> Groups:
    """Rock in layers under a cap of turf; its top and sides are those of the box."""
    hx, hy, hz = half
    cap = min(0.16 * 2 * hy, 0.35)
    layers = max(2, round((2 * hy - cap) / 1.3))
    tall = (2 * hy - cap) / layers
    rows = []
    for i in range(layers):
        inset = 0.05 * tall * (1 + np.sin(2.4 * i))
        size = (2 * (hx - inset), tall * 1.02, 2 * max(hz - inset, 0.5 * hz))
        tone = shade(color, 0.88 + 0.10 * np.sin(1.7 * i + 1.0))
        middle = (0.0, -hy + (i + 0.5) * tall, 0.0)
        rows.append(
            box(size, bevel=0.12 * tall, color=tone, pattern="concrete", gloss=0.0, position=middle)
        )
    rows.append(
        box(
            (2 * hx, cap, 2 * hz),
            bevel=0.3 * cap,
            color="grass",
            pattern="grass",
            gloss=0.0,
            position=(0.0, hy - cap / 2, 0.0),
        )
    )
    return {"box": np.concatenate(rows)}


def _limb(a: Vector, b: Vector, radius: float) -> Parts:
    start, end = np.asarray(a, float), np.asarray(b, float)
    along = end - start
    length = float(np.linalg.norm(along))
    turn = rotations.between(np.array((0.0, 1.0, 0.0)), along[None] / length)[0]
    return capsule(radius, length, position=(start + end) / 2, orientation=turn, gloss=0.25)


def _person(scale: float, shirt: Color, hip: float, *, sits: bool) -> Groups:
    """Facing +z, the hip at height `hip`; all lengths are those of an adult times the scale."""
    limbs: list[tuple[Parts, Color]] = []
    for side in (-1, 1):
        x = 0.1 * side
        knee = (x, hip - 0.02, 0.44) if sits else (x, hip - 0.42, 0.02)
        foot = (x, hip - 0.46, 0.46) if sits else (x, hip - 0.86, 0.0)
        limbs.append((_limb((x, hip, 0.0), knee, 0.085), "charcoal"))
        limbs.append((_limb(knee, foot, 0.07), "charcoal"))
        limbs.append((_limb((x, foot[1], foot[2]), (x, foot[1], foot[2] + 0.13), 0.065), "red"))
        elbow, hand = (0.27 * side, hip + 0.22, 0.02), (0.22 * side, hip + 0.04, 0.2)
        limbs.append((_limb((0.2 * side, hip + 0.47, 0.0), elbow, 0.06), shirt))
        limbs.append((_limb(elbow, hand, 0.05), "skin"))
    limbs.append((_limb((0.0, hip + 0.02, 0.0), (0.0, hip + 0.42, 0.0), 0.17), shirt))
    head = [
        (sphere(0.145, position=(0.0, hip + 0.76, 0.01), gloss=0.25), "skin"),
        (sphere(0.142, position=(0.0, hip + 0.79, -0.02), gloss=0.2), "brown"),
    ]
    for row, color in (*limbs, *head):
        row["color"] = linear(color)
        for name in ("position", "half", "radius"):
            row[name] *= scale
    return {
        "ball": np.concatenate([row for row, _ in limbs]),
        "head": np.concatenate([row for row, _ in head]),
    }


@ornament
def person(half: Array, color: Color) -> Groups:
    """Someone who stands and watches, as tall as the box."""
    scale = 2 * min(float(half[1]) / 1.83, float(half[0]) / 0.66, float(half[2]) / 0.42)
    return _person(scale, color, (0.93 - 0.915), sits=False)


@ornament
def sitter(half: Array, color: Color) -> Groups:
    """Someone who sits; the seat is at 35 % of the height of the box."""
    scale = 2 * min(float(half[1]) / 1.44, float(half[0]) / 0.66, float(half[2]) / 0.8)
    groups = _person(scale, color, 0.53 - 0.72, sits=True)
    for rows in groups.values():  # the knees are as far in front as the back
        rows["position"][:, 2] -= 0.25 * scale
    return groups


@ornament
def fence(half: Array, color: Color) -> Groups:
    """Two posts along x and a rope that sags between them."""
    hx, hy, _ = half
    radius = 0.07 * hy
    posts = [
        cylinder(radius, 2 * hy, color="wood", pattern="wood", position=(side * hx, 0, 0))
        for side in (-1, 1)
    ]
    knobs = [
        sphere(1.2 * radius, color="wood", pattern="wood", position=(side * hx, hy, 0))
        for side in (-1, 1)
    ]
    s = np.linspace(-1.0, 1.0, 13)
    sag = 0.35 * hy
    curve = np.stack((s * hx, 0.72 * hy - sag * (1 - s * s), np.zeros_like(s)), axis=1)
    rope = [_limb(a, b, 0.45 * radius) for a, b in pairwise(curve)]
    for row in rope:
        row["color"] = linear(color)
    return {"cylinder": np.concatenate(posts), "ball": np.concatenate((*knobs, *rope))}


@ornament
def banner(half: Array, color: Color) -> Groups:
    """A striped cloth between two posts along x."""
    hx, hy, hz = half
    radius = 0.028 * hy + 0.02
    posts = [
        cylinder(radius, 2 * hy, color="slate", gloss=0.6, position=(side * (hx - radius), 0, 0))
        for side in (-1, 1)
    ]
    knobs = [
        sphere(1.3 * radius, color="slate", gloss=0.6, position=(side * (hx - radius), hy, 0))
        for side in (-1, 1)
    ]
    cloth = part(
        half=(hx - 2 * radius, 0.74 * hy, hz),
        color=color,
        pattern="stripes",
        gloss=0.08,
        position=(0, 0.22 * hy, 0),
    )
    return {"cylinder": np.concatenate(posts), "ball": np.concatenate(knobs), "drape": cloth}


@ornament
def lamp(half: Array, color: Color) -> Groups:
    """A street lamp with a bright globe."""
    hy = float(half[1])
    globe = 0.16 * hy
    pole = cylinder(0.03 * hy + 0.02, 2 * hy - globe, color="charcoal", position=(0, -globe / 2, 0))
    foot = cylinder(0.09 * hy, 0.12 * hy, color="charcoal", position=(0, -0.94 * hy, 0))
    light = sphere(globe, color=color, pattern="glow", position=(0, hy - globe, 0))
    return {"cylinder": np.concatenate((pole, foot)), "ball": light}


@ornament
def cloud(half: Array, color: Color) -> Groups:
    """Round puffs side by side."""
    hx, hy, hz = half
    rows = [
        sphere(r * hy, color=shade(color, t), gloss=0.0, position=(x * hx, (r - 1) * hy, z * hz))
        for x, z, r, t in (
            (-0.75, 0.0, 0.55, 0.97),
            (-0.35, 0.2, 0.8, 1.0),
            (0.1, -0.1, 1.0, 1.0),
            (0.5, 0.15, 0.75, 0.99),
            (0.8, 0.0, 0.5, 0.96),
        )
    ]
    return {"ball": np.concatenate(rows)}
