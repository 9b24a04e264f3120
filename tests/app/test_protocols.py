"""The toys of the tests and the real world and session have the same interface."""

import inspect
from typing import Any

import pytest

from levels import Level, Session
from levels.still import StillWorld
from physics import World
from sandbox import protocols
from sandbox.protocols import DrawnWorld, GameLevel, GameSession, GameWorld
from tests.app.fakes import FakeLevel, FakeSession, FakeWorld, toy

PAIRS = [
    (DrawnWorld, StillWorld),
    (GameWorld, World),
    (GameWorld, FakeWorld),
    (GameSession, Session),
    (GameSession, FakeSession),
    (GameLevel, Level),
    (GameLevel, FakeLevel),
]


def members(protocol: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in reversed(protocol.__mro__):
        if kind.__module__ == protocols.__name__:
            found |= dict.fromkeys(inspect.get_annotations(kind))
            found |= {n: m for n, m in vars(kind).items() if not n.startswith("_")}
    return found


@pytest.mark.parametrize(("protocol", "kind"), PAIRS)
def test_methods_take_what_the_game_gives_them(protocol: type, kind: type) -> None:
    for name, member in members(protocol).items():
        if not inspect.isfunction(member):
            continue
        wanted = list(inspect.signature(member).parameters.values())
        real = getattr(kind, name, None)
        assert callable(real), f"{kind.__name__} has no {name}"
        given = inspect.signature(real).parameters
        assert [p.name for p in wanted] == list(given)[: len(wanted)], f"{kind.__name__}.{name}"
        for extra in list(given.values())[len(wanted) :]:
            optional = extra.default is not extra.empty or extra.kind == extra.VAR_KEYWORD
            assert optional, f"{kind.__name__}.{name} needs {extra.name}"


def test_the_toys_have_every_attribute() -> None:
    session = toy()
    for protocol, thing in (
        (GameWorld, session.world),
        (GameSession, session),
        (GameLevel, session.level),
    ):
        lacking = [name for name in members(protocol) if not hasattr(thing, name)]
        assert not lacking, f"{type(thing).__name__} lacks {lacking}"
