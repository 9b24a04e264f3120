"""The inspector: the keys of what is selected, with numbers to drag and lists to choose from."""

from functools import partial
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from levels.appearance import COLORS
from levels.draft.draft import Entry
from levels.draft.ends import Held, ends, hold, holdable
from levels.draft.fields import (
    Field,
    add_table,
    fields,
    remove_table,
    rename,
    set_value,
    shown_value,
    value_of,
)
from levels.plain_data import TomlValue
from sandbox.ui import theme
from sandbox.ui.course_plots import course_plots
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import colored, heading, paint, readable, wrapped_tooltip
from sandbox.workshop.attach_tool import Attach

if TYPE_CHECKING:
    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_WIDE = 268.0
_LABEL = 98.0
_TABLES = {"motor": "motor", "servo": "servo", "winch": "winch"}
_LEFT_OUT = {"breaks_at": "never", "max_force": "no limit"}  # numbers without a default
_FOLDED = ("more", "motion")
_RARE = ("origin", "orientation", "rounding", "wheel_b")  # shown where they are written
_ICONS = {"bodies": "\uf1b2", "joints": "\uf0ad", "props": "\uf12e", "cloths": "\uf0c9",
          "zones": "\uf125", "particles": "\uf111"}  # fmt: skip


def inspector(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    """Of one thing; of several, what can be done with them; of none, a list of all."""
    chosen = builder.draft.selected
    if not chosen:
        _everything(builder, fonts)
    elif len(chosen) == 1:
        _one(builder, chosen[0], fonts)
    else:
        _several(builder, fonts)


def _everything(builder: "Builder", fonts: Fonts) -> None:
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + _WIDE * fonts.scale)
    colored("Nothing is selected. Click a thing in the picture, or here:", theme.SOFT)
    imgui.pop_text_wrap_pos()
    for entry in builder.things.entries:
        section, name = entry
        if imgui.selectable(f"{_ICONS.get(section, '')}  {name}##{section}", False)[0]:
            builder.selection.choose(builder.things.together(entry))


def _several(builder: "Builder", fonts: Fonts) -> None:
    chosen = builder.draft.selected
    colored(f"{len(chosen)} things", theme.TEXT)
    for entry in chosen[:40]:
        if imgui.selectable(f"{_ICONS.get(entry[0], '')}  {entry[1]}##{entry[0]}", False)[0]:
            builder.selection.choose((entry,))
    imgui.spacing()
    _own_part(builder, fonts)


_titles: dict[str, str] = {}  # texts that are being typed


def _own_part(builder: "Builder", fonts: Fonts) -> None:
    heading("a part of your own")
    imgui.set_next_item_width(0.62 * _WIDE * fonts.scale)
    _, _titles["part"] = imgui.input_text_with_hint("##part", "its name", _titles.get("part", ""))
    imgui.same_line()
    if imgui.button("Keep it"):
        builder.selection.keep_part(_titles.pop("part", ""))


def _one(builder: "Builder", entry: Entry, fonts: Fonts) -> None:
    _head(builder, entry, fonts)
    _ends(builder, entry, fonts)
    draft = builder.draft
    for title, found in fields(draft, entry).items():
        found = [f for f in found if f.name not in _RARE or value_of(draft, entry, f.path)]
        if title in _TABLES:
            _table(builder, entry, title, found, fonts)
            continue
        if title in _FOLDED:
            imgui.push_style_color(imgui.Col_.text.value, imgui.ImVec4(*theme.MUTED))
            opened = imgui.tree_node(title.upper())
            imgui.pop_style_color()
            if opened:
                for field in found:
                    _field(builder, entry, field, fonts)
                imgui.tree_pop()
            continue
        heading(title)
        for field in found:
            _field(builder, entry, field, fonts)
    imgui.spacing()
    _last_test(builder, entry, fonts)
    if entry[0] in ("bodies", "props", "cloths"):
        _own_part(builder, fonts)


def _head(builder: "Builder", entry: Entry, fonts: Fonts) -> None:
    """Its name, which can be changed, and what it is."""
    section, name = entry
    colored(f"{_ICONS.get(section, '')}", theme.ACCENT)
    imgui.same_line()
    imgui.set_next_item_width(0.7 * _WIDE * fonts.scale)
    key = f"name {section} {name}"
    _, text = imgui.input_text("##name", _titles.get(key, name))
    if imgui.is_item_active():
        _titles[key] = text
    elif key in _titles:
        wanted = _titles.pop(key)
        if wanted != name:
            builder.do(lambda: rename(builder.draft, entry, wanted))
    weight = _weight(builder, entry)
    if weight:
        colored(weight, theme.MUTED)
    table = builder.draft.level.document.data[section].get(name, {})
    if "repeat" in table:
        colored("repeated: all copies change together", theme.MUTED)


