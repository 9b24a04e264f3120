"""Golden images are worth something: with any one term of the look broken they no longer match."""

import moderngl
import numpy as np
import pytest

from sandbox.render import programs
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from tests.render.golden import check
from tests.render.yard import VIEW, yard

_SIZE = (240, 135)

# what breaks, and what stands in the shaders instead
_BROKEN = {
    "tone mapping": ("encoded(filmic(color * sun_color.w))", "encoded(clamp(color, 0.0, 1.0))"),
    "sRGB": ("encoded(filmic(color * sun_color.w))", "filmic(color * sun_color.w)"),
    "shadows": ("return inside > 0.0 ? mix(1.0, filtered_shadow(s), inside) : 1.0;", "return 1.0;"),
    "ambient": ("ambient * occlusion);", "0.0 * ambient);"),
    "sky": ("exp(-up * sqrt(up))", "0.0"),
    "fog": ("if (clear > 0.998) return color;", "return color;"),
}


def drawn(context: moderngl.Context) -> np.ndarray:
    renderer = Renderer(context, QUALITIES["high"])
    picture = renderer.image(yard(), VIEW, _SIZE)
    renderer.release()
    return picture


@pytest.mark.parametrize("term", _BROKEN)
def test_a_broken_term_is_seen(
    context: moderngl.Context, monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    right, wrong = _BROKEN[term]
    whole = programs.source
    replaced = 0

    def broken(name: str) -> str:
        nonlocal replaced
        text = whole(name)
        replaced += text.count(right)
        return text.replace(right, wrong)

    check("yard_high", drawn(context))
    monkeypatch.setattr(programs, "source", broken)
    picture = drawn(context)
    assert replaced > 0
    with pytest.raises(AssertionError, match="yard_high"):
        check("yard_high", picture)
