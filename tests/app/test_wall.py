"""Pictures of the level wall are kept on disk, but not longer than they are true."""

from pathlib import Path

import moderngl
import numpy as np
import pytest

from sandbox.record import offline
from sandbox.ui import wall


def test_other_drawing_code_takes_the_pictures_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []

    def thumbnail(level: object, size: tuple[int, int], *_: object) -> np.ndarray:
        taken.append(wall.drawing_digest())
        return np.zeros((size[1], size[0], 3), np.uint8)

    monkeypatch.setattr(offline, "thumbnail", thumbnail)
    monkeypatch.setattr("physics.jit.cache_folder", lambda: tmp_path / "kernels")
    for digest in ("a" * 64, "a" * 64, "b" * 64):
        monkeypatch.setattr(wall, "drawing_digest", lambda digest=digest: digest)
        wall._cached_picture("domino", moderngl)
    assert taken == ["a" * 64, "b" * 64]


def test_the_digest_knows_every_shader(monkeypatch: pytest.MonkeyPatch) -> None:
    before = wall.drawing_digest()
    assert before == wall.drawing_digest.__wrapped__()
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b"//" if path.name == "smooth.glsl" else b"")

    monkeypatch.setattr(Path, "read_bytes", changed)
    assert wall.drawing_digest.__wrapped__() != before
