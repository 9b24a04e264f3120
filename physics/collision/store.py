"""The Python side of collision detection: owns the arrays, adds and removes shapes, grows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from physics.collision.arrays import (
    BOX,
    CAPSULE,
    DEAD,
    GROW_CONTACTS,
    GROW_PAIRS,
    HULL,
    MAX_POINTS,
    MESH,
    MOVING,
    OK,
    PLANE,
    POOL_START,
    ROUND,
    SEGMENT_EDGE,
    SLOT_BITS,
    SPHERE,
    Contacts,
    Floats,
    Ints,
    make_contacts,
    make_pool,
    make_shapes,
    make_space,
    make_work,
)
from physics.collision.collider import collider_ref
from physics.collision.detect import detect
from physics.collision.topology import (
    Solid,
    Surface,
    box_middle,
    box_solid,
    hull_solid,
    inner_solid,
    revolved_solid,
    surface,
)
from physics.portable import norm
from physics.shapes import (
    Box,
    Capsule,
    HeightField,
    Hull,
    Plane,
    Shape,
    Sphere,
    TriangleMesh,
)
from physics.shapes.revolved import OfRevolution

IDENTITY = (1.0, 0.0, 0.0, 0.0)


class ShapeStore:
    """All shapes of a world with their broad phase, working room and contacts.

    `shapes`, `pool`, `space`, `contacts` and `excluded` are replaced when they grow, so take
    `collider()` afresh for every call of `detect`.
    """

    def __init__(self, slots: int = 16, pairs: int = 64, contacts: int = 64) -> None:
        self.shapes = make_shapes(slots)
        self.pool = make_pool()
        self.space = make_space(slots, pairs)
        self.work = make_work()
        self.contacts = make_contacts(contacts)
        self.excluded: Ints = np.zeros(0, dtype=np.int64)
        self._excluded: dict[int, int] = {}
        self._free: list[int] = []
        self._filled = dict.fromkeys(self.pool._fields, 0) | POOL_START
        self._wasted = 0
        self._objects: dict[int, Shape | None] = {}
        self._collider: tuple[tuple[Any, ...], Any] | None = None

    # Adding and removing

    def add(
        self,
        shape: Shape,
        body: int,
        *,
        movable: int = MOVING,
        offset: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = IDENTITY,
        friction: float = 0.5,
        restitution: float = 0.0,
        rolling: float = 0.0,
        group: int = 1,
        mask: int = 0xFFFF,
        belt: ArrayLike = (0.0, 0.0, 0.0),
        one_way: ArrayLike = (0.0, 0.0, 0.0),
        part: int = 0,
    ) -> int:
        """Slot of the new shape, whose origin sits at `offset` from the body's centre of mass.

        For a hull about its own centre of mass pass offset = -mass_properties(…).center. `belt` and
        `one_way` are in the body's axes.
        """
        slot = self._take_slot()
        s = self.shapes[slot]
        s["body"], s["movable"] = body, movable
        s["offset"], s["turned"] = offset, rotation
        s["friction"], s["restitution"], s["rolling"] = friction, restitution, rolling
        s["group"], s["mask"], s["mechanism"] = group, mask, body
        s["belt"], s["one_way"] = _in_shape(s, belt), _in_shape(s, one_way)
        s["passes"], s["part"] = np.any(s["one_way"] != 0.0), part
        try:
            self._fill(slot, shape)
        except ValueError:
            self._give_back(slot)
            raise
        self._objects[slot] = shape
        return slot

    def add_particle(self, body: int, radius: float, **properties: Any) -> int:
        """A ball that may have radius zero: a point."""
        slot = self.add(Sphere(1.0), body, **properties)
        self.shapes[slot]["radius"] = radius
        self._objects[slot] = None
        return slot

    def remove(self, slot: int) -> None:
        """Frees the slot and forgets its contacts, so that a successor inherits nothing."""
        if self._objects.pop(slot, self) is self:
            raise ValueError(f"shape slot {slot} is not in use")
        s, c = self.shapes[slot], self.contacts
        self._wasted += int(s["vertices"])
        s["kind"] = DEAD
        n = max(int(c.count[0]), 0)
        keep = np.flatnonzero((c.shape_a[:n] != slot) & (c.shape_b[:n] != slot))
        for name, array in c._asdict().items():
            if name != "count" and not name.startswith("old_"):
                array[: len(keep)] = array[keep]
        c.count[0] = len(keep)
        self._give_back(slot)
        if self._wasted > 1024 and 2 * self._wasted > self._filled["vertices"]:
            self._compact()

    def _give_back(self, slot: int) -> None:
        self._free.append(slot)
        self._free.sort(reverse=True)  # the lowest slot first, whatever the order of removals

    def set_belt(self, slot: int, velocity: ArrayLike) -> None:
        """Velocity of the surface against the body, body axes [m/s]."""
        self.shapes[slot]["belt"] = _in_shape(self.shapes[slot], velocity)

    def set_mechanisms(self, of_body: Ints) -> None:
        """Which mechanism every body belongs to."""
        live = self.shapes[: int(self.space.span[0])]
        live["mechanism"] = of_body[live["body"]]

    def check_room(self, count: int) -> None:
        """ValueError unless that many shapes can be added."""
        taken = int(self.space.span[0]) - len(self._free)
        if taken + count > 1 << SLOT_BITS:
            raise ValueError(f"a world holds at most {1 << SLOT_BITS} shapes; it has {taken}")

    def exclude(self, body_a: int, body_b: int) -> None:
        """The two bodies ignore each other; counted, so every joint may say it for itself."""
        key = (min(body_a, body_b) << 32) | max(body_a, body_b)
        self._excluded[key] = self._excluded.get(key, 0) + 1
        if self._excluded[key] == 1:
            at = np.searchsorted(self.excluded, key)
            self.excluded = np.insert(self.excluded, at, key)

    def include(self, body_a: int, body_b: int) -> None:
        """Takes one `exclude` back."""
        key = (min(body_a, body_b) << 32) | max(body_a, body_b)
        if key not in self._excluded:
            raise ValueError(f"bodies {body_a} and {body_b} are not excluded from colliding")
        self._excluded[key] -= 1
        if self._excluded[key] == 0:
            del self._excluded[key]
            self.excluded = np.delete(self.excluded, np.searchsorted(self.excluded, key))

    # One step

    def detect(self, position: Floats, orientation: Floats, velocity: Floats, h: float) -> Contacts:
        """The contacts of the coming step; grows whatever is too small."""
        state = (position, orientation, velocity, h)
        while True:
            status = detect(*state, self.collider())
            if status == OK:
                return self.contacts
            self.grow(status)

    def collider(self) -> Any:
        """The last argument of `detect`; take it afresh after anything was added or grew."""
        tables = (self.pool, self.excluded, self.shapes, self.space, self.work, self.contacts)
        if self._collider is None or any(
            given is not known for given, known in zip(tables, self._collider[0], strict=True)
        ):
            self._collider = (tables, collider_ref(tables))
        return self._collider[1]

    def grow(self, status: int) -> None:
        """Makes room after `detect` said GROW_PAIRS or GROW_CONTACTS."""
        if status == GROW_PAIRS:
            needed = int(self.space.pair_count[0])
            room = np.zeros((2, needed + needed // 2, 2), dtype=np.int64)
            self.space = self.space._replace(pairs=room)
        elif status == GROW_CONTACTS:
            # four for each pair, but no more than crowds of boxes have: seldom twice in a step
            likely = min(4 * int(self.space.pair_count[0]), 8 * int(self.space.span[0]))
            self.make_room(max(2 * len(self.contacts.gap), likely))

    def make_room(self, contacts: int) -> None:
        """Room for at least that many contacts."""
        room = max(contacts, len(self.contacts.gap))
        self.contacts = _copied(self.contacts, make_contacts(room))

    # Filling

    def _take_slot(self) -> int:
        if self._free:
            return self._free.pop()
        slot = int(self.space.span[0])
        self.check_room(1)
        if slot == len(self.shapes):
            self._grow_slots(2 * slot)
        self.space.span[0] = slot + 1
        return slot

    def _grow_slots(self, slots: int) -> None:
        grown = make_shapes(slots)
        grown[: len(self.shapes)] = self.shapes
        self.shapes = grown
        self.space = make_space(slots, self.space.pairs.shape[1])

    def _fill(self, slot: int, shape: Shape) -> None:
        """Writes kind, sizes and pool rows of a shape; its offset is known."""
        s = self.shapes[slot]
        for name in _SIZES + _RANGES:
            s[name] = 0
        if isinstance(shape, Sphere):
            s["kind"], s["radius"] = SPHERE, shape.radius
        elif isinstance(shape, Capsule):
            s["kind"], s["radius"] = CAPSULE, shape.radius
            s["extent"] = 0.0, 0.5 * shape.length, 0.0
            s["reach"] = 0.5 * shape.length
            s["edge"], s["edges"] = SEGMENT_EDGE, 1
        elif isinstance(shape, Box):
            self._fill_solid(s, BOX, box_solid(shape))
            s["radius"] = shape.rounding
        elif isinstance(shape, OfRevolution):
            solid = shape.revolved()
            self._fill_solid(s, ROUND, revolved_solid(solid))
            s["rims"] = solid
            s["inner"], s["inset"], s["blunt"] = inner_solid(solid)
        elif isinstance(shape, Hull):
            _move_origin(s, box_middle(shape.vertices))
            self._fill_solid(s, HULL, hull_solid(shape))
        elif isinstance(shape, Plane):
            s["kind"], s["extent"] = PLANE, shape.normal
            _move_origin(s, np.array(shape.normal) * shape.offset)
        elif isinstance(shape, TriangleMesh | HeightField):
            self._fill_surface(s, shape)
        elif shape.finite_convex and shape.core()[1] == 0.0:
            self._fill(slot, Hull(shape.core()[0]))
        else:
            raise ValueError(f"collision knows no shape of type {type(shape).__name__}")

    def _fill_solid(self, s: Any, kind: int, solid: Solid) -> None:
        largest = max(len(solid.vertices), len(solid.normals))
        if largest > MAX_POINTS:
            raise ValueError(
                f"a hull has {largest} vertices or faces; at most {MAX_POINTS} are possible"
            )
        s["kind"] = kind
        _measure(s, solid.vertices)
        s["vertex"], s["vertices"] = self._append(vertices=solid.vertices)
        start, _ = self._append(loop=solid.loop)
        ends = start + np.cumsum(solid.loop_count)
        faces = np.stack([ends - solid.loop_count, solid.loop_count], axis=1)
        s["face"], s["faces"] = self._append(normals=solid.normals, faces=faces)
        s["edge"], s["edges"] = self._append(edges=solid.edges)

    def _fill_surface(self, s: Any, shape: TriangleMesh | HeightField) -> None:
        given = shape.surface()[0] if isinstance(shape, HeightField) else shape.vertices
        _move_origin(s, box_middle(given))
        rows: Surface = surface(shape)
        s["kind"], s["solid"] = MESH, isinstance(shape, HeightField)
        s["two_sided"] = getattr(shape, "two_sided", False)
        _measure(s, rows.vertices)
        s["vertex"], s["vertices"] = self._append(vertices=rows.vertices)
        s["face"], s["faces"] = self._append(triangles=rows.triangles)
        s["tree"], nodes = self._append(tree_box=rows.tree_box, tree_leaf=rows.tree_leaf)
        s["leaves"] = nodes // 2

    def _append(self, **rows: Any) -> tuple[int, int]:
        """Appends rows to pools that grow together; (start, count) of the new ones."""
        leader = next(iter(rows))
        start, count = self._filled[leader], len(rows[leader])
        for name, values in rows.items():
            pool = getattr(self.pool, name)
            if start + count > len(pool):
                grown = np.zeros((2 * (start + count), *pool.shape[1:]), dtype=pool.dtype)
                grown[:start] = pool[:start]
                pool = grown
                self.pool = self.pool._replace(**{name: pool})
            pool[start : start + count] = values
        self._filled[leader] = start + count
        return start, count

    def _compact(self) -> None:
        """Rewrites the pools without the rows of removed shapes."""
        self._filled = dict.fromkeys(self.pool._fields, 0) | POOL_START
        self._wasted = 0
        for slot in sorted(self._objects):
            shape, offset = self._objects[slot], self.shapes[slot]["offset"].copy()
            if shape is not None:
                self._fill(slot, shape)
                self.shapes[slot]["offset"] = offset  # hulls and meshes have moved theirs already


_SIZES = ("radius", "reach", "extent", "solid", "two_sided", "inset", "blunt", "inner", "rims")
_RANGES = ("vertex", "vertices", "face", "faces", "edge", "edges", "tree", "leaves")


def _measure(s: Any, vertices: Floats) -> None:
    s["extent"] = np.abs(vertices).max(axis=0)
    s["reach"] = norm(vertices).max()


def _move_origin(s: Any, by: Floats) -> None:
    """Shifts the shape's origin to the point `by` of its own axes."""
    w, *axis = s["turned"]
    twice = 2.0 * np.cross(axis, by)
    s["offset"] += by + w * twice + np.cross(axis, twice)


def _in_shape(s: Any, v: ArrayLike) -> Floats:
    """A vector of the body's axes in those of the shape."""
    w, *axis = s["turned"]
    twice = -2.0 * np.cross(axis, np.asarray(v, float))
    return np.asarray(v, float) + w * twice - np.cross(axis, twice)


def _copied(old: Contacts, new: Contacts) -> Contacts:
    """The larger tuple `new` with the contents of `old` in front."""
    for name, array in old._asdict().items():
        getattr(new, name)[: len(array)] = array
    return new