def _last_test(builder: "Builder", entry: Entry, fonts: Fonts) -> None:
    """How it moved and what it bore when the level was last tested with it selected."""
    names = (*builder.things.members(entry), *builder.things.joints(entry[1]))
    found = next((builder.tested[name] for name in names if name in builder.tested), None)
    if found is not None:
        heading("in the last test")
        course_plots(found, fonts, _WIDE * fonts.scale)


_WORLD = "the world"


def _ends(builder: "Builder", entry: Entry, fonts: Fonts) -> None:
    """What a joint or rope holds: chosen from a list, or pointed at in the picture."""
    found = ends(builder.draft, entry)
    if not found:
        return
    heading("connects")
    for held in found:
        imgui.push_id(held.key)
        imgui.align_text_to_frame_padding()
        left = imgui.get_cursor_pos_x()
        colored(held.key, theme.TEXT)
        imgui.same_line(left + _LABEL * fonts.scale)
        imgui.set_next_item_width((_WIDE - _LABEL - 39) * fonts.scale)
        _holders(builder, entry, held)
        imgui.same_line()
        if imgui.button("\uf05b##point"):
            tool = builder.tools["attach"]
            assert isinstance(tool, Attach)
            tool.begin(builder, entry, held.key)
        if imgui.is_item_hovered():
            imgui.set_tooltip("point at it in the picture")
        imgui.pop_id()


def _holders(builder: "Builder", entry: Entry, held: Held) -> None:
    if not imgui.begin_combo("##holds", held.body or _WORLD):
        return
    for name in (_WORLD, *holdable(builder.draft)):
        body = None if name == _WORLD else name
        if imgui.selectable(name, body == held.body)[0]:
            builder.do(partial(hold, builder.draft, entry, held.key, body))
    imgui.end_combo()


def _weight(builder: "Builder", entry: Entry) -> str:
    """What it weighs, however that is written."""
    plan = builder.draft.level.default.plan
    masses = [plan.mass_of(n) or 0.0 for n in builder.things.members(entry) if n not in plan.softs]
    return f"weighs {readable(sum(masses))} kg" if sum(masses) > 0 else ""


def _table(builder: "Builder", entry: Entry, key: str, found: list[Field], fonts: Fonts) -> None:
    """A motor, servo or winch: there or not."""
    heading(key)
    there = value_of(builder.draft, entry, (key,)) is not None
    imgui.same_line()
    if imgui.small_button(f"{'remove' if there else 'add'}##{key}"):
        change = remove_table if there else add_table
        builder.do(lambda: change(builder.draft, entry, key))
        return
    if there:
        for field in found:
            _field(builder, entry, field, fonts)


def _field(builder: "Builder", entry: Entry, field: Field, fonts: Fonts) -> None:
    """Its name, its value, and what it means under the pointer."""
    written = value_of(builder.draft, entry, field.path)
    imgui.push_id("/".join(field.path))
    imgui.align_text_to_frame_padding()
    left = imgui.get_cursor_pos_x()
    colored(field.title, theme.TEXT if written is not None else theme.MUTED)
    if imgui.is_item_hovered() and field.doc:
        wrapped_tooltip(field.doc, fonts.scale)
    imgui.same_line(left + _LABEL * fonts.scale)
    imgui.set_next_item_width((_WIDE - _LABEL) * fonts.scale)
    value = shown_value(builder.draft, entry, field)
    if isinstance(written, str) and field.kind in ("number", "vector", "pair"):
        changed, new = _text(builder, entry, field, written)
    elif isinstance(written, list) and any(isinstance(x, str) for x in written):
        colored(", ".join(str(x) for x in written)[:28], theme.MUTED)
        changed, new = False, None
    elif field.name == "locked":
        changed, new = _locks(builder, str(value or ""))
    else:
        changed, new = _EDITORS[field.kind](builder, entry, field, value)
    if changed:
        builder.do(lambda: set_value(builder.draft, entry, field.path, new))
    elif imgui.is_item_deactivated():
        builder.draft.end_change()
    imgui.pop_id()


