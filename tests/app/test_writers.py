"""Frames to files."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sandbox.record.writers import even, open_writer

FRAME = np.zeros((48, 64, 3), np.uint8)


@pytest.mark.parametrize("name", ["a.mp4", "a.gif", "a.webp", "a.png"])
def test_every_format_writes_a_file(tmp_path: Path, name: str) -> None:
    with open_writer(tmp_path / "deep" / name, (64, 48), 30) as writer:
        for i in range(6):
            writer.add(FRAME + 40 * i)
    assert (tmp_path / "deep" / name).stat().st_size > 50
    assert [path.name for path in (tmp_path / "deep").iterdir()] == [name]


def test_gifs_are_thinned_to_what_players_can_show(tmp_path: Path) -> None:
    with open_writer(tmp_path / "a.gif", (64, 48), 60) as writer:
        for i in range(60):
            writer.add(FRAME + 4 * i)
    assert Image.open(tmp_path / "a.gif").n_frames == 30


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail() -> None:
        with open_writer(tmp_path / "a.png", (64, 48), 30) as writer:
            writer.add(FRAME)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_ending_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mp4"):
        open_writer(tmp_path / "a.avi", (64, 48), 30)


def test_odd_sizes_become_even() -> None:
    assert even((641, 361)) == (640, 360)
