"""The real program with nothing compiled: what a new player sees."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.app.first_minute import watch


@pytest.mark.slow
def test_the_level_is_seen_while_it_is_compiled_and_nothing_is_compiled_where_it_is_drawn(
    tmp_path: Path,
) -> None:
    beats = watch(tmp_path, "crane", until_playing=True)
    compiled = [beat for beat in beats if beat["what"] == "compile"]
    assert not compiled
    playing = next(i for i, beat in enumerate(beats) if beat["what"] == "playing")
    before = [beat for beat in beats[:playing] if beat["what"] == "frame"]
    assert len(before) > 100  # the window answered all the time
    first, *_, last = sorted(tmp_path.glob("*.png"))
    picture = np.asarray(Image.open(last), int)
    assert picture.std() > 30
    assert np.abs(picture - np.asarray(Image.open(first), int)).mean() > 5
