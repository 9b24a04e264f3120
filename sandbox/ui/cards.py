"""Cards that stand aside: how it ended, and what to do when the world has come apart.

They keep below the title, and come only when what happened has been seen.
"""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui import theme
from sandbox.ui.layout import MARGIN
from sandbox.ui.theme import Fonts, icon
from sandbox.ui.widgets import BARE, colored, place, stars_row

if TYPE_CHECKING:
    from sandbox.window.game import Game


def end_card(game: "Game", fonts: Fonts) -> None:
    """Won or lost, with stars and the best so far."""
    player = game.player
    status = player.session.status
    if status == "playing" or not player.state.card_due or player.explosion is not None:
        return
    _begin("card", game, fonts)
    won = status == "won"
    imgui.push_font(fonts.title, fonts.title_size)
    colored(player.state.end_text or ("Well done!" if won else "Not this time"), theme.ACCENT)
    if won:
        imgui.same_line(0, 18 * fonts.scale)
        colored(stars_row(player.session.stars), theme.ACCENT)
    imgui.pop_font()
    colored(game.achievements.words(), theme.SOFT)
    buttons = [("Again", "restart"), ("Next level", "next_level"), ("Save as a clip", "clip")]
    if not won:
        buttons[1] = ("Back a little", "back_a_little")
    for i, (text, action) in enumerate(buttons):
        if i:
            imgui.same_line()
        if imgui.button(text):
            game.action(action)
    imgui.same_line()
    if imgui.button("Play on"):
        player.state.card = False
    _end(game)


def explosion_card(game: "Game", fonts: Fonts) -> None:
    """It came apart: go back, or see who would have held it."""
    explosion = game.player.explosion
    if explosion is None or explosion.phase != "over" or explosion.report is None:
        return
    _begin("explosion", game, fonts)
    imgui.push_font(fonts.title, fonts.title_size)
    colored("It flew apart!", theme.BAD)
    imgui.pop_font()
    imgui.push_text_wrap_pos(430 * fonts.scale)
    colored(explosion.report.text, theme.SOFT)
    imgui.pop_text_wrap_pos()
    if imgui.button(f"{icon('rewind')}  Rewind"):
        explosion.go_back()
    imgui.same_line()
    if imgui.button("Compare with adaptive"):
        game.action("compare_adaptive")
    imgui.same_line()
    if imgui.button("Save as a clip"):
        game.action("clip")
    _end(game)


def _begin(name: str, game: "Game", fonts: Fonts) -> None:
    layout = game.interface.layout
    left = layout.free_part(game)[0] + MARGIN * fonts.scale
    place(left, layout.below("title"), 0, 0)
    imgui.begin(name, None, BARE)


def _end(game: "Game") -> None:
    game.interface.layout.note("card")
    imgui.end()
