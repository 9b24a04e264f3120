"""Things moved, turned, scaled, mirrored and put in line: changes of the points in their entries.

What is joined goes along: a joint whose bodies all move takes its anchors with it, one of which
only one end moves keeps the anchor on that end. A place that is written as a formula stays one when
it is only moved: "=h" becomes "=(h) + 0.5".
"""

from collections.abc import Callable
from typing import Any

from levels.draft.changes import (
    Change,
    mirror_shape,
    quarter,
    scale_lengths,
    write_turn,
)
from levels.draft.draft import Draft, Entries, Entry, Refused
from levels.draft.level_text import EditedTable, LevelText, item, number, plain
from levels.draft.things import Things
from levels.frames import IDENTITY, Quat, Vec, distance, from_degrees, scale, vec
from levels.plain_data import TomlTable, TomlValue
from levels.plan import Plan, PlannedJoint
from physics import JOINTS

_STILL = 1e-9  # m, rad
_PLACES = ("position", "origin", "center", "at", "at_a", "at_b", "from", "to")
_LISTS = ("through",)
_VELOCITIES = ("velocity",)


def change(
    draft: Draft,
    things: Things,
    entries: Entries,
    wanted: Change,
    label: str = "move",
    *,
    goes_on: bool = False,
) -> None:
    """Do it to all of them and to what is joined to them; Refused says why not."""
    if entries:
        draft.edit(
            label,
            lambda text: _apply(draft, text, things, entries, wanted, entries),
            goes_on=goes_on,
        )


def _apply(
    draft: Draft,
    text: LevelText,
    things: Things,
    entries: Entries,
    wanted: Change,
    chosen: Entries,
) -> None:
    """Change some of the chosen entries, and joints at them that are not chosen themselves."""
    for entry in entries:
        own(draft, text, entry)
        _Mover(draft, text, entry, wanted).all()
    moving = things.all_members(entries)
    for section, name in things.entries:
        if section == "joints" and (section, name) not in chosen:
            keys = _following(things, name, moving)
            if keys:
                own(draft, text, (section, name))
                _Mover(draft, text, (section, name), wanted).only(keys)


def own(draft: Draft, text: LevelText, entry: Entry) -> None:
    """An entry of an included file is written here before it is changed: what is here wins."""
    section, name = entry
    if not text.has(section, name):
        text.add(section, name, plain(draft.level.document.data[section][name]))


def _following(things: Things, name: str, moving: set[str]) -> tuple[str, ...]:
    """Keys of a joint that go along with the bodies that move."""
    plan = things.level.default.plan
    for full in things.joints(name):
        joint = plan.joints[full]
        a, b = joint.a in moving, joint.b in moving
        if not (a or b):
            return ()
        if JOINTS[joint.kind].anchors == "separate":
            return tuple(key for key, goes in (("at_a", a), ("at_b", b)) if goes)
        if (a and b) or joint.b is None or _nearer(plan, joint, a):
            return ("at", "axis")
    return ()


def _nearer(plan: Plan, joint: PlannedJoint, first: bool) -> bool:
    """Does an anchor between a body that moves and one that does not go with the first? It goes
    with the one whose middle it is nearer to: the hinge of a wheel with the wheel."""
    if joint.at is None or joint.b is None:
        return False
    moved, stays = (joint.a, joint.b) if first else (joint.b, joint.a)
    if plan.is_fixed(stays) and not plan.is_fixed(moved):
        return True
    return distance(joint.at, plan.center(moved)) <= distance(joint.at, plan.center(stays))


