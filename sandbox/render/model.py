"""Things that ride on bodies: built once, placed every frame with a few array operations.

Bodies and particles have slots; a picture needs parts and rope nodes placed from the slots'
poses. Each class below holds index arrays made when the model is built and turns poses
into scene rows without a Python loop over objects.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.look import linear
from sandbox.render.scene import COIL, FEW_COILS, GLOSS, PART, TUBE, Parts, pattern_index

if TYPE_CHECKING:
    from physics import Handle

Array = npt.NDArray[np.floating]
Index = npt.NDArray[np.intp]


WORLD = -1  # the slot of the world itself: the last row of all poses, which never moves


@dataclass(frozen=True)
class Poses:
    """Of all slots, of the nodes of soft bodies and, last, of the world. Nodes do not turn, so
    there are positions (n, 3) of all, in metres, and orientations (m, 4) of slots and world."""

    positions: Array
    orientations: Array

    @cached_property
    def rotations(self) -> tuple[Array, Array]:
        """Orientations as matrices: (m, 3, 3) that turn vectors and (m, 4, 4) that turn turns."""
        return rotations.turning_matrices(self.orientations)


def between(before: Poses, after: Poses, alpha: float) -> Poses:
    """The poses a fraction alpha of the way; slots that are new appear where they are."""
    count = min(len(before.positions), len(after.positions)) - 1
    turning = min(len(before.orientations), len(after.orientations)) - 1
    if alpha >= 1.0 or count <= 0:
        return after
    positions, orientations = after.positions.copy(), after.orientations.copy()
    old, new = before.positions[:count], after.positions[:count]
    positions[:count] = old + alpha * (new - old)
    orientations[:turning] = rotations.blend(
        before.orientations[:turning], after.orientations[:turning], alpha
    )
    return Poses(positions, orientations)


@dataclass
class AttachedParts:
    """Parts of one mesh, each fixed to a slot at a local pose."""

    still: bool = True  # all of them are the world's own and never move
    _rows: Parts = field(default_factory=lambda: np.zeros(0, PART))
    _slots: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    _local: Array = field(default_factory=lambda: np.zeros((0, 3)))
    _turn: Array = field(default_factory=lambda: np.zeros((0, 4)))
    _new: list[tuple[int, Parts]] = field(default_factory=list)  # not in the arrays yet
    _placed: bool = False

    def add(self, slot: int, rows: Parts) -> None:
        self.still &= slot == WORLD
        self._placed = False
        self._new.append((slot, rows))

    @property
    def rows(self) -> Parts:
        """As they were last placed."""
        self._gather()
        return self._rows

    @property
    def slots(self) -> Index:
        self._gather()
        return self._slots

    def _gather(self) -> None:
        """All new ones at once: one by one, the arrays would be copied for each."""
        if not self._new:
            return
        new = np.concatenate([rows for _, rows in self._new])
        slots = np.repeat([slot for slot, _ in self._new], [len(rows) for _, rows in self._new])
        self._new.clear()
        self._rows = np.concatenate((self._rows, new))
        self._slots = np.concatenate((self._slots, slots.astype(np.intp)))
        self._local = np.concatenate((self._local, new["position"].astype(float)))
        self._turn = np.concatenate((self._turn, new["orientation"].astype(float)))

    def place(self, poses: Poses) -> Parts:
        if self.still and self._placed:
            return self.rows
        slots = self.slots
        self._placed = True
        vectors, turns = poses.rotations
        local = np.einsum("nij,nj->ni", vectors[slots], self._local)
        self.rows["position"] = poses.positions[slots] + local
        self.rows["orientation"] = np.einsum("nij,nj->ni", turns[slots], self._turn)
        return self.rows


@dataclass(frozen=True)
class Node:
    """A point of a rope: fixed to one slot, or midway between points of two. A `bare` one is a
    node of a soft body, which does not turn."""

    slot: int
    local: tuple[float, float, float] = (0.0, 0.0, 0.0)
    other: int | None = None
    other_local: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bare: bool = False


@dataclass
class RopeStyle:
    radius: float = 0.02  # m; of a chain, whose links are drawn instead, when it shows its tension
    color: str = "rope"
    pattern: str = "rope"
    gloss: float | None = None
    links: bool = False


class Ropes:
    """All ropes of a scene as one array of tubes.

    `add` takes a rope as nodes and, per span between them, the joint that carries its tension
    (None where there is none). Spans are subdivided along a Catmull-Rom curve.
    """

    def __init__(self, pieces: int = 3) -> None:
        self.pieces = pieces
        self._nodes: list[Node] = []
        self._ropes: list[tuple[int, int, RopeStyle]] = []  # first node, count
        self.span_joints: list[Handle | None] = []
        self._ready = False

    def add(self, nodes: list[Node], style: RopeStyle, joints: "list[Handle | None]") -> None:
        if len(nodes) < 2:
            return
        self._ropes.append((len(self._nodes), len(nodes), style))
        self._nodes += nodes
        self.span_joints += joints
        self._ready = False

    def __len__(self) -> int:
        return len(self._ropes)

    def place(self, poses: Poses) -> Parts:
        """Tubes along all ropes."""
        if not self._ropes:
            return np.zeros(0, TUBE)
        if not self._ready:
            self._prepare()
        return self._fill(self.points(poses))

    def points(self, poses: Poses) -> Array:
        """Positions of all nodes (n, 3)."""
        if not self._ready:
            self._prepare()
        first = _attached(poses, self._slot, self._local)
        second = _attached(poses, self._other, self._other_local)
        return 0.5 * (first + second)

    def spans(self, poses: Poses) -> tuple[Array, Array]:
        """Both ends of every span, for picking; row i belongs to span_joints[i]."""
        if not self._ropes:
            return np.zeros((0, 3)), np.zeros((0, 3))
        points = self.points(poses)
        return points[self._span], points[self._span + 1]

    @property
    def tube_count(self) -> int:
        return len(self._rows) if self._ropes and self._ready else 0

    def owner(self, span: int, point: Array, poses: Poses) -> int:
        """The slot at the nearer end of a span: what is grabbed when a rope is."""
        first = int(self._span[span])
        points = self.points(poses)
        gaps = np.linalg.norm(points[first : first + 2] - point, axis=1)
        return int(self._slot[first + int(np.argmin(gaps))])

    def tint(self, rows: Parts, colors: Array) -> None:
        """Colour the tubes by span: colors (spans, 3)."""
        rows["radius"] = self._radius
        rows["color"] = np.repeat(colors, self._repeat, axis=0)

    def _prepare(self) -> None:
        nodes = self._nodes
        self._slot = np.array([node.slot for node in nodes], np.intp)
        self._local = np.array([node.local for node in nodes], float)
        self._other = np.array([_or(node.other, node.slot) for node in nodes], np.intp)
        locals_ = [node.local if node.other is None else node.other_local for node in nodes]
        self._other_local = np.array(locals_, float)
        spans, repeat, controls = [], [], []
        for first, count, _ in self._ropes:
            for i in range(count - 1):
                spans.append(first + i)
                controls.append((first + max(i - 1, 0), first + min(i + 2, count - 1)))
                repeat.append(self.pieces if count > 2 else 1)
        self._span = np.array(spans, np.intp)
        self._controls = np.array(controls, np.intp).reshape(-1, 2)
        self._repeat = np.array(repeat, np.intp)
        self._make_rows()
        self._ready = True

    def _make_rows(self) -> None:
        """Everything of the tubes that does not move, and where each sits on its span."""
        total = int(self._repeat.sum())
        start = np.cumsum(self._repeat) - self._repeat
        self._owner = np.repeat(np.arange(len(self._repeat)), self._repeat)
        piece = np.arange(total) - start[self._owner]
        self._t0 = (piece / self._repeat[self._owner])[:, None]
        self._t1 = ((piece + 1) / self._repeat[self._owner])[:, None]
        self._rows = np.zeros(total, TUBE)
        rope_of_tube = np.repeat(
            np.repeat(np.arange(len(self._ropes)), [count - 1 for _, count, _ in self._ropes]),
            self._repeat,
        )
        self._first = np.r_[True, rope_of_tube[1:] != rope_of_tube[:-1]]
        self._last = np.r_[rope_of_tube[1:] != rope_of_tube[:-1], True]
        self._unseen = np.zeros(total, bool)
        for k, (_, _, style) in enumerate(self._ropes):
            rows = rope_of_tube == k
            self._rows["radius"][rows] = style.radius
            self._unseen |= rows & style.links
            self._rows["color"][rows] = linear(style.color)
            self._rows["pattern"][rows] = pattern_index(style.pattern)
            gloss = GLOSS.get(style.pattern, 0.3) if style.gloss is None else style.gloss
            self._rows["gloss"][rows] = gloss
        self._radius = self._rows["radius"].copy()

    def _fill(self, points: Array) -> Parts:
        p1, p2 = points[self._span], points[self._span + 1]
        p0, p3 = points[self._controls[:, 0]], points[self._controls[:, 1]]
        m1, m2 = 0.5 * (p2 - p0), 0.5 * (p3 - p1)
        own = self._owner
        p1, p2, m1, m2 = p1[own], p2[own], m1[own], m2[own]
        a, b = _hermite(p1, p2, m1, m2, self._t0), _hermite(p1, p2, m1, m2, self._t1)
        rows = self._rows
        rows["a"], rows["b"] = a, b
        rows["radius"][self._unseen] = 0.0
        rows["before"][1:], rows["after"][:-1] = a[:-1], b[1:]
        rows["before"][self._first] = 2 * a[self._first] - b[self._first]
        rows["after"][self._last] = 2 * b[self._last] - a[self._last]
        length = np.sqrt(np.sum((b - a) ** 2, axis=1))
        rows["length"] = length
        rows["start"] = np.cumsum(length) - length
        return rows


def _hermite(p: Array, q: Array, u: Array, v: Array, t: Array) -> Array:
    """The cubic from p to q with end slopes u and v."""
    t2, t3 = t * t, t * t * t
    return (2 * t3 - 3 * t2 + 1) * p + (t3 - 2 * t2 + t) * u + (3 * t2 - 2 * t3) * q + (t3 - t2) * v


def _attached(poses: Poses, slots: Index, local: Array) -> Array:
    return poses.positions[slots] + np.einsum("nij,nj->ni", poses.rotations[0][slots], local)


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


class Coils:
    """Springs, wound by the shader; many in one scene are drawn more coarsely."""

    radius, wire, color = 0.12, 0.025, "steel"

    def __init__(self) -> None:
        self.ends: list[tuple[Node, Node]] = []
        self._rows: Parts = np.zeros(0, COIL)

    def place(self, poses: Poses) -> Parts:
        if len(self._rows) != len(self.ends):
            self._prepare()
        if not self.ends:
            return self._rows
        a, b = (
            poses.positions[slots]
            + np.einsum("nij,nj->ni", poses.rotations[0][turning], self._locals[:, k])
            for k, (slots, turning) in enumerate(zip(self._slots.T, self._turning.T, strict=True))
        )
        rows = self._rows
        rows["a"], rows["b"] = a, b
        length = np.linalg.norm(b - a, axis=1)
        rows["radius"] = np.minimum(self.radius, self._slender * length)
        return rows

    def _prepare(self) -> None:
        """Everything that does not move."""
        self._slots = np.array([[node.slot for node in pair] for pair in self.ends], np.intp)
        bare = np.array([[node.bare for node in pair] for pair in self.ends])
        self._turning = np.where(bare, WORLD, self._slots)
        self._locals = np.array([[node.local for node in pair] for pair in self.ends], float)
        few = len(self.ends) <= FEW_COILS
        self._slender = 0.3 if few else 0.14
        self._rows = np.zeros(len(self.ends), COIL)
        self._rows["wire"] = self.wire * self._slender / 0.3
        self._rows["color"], self._rows["turns"] = linear(self.color), 9 if few else 5
