"""One more of each noun is really added to a copy of the tree: few files, and it is known there."""

from pathlib import Path

import pytest

from tests.additions import Addition, check, copy_tree
from tests.additions.of_physics import ADDITIONS as OF_PHYSICS
from tests.additions.of_the_game import ADDITIONS as OF_THE_GAME

ADDITIONS = (*OF_PHYSICS, *OF_THE_GAME)
MOST = {"row primitive, and a joint of it": 3, "joint kind of known rows": 1}  # others: 2
COMPILED = [pytest.param(one, id=one.noun) for one in ADDITIONS if one.slow]


def test_one_more_takes_few_files() -> None:
    for addition in ADDITIONS:
        assert len(addition.files) <= MOST.get(addition.noun, 2), addition.noun


@pytest.mark.parametrize("copy", ["game", "engine", "kernels"])
def test_one_more_of_each_is_known_everywhere(copy: str, tmp_path: Path) -> None:
    """Many in one copy of the tree; those that change what is compiled in another, whose checks
    take no step."""
    copy_tree(tmp_path)
    check([one for one in ADDITIONS if not one.slow and one.copy == copy], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("addition", COMPILED)
def test_what_compiles_kernels_is_known_by_itself(addition: Addition, tmp_path: Path) -> None:
    copy_tree(tmp_path)
    check([addition], tmp_path)


def test_the_page_of_the_house_has_the_counted_table() -> None:
    page = (Path(__file__).parents[1] / "docs/house.md").read_text(encoding="utf-8")
    for one in ADDITIONS:
        assert f"| {one.noun} | {one.example} | {len(one.files)} |" in page, one.noun
