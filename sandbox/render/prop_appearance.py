"""How the parts of props look when their level does not say otherwise.

A crane's tower is a lattice and its boom a jib with cabin and counterweight; a ragdoll wears a
shirt and trousers; a capsule painted as a tyre is a wheel. `prop_parts` returns parts in the body's
frame, or None when a body is to be drawn as its plain shape.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from physics.shapes import Box, Capsule, Cone, Cylinder, Hull, Sphere, TriangleMesh
from physics.shapes.base import Shape
from sandbox.render.ornaments import Groups, merged, ornament_parts, struts
from sandbox.render.scene import box, capsule, cylinder, sphere

Array = npt.NDArray[np.floating]


@dataclass(frozen=True)
class VisualPart:
    """A body of a prop, as far as its look depends on it."""

    part: str  # its name within the prop
    shape: Shape | None  # None: of a particle
    color: str | None
    pattern: str | None = None
    pivot: Array | None = None  # where it turns on another body, in its own frame


PropAppearance = Callable[[VisualPart], Groups | None]


def prop_parts(kind: str, visual: VisualPart) -> Groups | None:
    """The prop's way, or what pattern and name suggest."""
    appearance = _PROPS.get(kind)
    parts = appearance(visual) if appearance is not None else None
    return parts if parts is not None else _by_hints(visual)


def half_extents(shape: Shape | None) -> Array:
    if isinstance(shape, Box):
        return np.asarray(shape.size, np.float64) / 2
    if isinstance(shape, Sphere):
        return np.full(3, float(shape.radius))
    if isinstance(shape, Capsule):
        return np.array((shape.radius, shape.length / 2 + shape.radius, shape.radius))
    if isinstance(shape, (Cylinder, Cone)):
        return np.array((shape.radius, shape.length / 2, shape.radius))
    if isinstance(shape, (Hull, TriangleMesh)):
        return np.asarray(np.abs(shape.vertices).max(axis=0), np.float64)
    if shape is not None and shape.finite_convex:
        points, radius = shape.core()
        return np.asarray(np.abs(points).max(axis=0) + radius, np.float64)
    return np.full(3, 0.5)


def _by_hints(visual: VisualPart) -> Groups | None:
    shape = visual.shape
    if isinstance(shape, Capsule) and visual.pattern == "tyre":
        radius = float(shape.radius)
        width = min(float(shape.length) + 0.4 * radius, 0.9 * radius)
        return ornament_parts("wheel", (radius, width / 2, radius), "grey")
    if not isinstance(shape, Box):
        return None
    if visual.pattern == "panel" and not _is_slender(shape):
        return ornament_parts("container", half_extents(shape), visual.color or "teal")
    return _by_name(visual)


def _is_slender(shape: Shape | None) -> bool:
    half = half_extents(shape)
    return float(half.max()) > 6.0 * float(np.median(half))


def _by_name(visual: VisualPart) -> Groups | None:
    """Slender boxes called tower or boom are lattices; a cab has windows."""
    name, half = visual.part.rpartition(".")[2], half_extents(visual.shape)
    slender = _is_slender(visual.shape)
    if name == "cab":
        return ornament_parts("cab", half, visual.color or "cream")
    if slender and name in ("tower", "mast", "pylon"):
        return _tower(half, visual.color or "yellow")
    if slender and name in ("boom", "jib") and int(np.argmax(half)) == 0:
        pivot = float(visual.pivot[0]) if visual.pivot is not None else -0.5 * float(half[0])
        return tower_jib(half, pivot, visual.color or "yellow", weight=False)
    return None


def _crane(visual: VisualPart) -> Groups | None:
    color = visual.color or "yellow"
    half = half_extents(visual.shape)
    if visual.part == "tower":
        return _tower(half, color)
    if visual.part == "boom":
        pivot = float(visual.pivot[0]) if visual.pivot is not None else -0.5 * float(half[0])
        return tower_jib(half, pivot, color)
    return None


def _tower(half: Array, color: str) -> Groups:
    foot = (4.0 * half[0], 0.5, 4.0 * half[2])
    base = box(foot, color="concrete", pattern="concrete", position=(0, 0.25 - half[1], 0))
    return merged(ornament_parts("truss", half, color), {"box": base})


