"""The levels that show how to write levels: short, and they do what they promise."""

import re
from pathlib import Path

import pytest

from levels import load
from levels.headless import run
from levels.library import LIBRARY
from levels.props import PROPS
from sandbox.record import gallery

_EXAMPLES = sorted(LIBRARY.glob("examples/*.toml"))


def _lines(name: str) -> int:
    return len((LIBRARY / "examples" / name).read_text(encoding="utf-8").splitlines())


def test_a_bridge_and_a_car_are_short() -> None:
    assert _lines("bridge.toml") <= 40
    assert len(load(LIBRARY / "examples/bridge.toml").default.plan.families["plank"].members) == 40
    assert _lines("car.toml") <= 40


def test_the_machine_has_ten_triggers() -> None:
    text = (LIBRARY / "examples/machine.toml").read_text(encoding="utf-8")
    assert len(re.findall(r"^\[\[on\]\]", text, re.MULTILINE)) == 10


@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.stem)
def test_it_does_what_it_promises(path: Path) -> None:
    level = load(path)
    assert not level.warnings
    result = run(level.session(scripted=True), level.seconds())
    assert [(o.name, o.state) for o in result.outcomes if o.state != "passed"] == []


def test_the_gallery_shows_every_prop() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(), (
        "run `python -m sandbox.record.gallery`"
    )
    for kind in PROPS:
        assert (gallery.PICTURES / f"{kind}.jpg").stat().st_size > 2000


@pytest.mark.parametrize("kind", sorted(PROPS))
def test_what_is_drawn_loads(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(gallery.level_of(kind), encoding="utf-8")
    load(path)