class _Mover:
    """The change of one entry."""

    def __init__(self, draft: Draft, text: LevelText, entry: Entry, wanted: Change) -> None:
        self._text, self._entry, self._wanted = text, entry, wanted
        section, name = entry
        self._written = text.read(section, name)
        self._flat = draft.flat
        known = draft.checked.props if section == "cloths" else getattr(draft.checked, section)
        self._model = known.get(name)  # None of a repeated entry
        if "repeat" in self._written and not wanted.only_moves:
            raise Refused(f'"{name}" is repeated: it can be moved here, and turned in its file')

    def all(self) -> None:
        self._text.edit(*self._entry, self._whole)

    def only(self, keys: tuple[str, ...]) -> None:
        def work(table: EditedTable) -> None:
            for key in keys:
                if key in self._written and not isinstance(self._written[key], str):
                    self._axis(table, key) if key == "axis" else self._point(table, key)
            self._length(table)

        self._text.edit(*self._entry, work)

    def _whole(self, table: EditedTable) -> None:
        section, _ = self._entry
        written, wanted = self._written, self._wanted
        for key in (*_PLACES, *self._parameters("point")):
            if key in written and not isinstance(written[key], str):
                self._point(table, key)
        if section in ("bodies", "particles") and not {"position", "origin"} & written.keys():
            table["position"] = item(self._short(wanted.point((0.0, 0.0, 0.0))))
        if self._placed_prop and "position" not in written:
            table["position"] = item(self._short(wanted.point((0.0, 0.0, 0.0))))
        for key in _LISTS:
            if key in written:
                table[key] = item(
                    [self._moved(p) if isinstance(p, list) else p for p in written[key]]
                )
        if not wanted.only_moves:
            self._turned(table)
        self._length(table)

    @property
    def _placed_prop(self) -> bool:
        return self._entry[0] in ("props", "cloths") and hasattr(self._model, "position")

    def _parameters(self, kind: str) -> list[str]:
        """Keys of a joint that are points or directions."""
        if self._entry[0] != "joints":
            return []
        known = JOINTS[str(self._written["kind"])].parameters
        return [key for key, parameter in known.items() if parameter.kind == kind]

    def _point(self, table: EditedTable, key: str) -> None:
        table[key] = item(self._moved(self._written[key], key))

    def _moved(self, written: list[TomlValue], key: str = "") -> list[TomlValue]:
        if self._wanted.only_moves:
            shift = self._wanted.shift[: len(written)]
            return [_added(value, d) for value, d in zip(written, shift, strict=True)]
        return self._short(self._wanted.point(self._resolved(key, written)))

    def _resolved(self, key: str, written: list[TomlValue]) -> Vec:
        """Formulas worked out."""
        if any(isinstance(value, str) for value in written):
            name = {"from": "from_"}.get(key, key)
            found = getattr(self._model, name, None)
            if found is None:
                raise Refused(f'"{self._entry[1]}": {key} is a formula, which can only be moved')
            return vec(found)
        return vec([*written, 0.0][:3])

    def _short(self, point: Vec) -> list[TomlValue]:
        """Of a flat level without z, if that is 0."""
        if self._flat and abs(point[2]) < _STILL:
            return [number(x) for x in point[:2]]
        return [number(x) for x in point]

    def _turned(self, table: EditedTable) -> None:
        wanted, written, section = self._wanted, self._written, self._entry[0]
        for key in _VELOCITIES:
            if key in written:
                table[key] = item(self._short(wanted.direction(self._resolved(key, written[key]))))
        if "angular_velocity" in written:
            turning = wanted.axis(self._resolved("angular_velocity", written["angular_velocity"]))
            table["angular_velocity"] = item([number(x) for x in turning])
        if section == "joints":
            for key in ("axis", *self._parameters("direction")):
                if key in written:
                    self._axis(table, key)
            return
        if section == "zones":
            self._zone_size(table)
        elif self._turns:
            write_turn(table, written, wanted.orientation(self._orientation()))
        if wanted.mirror is not None:
            mirror_shape(table, written, wanted)
        if wanted.factor != 1.0:
            scale_lengths(table, written, self._model, wanted.factor)

    @property
    def _turns(self) -> bool:
        """Has it a direction of its own?"""
        return hasattr(self._model, "orientation")

    def _orientation(self) -> Quat:
        model: Any = self._model
        if model.rotation is not None:
            return from_degrees(model.rotation)
        q = model.orientation or IDENTITY
        return (q[0], q[1], q[2], q[3])

    def _axis(self, table: EditedTable, key: str) -> None:
        if self._wanted.only_moves:
            return
        slides = JOINTS[str(self._written["kind"])].coordinate is not None
        along = self._wanted.direction if slides else self._wanted.axis
        table[key] = item([number(x) for x in along(self._resolved(key, self._written[key]))])

    def _zone_size(self, table: EditedTable) -> None:
        size = scale(self._resolved("size", self._written["size"]), self._wanted.factor)
        if self._wanted.turn != IDENTITY:  # a zone keeps to the axes: a quarter turn swaps edges
            size = vec(abs(x) for x in quarter(self._wanted.turn, size))
        table["size"] = item([number(x) for x in size[: len(self._written["size"])]])

    def _length(self, table: EditedTable) -> None:
        """A rope that was as long as its ends were apart stays so; no rope is shorter than that."""
        written = self._written.get("length")
        before = self._ends(self._written)
        after = self._ends(plain(table))
        if written is None or isinstance(written, str) or before is None or after is None:
            return
        apart = distance(*after)
        if "kind" in self._written and (
            abs(written - distance(*before)) < 1e-3 or written < apart + _STILL
        ):
            table["length"] = number(apart)

    def _ends(self, table: TomlTable) -> tuple[Vec, Vec] | None:
        for first, second in (("at_a", "at_b"), ("from", "to")):
            ends = [table.get(first), table.get(second)]
            if all(isinstance(e, list) and not any(isinstance(x, str) for x in e) for e in ends):
                a, b = (vec([*e, 0.0][:3]) for e in ends if e is not None)
                return a, b
        return None


