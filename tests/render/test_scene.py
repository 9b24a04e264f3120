"""Scenes as data: colours, ropes, ornaments."""

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from levels.appearance import COLORS
from sandbox.render import rotations
from sandbox.render.buffers import Batch
from sandbox.render.layers import in_view
from sandbox.render.look import choose_look, linear
from sandbox.render.model import WORLD, AttachedParts, Poses
from sandbox.render.ornaments import ORNAMENTS, ornament_parts
from sandbox.render.quality import LADDER, QUALITIES, Governor, default_quality
from sandbox.render.renderer import Renderer
from sandbox.render.scene import PART, TUBE, Parts, Scene, box, smooth, sphere, tubes
from sandbox.render.view import View


def test_the_layout_is_what_the_shader_reads() -> None:
    assert PART.itemsize == 64
    assert TUBE.itemsize == 80


def test_colors_become_linear_light() -> None:
    assert linear("#000000") == (0.0, 0.0, 0.0)
    assert linear("#ffffff") == pytest.approx((1.0, 1.0, 1.0))
    assert linear((0.5, 0.5, 0.5))[0] == pytest.approx(0.214, abs=1e-3)
    assert all(linear(name) for name in COLORS)


def test_an_unknown_color_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="yellow"):
        linear("yelow")


def test_two_dimensional_levels_are_paper() -> None:
    assert choose_look(None, 2).name == "paper"
    assert choose_look("dusk", 2).flat == 1.0
    assert choose_look(None, 3).flat == 0.0


@pytest.mark.parametrize("kind", sorted(ORNAMENTS))
@pytest.mark.parametrize("half", [(3.0, 0.8, 0.7), (0.8, 4.0, 0.8), (0.5, 0.5, 0.5)])
def test_ornaments_stay_near_their_box(kind: str, half: tuple[float, float, float]) -> None:
    for rows in ornament_parts(kind, half, "red").values():
        assert np.isfinite(rows["position"]).all()
        assert (rows["half"] > 0).all()
        reach = np.abs(rows["position"]).max(axis=0)
        assert (reach <= 1.1 * np.array(half) + 0.1).all()


def test_an_unknown_ornament_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="truss"):
        ornament_parts("trus", (1, 1, 1), "red")


def test_a_bevel_never_exceeds_the_box() -> None:
    assert box((0.02, 1.0, 1.0), bevel=0.5)["radius"] <= 0.01 + 1e-9


def test_tubes_know_their_neighbours() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0)], float)
    rows = tubes(points, 0.1)
    assert np.allclose(rows["after"][0], points[2])
    assert np.allclose(rows["before"][1], points[0])
    assert np.allclose(rows["start"], (0, 1))


def test_a_smooth_curve_goes_through_its_points() -> None:
    points = np.random.default_rng(2).normal(size=(6, 3))
    curve = smooth(points, 5)
    assert np.allclose(curve[::5], points)
    assert len(curve) == 26


def test_between_turns_one_direction_into_another() -> None:
    rng = np.random.default_rng(3)
    to = rotations.normalized(rng.normal(size=(50, 3)))
    to[0] = (0, -1, 0)
    turned = rotations.rotate(
        rotations.between(np.array((0.0, 1, 0)), to), np.tile((0.0, 1, 0), (50, 1))
    )
    assert np.allclose(turned, to, atol=1e-9)


def test_software_renderers_start_low() -> None:
    assert default_quality("llvmpipe (LLVM 15.0.6, 256 bits)").name == "low"
    assert default_quality("NVIDIA GeForce").name == "high"


def test_the_governor_steps_down_when_frames_are_slow_and_up_when_fast() -> None:
    governor = Governor(QUALITIES["medium"], target=1 / 30)
    for _ in range(60):
        governor.update(0.1)
    assert LADDER.index(governor.quality) < LADDER.index(QUALITIES["medium"])
    for _ in range(12000):
        governor.update(0.002)
    assert governor.quality.name == "high"


def test_shadows_are_given_up_last() -> None:
    """The lowest rung has none, and things float: twenty frames a second are worth less."""
    governor = Governor(QUALITIES["low"])
    for _ in range(200):
        governor.update(1 / 22)
    assert governor.quality.name == "low"
    for _ in range(200):
        governor.update(1 / 14)
    assert governor.quality.name == "lowest"


def test_only_what_may_be_seen_of_the_backdrop_is_drawn() -> None:
    view = View(eye=(0.0, 2.0, 10.0), target=(0.0, 2.0, 0.0))
    ahead, behind, aside, edge = (0, 2, -50), (0, 2, 80), (300, 2, 0), (0, 2, 11)
    rows = np.concatenate([sphere(2.0, position=at) for at in (ahead, behind, aside, edge)])
    assert in_view(view, rows).tolist() == [True, False, False, True]  # the last one is around us
    flat = View(eye=(0.0, 2.0, 60.0), target=(0.0, 2.0, 0.0), height=10.0)
    assert in_view(flat, rows).all()


def test_what_never_moves_is_placed_and_handed_over_once(
    context: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[int] = []
    write = Batch.write

    def counted(batch: Batch, *pieces: Parts) -> None:
        writes.append(sum(len(rows) for rows in pieces))
        write(batch, *pieces)

    monkeypatch.setattr(Batch, "write", counted)
    still, moving = AttachedParts(), AttachedParts()
    still.add(WORLD, box((1, 1, 1), color="red", position=(0, 0.5, 0)))
    moving.add(0, sphere(0.3, color="blue"))
    view = View(eye=(0.0, 2.0, 8.0), target=(0.0, 1.0, 0.0))
    renderer = Renderer(context, QUALITIES["low"])

    def drawn(x: float, **hidden: object) -> np.ndarray:
        poses = Poses(np.array([[x, 2.0, 0.0], [0, 0, 0]]), np.tile((1.0, 0, 0, 0), (2, 1)))
        scene = Scene(radius=5.0, still=frozenset({"box"}))
        scene.parts = {"box": still.place(poses), "ball": moving.place(poses)}
        writes.clear()
        return renderer.image(replace(scene, **hidden), view, (80, 60)).astype(int)  # type: ignore[arg-type]

    first = drawn(0.0)
    begun = len(writes)
    second = drawn(1.0)
    assert len(writes) == begun - 1  # the box is where it was
    assert np.abs(second - first).max() > 40  # the ball is not
    gone = drawn(1.0, parts={})
    assert np.abs(gone - second).max() > 40
    assert np.array_equal(drawn(1.0), second)  # and it comes back
    renderer.release()
