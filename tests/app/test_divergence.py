"""What went first when a real level blows up, and what the player is told."""

from levels import load
from sandbox.app.player import Player
from sandbox.app.state import GuiState


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
        if player.divergence is not None:
            break
    assert player.divergence is not None
    assert player.divergence.joint is not None, player.divergence.text
    assert player.session.name_of(player.divergence.joint) in player.divergence.text
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
