"""What is drawn, as flat arrays: independent of physics, of OpenGL and of how it was made.

Everything solid is a *part*: one row of `PART`, drawn with a named unit mesh (see `meshes`).
Ropes are chains of *tubes* that meet at mitred joints, springs are *coils*. Cloth and elastic
bodies are *sheets*: triangle meshes whose points move every frame.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from levels.appearance import PATTERNS
from sandbox.render import rotations
from sandbox.render.look import STUDIO, Look, linear
from sandbox.render.meshes import Mesh

Parts = npt.NDArray[np.void]
Vector = Sequence[float] | npt.NDArray[np.floating]

# One instance, 64 bytes: exactly the layout the vertex shader reads.
PART = np.dtype(
    [
        ("position", "3f4"),  # m
        ("radius", "f4"),  # m, of the bevel
        ("orientation", "4f4"),  # (w, x, y, z)
        ("half", "3f4"),  # m
        ("pattern", "f4"),  # index into PATTERNS
        ("color", "3f4"),  # linear
        ("gloss", "f4"),  # 0 chalk … 1 lacquer
    ]
)

# One rope segment from a to b, 80 bytes; `before` and `after` are its neighbours' far ends.
TUBE = np.dtype(
    [
        ("a", "3f4"),
        ("radius", "f4"),
        ("b", "3f4"),
        ("pattern", "f4"),
        ("before", "3f4"),
        ("start", "f4"),  # m along the rope, for the twist of the strands
        ("after", "3f4"),
        ("gloss", "f4"),
        ("color", "3f4"),
        ("length", "f4"),
    ]
)

# One spring from a to b, 48 bytes.
COIL = np.dtype(
    [
        ("a", "3f4"),
        ("radius", "f4"),
        ("b", "3f4"),
        ("wire", "f4"),  # m, radius of the wire
        ("color", "3f4"),
        ("turns", "f4"),
    ]
)
FEW_COILS = 12  # so many are wound finely

GLOSS = {
    "plain": 0.35,
    "wood": 0.2,
    "concrete": 0.05,
    "ball": 0.75,
    "metal": 0.6,
    "rope": 0.1,
    "tyre": 0.12,
    "grass": 0.03,
}


def pattern_index(name: str) -> int:
    if name not in PATTERNS:
        raise ValueError(f'unknown pattern "{name}"; known: {", ".join(PATTERNS)}')
    return PATTERNS.index(name)


def part(
    *,
    half: Vector,
    radius: float = 0.0,
    position: Vector = (0.0, 0.0, 0.0),
    orientation: Vector = (1.0, 0.0, 0.0, 0.0),
    color: str | Sequence[float] = "grey",
    pattern: str = "plain",
    gloss: float | None = None,
) -> Parts:
    """One row of PART, shape (1,)."""
    row = np.zeros(1, PART)
    row["position"], row["orientation"] = position, orientation
    row["half"], row["radius"] = half, min(radius, *np.asarray(half, float))
    row["color"], row["pattern"] = linear(color), pattern_index(pattern)
    row["gloss"] = GLOSS.get(pattern, GLOSS["plain"]) if gloss is None else gloss
    return row


def box(size: Vector, *, bevel: float | None = None, **options: object) -> Parts:
    """A bevelled box of full edge lengths `size`."""
    half = np.asarray(size, float) / 2
    radius = min(0.12 * float(half.min()) + 0.01, 0.09) if bevel is None else bevel
    return part(half=half, radius=radius, **options)  # type: ignore[arg-type]


def sphere(radius: float, **options: object) -> Parts:
    return part(half=(radius,) * 3, radius=radius, **options)  # type: ignore[arg-type]


def capsule(radius: float, length: float, **options: object) -> Parts:
    """Along local y; `length` is the distance of the two cap centres."""
    half = (radius, length / 2 + radius, radius)
    return part(half=half, radius=radius, **options)  # type: ignore[arg-type]


def cylinder(radius: float, length: float, *, bevel: float = 0.01, **options: object) -> Parts:
    """Along local y; draw it with the mesh "cylinder" or "rod"."""
    half = (radius, length / 2, radius)
    return part(half=half, radius=bevel, **options)  # type: ignore[arg-type]


def placed(rows: Parts, position: Vector, orientation: Vector) -> Parts:
    """The rows moved as one: turned first, then shifted."""
    moved = rows.copy()
    turn = np.tile(np.asarray(orientation, float), (len(rows), 1))
    moved["position"] = rotations.rotate(turn, rows["position"].astype(float)) + position
    moved["orientation"] = rotations.multiply(turn, rows["orientation"].astype(float))
    return moved


@dataclass
class Sheet:
    """A deforming triangle mesh. `points` (n, 3) change, everything else is fixed."""

    points: npt.NDArray[np.floating]
    triangles: npt.NDArray[np.integer]
    uv: npt.NDArray[np.floating]
    color: tuple[float, float, float] = (0.8, 0.8, 0.8)
    second: tuple[float, float, float] = (0.8, 0.8, 0.8)
    pattern: str = "weave"
    gloss: float = 0.1
    tint: npt.NDArray[np.floating] | None = None  # (n, 4) per-vertex colour and its weight


@dataclass
class Scene:
    """One picture's worth of objects."""

    look: Look = STUDIO
    ground: float | None = 0.0  # height of the ground plane, or none
    parts: dict[str, Parts] = field(default_factory=dict)  # by mesh name
    still: frozenset[str] = frozenset()  # meshes whose parts stay as they are while it is one array
    tubes: Parts = field(default_factory=lambda: np.zeros(0, TUBE))
    coils: Parts = field(default_factory=lambda: np.zeros(0, COIL))
    sheets: list[Sheet] = field(default_factory=list)
    meshes: dict[str, Mesh] = field(default_factory=dict)  # beyond the built-in ones
    marks: dict[str, Parts] = field(default_factory=dict)  # goal areas: no shadow, no outline
    backdrop: dict[str, Parts] = field(default_factory=dict)  # beyond the level: no shadow
    ghosts: dict[str, Parts] = field(default_factory=dict)  # translucent; gloss is their opacity
    ghost_tubes: Parts = field(default_factory=lambda: np.zeros(0, TUBE))
    selected: dict[str, Parts] = field(default_factory=dict)  # drawn again as an outline
    selected_sheets: list[Sheet] = field(default_factory=list)  # of `sheets`, likewise
    hovered: dict[str, Parts] = field(default_factory=dict)  # a thin outline: under the pointer
    hovered_sheets: list[Sheet] = field(default_factory=list)
    glow: dict[str, Parts] = field(default_factory=dict)  # overlays: unlit, on top of everything
    center: tuple[float, float, float] = (0.0, 4.0, 0.0)  # shadows are sharp around here
    radius: float = 20.0

    def add(self, mesh: str, *rows: Parts) -> None:
        """Append parts; for building by hand, not for every frame."""
        old = self.parts.get(mesh, np.zeros(0, PART))
        self.parts[mesh] = np.concatenate((old, *rows))


