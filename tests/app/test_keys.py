"""Bindings by physical key."""

import pytest

from sandbox.app.keys import DEFAULTS, LABELS, Chord, KeyMap


def test_every_action_has_a_label_and_a_key_of_its_own() -> None:
    assert set(DEFAULTS) == set(LABELS)
    chords = [Chord.parse(text) for text in DEFAULTS.values()]
    assert len(set(chords)) == len(chords)


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
