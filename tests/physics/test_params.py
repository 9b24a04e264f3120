"""Every constant of physics/params.py, and of the rooms that keep their own, has a reason."""

import re
from pathlib import Path

import pytest

from physics import params
from physics.collision import tolerances
from physics.contact.solver import convergence

ROOMS = (params, tolerances, convergence)
LINES = [
    line
    for room in ROOMS
    for line in Path(str(room.__file__)).read_text(encoding="utf-8").splitlines()
]
CONSTANT = re.compile(r"^([A-Z][A-Z_0-9]+) = ")
NAMES = [match[1] for match in map(CONSTANT.match, LINES) if match]
LEAST = 8  # words: a unit or what it is a share of, why this much, and what breaks otherwise


def comment(name: str) -> str:
    """The lines right above a constant."""
    at = next(i for i, line in enumerate(LINES) if line.startswith(f"{name} = "))
    found: list[str] = []
    while LINES[at - 1].startswith("#"):
        at -= 1
        found.insert(0, LINES[at].lstrip("# "))
    return " ".join(found)


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_has_a_sentence_of_its_own(name: str) -> None:
    assert len(comment(name).split()) >= LEAST
    assert "-----" not in comment(name), "that is a heading, not a reason"


def test_nothing_else_is_in_the_list() -> None:
    public = {n for room in ROOMS for n in vars(room) if not n.startswith(("__", "@"))}  # @: pytest
    assert public == set(NAMES)
    assert len(NAMES) == len(set(NAMES))
