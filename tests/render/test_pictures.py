"""The renderer against golden images, and against what each term of the look must do."""

from dataclasses import replace

import numpy as np
import pytest

from physics import World
from sandbox.render.look import LOOKS, STUDIO, linear
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene, Sheet, box, sphere, tubes
from sandbox.render.view import View
from tests.render.golden import check
from tests.render.yard import VIEW, drum, yard

NEAR = View(eye=(3.0, 2.4, 6.0), target=(0.0, 0.9, 0.0), aspect=4 / 3)
FLAT = View(eye=(0.0, 1.5, 60.0), target=(0.0, 1.5, 0.0), height=5.0, far=200.0, aspect=4 / 3)


def ball(**options: object) -> Scene:
    scene = Scene(radius=5.0, center=(0.0, 1.0, 0.0))
    scene.add("ball", sphere(1.0, position=(0.0, 1.0, 0.0), color="red", **options))
    return scene


@pytest.mark.parametrize("quality", ["lowest", "low", "medium", "high"])
def test_the_yard_at_every_quality(draw, quality: str) -> None:
    check(f"yard_{quality}", draw(yard(), VIEW, quality))


@pytest.mark.parametrize("look", sorted(set(LOOKS) - {"studio"}))
def test_the_yard_in_every_look(draw, look: str) -> None:
    check(f"yard_{look}", draw(yard(LOOKS[look]), VIEW, "medium"))


def test_a_drum(draw) -> None:
    check("drum", draw(drum(), NEAR, "high", (160, 120)))


def test_two_dimensions(draw) -> None:
    scene = Scene(look=LOOKS["paper"], ground=None, radius=6.0)
    scene.add("box", box((1, 1, 1), color="red", position=(-1, 0.5, 0)))
    scene.add("ball", sphere(0.6, color="blue", position=(1.2, 0.6, 0)))
    check("flat", draw(scene, FLAT, "high", (160, 120)))


def test_a_selected_body_has_an_outline(draw) -> None:
    scene = ball()
    plain = draw(scene, NEAR, "high", (160, 120))
    scene.selected = {"ball": scene.parts["ball"]}
    chosen = draw(scene, NEAR, "high", (160, 120))
    check("selected", chosen)
    changed = np.abs(chosen.astype(int) - plain).max(axis=2) > 60
    assert 40 < changed.sum() < 1500


def test_things_throw_shadows(draw) -> None:
    # The ball's shadow falls away from the sun, to the left of it and behind.
    high = draw(ball(), NEAR, "medium", (160, 120)).astype(float)
    off = draw(ball(), NEAR, "lowest", (160, 120)).astype(float)
    left = (slice(60, 100), slice(20, 60))
    assert off[left].mean() - high[left].mean() > 2.0


def test_fog_meets_the_horizon(draw) -> None:
    picture = draw(Scene(radius=20.0), View((0, 2, 0), (0, 2, -10)), "high", (80, 120)).astype(
        float
    )
    assert np.abs(np.diff(picture.mean(axis=1), axis=0)[57:61]).max() < 3.0


def test_overlays_are_drawn_over_everything(draw) -> None:
    scene = ball()
    scene.glow = {"ball": sphere(0.3, color="#ffffff", gloss=1.0, position=(0, 1, 0))}
    centre = draw(scene, NEAR, "high", (160, 120))[48:72, 70:90]
    assert (centre.min(axis=2) > 200).sum() > 30


def test_an_empty_scene_is_sky_and_ground(draw) -> None:
    picture = draw(Scene(), NEAR, "low", (80, 60))
    assert picture.std() > 2.0


