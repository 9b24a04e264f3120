"""Every level can be won by somebody who looks, and by nobody who does not.

Scripts look at the state, so that they need no recording anew when the engine changes its last
bits. `python -m tests.play FOLDER` writes what they did as tests for `sandbox test`.
"""

import pytest

from levels import load, shipped
from tests.play.hand import Hand, keys_of, lazy, play
from tests.play.scripts import LONGEST, SCRIPTS

WITHOUT_GOAL = ("empty",)
LAZY = 12.0  # s: longer than any win by one key took before goals asked for more


def test_every_level_with_a_goal_has_a_script() -> None:
    goals = {name for name in shipped() if load(name).goal.win is not None}
    assert goals == set(SCRIPTS)
    assert goals == set(shipped()) - set(WITHOUT_GOAL)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_player_who_looks_wins(name: str) -> None:
    hand = Hand(name)
    assert play(hand, SCRIPTS[name](hand), LONGEST[name]) == "won"
    assert hand.session.stars >= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_nobody_wins_by_doing_nothing_or_holding_one_key(name: str) -> None:
    for key in ("", *keys_of(name)):
        assert lazy(name, key, LAZY) != "won", key or "nothing"


@pytest.mark.parametrize("name", ["press", "boom_drop", "domino", "footbridge"])
def test_goals_that_once_won_themselves(name: str) -> None:
    for key in ("", *keys_of(name)):
        assert lazy(name, key, 8.0) != "won", key or "nothing"
