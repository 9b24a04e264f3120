"""What to tell someone who cannot have OpenGL."""

import pytest

from sandbox.messages import MachineProblem
from sandbox.render import context
from sandbox.render.context import GraphicsError, advice


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("libGL.so not loaded", "libgl1"),
        ("libEGL.so not loaded", "libegl1"),
        ("eglInitialize failed (0x3001)", "libgl1-mesa-dri"),
        ("requested device index 0, but found 0 devices", "libgl1-mesa-dri"),
        ("eglCreateContext failed (0x3009)", "3.3"),
        ("(standalone) XOpenDisplay: cannot open display", "no display"),
        ("something new", "something new"),
    ],
)
def test_known_failures_become_advice(said: str, told: str) -> None:
    assert told in advice(Exception(said))


def test_no_driver_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import moderngl

    def fail(**options: object) -> None:
        raise Exception("eglInitialize failed (0x3001)")

    monkeypatch.setattr(moderngl, "create_context", fail)
    with pytest.raises(GraphicsError, match="apt-get install libgl1-mesa-dri"):
        context.offscreen_context()
    assert issubclass(GraphicsError, MachineProblem)
