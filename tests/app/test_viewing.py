"""Worlds made in Python can be seen: as a picture, as a video, in a window."""

import os
import pydoc
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import levels
import physics
import sandbox
from physics import Box, Plane, Sphere, World
from sandbox.render.context import GraphicsError, offscreen_context


def _can_draw() -> bool:
    try:
        offscreen_context().release()
    except GraphicsError:
        return False
    return True


needs_drawing = pytest.mark.skipif(not _can_draw(), reason="no OpenGL here")


def _world(dimension: int = 3) -> World:
    world = World(dimension=dimension)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    world.add_body("ball", Sphere(0.3), mass=1, position=(0, 2, 0))
    world.add_body("box", Box((1, 1, 1)), mass=1, position=(2, 0.5, 0))
    world.add_joint("distance", "ball", at_b=(0, 4, 0), breaks_at=5.0)
    return world


@needs_drawing
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_picture_shows_the_bodies(dimension: int, tmp_path: Path) -> None:
    world = _world(dimension)
    image = sandbox.picture(world, tmp_path / "x.png", size=(160, 90), quality="low")
    assert image.size == (160, 90)
    assert (tmp_path / "x.png").stat().st_size > 500
    empty = World(dimension=dimension)
    empty.add_body("ground", Plane((0, 1, 0)), fixed=True)
    with pytest.raises(ValueError, match="nothing to see"):
        sandbox.picture(empty)
    empty.add_body("far", Box((1, 1, 1)), fixed=True, position=(-9, 0.5, 0))
    other = sandbox.picture(empty, size=(160, 90), quality="low", at=(0, 2, 0))
    assert np.asarray(image).std() > 3
    assert np.abs(np.asarray(image, float) - np.asarray(other, float)).max() > 30
    assert world.time == 0


@needs_drawing
def test_a_film_steps_the_world_and_follows_what_breaks(tmp_path: Path) -> None:
    world = _world()
    path = sandbox.record(world, tmp_path / "x.gif", seconds=0.5, size=(96, 54), quality="low")
    assert path.read_bytes().startswith(b"GIF8")
    assert world.time == pytest.approx(0.5, abs=world.h)
    assert not world.handles("joint")
    world.remove("box")
    assert sandbox.picture(world, size=(96, 54), quality="low").size == (96, 54)


def test_wrong_wishes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="a World is needed"):
        sandbox.picture(3)
    with pytest.raises(ValueError, match="seconds"):
        sandbox.record(_world(), tmp_path / "x.mp4", seconds=-1)
    with pytest.raises(ValueError, match="size"):
        sandbox.picture(_world(), size=(1, 1))
    with pytest.raises(ValueError, match="unknown quality"):
        sandbox.picture(_world(), quality="best")


def test_a_notebook_gets_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandbox.window import world_window as viewing

    monkeypatch.setattr(viewing, "in_notebook", lambda: True)
    monkeypatch.setattr(viewing, "picture", lambda *_: "a picture")
    assert sandbox.show(_world()) == "a picture"


_SHOWN = """
import pygame, sandbox
from physics import Plane, Sphere, World
from sandbox.window import world_window as viewing
world, frames = World(), []
world.add_body("ground", Plane((0, 1, 0)), fixed=True)
world.add_body("ball", Sphere(0.3), mass=1, position=(0, 2, 0))
def few(self, frame=viewing._Viewer.frame):
    frames.append(1)
    if len(frames) == 8:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE))
    return frame(self)
viewing._Viewer.frame = few
sandbox.show(world, size=(200, 120), quality="low")
assert world.time > 0 and len(frames) == 8
print("closed")
"""


@needs_drawing
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="no xvfb")
def test_a_window_opens_runs_and_closes() -> None:
    root = Path(__file__).parents[2]
    found = subprocess.run(
        ["xvfb-run", "-a", sys.executable, "-c", _SHOWN],
        cwd=root, capture_output=True, text=True, timeout=300, encoding="utf-8",
        env={k: v for k, v in os.environ.items() if k != "SDL_VIDEODRIVER"},
    )  # fmt: skip
    assert "closed" in found.stdout, found.stderr[-2000:]


def test_help_shows_what_there_is() -> None:
    page = pydoc.plain(pydoc.render_doc(levels))
    assert "load(level" in page
    assert "class Level" in page
    assert "sandbox.record(world" in pydoc.plain(pydoc.render_doc(sandbox))
    assert "show(" in pydoc.plain(pydoc.render_doc(sandbox))
    assert "seconds" in pydoc.plain(pydoc.render_doc(sandbox.record))
    joints = pydoc.plain(pydoc.render_doc(physics.World.add_joint))
    for kind in physics.JOINTS:
        assert f'"{kind}"' in joints
    assert "swing_limit" in joints


def test_misspelt_attributes_are_refused() -> None:
    level = levels.load("million")
    with pytest.raises(AttributeError, match='did you mean "name"'):
        level.nmae = "x"
    session = level.session()
    with pytest.raises(AttributeError, match='did you mean "expecting"'):
        session.expectin = False
    with pytest.raises(AttributeError):
        World().gravty = (0, 0, 0)
    with pytest.raises(AttributeError):
        Sphere(1.0).radus = 2


def test_reprs_are_readable() -> None:
    level = levels.load("million")
    assert repr(level).startswith('<Level "million"')
    assert repr(level.session()).startswith('<Session of "million"')
    assert "hinge" in repr(physics.JOINTS["hinge"])
    assert len(repr(physics.JOINTS["hinge"])) < 400
