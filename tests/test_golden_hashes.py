"""The recorded states come out again, bit for bit, on this machine as on every x86-64 machine.

A change of physics renews tests/golden/hashes.json (`python -m tests.golden --write`) in a commit
that says why the motion changed. Whatever only moves or renames code must leave it alone.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__  # what numpy may choose from

from levels import load
from levels.commands import Cut, Grab, Key
from sandbox.replay_file import Recorder
from tests.golden.record import LONG, SHORT, computed, recorded
from tests.golden.scenes import SCENES

ROOT = Path(__file__).parents[1]
OLD = {"NPY_DISABLE_CPU_FEATURES": " ".join(__cpu_dispatch__)}
OTHER_PROCESSORS = {  # what numpy and its BLAS would do elsewhere
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell", **OLD},
}


def test_every_scene_is_recorded() -> None:
    assert list(recorded()) == list(SCENES)


@pytest.mark.parametrize("name", SCENES)
def test_the_first_steps_give_the_recorded_bits(name: str) -> None:
    assert computed(name, [SHORT])[str(SHORT)] == recorded()[name][str(SHORT)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_more_steps_give_the_recorded_bits(name: str) -> None:
    assert computed(name, [LONG])[str(LONG)] == recorded()[name][str(LONG)]


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of a second and a half on this processor: keys, a hand, a cut."""
    path = tmp_path_factory.mktemp("played") / "crane.replay"
    session = load("crane").session()
    cable = next(name for name in session.handles if name.startswith("cable"))
    commands = {5: Key("a", True), 30: Grab(1, cable, (0.0, 5.0, 0.0)), 60: Cut("cable")}
    recorder = Recorder(session, path)
    for tick in range(90):
        if tick in commands:
            session.issue(commands[tick])
        session.step()
        recorder.after_step()
    recorder.close()
    return path


@pytest.mark.parametrize("processor", OTHER_PROCESSORS)
def test_a_replay_is_verified_on_another_processor(replay: Path, processor: str) -> None:
    """In a new process, whose numpy and BLAS take this processor for another one."""
    done = subprocess.run(
        [sys.executable, "-m", "sandbox.cli", "replay", str(replay)],
        cwd=ROOT,
        env=os.environ | OTHER_PROCESSORS[processor],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
