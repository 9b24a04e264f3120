"""What went first when a real level blows up, and what the player is told."""

from levels import load
from sandbox.app.choices import GuiState
from sandbox.app.plain_words import plain_name
from sandbox.app.player import Player


def test_a_slider_that_blows_a_level_up_is_not_taken_back_and_a_joint_is_named() -> None:
    player = Player(load("crane").session())
    player.clock.budget = 10.0
    for _ in range(20):
        player.update(1 / 30)
    player.set_option("stabilization", "none")
    player.set_parameter("load", 1e6)
    changed = player.session.tick
    for _ in range(300):
        player.update(1 / 30)
        if player.explosion is not None and player.explosion.phase == "over":
            break
    assert player.explosion is not None
    player.end_explosion()
    assert player.divergence is not None
    assert player.divergence.joint is not None, player.divergence.text
    named = plain_name(player.session.name_of(player.divergence.joint), player.session.plan)
    assert named.lower() in player.divergence.text.lower()
    assert "went first" in player.divergence.text
    assert player.session.tick >= changed
    assert player.session.values["load"] == 1e6  # what the player set is still so
    assert player.session.is_finite()
    assert player.clock.paused


def test_news_of_the_same_kind_replace_each_other() -> None:
    state = GuiState()
    for text in ("overlays: axes", "speed 1/2", "overlays: none", "speed 1/4", "undone"):
        state.say(text)
    assert [toast.text for toast in state.toasts] == ["overlays: none", "speed 1/4", "undone"]


def test_players_read_words_not_names_of_the_format() -> None:
    crane = load("crane").session().plan
    liana = load("liana").session().plan
    assert plain_name("cable.joint8", crane) == "the cable"
    assert plain_name("slew", crane) == "the slew"
    assert plain_name("climber.knee_left", liana) == "the climber's left knee"
    assert plain_name("left_post") == "the left post"
