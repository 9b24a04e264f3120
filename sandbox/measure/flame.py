"""A tree of calls as a flame graph: width is time, callers below what they call."""

from html import escape

from sandbox.measure.call_tree import Call

WIDTH, ROW = 1200, 18
_LEAST = 0.002  # of the width: narrower ones cannot be seen
_COLOURS = ("#e8743b", "#f0b429", "#d8433f", "#e99a4d")


def flame(root: Call, title: str) -> str:
    """One `<svg>`; the name and share of a box show under the pointer."""
    boxes: list[str] = []
    depth = _draw(root, 0.0, 0, root.seconds or 1.0, boxes)
    height = (depth + 3) * ROW
    body = "".join(box.replace("@", f"{height}") for box in boxes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="monospace" font-size="11">'
        f'<rect width="{WIDTH}" height="{height}" fill="#fbfaf7"/>'
        f'<text x="{WIDTH / 2}" y="14" text-anchor="middle">{escape(title)}</text>'
        f'<g transform="translate(0 {height}) scale(1 -1)">{body}</g></svg>\n'
    )


def _draw(call: Call, left: float, depth: int, whole: float, boxes: list[str]) -> int:
    """Boxes of a call and of what it calls; how deep they go."""
    share = call.seconds / whole
    if share < _LEAST:
        return depth
    wide = share * WIDTH
    colour = "#3f8fd8" if call.name.startswith("stage") else _COLOURS[depth % len(_COLOURS)]
    told = f"{call.name}: {100 * share:.1f} %, {1e3 * call.seconds:.3f} ms, {call.count} calls"
    letters = int(wide / 6.7)
    short = call.name.rpartition(": ")[2] or call.name
    text = escape(short[:letters]) if letters >= 3 else ""
    y = depth * ROW
    boxes.append(
        f'<g><title>{escape(told)}</title><rect x="{left:.2f}" y="{y}" width="{wide:.2f}" '
        f'height="{ROW - 1}" fill="{colour}"/><text x="{left + 3:.2f}" y="{-y - 5}" '
        f'transform="scale(1 -1)">{text}</text></g>'
    )
    deepest, place = depth, left
    for below in call.below.values():
        deepest = max(deepest, _draw(below, place, depth + 1, whole, boxes))
        place += below.seconds / whole * WIDTH
    return deepest
