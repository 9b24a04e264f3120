"""Bindings by physical key."""

import pytest

from sandbox.app.player import Player
from sandbox.app.tools import TOOLS, tool_action
from sandbox.ui.panels import PAGES, PANELS
from sandbox.window.keys import ACTIONS, Chord, KeyMap
from sandbox.window.window_actions import WindowActions


def test_every_action_has_a_title_and_a_key_of_its_own() -> None:
    chords = [Chord.parse(action.key) for action in ACTIONS.values()]
    assert len(set(chords)) == len(chords)
    titles = [action.title for action in ACTIONS.values()]
    assert all(titles)
    assert len(set(titles)) == len(titles)


def test_tools_panels_and_pages_bring_their_keys_along() -> None:
    for tool in TOOLS:
        assert ACTIONS[tool_action(tool.name)].key == tool.key
    for panel in (*PANELS.values(), *PAGES.values()):
        assert ACTIONS[panel.name].key == panel.key
        assert ACTIONS[panel.name].title == panel.title
    assert KeyMap.load().actions is ACTIONS  # what the help page lists


def test_every_action_is_carried_out_by_somebody() -> None:
    chosen = {*PANELS, *PAGES, *(tool_action(tool.name) for tool in TOOLS), "rewind"}
    for name in ACTIONS:
        handlers = [hasattr(kind, f"_do_{name}") for kind in (WindowActions, Player)]
        assert name in chosen or any(handlers), name


@pytest.mark.parametrize("text", ["Space", "Ctrl+Z", "F12", "-", "Ctrl+Shift+A", "["])
def test_chords_read_back_as_they_were_written(text: str) -> None:
    assert str(Chord.parse(text)) == text


def test_letters_may_be_small() -> None:
    assert Chord.parse("ctrl+z") == Chord.parse("Ctrl+Z")


def test_an_unknown_key_is_named() -> None:
    with pytest.raises(ValueError, match="Hyper"):
        Chord.parse("Hyper")


def test_rebinding_takes_the_key_from_who_had_it() -> None:
    keys = KeyMap.load()
    assert keys.bind("pause", Chord.parse("R")) == "restart"
    assert keys.action(Chord.parse("R")) == "pause"
    assert keys.label("restart") == "unbound"
    assert keys.changes() == {"pause": "R"}


def test_wrong_settings_are_reported_and_the_rest_is_kept() -> None:
    keys = KeyMap.load({"pause": "P", "jump": "J", "step": "Nope"})
    assert keys.action(Chord.parse("P")) == "pause"
    assert len(keys.problems) == 2
