"""What a joint or a rope holds at each of its ends, and something else instead."""

from dataclasses import dataclass

from levels.draft.connecting import End, short, tied
from levels.draft.draft import Draft, Entry, Refused
from levels.draft.level_text import EditedTable, LevelText, item
from levels.draft.shaping import own
from levels.draft.things import half_size
from levels.frames import Vec, add, distance, inverse_rotate, rotate, scale, subtract, vec
from levels.plain_data import TomlValue
from levels.plan import Plan, PlannedJoint
from physics import JOINTS

_JOINT_ENDS = ("first", "second")
_ROPE_ENDS = ("from", "to")
_LEVEL = 1e-9  # m


@dataclass(frozen=True)
class Held:
    """One end; no body: the world itself."""

    key: str  # first | second of a joint, from | to of a rope
    body: str | None
    point: Vec  # m, where it holds


def ends(draft: Draft, entry: Entry) -> tuple[Held, ...]:
    """Of an entry that holds two things; none of one that is repeated or holds nothing."""
    section, name = entry
    plan = draft.level.default.plan
    if section == "joints":
        joint = plan.joints.get(name)
        return _of_joint(plan, joint) if joint is not None else ()
    table = draft.level.document.data.get(section, {}).get(name, {})
    if section != "props" or "repeat" in table or not all(key in table for key in _ROPE_ENDS):
        return ()
    return tuple(_of_rope(draft, entry, key, table[key]) for key in _ROPE_ENDS)


def _of_joint(plan: Plan, joint: PlannedJoint) -> tuple[Held, ...]:
    middle = joint.at or plan.center(joint.a)
    places = (
        (joint.at_a or plan.center(joint.a), joint.at_b or (plan.center(joint.b or joint.a)))
        if JOINTS[joint.kind].anchors == "separate"
        else (middle, middle)
    )
    return tuple(
        Held(key, body, place)
        for key, body, place in zip(_JOINT_ENDS, (joint.a, joint.b), places, strict=True)
    )


def _of_rope(draft: Draft, entry: Entry, key: str, written: TomlValue) -> Held:
    if not isinstance(written, str):
        model = draft.checked.props.get(entry[1])
        point = getattr(model, {"from": "from_"}.get(key, key), None)
        return Held(key, None, vec(point) if isinstance(point, list | tuple) else (0.0, 0.0, 0.0))
    anchor = draft.level.default.plan.anchor(written, draft.level.document.place(*entry, key))
    return Held(key, anchor.body, anchor.point)


def holdable(draft: Draft) -> list[str]:
    """Names of all that can be held."""
    plan = draft.level.default.plan
    gone = set(plan.removed)
    return [name for name in (*plan.bodies, *plan.particles) if name not in gone]


def hold(draft: Draft, entry: Entry, key: str, body: str | None, point: Vec | None = None) -> None:
    """Let an end hold another body, or the world; where it is not said, a rope holds it on the face
    that looks along it, a joint with two anchors in its middle. A joint with one anchor for both
    stays where it is."""
    found = {held.key: held for held in ends(draft, entry)}
    if key not in found:
        raise Refused(f'"{entry[1]}" holds nothing that could be changed here')
    if body == found[key].body and point is None:
        return
    where = found[key].point if point is None else point
    if point is None and body is not None:
        other = next(held.point for held in found.values() if held.key != key)
        plan = draft.level.default.plan
        where = _face(plan, body, other) if key in _ROPE_ENDS else plan.center(body)
    if key in _ROPE_ENDS:
        _tie(draft, entry, key, End(body, where))
    else:
        _rejoin(draft, entry, {**found, key: Held(key, body, where)})


def _face(plan: Plan, body: str, toward: Vec) -> Vec:
    """Where the way from a body's middle to somewhere leaves it: links of a cable that begin inside
    what they hang on would be pushed out of it."""
    planned, middle = plan.bodies.get(body), plan.center(body)
    half = half_size(planned.shape) if planned is not None else None
    if planned is None or half is None:
        return middle
    way = inverse_rotate(planned.frame.orientation, subtract(toward, middle))
    shares = [h / abs(w) for h, w in zip(half, way, strict=True) if abs(w) > _LEVEL]
    if getattr(planned.shape, "name", "") == "sphere" and shares:
        shares = [half[0] / distance((0.0, 0.0, 0.0), way)]
    if not shares or min(shares) >= 1.0:
        return middle
    return add(middle, rotate(planned.frame.orientation, scale(way, min(shares))))


def _tie(draft: Draft, entry: Entry, key: str, end: End) -> None:
    def work(text: LevelText) -> None:
        own(draft, text, entry)
        place = tied(draft, text, end, entry[1])

        def change(table: EditedTable) -> None:
            table[key] = item(place)
            if "length" in table:  # it is as long as the way is now
                table.remove("length")

        text.edit(*entry, change)

    draft.edit(f"{key} of {entry[1]}", work)


def _rejoin(draft: Draft, entry: Entry, wanted: dict[str, Held]) -> None:
    first, second = (wanted[key] for key in _JOINT_ENDS)
    if first.body is None:
        first, second = second, first
    if first.body is None:
        raise Refused(f'"{entry[1]}" must hold at least one body')
    plan = draft.level.default.plan
    joint = plan.joints[entry[1]]
    place = joint.at or plan.center(joint.a)
    separate = JOINTS[joint.kind].anchors == "separate"
    bodies = [held.body for held in (first, second) if held.body is not None]

    def change(table: EditedTable) -> None:
        table["bodies"] = item(bodies)
        if separate:
            table["at_a"], table["at_b"] = (
                item(short(draft, held.point)) for held in (first, second)
            )
            if "length" in table:
                table.remove("length")
        elif "at" not in table:  # a frame of the old body said where
            table["at"] = item(short(draft, place))

    def work(text: LevelText) -> None:
        own(draft, text, entry)
        text.edit(*entry, change)

    draft.edit(f"bodies of {entry[1]}", work)
