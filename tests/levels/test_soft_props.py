"""Cloth and solid props beyond the plain sheet and box: membranes, held solids, two dimensions."""

from pathlib import Path

import numpy as np
import pytest

from levels import LevelError, load

_HEAD = """\
format = 1
dimension = {dimension}
[simulation]
gravity = [0, {gravity}, 0]
[bodies.wall]
shape = "box"
size = [0.2, 2, 2]
position = [-1, 0, 0]
fixed = true
[bodies.weight]
shape = "sphere"
radius = 0.05
mass = 2
position = [0, -0.6, 0]
[props.thing]
"""


def session(folder: Path, thing: str, dimension: int = 3, gravity: float = -9.81):
    path = folder / "level.toml"
    path.write_text(_HEAD.format(dimension=dimension, gravity=gravity) + thing, encoding="utf-8")
    return load(path).session()


def test_orthotropic_membrane_gives_way_across(tmp_path: Path) -> None:
    """Square metres, 1 kg, hung by the top: with a weft a tenth as stiff it sags ten times as far
    (½ m g h / (E t w), to the 5 % of Poisson and of the strain itself)."""
    sag = {}
    for name, weft in (("even", ""), ("soft", "weft = 1e5")):
        thing = f"""kind = "cloth"
model = "membrane"
size = [1, 1]
rows = 9
columns = 9
young = 1e6
poisson = 0
damping = 0.05
pins = ["top"]
drag = 0
{weft}"""
        play = session(tmp_path, thing)
        before = min(point[1] for point in play.positions("thing"))
        for _ in range(240):
            play.step()
        sag[name] = before - min(point[1] for point in play.positions("thing"))
    assert sag["even"] == pytest.approx(0.5 * 9.81 / (1e6 * 1e-3), rel=0.15)
    assert sag["soft"] / sag["even"] == pytest.approx(10.0, rel=0.15)


def test_solid_held_by_side_by_body_and_by_points(tmp_path: Path) -> None:
    thing = """kind = "solid"
size = [1, 0.2, 0.2]
cells = [6, 2, 2]
young = 5e6
position = [-0.4, 0, 0]
sewn = { left = "wall" }
held = { weight = [[0.42, -0.03, 0.01]] }
"""
    play = session(tmp_path, thing)
    item = play.world.soft_body("thing")
    sewn = [seam for seam in item.seams if len(seam.nodes) == 1]
    points = [seam for seam in item.seams if len(seam.nodes) == 4]
    assert (len(sewn), len(points)) == (9, 1)
    start = play.world.position("weight")[1]
    for _ in range(120):
        play.step()
    assert -0.3 < play.world.position("weight")[1] - start < -0.001  # carried, not dropped
    assert play.energy_gain() < 0.02  # seams of ringing solids open by a millimetre
    pinned = session(tmp_path, 'kind = "solid"\nsize = [1, 0.2, 0.2]\npins = ["left", "right"]')
    assert pinned.world.soft_body("thing").body.state.pinned.sum() == 50


@pytest.mark.parametrize(("young", "material"), [(1e5, "corotational"), (2e11, "stvk")])
def test_material_is_chosen_by_stiffness(tmp_path: Path, young: float, material: str) -> None:
    from physics.soft.models import SOLID_MATERIALS

    play = session(tmp_path, f'kind = "solid"\nradius = 0.3\nyoung = {young}')
    assert set(play.world.soft_body("thing").body.model.hex_kind) == {
        SOLID_MATERIALS[material].code
    }


def test_flat_solid_stretches_by_hooke_and_thins_by_a_third(tmp_path: Path) -> None:
    """Hung by its top: ΔL = ½ρgL²/E. A lattice has E and ν = 1/3 exactly where strain is uniform;
    the clamped edge keeps its width, which costs a few per cent."""
    thing = """kind = "solid"
size = [0.5, 2]
cells = [2, 8]
young = 1e6
density = 500
damping = 0.05
pins = ["top"]
position = [2, 0]
"""
    play = session(tmp_path, thing, dimension=2)
    names = play.plan.groups["thing"].members
    before = np.array([play.world.position(name) for name in names]).reshape(9, 3, 3)
    for _ in range(200):
        play.step()
    after = np.array([play.world.position(name) for name in names]).reshape(9, 3, 3)
    longer = before[-1, :, 1].mean() - after[-1, :, 1].mean()
    assert longer == pytest.approx(0.5 * 500 * 9.81 * 2**2 / 1e6, rel=0.05)
    longer = (after[3, 1, 1] - after[5, 1, 1]) / 0.5 - 1.0  # of the two cells in the middle
    thinner = 1.0 - np.ptp(after[4, :, 0]) / 0.5
    assert thinner / longer == pytest.approx(1 / 3, rel=0.1)
    assert np.abs(after[:, :, 2]).max() == 0.0
    assert play.energy_gain() < 0.02  # seams of ringing solids open by a millimetre


def test_flat_solid_lands_on_the_ground(tmp_path: Path) -> None:
    thing = """kind = "solid"
size = [1, 0.5]
cells = [4, 2]
young = 2e5
damping = 0.01
position = [2, 0.5]
[bodies.ground]
shape = "plane"
position = [0, -1]
fixed = true
"""
    play = session(tmp_path, thing, dimension=2)
    for _ in range(180):
        play.step()
    heights = [point[1] for point in play.positions("thing")]
    assert min(heights) > -1.0
    assert max(heights) < 0.0
    assert play.energy_gain() < 0.02  # seams of ringing solids open by a millimetre


@pytest.mark.parametrize(
    ("thing", "dimension", "message"),
    [
        ('kind = "cloth"\nsize = [1, 1]', 2, 'is a rope: kind = "rope"'),
        ('kind = "solid"\nradius = 1', 2, "in two dimensions a solid is a rectangle"),
        ('kind = "solid"\nsize = [9, 1]', 2, "cells of 2.25 x 0.25 m are too slender"),
        ('kind = "solid"\nsize = [1, 1]\npins = ["front"]', 2, 'there is no "front"'),
        ('kind = "solid"\nsize = [1, 1]', 3, "a solid has three edges"),
        ('kind = "cloth"\nsize = [1, 1]\nmodel = "membrane"\nbreaks_at = 1', 3, "links tears"),
        ('kind = "cloth"\nsize = [1, 1]\nmodel = "membrain"', 3, 'did you mean "membrane"?'),
        ('kind = "solid"\nsize = [1, 1, 1]\nheld = { nobody = [[0, 0, 0]] }', 3, "no body"),
    ],
)
def test_bad_soft_props_are_answered_kindly(
    tmp_path: Path, thing: str, dimension: int, message: str
) -> None:
    with pytest.raises(LevelError) as caught:
        session(tmp_path, thing, dimension)
    assert message in str(caught.value)
