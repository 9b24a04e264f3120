"""Waiting for a level while the window answers: its picture, what is being prepared, a way back."""

import time
from typing import TYPE_CHECKING

from levels.plain_data import GivenValues
from sandbox.app.level_loader import LevelLoader
from sandbox.app.player import Player
from sandbox.window.window import Closed

if TYPE_CHECKING:
    from pygame.event import Event

    from sandbox.app.level_loader import LevelWanted
    from sandbox.ui.loading import LoadingView
    from sandbox.window.game import Game

_LOADING_EVERY = 0.1  # s between frames while loading: the processors are needed elsewhere
_MOVING_EVERY = 0.03  # s, the same while somebody looks around


class Left(Exception):
    """The player does not want to wait for a level."""


def load_level(
    game: "Game",
    level: "LevelWanted | LevelLoader",
    given: GivenValues | None = None,
    *,
    may_leave: bool,
) -> Player:
    """Wait for the session while the window answers.

    Closed: the window was closed meanwhile. Left: the player wants back to the level before.
    """
    from sandbox.ui.loading import LoadingView

    loader = level if isinstance(level, LevelLoader) else LevelLoader(level, given)
    view = LoadingView(game, loader, leaving=may_leave, first=loader is level)
    try:
        _wait(game, loader, view, may_leave)
        player = Player(loader.session(), game.window.size[1], game.settings.palette)
        if view.preview is not None:
            player.camera = view.preview.camera
    finally:
        loader.cancel()
        view.close()
    player.camera.still = game.settings.reduced_motion
    if loader.complaint:
        player.state.say(f"compiled slowly: {loader.complaint}", bad=True)
    return player


def _wait(game: "Game", loader: LevelLoader, view: "LoadingView", may_leave: bool) -> None:
    """Draw what is known of the level until it is built, and its picture is whole: a frame of the
    game that meets many shaders for the first time would hold the window."""
    drawn = time.perf_counter() - _LOADING_EVERY
    while loader.is_alive() or view.unfolding:
        for event in game.window.events():
            _heed(game, event, may_leave)
            view.event(event)
        now = time.perf_counter()
        every = _MOVING_EVERY if view.moving else _LOADING_EVERY
        if not loader.is_alive() or now - drawn >= every:  # what is left to do is to draw
            view.draw(now - drawn)
            drawn = now
        if loader.preparation is not None:
            game.compiler.pause()  # this is wanted first
        loader.join(_MOVING_EVERY / 2)


def _heed(game: "Game", event: "Event", may_leave: bool) -> None:
    """Whatever was pressed on the wall is let go here."""
    if game.input.is_release(event):
        game.interface.backend.event(event)
    if game.input.is_quit(event):
        raise Closed
    if may_leave and game.input.means(event, "wall"):
        raise Left
