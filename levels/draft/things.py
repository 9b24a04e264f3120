"""What of a level can be selected: which entry a body belongs to, and where an entry is."""

from collections.abc import Iterable

from levels.draft.draft import Entries, Entry
from levels.frames import Frame, Vec, add, rotate, vec
from levels.level import Level
from levels.plan import PlannedSoft
from physics.shapes import parts_of
from physics.shapes.base import Shape

SELECTABLE = ("bodies", "particles", "props", "cloths", "joints", "zones")
Box = tuple[Vec, Vec]  # lowest and highest corner, m
_THIN = (0.05, 0.05, 0.05)  # m: half of what has no size of its own


class Things:
    """Of one level: entries, their parts and their places."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._plan = level.default.plan
        data = level.document.data
        self.entries: Entries = tuple(
            (section, name) for section in SELECTABLE for name in data.get(section, {})
        )
        self._solid = {name: section for section, name in self.entries if section in SELECTABLE[:4]}
        self._members: dict[Entry, list[str]] = {entry: [] for entry in self.entries}
        gone = set(self._plan.removed)
        for full in (*self._plan.bodies, *self._plan.particles, *self._plan.softs):
            entry = self.entry_of(full)
            if entry is not None and full not in gone:
                self._members[entry].append(full)
        self._assemblies = [
            {entry for entry in self.entries if entry[1] in assembly.parts}
            for assembly in level.default.checked.assemblies.values()
        ]
        self._joints: dict[str, list[str]] = {}
        for full in self._plan.joints:
            self._joints.setdefault(full.partition(".")[0], []).append(full)

    def entry_of(self, full: str) -> Entry | None:
        """The entry that a body, particle, cloth or solid comes from."""
        first = full.partition(".")[0]
        section = self._solid.get(first)
        return (section, first) if section is not None else None

    def together(self, entry: Entry) -> Entries:
        """The entry with all that is assembled with it."""
        chosen = {entry}
        for group in self._assemblies:
            chosen |= group if chosen & group else set()
        return tuple(other for other in self.entries if other in chosen)

    def members(self, entry: Entry) -> list[str]:
        """Full names of its bodies, particles, cloths and solids; none of a joint or zone."""
        return self._members.get(entry, [])

    def joints(self, name: str) -> list[str]:
        """Full names of the joints that an entry of [joints] means."""
        return [full for full in self._joints.get(name, ()) if ("joints", name) in self._members]

    def all_members(self, entries: Iterable[Entry]) -> set[str]:
        return {full for entry in entries for full in self.members(entry)}

    # --- places --------------------------------------------------------------------------------

    def box(self, entries: Iterable[Entry]) -> Box | None:
        """Around all of them; None where there is nothing, or nothing that has a size."""
        boxes = [box for entry in entries for box in self._boxes(entry)]
        if not boxes:
            return None
        low = tuple(min(box[0][i] for box in boxes) for i in range(3))
        high = tuple(max(box[1][i] for box in boxes) for i in range(3))
        return vec(low), vec(high)

    def middle(self, entries: Iterable[Entry]) -> Vec | None:
        box = self.box(entries)
        return None if box is None else vec((a + b) / 2 for a, b in zip(*box, strict=True))

    def _boxes(self, entry: Entry) -> list[Box]:
        section, name = entry
        plan = self._plan
        if section == "zones":
            zone = plan.zones.get(name)
            copies = (
                [zone] if zone else [z for n, z in plan.zones.items() if n.startswith(f"{name}.")]
            )
            return [around(vec(z.center), vec(s / 2 for s in z.size)) for z in copies]
        if section == "joints":
            return [around(point, _THIN) for point in self.anchors(name)]
        found = []
        for full in self.members(entry):
            body, grain = plan.bodies.get(full), plan.particles.get(full)
            if body is not None:
                found += body_box(body.shape, body.frame)
            elif grain is not None:
                found.append(around(grain.position, _THIN))
            elif full in plan.softs:
                found.append(_soft_box(plan.softs[full]))
        return found

    def anchors(self, name: str) -> list[Vec]:
        """Where the joints of an entry hold."""
        plan, found = self._plan, []
        for full in self.joints(name):
            joint = plan.joints[full]
            points = [p for p in (joint.at, joint.at_a, joint.at_b) if p is not None]
            found += points or [plan.center(joint.a)]
        return found


def around(middle: Vec, half: Vec) -> Box:
    return (
        vec(m - h for m, h in zip(middle, half, strict=True)),
        vec(m + h for m, h in zip(middle, half, strict=True)),
    )


def body_box(shape: Shape, frame: Frame) -> list[Box]:
    """Around a shape as it is placed; nothing for planes, which have no end."""
    corners: list[Vec] = []
    for piece in parts_of(shape):
        own = Frame(vec(piece.position), tuple(piece.orientation)).within(frame)  # type: ignore[arg-type]
        corners += [own.point(corner) for corner in local_corners(piece.shape)]
    if not corners:
        return []
    low, high = (vec(pick(c[i] for c in corners) for i in range(3)) for pick in (min, max))
    return [(low, high)]


def local_corners(shape: Shape) -> list[Vec]:
    """Corners of a box around a shape in its own axes, or its own corners."""
    points = getattr(shape, "vertices", None)
    if points is not None:
        return [vec(point) for point in points.tolist()]
    half = half_size(shape)
    if half is None:
        return []
    x, y, z = half
    return [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]


def half_size(shape: Shape) -> Vec | None:
    """Half the edges of the box around a shape about its own origin; None: it has no end."""
    size = getattr(shape, "size", None)
    if size is not None:
        return vec(s / 2 for s in size)
    radius = getattr(shape, "radius", None)
    if radius is None:
        return None
    length = getattr(shape, "length", 0.0) / 2
    caps = radius if getattr(shape, "name", "") in ("sphere", "capsule") else 0.0
    return (radius, length + caps, radius)


def _soft_box(soft: PlannedSoft) -> Box:
    given = soft.options.get("size")
    size = [*given, 0.0, 0.0][:3] if given is not None else [1.0, 1.0, 1.0]
    x, y, z = (abs(float(s)) / 2 for s in size)
    corners = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    placed = [add(soft.frame.position, rotate(soft.frame.orientation, c)) for c in corners]
    low, high = (vec(pick(c[i] for c in placed) for i in range(3)) for pick in (min, max))
    return low, high
