"""The comparison with other engines: honest about who is missing and about who loses the scene."""

import numpy as np
import pytest

from physics.soft.meshes import primitives
from tests.benchmarks import cloth_peers


def test_a_missing_engine_is_passed_over_with_a_line(capsys):
    cloth_peers._attempt("Nobody", "no_such_engine", lambda: iter(()))
    assert "Nobody is not installed: pip install" in capsys.readouterr().out


def test_an_engine_that_refuses_the_scene_is_named(capsys):
    def refuse():
        raise ValueError("no cloth here\nand more")
        yield

    cloth_peers._attempt("NumPy", "numpy", refuse)
    assert "NumPy cannot do this scene: no cloth here\n" in capsys.readouterr().out


def test_judges_tell_a_stretch_and_an_explosion():
    sheet = primitives.cloth(5, 5, (2.0, 2.0))
    assert cloth_peers.thread_judge(sheet.position, 1.03 * sheet.position) == "strain  3.000 %"
    assert cloth_peers.thread_judge(sheet.position, 3.0 * sheet.position) == "explodes"
    assert cloth_peers.thread_judge(sheet.position, np.nan * sheet.position) == "explodes"
    solid = primitives.box((2, 2, 2), (0.1, 0.1, 0.1))
    assert cloth_peers.beam_judge(solid.position, solid.position - [0, 0.002, 0]) == "sag   2.00 mm"
    assert cloth_peers.beam_judge(solid.position, solid.position * np.nan) == "explodes"


def test_a_line_gives_time_and_verdict(capsys):
    steps = []
    x = np.array([[0.0, 0, 0], [1, 0, 0]])
    cloth_peers.measure(
        cloth_peers.Run("toy", 0.1, lambda: steps.append(1), lambda: x, cloth_peers.thread_judge)
    )
    assert len(steps) == 11  # one to warm up, then a simulated second
    assert "toy h = 0.1000" in capsys.readouterr().out


def test_mujoco_takes_the_cloth():
    pytest.importorskip("mujoco")
    for run in cloth_peers.mujoco_runs(6):
        first = run.positions()
        assert len(first) == 36
        run.step()
        if run.h < 0.01:
            assert run.judge(first, run.positions()).startswith("strain")
