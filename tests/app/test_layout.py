"""Panels keep clear of each other in every window that has room for them."""

from collections.abc import Callable

import numpy as np
import pytest

from sandbox.ui.layout import fitting_scale
from sandbox.ui.pages import level_keys
from sandbox.ui.panels import PANELS
from sandbox.ui.settings_page import _options
from sandbox.ui.sliders import slider_range
from tests.app.desk import Desk

PLACES = ("menu", "title", "tools", "transport", "side", "legend")


@pytest.mark.parametrize(
    ("wanted", "size", "shown"),
    [
        (1.0, (1280, 720), 1.0),
        (1.0, (640, 360), 0.8),
        (1.0, (16, 16), 0.8),
        (1.0, (1920, 1080), 1.25),
        (1.0, (2560, 1440), 1.5),
        (1.0, (9999, 9999), 2.0),
        (1.0, (2560, 720), 1.0),
        (2.0, (1920, 1080), 2.4),
        (2.0, (1280, 720), 1.6),
    ],
)
def test_text_is_smaller_in_small_windows_and_larger_in_large_ones(
    wanted: float, size: tuple[int, int], shown: float
) -> None:
    assert fitting_scale(wanted, size) == pytest.approx(shown)


@pytest.mark.parametrize("size", [(640, 360), (960, 600), (1280, 720)])
@pytest.mark.parametrize("open_", ["", "plots", "plots profiler", "forces profiler", "compare"])
def test_no_panel_covers_another_or_leaves_the_window(
    sit_down: Callable[..., Desk], size: tuple[int, int], open_: str
) -> None:
    desk = sit_down(size=size)
    assert desk.game.window.size == size
    for name in open_.split():
        desk.game.action(name)
    desk.game.action("overlays")
    desk.player.state.tool = "spawn"  # the tallest toolbar
    desk.run(0.3)
    layout = desk.game.interface.layout
    places = {name: place for name in (*PLACES, *PANELS) if (place := layout.place(name))}
    assert {"menu", "title", "tools", "transport"} <= set(places)
    if " " not in open_ or size[0] > 640:  # there the sliders give way
        assert "side" in places
    for name, place in places.items():
        assert min(place.left, place.top) >= 0, name
        assert place.right <= size[0], name
        assert place.bottom <= size[1], name
        for other, there in places.items():
            apart = (
                place.right <= there.left
                or there.right <= place.left
                or place.bottom <= there.top
                or there.bottom <= place.top
            )
            assert name == other or apart, f"{name} {place} covers {other} {there}"


def test_a_tiny_window_keeps_the_picture_and_the_transport(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(size=(320, 200))
    desk.run(0.1)
    layout = desk.game.interface.layout
    assert layout.tiny
    assert layout.place("menu") is None
    assert layout.place("transport") is not None


def test_panels_are_built_at_a_third_of_the_rate_until_something_is_touched(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    interface, built = desk.game.interface, []
    build = interface._build

    def counted(frame: float) -> None:
        built.append(frame)
        build(frame)

    monkeypatch.setattr(interface, "_build", counted)
    desk.run(0.3)
    built.clear()
    before = desk.pixels()
    for _ in range(21):
        desk.game.frame(1 / 60)
    assert 6 <= len(built) <= 8
    assert np.abs(desk.pixels()[:60, 520:] - before[:60, 520:]).mean() < 2  # the menu stays there
    built.clear()
    desk.hand.move(300, 200)
    desk.settle()
    assert built


def test_keys_of_a_level_read_well() -> None:
    assert level_keys("cable", "w", "s") == "W/S cable"
    assert level_keys("key e", "e", "") == "E"


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ({"default": 5.0, "min": 1.0, "max": 9.0}, (1.0, 9.0)),
        ({"default": 5.0}, (0.0, 50.0)),
        ({"default": -5.0}, (-50.0, 50.0)),
        ({"default": 200.0, "min": 100.0}, (100.0, 2100.0)),
        ({"default": 0.0, "max": -0.0}, (0.0, 0.0)),
    ],
)
def test_a_parameter_without_bounds_has_a_slider_too(
    spec: dict[str, float], shown: tuple[float, float]
) -> None:
    from levels.level_tables import Parameter

    assert slider_range(Parameter(**spec)) == shown


def test_every_setting_of_the_page_has_a_control() -> None:
    from sandbox.settings import Settings

    on_page = [name for name, info in Settings.model_fields.items() if info.title]
    assert set(on_page) == set(Settings.model_fields) - {"keys"}  # they have the help page
    for name in on_page:
        info = Settings.model_fields[name]
        default = info.default
        options = _options(name, info)
        assert default in options if options else isinstance(default, bool | float), name