def test_growing_scenes_do_not_lose_parts(draw) -> None:
    few, many = Scene(radius=8.0), Scene(radius=8.0)
    few.add("box", box((0.3, 0.3, 0.3), position=(0, 0.2, 0)))
    for i in range(900):
        at = (0.4 * (i % 30) - 6, 0.15, 0.4 * (i // 30) - 6)
        many.add("box", box((0.3, 0.3, 0.3), position=at, color="red"))
    first = draw(few, NEAR, "low", (80, 60))
    draw(many, NEAR, "low", (80, 60))
    again = draw(few, NEAR, "low", (80, 60))
    assert np.array_equal(first, again)


def test_exposure_brightens(draw) -> None:
    dark = ball()
    dark.look = replace(STUDIO, exposure=0.3)
    assert draw(dark, NEAR).mean() < draw(ball(), NEAR).mean() - 20


def test_a_cable_seen_from_afar_does_not_break_up(draw) -> None:
    scene = Scene(radius=20.0, ground=None)
    points = np.linspace((-6.0, 1.0, 0.0), (6.0, 9.0, 0.0), 12)
    scene.tubes = tubes(points, 0.01, color="#000000", pattern="plain")
    far = View(eye=(0.0, 5.0, 60.0), target=(0.0, 5.0, 0.0), aspect=16 / 9)
    bare = Scene(radius=20.0, ground=None)
    change = draw(bare, far, "low").astype(int) - draw(scene, far, "low")
    dark = (change.max(axis=2) > 12).any(axis=0)
    left, right = np.nonzero(dark)[0][[0, -1]]
    assert right - left > 35
    assert dark[left : right + 1].mean() > 0.95  # hardly a column without it


def test_ghosts_are_translucent_and_hidden_by_what_is_solid(draw) -> None:
    behind = sphere(0.5, color="#ffffff", gloss=0.5, position=(0, 1, -3))
    before = sphere(0.5, color="#ffffff", gloss=0.5, position=(0, 1, 3))
    plain = draw(ball(), NEAR, "medium", (160, 120)).astype(int)
    hidden, shown = ball(), ball()
    hidden.ghosts, shown.ghosts = {"ball": behind}, {"ball": before}
    far = np.abs(draw(hidden, NEAR, "medium", (160, 120)) - plain)
    near = draw(shown, NEAR, "medium", (160, 120)) - plain
    x, y, _ = NEAR.project(np.array((0.0, 1.0, 3.0)))[0]
    spot = near[round(y * 120), round(x * 160)]
    assert 8 < spot.max() < 200  # lighter than the red ball behind it, not white
    x, y, _ = NEAR.project(np.array((0.0, 1.0, -3.0)))[0]
    seen = far.max(axis=2) > 8
    assert not seen[45:75, 70:90].all()


@pytest.mark.parametrize("quality", ["low", "medium"])
def test_edges_are_smooth_without_multisampling(draw, context, quality: str) -> None:
    """The upper edge of a tilted slab against the sky wanders less about a straight line."""
    scene = Scene(ground=None, radius=5.0, center=(0.0, 1.0, 0.0))
    slab = box((30.0, 20.0, 0.2), bevel=0.0, color="#202020", position=(0, -9.5, 0))
    slab["orientation"] = (0.995, 0.0, 0.0, 0.1)
    scene.add("box", slab)
    view = View(eye=(0.0, 1.0, 9.0), target=(0.0, 1.0, 0.0), aspect=4 / 3)

    def wandering(picture: np.ndarray) -> float:
        light = picture[:, 60:260].astype(float).mean(axis=2)
        top, bottom = light[:5].mean(axis=0), light[-5:].mean(axis=0)
        edge = ((light - bottom) / (top - bottom)).sum(axis=0)
        at = np.arange(len(edge))
        return float(np.std(edge - np.polyval(np.polyfit(at, edge, 1), at)))

    bare = Renderer(context, replace(QUALITIES[quality], fxaa=False))
    jagged = wandering(bare.image(scene, view, (320, 240)))
    bare.release()
    assert wandering(draw(scene, view, quality, (320, 240))) < 0.8 * jagged


def test_parts_of_one_mesh_have_patterns_of_their_own(draw) -> None:
    """Each pattern has its program; what has gone from one picture is not in the next."""

    def pair(left: str, right: str) -> np.ndarray:
        scene = Scene(radius=5.0, center=(0.0, 1.0, 0.0))
        scene.add("box", box((1, 1, 1), color="blue", pattern=left, position=(-1, 0.6, 0)))
        scene.add("box", box((1, 1, 1), color="blue", pattern=right, position=(1, 0.6, 0)))
        return draw(scene, NEAR, "medium", (160, 120)).astype(int)

    def differ(a: np.ndarray, b: np.ndarray) -> tuple[bool, bool]:
        far = np.abs(a - b).max(axis=(0, 2)) > 12
        return bool(far[:75].any()), bool(far[85:].any())

    plain = pair("plain", "plain")
    assert differ(pair("hazard", "plain"), plain) == (True, False)
    assert differ(pair("plain", "hazard"), plain) == (False, True)
    assert differ(pair("plain", "plain"), plain) == (False, False)


def test_a_soft_body_is_not_dark_along_its_edge(draw) -> None:
    """Its normals are smooth: at the far edge of its top they look away from who looks along it."""
    world = World()
    beam = world.add_solid("beam", size=(12, 1, 1.6), cells=(16, 2, 2), position=(0, 2, 0))
    points, triangles = world.node_positions(beam), world.triangles(beam)
    color = linear("teal")
    scene = Scene(radius=12.0, ground=None)
    scene.sheets = [Sheet(points, triangles, points[:, :2], color, color, "plain")]
    view = View((0.0, 2.75, 14.0), (0.0, 2.5, 0.0), aspect=16 / 9)
    rows = draw(scene, view, "medium", (640, 360)).astype(float)[:, 160:480]
    teal = (rows[..., 1] > 1.4 * rows[..., 0]) & (rows[..., 1] > 1.05 * rows[..., 2])
    bright = rows.sum(axis=2)
    top = np.argmax(teal, axis=0)  # of each column
    edge = bright[top, np.arange(len(top))]
    assert teal.any(axis=0).all()
    assert edge.min() > 0.6 * np.median(bright[top + 8, np.arange(len(top))])
