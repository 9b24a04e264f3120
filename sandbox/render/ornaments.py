"""Ornaments: what a plain box in the physics looks like in the picture.

Each takes the half extents of a body's box and a colour, and returns parts in the body's frame,
grouped by mesh. Collision never sees them; they stay inside the box, or nearly.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.scene import PART, Parts, box, cylinder, part, sphere

Color = str | Sequence[float]
Groups = dict[str, Parts]
Ornament = Callable[[npt.NDArray[np.floating], Color], Groups]

ORNAMENTS: dict[str, Ornament] = {}


def ornament(function: Ornament) -> Ornament:
    ORNAMENTS[function.__name__] = function
    return function


def ornament_parts(
    kind: str, half: Sequence[float] | npt.NDArray[np.floating], color: Color
) -> Groups:
    """Parts of the named ornament around a box of half extents `half`."""
    if kind not in ORNAMENTS:
        raise ValueError(f'unknown appearance "{kind}"; known: {", ".join(sorted(ORNAMENTS))}')
    return ORNAMENTS[kind](np.asarray(half, float), color)


def struts(
    ends: npt.NDArray[np.floating], radius: float, color: Color, *, mesh: str = "rod"
) -> Groups:
    """Rods between pairs of points, `ends` of shape (n, 2, 3)."""
    ends = np.asarray(ends, float)
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    rows = np.repeat(part(half=(1, 1, 1), color=color, gloss=0.4), len(ends))
    rows["position"] = ends.mean(axis=1)
    rows["orientation"] = rotations.between(np.array((0.0, 1.0, 0.0)), along / length[:, None])
    rows["half"] = np.stack((np.full(len(ends), radius), length / 2, np.full(len(ends), radius)), 1)
    rows["radius"] = 0.0
    return {mesh: rows}


def merged(*groups: Groups) -> Groups:
    result: Groups = {}
    for group in groups:
        for mesh, rows in group.items():
            result[mesh] = np.concatenate((result.get(mesh, np.zeros(0, PART)), rows))
    return result


def _frame(half: npt.NDArray[np.floating]) -> tuple[npt.NDArray[np.intp], float]:
    """Axes sorted by length, longest first, and the thickness of struts that suits the width."""
    order = np.argsort(-half, kind="stable")
    return order, float(np.clip(0.072 * 2 * half[order[1:]].mean(), 0.02, 0.14))


def _zigzag(
    chord_a: npt.NDArray[np.floating], chord_b: npt.NDArray[np.floating]
) -> list[tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]]:
    """Diagonals and cross bars between two chords given as rows of nodes."""
    bars = list(zip(chord_a, chord_b, strict=True))
    for i, ((a0, a1), (b0, b1)) in enumerate(
        zip(pairwise(chord_a), pairwise(chord_b), strict=True)
    ):
        bars.append((a0, b1) if i % 2 == 0 else (b0, a1))
    return bars


def _chords(
    half: npt.NDArray[np.floating], corners: Sequence[tuple[float, float]], r: float
) -> list[npt.NDArray[np.floating]]:
    """Nodes along each chord, at `corners` of the cross-section in units of its half extents."""
    order, _ = _frame(half)
    long, v, u = order[0], order[1], order[2]
    if 1 in (u, v):  # "up" on the section is the body's y where there is one
        v, u = (1, u + v - 1)
    bays = max(2, round(2 * half[long] / (1.45 * half[order[1:]].mean())))
    station = np.linspace(-half[long], half[long], bays + 1)
    chords = []
    for cu, cv in corners:
        nodes = np.zeros((bays + 1, 3))
        nodes[:, long] = station
        nodes[:, u], nodes[:, v] = cu * (half[u] - r), cv * (half[v] - r)
        chords.append(nodes)
    return chords


def _lattice(
    half: npt.NDArray[np.floating], color: Color, corners: Sequence[tuple[float, float]]
) -> Groups:
    _, thickness = _frame(half)
    chords = _chords(half, corners, thickness)
    bars = []
    for i, chord in enumerate(chords):
        bars += _zigzag(chord, chords[(i + 1) % len(chords)])
    rails = [(chord[0], chord[-1]) for chord in chords]
    return merged(
        struts(np.array(rails), thickness, color, mesh="cylinder"),
        struts(np.array(bars), 0.55 * thickness, color),
    )


def _edges(
    half: npt.NDArray[np.floating], rail: float, bevel: float, color: Color, pattern: str
) -> list[Parts]:
    """The twelve edges of a box as bars twice as thick as `rail`."""
    bars = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for su, sv in product((-1, 1), repeat=2):
            edge, at = np.full(3, 2 * rail), np.zeros(3)
            edge[axis] = 2 * half[axis]
            at[u], at[v] = su * (half[u] - rail), sv * (half[v] - rail)
            bars.append(box(edge, bevel=bevel, color=color, pattern=pattern, position=at))
    return bars


@ornament
def truss(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """Four chords and zigzag bracing on every side: towers and booms."""
    return _lattice(half, color, ((-1, -1), (1, -1), (1, 1), (-1, 1)))


@ornament
def boom(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """Three chords, two below and one above, as the jib of a tower crane."""
    return _lattice(half, color, ((-1, -1), (1, -1), (0, 1)))


@ornament
def container(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A corrugated steel box with a frame of posts and rails."""
    hx, hy, hz = half
    long, short = (0, 2) if hx >= hz else (2, 0)
    depth = 0.035 * float(min(hx, hy, hz)) + 0.012
    rows = [box(2 * (half - depth), bevel=0.01, color=color, pattern="metal")]
    ribs = max(4, round(2 * half[long] / 0.42))
    size = 2 * half - 2 * depth
    size[long] = 0.5 * 2 * half[long] / ribs
    size[1] -= 0.24 * hy
    size[short] += 1.2 * depth
    for x in np.linspace(-1, 1, ribs * 2 + 1)[1::2] * (half[long] - 3 * depth):
        at = np.zeros(3)
        at[long] = x
        rows.append(box(size, bevel=0.02, color=color, pattern="metal", position=at))
    rows += _edges(half, 2.2 * depth, bevel=0.02, color=color, pattern="metal")
    return {"box": np.concatenate(rows)}