def _number(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    shown = float(value) if isinstance(value, int | float) else 0.0
    form = "%.4g" if value is not None else _LEFT_OUT.get(field.name, "automatic")
    speed = max(abs(shown) * 0.01, 0.005)
    low = field.low if field.low is not None else -1e12
    high = field.high if field.high is not None else 1e12
    changed, new = imgui.drag_float("##v", shown, speed, low, high, form)
    if changed and field.low == 0.0 and new <= 0.0 and field.required:
        new = 0.01
    return bool(changed), _whole(field, value, new)


def _whole(field: Field, value: TomlValue, new: float) -> float | int:
    counted = isinstance(value, int) and field.name in ("rows", "columns", "segments", "links")
    return round(new) if counted else round(float(new), 4)


def _vector(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    if not isinstance(value, list | tuple):
        start = [0.0, 0.0, 1.0] if field.name == "axis" else [0.0, 0.0, 0.0]
        return bool(imgui.small_button("automatic: set it")), start
    given = list(value)
    count = 2 if builder.draft.flat and len(given) == 3 and field.name in _PLANAR else len(given)
    numbers = [float(x) for x in given[:count]]
    if count == 2:
        changed, new = imgui.drag_float2("##v", numbers, 0.02, 0.0, 0.0, "%.2f")
    elif count == 4:
        changed, new = imgui.drag_float4("##v", numbers, 0.01, 0.0, 0.0, "%.2f")
    else:
        changed, new = imgui.drag_float3("##v", numbers, 0.02, 0.0, 0.0, "%.2f")
    return bool(changed), [round(float(x), 4) for x in new]


_PLANAR = ("position", "origin", "center", "velocity", "at", "at_a", "at_b", "wheel_a", "wheel_b")


def _pair(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    if value is None:
        pressed = imgui.small_button("none: set them")
        return bool(pressed), [-1.0, 1.0]
    changed, new = imgui.drag_float2("##v", [float(x) for x in value], 0.01, 0.0, 0.0, "%.2f")
    low, high = sorted(new)
    return bool(changed), [round(low, 4), round(high, 4)]


def _flag(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    changed, new = imgui.checkbox("##v", bool(value))
    return bool(changed), bool(new) if new != bool(field.default) else None


def _text(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    """Taken over when it is finished: half a formula is none."""
    key = f"{entry} {field.path}"
    _, text = imgui.input_text("##v", _titles.get(key, str(value or "")))
    if imgui.is_item_active():
        _titles[key] = text
        return False, None
    if key not in _titles:
        return False, None
    new = _titles.pop(key)
    return new != str(value or ""), new or None


def _locks(builder: "Builder", value: str) -> tuple[bool, TomlValue]:
    """A button for every way it could go."""
    held, changed = value.split(), False
    for i, axis in enumerate(_FLAT_AXES if builder.draft.flat else _AXES):
        if i % 3:
            imgui.same_line(0, 2)
        elif i:
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + _LABEL)
        on = axis in held
        if on:
            imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.85))
        if imgui.small_button(_AXES[axis]):
            changed = True
            held = [a for a in held if a != axis] if on else [*held, axis]
        if on:
            imgui.pop_style_color()
    return changed, " ".join(held) or None


_AXES = {"x": "x", "y": "y", "z": "z", "rx": "turn x", "ry": "turn y", "rz": "turn z"}
_FLAT_AXES = ("x", "y", "rz")


def _choice(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    changed, new = False, None
    choices = [*field.choices]
    if field.name == "material":
        choices += list(builder.draft.level.document.data.get("materials", {}))
    if imgui.begin_combo("##v", str(value) if value is not None else "none"):
        if not field.required and imgui.selectable("none", value is None)[0]:
            changed = True
        for choice in choices:
            if imgui.selectable(choice, choice == value)[0]:
                changed, new = True, choice
        imgui.end_combo()
    return changed, new


def _color(
    builder: "Builder", entry: Entry, field: Field, value: TomlValue
) -> tuple[bool, TomlValue]:
    """Swatches of all names."""
    changed, new = False, None
    if imgui.begin_combo("##v", str(value) if value is not None else "automatic"):
        if imgui.selectable("automatic", value is None)[0]:
            changed = True
        for name, code in COLORS.items():
            at, side = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
            if imgui.selectable(f"       {name}", name == value)[0]:
                changed, new = True, name
            layer = imgui.get_window_draw_list()
            high = imgui.ImVec2(at.x + 1.5 * side, at.y + side)
            layer.add_rect_filled(at, high, paint(code), 3.0)
        imgui.end_combo()
    return changed, new


_EDITORS = {
    "number": _number,
    "vector": _vector,
    "pair": _pair,
    "flag": _flag,
    "text": _text,
    "choice": _choice,
    "color": _color,
}
