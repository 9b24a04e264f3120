"""Nothing that somebody built is lost without being asked about."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from levels import load
from levels.commands import Cut, Delete, Key, Restart, Spawn
from sandbox.app.saving import save_level, unsaved
from tests.app.conftest import PLAYGROUND
from tests.app.desk import Desk


def branch(*commands: Any) -> Any:
    node = None
    for tick, command in enumerate(commands):
        node = (node, tick, command)
    return node


def player_who(*commands: Any, saved_at: Any = None) -> Any:
    session = SimpleNamespace(branch=branch(*commands))
    return SimpleNamespace(session=session, saved_at=saved_at, saved_as=None)


def test_building_counts_and_playing_does_not() -> None:
    assert unsaved(player_who()) == 0
    assert unsaved(player_who(Key("a", True), Cut("rope.1"))) == 0
    assert unsaved(player_who(Spawn("crate", {}), Key("a", True), Delete("ball"))) == 2


def test_a_restart_begins_anew() -> None:
    assert unsaved(player_who(Spawn("crate", {}), Restart())) == 0
    assert unsaved(player_who(Spawn("crate", {}), Restart(), Spawn("ball", {}))) == 1


def test_what_is_saved_is_not_asked_about() -> None:
    spawned = Spawn("crate", {})
    assert unsaved(player_who(spawned, Key("a", True), saved_at=(0, spawned))) == 0
    assert unsaved(player_who(spawned, Delete("ball"), saved_at=(0, spawned))) == 1


def build(desk: Desk) -> None:
    desk.key("8")
    desk.click(380, 470)
    assert unsaved(desk.player) == 1


def close_window(desk: Desk) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    desk.settle()


def test_a_window_with_nothing_built_closes_at_once(desk: Desk) -> None:
    close_window(desk)
    assert not desk.game.running


def test_closing_asks_and_cancel_plays_on(desk: Desk, at_home: Path) -> None:
    build(desk)
    close_window(desk)
    assert desk.game.running
    assert desk.game.leaving is not None
    tick = desk.session.tick
    desk.run(0.2)
    assert desk.session.tick == tick  # time stands still meanwhile
    desk.key("Escape")
    assert desk.game.leaving is None
    assert "wall" not in desk.player.state.open
    desk.run(0.2)
    assert desk.game.running
    assert desk.session.tick > tick


def test_return_saves_and_closes(desk: Desk, at_home: Path) -> None:
    build(desk)
    close_window(desk)
    desk.key("Return")
    assert not desk.game.running
    assert "crate" in (at_home / "playground_edited.toml").read_text(encoding="utf-8")


def test_closing_twice_saves(desk: Desk, at_home: Path) -> None:
    build(desk)
    close_window(desk)
    close_window(desk)
    assert not desk.game.running
    assert (at_home / "playground_edited.toml").is_file()


def test_a_click_beside_the_card_builds_nothing(desk: Desk, at_home: Path) -> None:
    build(desk)
    close_window(desk)
    desk.click(380, 470)
    assert desk.game.leaving is not None
    desk.key("Escape")
    desk.run(0.1)
    assert unsaved(desk.player) == 1


def test_the_card_has_three_buttons(desk: Desk, at_home: Path) -> None:
    for choice, offset in (("cancel", 150), ("discard", 0)):
        if not unsaved(desk.player):
            build(desk)
        close_window(desk)
        desk.run(0.2)
        desk.click(480 + offset, 335)
        assert desk.game.leaving is None, choice
        assert desk.game.running == (choice == "cancel")
    assert not list(at_home.glob("*.toml"))


def test_another_level_asks_too(desk: Desk, at_home: Path) -> None:
    build(desk)
    desk.key("bracketright")
    assert desk.session.level.name == "playground"
    assert desk.game.leaving is not None
    desk.game.decide("discard")
    desk.settle()
    assert desk.session.level.name != "playground"


def test_what_cannot_be_saved_is_not_left(
    desk: Desk, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(desk)

    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(desk.session, "save", full)
    close_window(desk)
    desk.key("Return")
    assert desk.game.running
    assert "No space left" in desk.said()
    assert unsaved(desk.player) == 1


def test_undoing_what_was_built_needs_no_answer(desk: Desk, at_home: Path) -> None:
    build(desk)
    desk.key("ctrl+z")
    close_window(desk)
    assert not desk.game.running


def test_a_save_of_another_day_is_not_overwritten(
    sit_down: Callable[..., Desk], at_home: Path
) -> None:
    old = at_home / "playground_edited.toml"
    old.write_text("# mine", encoding="utf-8")
    desk = sit_down()
    build(desk)
    desk.key("F5")
    desk.key("F5")
    assert old.read_text(encoding="utf-8") == "# mine"
    assert sorted(path.name for path in at_home.glob("*.toml")) == [
        "playground_edited.toml",
        "playground_edited_2.toml",
    ]
    close_window(desk)
    assert not desk.game.running


def test_a_saved_level_that_misses_its_neighbours_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    (home / "base.toml").write_text(PLAYGROUND.read_text(encoding="utf-8"), encoding="utf-8")
    (home / "mine.toml").write_text('format = 1\ninclude = ["base.toml"]\n', encoding="utf-8")
    session = load(home / "mine.toml").session()
    player: Any = SimpleNamespace(session=session, saved_at=None, saved_as=None)
    monkeypatch.chdir(away)
    assert "cannot be opened there" in save_level(player).text
    player.saved_as = None
    monkeypatch.chdir(home)
    assert save_level(player).text == f"saved {home / 'mine_edited.toml'}"
