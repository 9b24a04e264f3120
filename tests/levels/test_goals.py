"""The first eight levels can be won, and lost, by someone who plays as the hint says."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from levels import Session, load
from levels.commands import Command, Cut, Drag, Drop, Grab, Key, SetOption, SetParameter

Player = Callable[[Session], None]
Vector = tuple[float, float, float]


def play(
    name: str,
    seconds: float,
    *,
    does: Iterable[tuple[float, Command]] = (),
    player: Player | None = None,
    scripted: bool = False,
    **values: float,
) -> Session:
    """Until it is decided: commands at their times, and a player who looks at every step."""
    session = load(name).session(scripted=scripted, **values)
    waiting = sorted(does, key=lambda entry: entry[0])
    while session.time < seconds and session.status == "playing":
        while waiting and waiting[0][0] <= session.time + 1e-9:
            session.issue(waiting.pop(0)[1])
        if player is not None:
            player(session)
        session.step()
    assert session.is_finite()
    return session


def press(key: str, at: float, seconds: float = 0.1) -> list[tuple[float, Command]]:
    return [(at, Key(key, True)), (at + seconds, Key(key, False))]


def carry(body: str, hand: int, at: float, *path: Vector) -> list[tuple[float, Command]]:
    """Take a body at the first point and lead it along the others, 1.2 s each, 60 moves a leg."""
    does: list[tuple[float, Command]] = [(at, Grab(hand, body, path[0]))]
    for start, end in pairwise(path):
        for k in range(1, 61):
            at += 1.2 / 60
            x, y, z = (a + (b - a) * k / 60 for a, b in zip(start, end, strict=True))
            does.append((at, Drag(hand, (x, y, z))))
    return [*does, (at + 0.8, Drop(hand))]


def jumps(session: Session) -> None:
    """Presses E when the mat throws the jumper up, lets go of it in the air."""
    pelvis = session.world.find("jumper.pelvis")
    height, rising = session.world.position(pelvis)[1], session.world.velocity(pelvis)[1]
    if height < 1.3 and rising > 0.5 and "e" not in session.held:
        session.issue(Key("e", True))
    if height > 1.8 and "e" in session.held:
        session.issue(Key("e", False))


def test_crane_is_lost_with_its_cable() -> None:
    assert play("crane", 3, does=[(0.5, Cut("cable"))]).status == "lost"


@pytest.mark.slow
def test_crane_is_won_by_slewing_and_lowering() -> None:
    session = play("crane", 26, scripted=True)
    assert session.status == "won"
    assert session.stars == 3


@pytest.mark.parametrize(("moment", "status"), [(1.6, "won"), (1.0, "lost")])
def test_liana_is_let_go_at_the_right_moment(moment: float, status: str) -> None:
    assert play("liana", 8, does=press("e", moment)).status == status


def test_million_is_won_at_a_million_and_by_the_longest_step() -> None:
    session = play("million", 10, weight=1e6, step=0.1)
    assert session.status == "won"
    assert session.stars == 3
    assert play("million", 10).status == "playing"  # ten tonnes are not enough


def test_million_comes_apart_without_stabilization() -> None:
    option = SetOption("stabilization", "none")
    assert play("million", 10, does=[(0.0, option)], weight=1e6, step=0.1).status == "lost"


@pytest.mark.slow
def test_trampoline_is_won_by_jumping_in_time() -> None:
    assert play("trampoline", 15, player=jumps).status == "won"


def test_trampoline_is_not_won_by_hand() -> None:
    """Dragged above six metres, held there, let go: nothing of that is a jump."""
    lifted = carry(
        "jumper.pelvis", 0, 0.1, (0.05, 3.4, -0.3), (0, 6.5, 0), (0, 7.5, 0), (0, 7.5, 0)
    )
    held: list[float] = []
    height: list[float] = []

    def watch(session: Session) -> None:
        held.append(session.free_for("jumper"))
        height.append(float(session.position("jumper")[1]))

    assert play("trampoline", 6, does=lifted, player=watch).status == "playing"
    assert max(height) > 6.5
    assert min(held) == 0.0 < held[-1] < 2.0  # it was held, and let go


def test_trampoline_is_lost_beside_the_mat() -> None:
    beside = carry("jumper.pelvis", 1, 0.0, (0.05, 3.4, -0.3), (4.5, 3.4, -0.3))
    assert play("trampoline", 8, does=beside).status == "lost"


@pytest.mark.slow
def test_hammock_is_won_by_laying_both_weights_in() -> None:
    """Laid down, not dropped: what bounces may roll out again."""
    crate = carry(
        "crate", 1, 0.5, (3.4, 2.23, 0.6), (3.4, 3.1, 0.6), (0.62, 3.1, 0.0), (0.62, 1.65, 0.0)
    )
    barrel = carry(
        "barrel", 2, 6.0, (3.4, 2.22, -0.6), (3.4, 3.1, -0.6), (-0.62, 3.1, 0.0), (-0.62, 1.65, 0.0)
    )
    assert play("hammock", 30, does=[*crate, *barrel]).status == "won"


def test_hammock_is_lost_by_throwing_one_beside_it() -> None:
    past = carry("crate", 1, 0.0, (3.4, 2.23, 0.6), (3.4, 3.0, 2.6))
    assert play("hammock", 5, does=past).status == "lost"


@pytest.mark.slow
def test_wrecking_ball_wins_only_with_the_boom() -> None:
    assert play("wrecking_ball", 10).status == "playing"
    assert play("wrecking_ball", 12, scripted=True).status == "won"
    assert play("wrecking_ball", 2, does=[(0.2, Cut("cable"))]).status == "lost"


@pytest.mark.slow
def test_tower_falls_to_the_ball() -> None:
    assert play("tower_2d", 12, scripted=True).status == "won"
    away = [(0.1, Cut("sling")), *carry("ball", 1, 0.2, (-2.2, 1.4, 0.0), (-15.0, 1.4, 0.0))]
    assert play("tower_2d", 6, does=away).status == "lost"


def test_a_level_can_be_won_after_going_back_over_a_slider(tmp_path: Path) -> None:
    """Rules of the moment one comes back to are those of its own parameters."""
    path = tmp_path / "level.toml"
    path.write_text(
        "format = 1\n[parameters]\nheight = 1.0\n"
        '[bodies.ball]\nshape = "sphere"\nradius = 0.1\nmass = 1\nposition = [0, 9, 0]\n'
        "[goal]\nwin = \"y('ball') < height\"\n",
        encoding="utf-8",
    )
    session = load(path).session()
    session.issue(SetParameter("height", 2.0))
    session.step()
    moment = session.snapshot()
    session.issue(SetParameter("height", 3.0))
    session.step()
    session.restore(moment)
    session.step(90)
    assert session.status == "won"


def test_letting_go_of_the_liana_neither_makes_nor_takes_energy() -> None:
    """The last link is wedged between hand and arm: pushed out of both, it threw the climber."""
    session = load("liana").session(scripted=False)
    world = session.world
    while session.time < 1.64:
        session.step()
    session.issue(Key("e", True))
    before = world.energy().total
    for _ in range(15):
        session.step()
        assert world.energy().total == pytest.approx(before, abs=0.01 * before)
