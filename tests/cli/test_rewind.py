"""Going back in time: the same bits, a bounded memory, and a minute of reach."""

import tracemalloc
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
    path.write_text(_LEVEL, encoding="utf-8")
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


def test_memory_of_a_large_level_is_what_is_stated(tmp_path: Path) -> None:
    """Names, shapes and joints are held once: what a moment costs is what it counts."""
    path = tmp_path / "large.toml"
    particles = [f"[particles.p{i}]\nmass = 1\nposition = [{i}, 5, 0]\n" for i in range(1500)]
    path.write_text(_LEVEL + "".join(particles), encoding="utf-8")
    session = load(path).session()
    tracemalloc.start()
    rewind = Rewind(session)
    session.step()
    counted = rewind.bytes_used  # waits until all is compressed
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(240):
        session.step()
        rewind.after_step()
    used = rewind.bytes_used
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(rewind.moments) > 35
    # a moment itself, its key and the parts of a session are a few kilobytes
    assert grown < (used - counted) + 12_000 * len(rewind.moments)
    assert rewind.back_to(100) == 100


def test_a_moment_of_cloth_holds_its_state_not_its_solver(tmp_path: Path) -> None:
    """The factorised matrix of a cloth is sixteen times its state; it is the same for all moments.
    Another session that goes to the same moment has a cloth of its own."""
    path = tmp_path / "cloth.toml"
    path.write_text(
        _LEVEL
        + '[props.sheet]\nkind = "cloth"\nsize = [2, 2]\nrows = 20\ncolumns = 20\n'
        + 'position = [0, 3, 4]\npins = ["top"]\n',
        encoding="utf-8",
    )
    session = load(path).session()
    rewind = Rewind(session)
    hashes = _play_quietly(session, rewind, 30)
    assert rewind.bytes_used / len(rewind.moments) < 150_000
    rewind.back_to(15)
    assert session.world.hash() == hashes[14]
    other = load(path).session()
    other.restore(session.snapshot())
    before = session.world.hash()
    other.step()
    assert session.world.hash() == before
    assert _play_quietly(session, rewind, 15) == hashes[15:]


def _play_quietly(session: Session, rewind: Rewind, steps: int) -> list[str]:
    hashes = []
    for _ in range(steps):
        session.step()
        rewind.after_step()
        hashes.append(session.world.hash())
    return hashes


def test_undo_and_redo_leave_no_moment_of_another_branch(session: Session) -> None:
    rewind = Rewind(session)
    _play(session, rewind, 30)
    here = session.snapshot()
    hashes = _play(session, rewind, 30)  # a push at 40
    there = session.snapshot()
    session.restore(here)
    rewind.jumped()
    assert max(moment.tick for moment in rewind.moments) <= 30
    session.issue(Push("ball", (-300.0, 0.0, 0.0)))
    for _ in range(24):
        session.step()
        rewind.after_step()
    session.restore(there)
    rewind.jumped()
    assert rewind.back_to(60) == 60
    assert session.world.hash() == hashes[-1]
    assert rewind.back_to(20) == 20
    assert _play(session, rewind, 40)[-1] == hashes[-1]
