"""What a level is about: title and hint, goal, sliders, camera."""

from dataclasses import dataclass

from levels.draft.draft import Draft, Refused, fresh
from levels.draft.level_text import EditedTable, LevelText, inline, item, number
from levels.frames import Vec
from levels.plain_data import TomlTable, TomlValue


@dataclass(frozen=True)
class Wish:
    """A kind of goal in words, and the condition it becomes."""

    title: str
    condition: str  # with {thing}, {other}, {zone}, {joint} and {number}
    unit: str = ""

    def needs(self, what: str) -> bool:
        return f"{{{what}}}" in self.condition


WISHES = (
    Wish("rests in a zone", "inside('{thing}', '{zone}') and free('{thing}') > 0.3"),
    Wish("touches another thing", "touching('{thing}', '{other}')"),
    Wish("is higher than", "y('{thing}') > {number}", "m"),
    Wish("is lower than", "y('{thing}') < {number}", "m"),
    Wish("has gone right beyond", "x('{thing}') > {number}", "m"),
    Wish("is faster than", "speed('{thing}') > {number}", "m/s"),
    Wish("has fallen over", "upright('{thing}') < 0.5"),
    Wish("a joint or rope has broken", "broken('{joint}')"),
    Wish("time is up after", "time() > {number}", "s"),
)


def set_text(draft: Draft, key: str, value: str) -> None:
    """title, hint, description or author; an empty one is left out."""

    def work(top: EditedTable) -> None:
        if value:
            top[key] = value
        elif key in top:
            top.remove(key)

    draft.edit(key, lambda text: text.edit_top(work), goes_on=True)


def set_condition(draft: Draft, which: str, condition: str, seconds: float, say: str) -> None:
    """`which` is win or lose; no condition: it cannot happen."""

    def work(goal: EditedTable) -> None:
        if not condition:
            if which in goal:
                goal.remove(which)
            return
        table: TomlTable = {"when": condition}
        if seconds > 0:
            table["for"] = number(seconds)
        if say:
            table["say"] = say
        goal[which] = inline(table)

    def change(text: LevelText) -> None:
        if condition or which in text.table("goal"):
            text.edit_table("goal", work)

    draft.edit(which, change, goes_on=True)


def set_stars(draft: Draft, times: tuple[float, float, float] | None) -> None:
    """Seconds for three, two and one star."""

    def work(goal: EditedTable) -> None:
        if times is None:
            if "stars" in goal:
                goal.remove("stars")
        else:
            goal["stars"] = inline({"time": [number(t) for t in times]})

    draft.edit("stars", lambda text: text.edit_table("goal", work), goes_on=True)


def add_slider(draft: Draft, wanted: str = "slider") -> str:
    """A new parameter; its name."""
    name = fresh(set(draft.level.parameters), wanted)
    table = {"default": 1, "min": 0, "max": 10}
    draft.edit("slider", lambda text: text.add("parameters", name, table))
    return name


def set_slider(draft: Draft, name: str, key: str, value: TomlValue) -> None:
    """default, min, max, unit or label of a parameter; None leaves it out."""

    def work(table: EditedTable) -> None:
        if value is None or value == "":
            if key in table:
                table.remove(key)
        else:
            table[key] = number(value) if isinstance(value, int | float) else value

    draft.edit(f"slider {name}", lambda text: text.edit("parameters", name, work), goes_on=True)


def remove_slider(draft: Draft, name: str) -> None:
    """Refused while something still follows it."""
    try:
        draft.edit("slider", lambda text: text.remove("parameters", name))
    except Refused as reason:
        raise Refused(f'"{name}" is still used: {reason}') from None


def set_camera(draft: Draft, position: Vec | None, target: Vec, height: float | None) -> None:
    """Where the player looks from at first; flat levels have a height instead of an eye."""

    def work(camera: EditedTable) -> None:
        for key in ("position", "target", "height"):
            if key in camera:
                camera.remove(key)
        rounded = [round(x, 3) for x in target]
        camera["target"] = item(rounded[:2] if draft.flat else rounded)
        if position is not None:
            camera["position"] = item([round(x, 3) for x in position])
        if height is not None:
            camera["height"] = number(round(height, 3))

    draft.edit("camera", lambda text: text.edit_table("camera", work))


def set_choice(draft: Draft, section: str, key: str, value: TomlValue) -> None:
    """A key of [look] or [simulation]; None leaves it out."""

    def work(table: EditedTable) -> None:
        if value is None:
            if key in table:
                table.remove(key)
        else:
            table[key] = item(value)

    draft.edit(key, lambda text: text.edit_table(section, work), goes_on=True)