def _added(value: TomlValue, shift: float) -> Any:
    """A number, or a formula, and so much more."""
    if abs(shift) < _STILL:
        return value
    if isinstance(value, str):
        sign, much = ("+", shift) if shift >= 0 else ("-", -shift)
        return f"=({value.removeprefix('=').strip()}) {sign} {number(much)}"
    return number(value + shift)


# --- several things -----------------------------------------------------------------------------


def align(draft: Draft, things: Things, entries: Entries, axis: int, where: str) -> None:
    """Put them in line: their low, middle or high sides along an axis."""
    whole = things.box(entries)
    if whole is None or len(entries) < 2:
        raise Refused("select two things or more to put them in line")
    side: Callable[[Any], float] = {
        "low": lambda box: box[0][axis],
        "middle": lambda box: (box[0][axis] + box[1][axis]) / 2,
        "high": lambda box: box[1][axis],
    }[where]
    _one_by_one(draft, things, entries, "align", axis, lambda box, _: side(whole) - side(box))


def spread(draft: Draft, things: Things, entries: Entries, axis: int) -> None:
    """Equal gaps between their middles along an axis."""
    if len(entries) < 3:
        raise Refused("select three things or more to spread them")

    def middle(entry: Entry) -> float:
        box = things.box([entry])
        return 0.0 if box is None else (box[0][axis] + box[1][axis]) / 2

    order = sorted(entries, key=middle)
    first, last = middle(order[0]), middle(order[-1])
    goal = {e: first + (last - first) * i / (len(order) - 1) for i, e in enumerate(order)}
    _one_by_one(
        draft,
        things,
        entries,
        "spread",
        axis,
        lambda box, entry: goal[entry] - (box[0][axis] + box[1][axis]) / 2,
    )


def _one_by_one(
    draft: Draft,
    things: Things,
    entries: Entries,
    label: str,
    axis: int,
    way: Callable[[Any, Entry], float],
) -> None:
    ways = {}
    for entry in entries:
        box = things.box([entry])
        if box is not None and abs(way(box, entry)) > _STILL:
            shift = [0.0, 0.0, 0.0]
            shift[axis] = way(box, entry)
            ways[entry] = Change(shift=vec(shift))

    def work(text: LevelText) -> None:
        for entry, wanted in ways.items():
            _apply(draft, text, things, (entry,), wanted, entries)

    if ways:
        draft.edit(label, work)
