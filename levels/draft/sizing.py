"""Making one thing larger or smaller along its own axes."""

from typing import Any

from levels.draft.draft import Draft, Entry, Refused
from levels.draft.level_text import EditedTable, LevelText, item, number
from levels.draft.shaping import own
from levels.draft.things import half_size, local_corners
from levels.frames import Frame, Vec, add, vec
from physics.shapes.base import Shape

_SMALLEST = 0.02  # m


def own_box(draft: Draft, entry: Entry) -> tuple[Frame, Vec] | None:
    """Where a single thing with a size is, and half its edges in its own axes."""
    section, name = entry
    plan = draft.level.default.plan
    if section == "zones" and name in plan.zones:
        zone = plan.zones[name]
        return Frame(vec(zone.center)), vec(s / 2 for s in zone.size)
    if section == "bodies" and name in plan.bodies:
        body = plan.bodies[name]
        half = half_size(body.shape) or _extent(body.shape)
        return None if half is None else (body.frame, half)
    if section in ("props", "cloths") and name in plan.softs:
        size = plan.softs[name].options.get("size")
        if size is not None and "size" in draft.level.document.data[section][name]:
            return plan.softs[name].frame, vec([*(s / 2 for s in size), 0.0][:3])
    return None


def _extent(shape: Shape) -> Vec | None:
    corners = local_corners(shape)
    if not corners:
        return None
    return vec(max(abs(c[i]) for c in corners) for i in range(3))


def resize(draft: Draft, entry: Entry, size: Vec, shift: Vec, *, goes_on: bool = False) -> None:
    """Give a thing other edges along its own axes, and move its middle by `shift`, m."""
    found = own_box(draft, entry)
    if found is None:
        raise Refused(f'"{entry[1]}" has no size of its own')
    _, half = found
    size = vec(max(s, _SMALLEST) for s in size)
    factors = vec(s / (2 * h) if h > 0 else 1.0 for s, h in zip(size, half, strict=True))
    written = draft.level.document.data[entry[0]][entry[1]]
    if "repeat" in written:
        raise Refused(f'"{entry[1]}" is repeated: change its size with numbers')

    def work(text: LevelText) -> None:
        own(draft, text, entry)
        text.edit(*entry, lambda table: _write(draft, entry, table, size, factors, shift))

    draft.edit(f"size of {entry[1]}", work, goes_on=goes_on)


def _write(
    draft: Draft, entry: Entry, table: EditedTable, size: Vec, factors: Vec, shift: Vec
) -> None:
    section = entry[0]
    model = _model(draft, entry)
    if "points" in table:
        table["points"] = item(
            [[number(x * f) for x, f in zip(p, factors, strict=False)] for p in table["points"]]
        )
    elif "radius" in table and "size" not in table:
        _round(table, model, factors)
    else:
        count = len(model.size)
        written = table.get("size")
        count = len(written) if isinstance(written, list) else count
        table["size"] = item([number(s) for s in size[:count]])
    if "mass" in table and section == "bodies":
        table["mass"] = number(model.mass * factors[0] * factors[1] * factors[2])
    key = "center" if section == "zones" else "origin" if "origin" in table else "position"
    now = vec(getattr(model, key))
    count = len(table[key]) if key in table else (2 if draft.flat else 3)
    if any(abs(s) > 1e-9 for s in shift):
        table[key] = item([number(x) for x in add(now, shift)[:count]])


def _round(table: EditedTable, model: Any, factors: Vec) -> None:
    """Balls keep round; of capsules, cylinders and cones y is the length."""
    across = [f for f in (factors[0], factors[2]) if abs(f - 1.0) > 1e-9]
    if "length" not in table:
        changed = [f for f in factors if abs(f - 1.0) > 1e-9]
        table["radius"] = number(model.radius * (changed[0] if changed else 1.0))
        return
    if across:
        table["radius"] = number(model.radius * across[0])
    if abs(factors[1] - 1.0) > 1e-9:
        caps = model.radius if model.shape == "capsule" else 0.0
        whole = (model.length + 2 * caps) * factors[1]
        table["length"] = number(max(whole - 2 * caps, _SMALLEST))


def _model(draft: Draft, entry: Entry) -> Any:
    section, name = entry
    known = draft.checked.props if section == "cloths" else getattr(draft.checked, section)
    return known[name]
