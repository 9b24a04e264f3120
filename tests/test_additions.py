"""One more of each noun is really added to a copy of the tree: few files, and it is known there."""

from pathlib import Path

import pytest

from tests.additions import Addition, check, copy_tree
from tests.additions.of_physics import ADDITIONS as OF_PHYSICS
from tests.additions.of_the_game import ADDITIONS as OF_THE_GAME

ADDITIONS = (*OF_PHYSICS, *OF_THE_GAME)
MOST = {"row primitive, and a joint of it": 3, "joint kind of known rows": 1}  # others: 2
CASES = [
    pytest.param(one, id=one.noun, marks=[pytest.mark.slow] if one.slow else [])
    for one in ADDITIONS
]


@pytest.mark.parametrize("addition", CASES)
def test_one_more_takes_few_files_and_is_known_everywhere(
    addition: Addition, tmp_path: Path
) -> None:
    assert len(addition.files) <= MOST.get(addition.noun, 2)
    copy_tree(tmp_path)
    check(addition, tmp_path)


def test_the_page_of_the_house_has_the_counted_table() -> None:
    page = (Path(__file__).parents[1] / "docs/house.md").read_text(encoding="utf-8")
    for one in ADDITIONS:
        assert f"| {one.noun} | {one.example} | {len(one.files)} |" in page, one.noun