def tubes(
    points: npt.NDArray[np.floating],
    radius: float,
    *,
    color: str | Sequence[float] = "rope",
    pattern: str = "rope",
    gloss: float | None = None,
) -> Parts:
    """Tubes through a polyline of n points: n − 1 rows."""
    points = np.asarray(points, float)
    rows = np.zeros(len(points) - 1, TUBE)
    rows["radius"], rows["color"] = radius, linear(color)
    rows["pattern"] = pattern_index(pattern)
    rows["gloss"] = GLOSS.get(pattern, 0.3) if gloss is None else gloss
    place_tubes(rows, points)
    return rows


def place_tubes(rows: Parts, points: npt.NDArray[np.floating]) -> None:
    """Write the geometry of one rope through `points` into its rows."""
    rows["a"], rows["b"] = points[:-1], points[1:]
    rows["before"][1:], rows["after"][:-1] = points[:-2], points[2:]
    rows["before"][0] = 2 * points[0] - points[1]
    rows["after"][-1] = 2 * points[-1] - points[-2]
    lengths = np.linalg.norm(points[1:] - points[:-1], axis=1)
    rows["length"] = lengths
    rows["start"] = np.cumsum(lengths) - lengths


def smooth(points: npt.NDArray[np.floating], pieces: int) -> npt.NDArray[np.floating]:
    """A Catmull-Rom curve through the points, `pieces` straight bits per span."""
    points = np.asarray(points, float)
    if len(points) < 3 or pieces < 2:
        return points
    ends = np.vstack((2 * points[0] - points[1], points, 2 * points[-1] - points[-2]))
    p0, p1, p2, p3 = ends[:-3, None], ends[1:-2, None], ends[2:-1, None], ends[3:, None]
    t = (np.arange(pieces) / pieces)[None, :, None]
    curve = 0.5 * (
        2 * p1
        + (p2 - p0) * t
        + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2
        + (3 * (p1 - p2) + p3 - p0) * t**3
    )
    return np.vstack((curve.reshape(-1, 3), points[-1:]))


def concatenated(groups: Iterable[Parts], dtype: np.dtype[np.void]) -> Parts:
    rows = list(groups)
    return np.concatenate(rows) if rows else np.zeros(0, dtype)
