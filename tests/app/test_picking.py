"""Thin things are picked on the screen."""

import numpy as np
import pytest

from sandbox.app.screen_picking import crossed_segments, nearest_segment
from sandbox.render.view import View

VIEW = View(eye=(0.0, 2.0, 20.0), target=(0.0, 2.0, 0.0))
FLAT = View(eye=(0.0, 2.0, 60.0), target=(0.0, 2.0, 0.0), height=10.0)
A = np.array([(-2.0, 0.0, 0.0), (3.0, 0.0, -4.0)])
B = np.array([(-2.0, 4.0, 0.0), (3.0, 4.0, 4.0)])


@pytest.mark.parametrize("view", [VIEW, FLAT])
def test_a_rope_is_picked_where_the_pointer_is(view: View) -> None:
    wanted = A[1] + 0.3 * (B[1] - A[1])
    x, y, _ = view.project(wanted)[0]
    index, point, distance = nearest_segment(view, x, y, A, B, 720)
    assert index == 1
    assert np.allclose(point, wanted, atol=1e-6)
    assert distance == pytest.approx(np.linalg.norm(wanted - view.eye))


def test_far_from_every_rope_nothing_is_picked() -> None:
    assert nearest_segment(VIEW, 0.5, 0.5, A, B, 720) is None
    assert nearest_segment(VIEW, 0.5, 0.5, A[:0], B[:0], 720) is None


def test_a_stroke_cuts_what_it_crosses() -> None:
    x, y, _ = VIEW.project((A[0] + B[0]) / 2)[0]
    assert crossed_segments(VIEW, (x - 0.05, y), (x + 0.05, y), A, B) == [0]
    assert crossed_segments(VIEW, (x - 0.05, 0.01), (x + 0.05, 0.01), A, B) == []
