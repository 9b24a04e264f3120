"""Rays against parts."""

import numpy as np
import pytest

from sandbox.render import rotations
from sandbox.render.ray_picking import ray_parts
from sandbox.render.scene import box, capsule, sphere

FORWARD = np.array((0.0, 0.0, -1.0))


def distance(x: float, y: float, rows: np.ndarray) -> float:
    return float(ray_parts(np.array((x, y, 10.0)), FORWARD, rows)[0])


def test_a_box_is_met_at_its_face() -> None:
    assert distance(0.4, 0.0, box((1, 1, 2))) == pytest.approx(9.0)
    assert distance(0.6, 0.0, box((1, 1, 2))) == np.inf


def test_a_turned_box_reaches_its_corner() -> None:
    turned = box((1, 1, 1), orientation=rotations.about((0, 1, 0), np.pi / 4))
    assert distance(0.0, 0.0, turned) == pytest.approx(10 - np.sqrt(0.5), rel=1e-5)


def test_a_ball_is_round() -> None:
    assert distance(0.0, 0.0, sphere(1.0)) == pytest.approx(9.0)
    assert distance(0.8, 0.8, sphere(1.0)) == np.inf


def test_what_is_behind_is_not_met() -> None:
    assert distance(0.0, 0.0, sphere(1.0, position=(0, 0, 20))) == np.inf


def test_many_at_once() -> None:
    rows = np.concatenate((box((1, 1, 1)), sphere(0.5, position=(0, 0, 5)), capsule(0.2, 1.0)))
    hits = ray_parts(np.array((0.0, 0.0, 10.0)), FORWARD, rows)
    assert int(np.argmin(hits)) == 1