@ornament
def crate(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """Planks in a wooden frame."""
    rail = 0.14 * float(half.min()) + 0.01
    rows = [box(2 * (half - 0.45 * rail), bevel=0.01, color=color, pattern="wood")]
    rows += _edges(half, rail, bevel=0.3 * rail, color=color, pattern="wood")
    return {"box": np.concatenate(rows)}


@ornament
def cab(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A driver's cabin: a soft shell with glass wrapped around its upper half."""
    bevel = 0.22 * float(half.min())
    shell = box(2 * half, bevel=bevel, color=color, gloss=0.5)
    glass = 2 * half * np.array((1.0, 0.42, 0.86)) + np.array((0.02, 0.0, 0.02))
    at = (0.10 * half[0], 0.22 * half[1], 0.0)
    side = 2 * half * np.array((0.62, 0.42, 1.0)) + np.array((0.0, 0.0, 0.03))
    side_at = (0.22 * half[0], 0.22 * half[1], 0.0)
    tint = "#3f6f8f"
    windows = [
        box(glass * np.array((0.92, 1, 1)), bevel=0.06, color=tint, gloss=0.95, position=at),
        box(side, bevel=0.06, color=tint, gloss=0.95, position=side_at),
    ]
    return {"box": np.concatenate([shell, *windows])}


@ornament
def wheel(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A tyre with a rim; the axle is the thinnest direction of the box."""
    axle = 2 - int(np.argmin(half[::-1]))  # of a ball's: z, the axle of wheels in two dimensions
    radius = float(np.delete(half, axle).min())
    width = min(2 * float(half[axle]), radius)
    turn = {0: rotations.about((0, 0, 1), np.pi / 2), 1: (1.0, 0.0, 0.0, 0.0)}.get(
        axle, rotations.about((1, 0, 0), np.pi / 2)
    )
    tyre = cylinder(
        radius,
        width,
        bevel=0.3 * min(width, radius),
        color="black",
        pattern="tyre",
        orientation=turn,
    )
    rim = cylinder(
        0.58 * radius, width * 1.02, bevel=0.02, color=color, gloss=0.6, orientation=turn
    )
    hub = cylinder(0.18 * radius, width * 1.10, bevel=0.02, color="charcoal", orientation=turn)
    return {"cylinder": np.concatenate((tyre, rim, hub))}


def _wheels_under(
    half: npt.NDArray[np.floating], radius: float, stations: Sequence[float], y: float
) -> Groups:
    width = 0.34 * radius * 2
    groups = []
    for x, side in product(stations, (-1, 1)):
        group = wheel(np.array((radius, radius, width / 2)), "grey")
        for rows in group.values():
            rows["position"] += (x, y, side * (half[2] - width / 2))
        groups.append(group)
    return merged(*groups)


@ornament
def truck(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A lorry with its nose towards +x: cabin, bed with side boards, six wheels."""
    hx, hy, hz = half
    radius = min(0.30 * hy * 2, 0.16 * hx)
    floor = -hy + 1.15 * radius
    chassis_height = 0.10 * hy * 2
    bed_top = -hy + 1.45 * hy
    cabin = np.array((0.27 * hx, (hy - floor) / 2, 0.97 * hz))
    cabin_at = np.array((hx - cabin[0], floor + cabin[1], 0.0))
    shell = cab(cabin, color)
    for placed in shell.values():
        placed["position"] += cabin_at
    bed_length = 2 * hx - 2 * cabin[0] - 0.06 * hx
    bed_x = -hx + bed_length / 2
    bed_height = bed_top - floor
    board = 0.05 * hz + 0.03
    rows = [
        box((2 * hx * 0.98, chassis_height, 1.5 * hz), color="charcoal", position=(0, floor, 0)),
        box(
            (bed_length, board * 1.6, 2 * hz),
            color="slate",
            position=(bed_x, floor + 0.5 * chassis_height + board, 0),
        ),
        box((0.04 * hx, 0.16 * hy, 1.7 * hz), color="charcoal", position=(hx, floor + 0.1 * hy, 0)),
    ]
    for side in (-1, 1):
        at = (bed_x, floor + bed_height / 2, side * (hz - board / 2))
        rows.append(box((bed_length, bed_height, board), color=color, position=at))
        lamp = (hx + 0.01, floor + 0.34 * hy, side * 0.72 * hz)
        rows.append(box((0.03 * hx, 0.10 * hy, 0.24 * hz), color="cream", gloss=0.9, position=lamp))
    for x in (bed_x - bed_length / 2 + board / 2, bed_x + bed_length / 2 - board / 2):
        rows.append(
            box((board, bed_height, 2 * hz), color=color, position=(x, floor + bed_height / 2, 0))
        )
    wheels = _wheels_under(
        half, radius, (-0.66 * hx, -0.66 * hx + 2.15 * radius, 0.66 * hx), -hy + radius
    )
    return merged(shell, {"box": np.concatenate(rows)}, wheels)


@ornament
def hook(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A pulley block: two cheeks, a sheave between them, a pin."""
    hx, hy, hz = half
    cheeks = [
        box(
            (2 * hx, 2 * hy, 0.5 * hz),
            bevel=0.2 * hx,
            color=color,
            gloss=0.6,
            position=(0, 0, s * 0.75 * hz),
        )
        for s in (-1, 1)
    ]
    turn = rotations.about((1, 0, 0), np.pi / 2)
    sheave = cylinder(
        0.8 * hx, 0.9 * hz, color="steel", orientation=turn, position=(0, 0.3 * hy, 0)
    )
    pin = cylinder(
        0.25 * hx, 2.3 * hz, color="charcoal", orientation=turn, position=(0, 0.3 * hy, 0)
    )
    return {"box": np.concatenate(cheeks), "cylinder": np.concatenate((sheave, pin))}


@ornament
def sling(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """Four ropes from the lower corners of the box to a hook block in the middle of its top."""
    hx, hy, hz = half
    size = 0.16 * float(hy) + 0.16
    block = hook(np.array((0.75 * size, size, 0.7 * size)), color)
    for rows in block.values():
        rows["position"] += (0.0, hy - size, 0.0)
    apex = (0.0, hy - 1.7 * size, 0.0)
    legs = [((x * hx, -hy, z * hz), apex) for x, z in product((-1, 1), repeat=2)]
    return merged(block, struts(np.array(legs), 0.035, "cable"))


@ornament
def weight(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A stack of cast slabs, as counterweights are."""
    slabs = max(2, min(6, round(2 * half[0] / 0.5)))
    rows = []
    for x in (np.arange(slabs) + 0.5) / slabs * 2 - 1:
        size = (2 * half[0] / slabs * 0.96, 2 * half[1], 2 * half[2])
        rows.append(
            box(size, bevel=0.04, color=color, pattern="concrete", position=(x * half[0], 0, 0))
        )
    return {"box": np.concatenate(rows)}


@ornament
def pad(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A landing pad: a plate with a hazard rim."""
    plate = box(2 * half * np.array((0.94, 1.0, 0.94)), color=color, pattern="concrete")
    rim = box(2 * half * np.array((1.0, 0.8, 1.0)), color="yellow", pattern="hazard")
    return {"box": np.concatenate((rim, plate))}


@ornament
def post(half: npt.NDArray[np.floating], color: Color) -> Groups:
    """A round post with a knob, standing along its longest direction."""
    axis = int(np.argmax(half))
    radius = float(np.delete(half, axis).min())
    direction = np.zeros(3)
    direction[axis] = half[axis]
    shaft = struts(np.array([(-direction, direction)]), radius, color, mesh="cylinder")
    return merged(shaft, {"ball": sphere(1.15 * radius, color=color, position=direction)})
