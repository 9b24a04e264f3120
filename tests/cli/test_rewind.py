"""Going back in time: the same bits, a bounded memory, and a minute of reach."""

from pathlib import Path

import pytest

from levels import Session, load
from levels.commands import Cut, Push
from sandbox.rewind import Rewind

_LEVEL = """\
format = 1
[bodies.ball]
shape = "sphere"
radius = 0.2
position = [3, 6, 0]
mass = 100
[props.chain]
kind = "chain"
from = [0, 6, 0]
to = "ball"
links = 5
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "swing.toml"
    path.write_text(_LEVEL)
    return load(path).session()


def _play(session: Session, rewind: Rewind, steps: int) -> list[str]:
    hashes = []
    for _ in range(steps):
        if session.tick == 40:
            session.issue(Push("ball", (500.0, 0.0, 200.0)))
        if session.tick == 70:
            session.issue(Cut("chain.joint2"))
        session.step()
        rewind.after_step()
        hashes.append(session.world.hash())
    return hashes


def test_any_tick_comes_back_bit_by_bit(session: Session) -> None:
    rewind = Rewind(session)
    hashes = _play(session, rewind, 100)
    for tick in (99, 71, 70, 41, 40, 13, 12, 1):
        assert rewind.back_to(tick) == tick
        assert session.world.hash() == hashes[tick - 1], tick
    assert _play(session, rewind, 99) == hashes[1:]


def test_back_to_the_start(session: Session) -> None:
    start = session.world.hash()
    rewind = Rewind(session)
    _play(session, rewind, 30)
    assert rewind.back_to(-5) == 0
    assert session.world.hash() == start


def test_memory_is_bounded(session: Session) -> None:
    one = Rewind(session).bytes_used
    rewind = Rewind(session, memory=20 * one)
    for _ in range(600):
        session.step()
        rewind.after_step()
        assert rewind.bytes_used <= 22 * one
    assert rewind.earliest == 0
    assert rewind.spacing > 6
    assert rewind.back_to(301) == 301


def test_only_the_last_seconds_are_kept(session: Session) -> None:
    rewind = Rewind(session, span=1.0)
    for _ in range(300):
        session.step()
        rewind.after_step()
    assert 300 - 60 - 12 <= rewind.earliest <= 300 - 60
    assert rewind.back_to(0) == rewind.earliest
