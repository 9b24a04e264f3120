"""What keys and buttons do to the window: panels, levels, pictures, comparing, leaving."""

from typing import TYPE_CHECKING

from sandbox.app.comparison import Comparison
from sandbox.ui.panels import PAGES, PANELS

if TYPE_CHECKING:
    from sandbox.window.game import Game

_A_LITTLE = 3.0  # s


class WindowActions:
    """One method `_do_` for every action that is not the player's."""

    def __init__(self, game: "Game") -> None:
        self._game = game

    def do(self, name: str) -> bool:
        """False: it is none of these."""
        handler = getattr(self, f"_do_{name}", None)
        if handler is not None:
            handler()
        elif name in PANELS or name in PAGES:
            self._game.player.state.toggle(name)
        else:
            return False
        return True

    def _do_wall(self) -> None:
        """Esc: closes what is open; if nothing is, the wall of levels."""
        if self._close_something():
            return
        if self._game.building.testing:
            self._game.building.back()
        else:
            self._game.player.state.open |= {"wall"}

    def _close_something(self) -> bool:
        game, state = self._game, self._game.player.state
        pages = state.open & set(PAGES)
        panels = {name for name in state.open & set(PANELS) if not PANELS[name].right}
        if state.rebinding:
            state.rebinding = None
        elif pages or panels:
            state.open -= pages or panels
        elif game.comparison is not None:
            game.stop_comparing()
        elif game.player.explosion is not None:
            game.player.end_explosion()
        elif state.advanced and "sliders" in state.open:
            state.advanced = False
        elif game.player.session.status != "playing" and state.card_due:
            state.card = False
        else:
            return False
        return True

    def _do_quit(self) -> None:
        self._game.quit()

    def _do_clip(self) -> None:
        self._game.clips.save()

    def _do_back_a_little(self) -> None:
        """To shortly before it was lost."""
        player = self._game.player
        first, _ = player.history.span
        steps = round(_A_LITTLE * float(player.world.rate))
        player.scrub(max(first, player.session.tick - steps))

    def _do_mute(self) -> None:
        self._game.muted = not self._game.muted

    def _do_next_level(self) -> None:
        self._game.neighbour(1)

    def _do_previous_level(self) -> None:
        self._game.neighbour(-1)

    def _do_full_screen(self) -> None:
        self._game.window.toggle_full_screen()

    def _do_compare(self) -> None:
        """Off, side by side, ghosts, off …"""
        game = self._game
        say = game.player.state.say
        if game.comparison is None:
            game.player.end_explosion()
            if self._begin_comparing():
                say("compare: side by side")
        elif not game.comparison.ghosts:
            game.comparison.ghosts = True
            say("compare: ghosts")
        else:
            game.stop_comparing()
            say("compare: off")

    def _begin_comparing(self) -> bool:
        game = self._game
        why_not = game.obstacle("stabilization", "compare")
        if why_not:
            game.player.state.say(why_not)
            return False
        game.comparison = Comparison(game.player)
        return True

    def _do_compare_adaptive(self) -> None:
        """From when all was still well: what blew up beside what holds."""
        game = self._game
        game.player.end_explosion()
        report = game.player.divergence
        if report is not None:
            game.player.scrub(report.sound)
        if game.comparison is None and not self._begin_comparing():
            return
        if game.comparison is not None:
            now = str(game.player.option("stabilization"))
            game.comparison.compare_only("adaptive", now)
        game.player.explains = False  # it is about to come apart again, beside one that does not
        game.player.clock.paused = False

    def _do_screenshot(self) -> None:
        self._game.capture.screenshot()

    def _do_record(self) -> None:
        self._game.capture.toggle_recording()

    def _do_build(self) -> None:
        """Build on at this level; in a test of it, back to building."""
        if self._game.building.testing:
            self._game.building.back()
        else:
            self._game.building.begin()

    def _do_share(self) -> None:
        self._game.building.share()

    def _do_save(self) -> None:
        self._game.save_level()