def tower_jib(half: Array, pivot: float, color: str, *, weight: bool = True) -> Groups:
    """The turning part of a tower crane: jib, counter-jib, weight, cabin, apex and stays.

    Along x; the tower stands at x = pivot, below the box of half extents `half`.
    """
    hx, hy, hz = (float(value) for value in half)
    reach, tail = hx - pivot, hx + pivot
    jib = _moved(
        ornament_parts("boom", (reach / 2 - 0.3, hy * 1.25, hz * 1.1), color),
        (pivot + reach / 2 + 0.3, 0.25 * hy, 0.0),
    )
    back = _moved(
        ornament_parts("truss", (tail / 2, 0.45 * hy, hz), color),
        (pivot - tail / 2, -0.4 * hy, 0.0),
    )
    ballast = _moved(
        ornament_parts("weight", (0.22 * tail, 2.2 * hy, 1.9 * hz), "grey"),
        (-hx + 0.24 * tail, -1.6 * hy, 0.0),
    )
    cabin = _moved(
        ornament_parts("cab", (1.6 * hy, 2.0 * hy, 1.6 * hz), "cream"),
        (pivot + 2.4 * hy, -1.3 * hy, 2.8 * hz),
    )
    apex = np.array((pivot, hy + 0.17 * reach, 0.0))
    mast = _moved(
        ornament_parts("truss", (0.6 * hz, (apex[1] + hy) / 2, 0.6 * hz), color),
        (pivot, (apex[1] - hy) / 2, 0.0),
    )
    ring = box((3.6 * hz, 0.9 * hy, 3.6 * hz), color="charcoal", position=(pivot, -1.2 * hy, 0))
    stays = [(apex, (pivot + s * reach, 1.3 * hy, 0.0)) for s in (0.45, 0.85)]
    stays.append((apex, (-hx + 0.24 * tail, 0.2 * hy, 0.0)))
    lines = struts(np.array(stays), 0.05, "cable")
    trolley = box(
        (2.2 * hz, 0.5 * hy, 2.4 * hz), color="charcoal", position=(hx - hz, -1.05 * hy, 0.0)
    )
    return merged(
        jib,
        back,
        ballast if weight else {},
        cabin,
        mast,
        lines,
        {"box": np.concatenate((ring, trolley))},
    )


def _moved(groups: Groups, by: tuple[float, float, float]) -> Groups:
    for rows in groups.values():
        rows["position"] += np.asarray(by, np.float32)
    return groups


_TROUSERS, _SHOES = "charcoal", "red"


def _ragdoll(visual: VisualPart) -> Groups | None:
    part = visual.part.removesuffix("_left").removesuffix("_right")
    shirt = visual.color or "blue"
    colors = {
        "pelvis": _TROUSERS,
        "chest": shirt,
        "head": "skin",
        "upper_arm": shirt,
        "forearm": "skin",
        "hand": "skin",
        "thigh": _TROUSERS,
        "shin": _TROUSERS,
        "foot": _SHOES,
    }
    if part not in colors:
        return None
    shape, color = visual.shape, colors[part]
    if isinstance(shape, Box):
        bevel = 0.45 * float(min(shape.size))
        return {"ball": box(shape.size, bevel=bevel, color=color, gloss=0.25)}
    if isinstance(shape, Sphere):
        if part == "head":
            return _head(float(shape.radius))
        return {"ball": sphere(shape.radius, color=color, gloss=0.25)}
    if isinstance(shape, Capsule):
        return {"ball": capsule(shape.radius, shape.length, color=color, gloss=0.25)}
    return None


def _head(radius: float) -> Groups:
    """Facing +z, with hair and two eyes."""
    head = sphere(radius, color="skin", gloss=0.25)
    hair = sphere(
        0.98 * radius, color="brown", gloss=0.2, position=(0, 0.14 * radius, -0.12 * radius)
    )
    eyes = [
        sphere(
            0.1 * radius, color="black", position=(s * 0.34 * radius, 0.1 * radius, 0.92 * radius)
        )
        for s in (-1, 1)
    ]
    neck = cylinder(0.45 * radius, radius, color="skin", position=(0, -1.0 * radius, 0))
    return {"ball": np.concatenate((head, hair, *eyes)), "cylinder": neck}


_PROPS: dict[str, PropAppearance] = {"crane": _crane, "ragdoll": _ragdoll}
