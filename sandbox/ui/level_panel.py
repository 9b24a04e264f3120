"""What the level is about: its texts, its goal, its sliders, its camera and light."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from levels.appearance import PALETTES
from levels.draft import about
from levels.frames import vec
from levels.plain_data import TomlTable
from sandbox.ui import theme
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import colored, heading

if TYPE_CHECKING:
    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_WIDE = 268.0
_typed: dict[str, str] = {}  # texts that are being typed
_chosen: TomlTable = {}  # of the goal that is being put together


def level_panel(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    header = builder.draft.checked.header
    for key, value in (("title", header.title), ("hint", header.hint)):
        heading(key)
        new = _line(key, value, fonts)
        if new is not None:
            builder.do(partial(about.set_text, builder.draft, key, new))
    _goal(builder, fonts)
    _stars(builder, fonts)
    _sliders(builder, fonts)
    _camera(builder, fonts)
    _light(builder, fonts)


def _line(key: str, value: str, fonts: Fonts) -> str | None:
    """A line of text; what was typed, once it is finished."""
    imgui.set_next_item_width(_WIDE * fonts.scale)
    _, text = imgui.input_text(f"##{key}", _typed.get(key, value))
    if imgui.is_item_active():
        _typed[key] = text
        return None
    if key not in _typed:
        return None
    new = _typed.pop(key)
    return new if new != value else None


def _goal(builder: "Builder", fonts: Fonts) -> None:
    goal = builder.draft.checked.goal
    for which, title in (("win", "won when"), ("lose", "lost when")):
        heading(title)
        now = getattr(goal, which)
        new = _line(which, now.when if now is not None else "", fonts)
        seconds = float(now.for_) if now is not None else 0.0
        say = now.say if now is not None else ""
        if new is not None:
            _set(builder, which, new, seconds, say)
        if now is not None:
            imgui.set_next_item_width(0.4 * _WIDE * fonts.scale)
            changed, seconds = imgui.drag_float(
                f"s long##{which}", seconds, 0.05, 0.0, 60.0, "%.2g"
            )
            if changed:
                _set(builder, which, now.when, round(seconds, 2), say)
        if imgui.small_button(f"choose …##{which}"):
            imgui.open_popup(f"wish {which}")
        _wishes(builder, which, fonts)


def _set(builder: "Builder", which: str, condition: str, seconds: float, say: str) -> None:
    builder.do(lambda: about.set_condition(builder.draft, which, condition, seconds, say))


def _wishes(builder: "Builder", which: str, fonts: Fonts) -> None:
    """A goal put together from words: who, what, where."""
    if not imgui.begin_popup(f"wish {which}"):
        return
    titles = [wish.title for wish in about.WISHES]
    wish = about.WISHES[titles.index(_pick("what", titles, fonts))]
    things = [n for s, n in builder.things.entries if s in ("bodies", "particles", "props")]
    zones = [n for s, n in builder.things.entries if s == "zones"]
    joints = [n for s, n in builder.things.entries if s in ("joints", "props")]
    words: TomlTable = {}
    for what, known in (("thing", things), ("other", things), ("zone", zones), ("joint", joints)):
        if wish.needs(what):
            words[what] = _pick(what, known, fonts) if known else None
    if wish.needs("number"):
        imgui.set_next_item_width(120 * fonts.scale)
        _, _chosen["number"] = imgui.input_float(wish.unit, float(_chosen.get("number", 1.0)))
        words["number"] = f"{_chosen['number']:g}"
    missing = [what for what, word in words.items() if word is None]
    if missing:
        colored(f"There is no {missing[0]} yet: draw one first.", theme.BAD)
    elif imgui.button("Take this"):
        _set(builder, which, wish.condition.format(**words), 0.5 if which == "win" else 0.0, "")
        imgui.close_current_popup()
    imgui.end_popup()


def _pick(what: str, known: list[str], fonts: Fonts) -> str:
    now = _chosen.get(what)
    now = now if now in known else known[0]
    imgui.set_next_item_width(210 * fonts.scale)
    if imgui.begin_combo(what, now):
        for word in known:
            if imgui.selectable(word, word == now)[0]:
                now = word
        imgui.end_combo()
    _chosen[what] = now
    return str(now)


def _stars(builder: "Builder", fonts: Fonts) -> None:
    goal = builder.draft.checked.goal
    if goal.win is None:
        return
    times = goal.stars.time if goal.stars is not None else None
    heading("stars: seconds for 3, 2, 1")
    if times is None:
        if goal.stars is None and imgui.small_button("give stars for time"):
            builder.do(lambda: about.set_stars(builder.draft, (10.0, 20.0, 40.0)))
        return
    imgui.set_next_item_width(_WIDE * fonts.scale)
    changed, new = imgui.drag_float3("##stars", list(times), 0.2, 0.1, 3600.0, "%.1f")
    if changed:
        a, b, c = sorted(round(max(t, 0.1), 1) for t in new)
        builder.do(lambda: about.set_stars(builder.draft, (a, b, c)))


def _sliders(builder: "Builder", fonts: Fonts) -> None:
    heading("sliders")
    draft = builder.draft
    for name, spec in draft.level.parameters.items():
        imgui.push_id(name)
        imgui.text(name)
        imgui.same_line((_WIDE - 30) * fonts.scale)
        if imgui.small_button("\uf00d"):
            builder.do(partial(about.remove_slider, draft, name))
            imgui.pop_id()
            break
        values = [spec.min or 0.0, spec.default, spec.max if spec.max is not None else spec.default]
        imgui.set_next_item_width(_WIDE * fonts.scale)
        speed = max(abs(spec.default) * 0.01, 0.01)
        changed, new = imgui.drag_float3("##v", values, speed, 0.0, 0.0, "%.4g")
        if imgui.is_item_hovered():
            imgui.set_tooltip(
                f"least, first, greatest value; write =“{name}” as a number of a thing"
            )
        if changed:
            for key, value, was in zip(("min", "default", "max"), new, values, strict=True):
                if abs(value - was) > 1e-9:
                    builder.do(partial(about.set_slider, draft, name, key, round(value, 6)))
        imgui.pop_id()
    if imgui.small_button("\uf067 slider"):
        builder.do(lambda: about.add_slider(draft))


def _camera(builder: "Builder", fonts: Fonts) -> None:
    heading("camera")
    if imgui.button("Players begin with this view"):
        goal, view = builder.camera.goal, builder.camera.view()
        if builder.draft.flat:
            builder.do(
                lambda: about.set_camera(builder.draft, None, vec(goal.pivot), goal.distance)
            )
        else:
            eye = np.asarray(view.eye, float)
            builder.do(lambda: about.set_camera(builder.draft, vec(eye), vec(goal.pivot), None))


def _light(builder: "Builder", fonts: Fonts) -> None:
    heading("light and time")
    look = builder.draft.checked.look
    imgui.set_next_item_width(0.6 * _WIDE * fonts.scale)
    if imgui.begin_combo("light", look.palette or "studio"):
        for name in PALETTES:
            if imgui.selectable(name, name == look.palette)[0]:
                builder.do(partial(about.set_choice, builder.draft, "look", "palette", name))
        imgui.end_combo()
    gravity = -float(builder.draft.checked.simulation.gravity[1])
    imgui.set_next_item_width(0.6 * _WIDE * fonts.scale)
    changed, new = imgui.drag_float("gravity", gravity, 0.05, 0.0, 50.0, "%.2f m/s²")
    if changed:
        pull = [0, -round(new, 2), 0]
        builder.do(lambda: about.set_choice(builder.draft, "simulation", "gravity", pull))
