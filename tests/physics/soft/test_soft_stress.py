"""Equivalent stress of elements, and solids of springs."""

import numpy as np
import pytest

from physics import World

YOUNG = 1e5


def stretched(world, by, **options):
    world.add_solid(
        "bar", size=(1.0, 0.5, 0.5), cells=(2, 1, 1), young=YOUNG, poisson=0.0, **options
    )
    bar = world.soft("bar")
    nodes = bar.positions() * [1.0 + by, 1.0, 1.0]
    bar.set_nodes(nodes, 0.0 * nodes)
    return bar


@pytest.mark.parametrize("material", ["corotational", "neo_hookean", "stvk", "linear"])
@pytest.mark.parametrize("elements", ["hexahedra", "tetrahedra"])
def test_stress_of_a_small_stretch_is_that_of_hooke(material, elements):
    """ν = 0: σ = E ε, whatever the material and the elements."""
    bar = stretched(World(), 1e-4, material=material, elements=elements)
    assert bar.stress() == pytest.approx(YOUNG * 1e-4, rel=1e-3)
    assert len(bar.stress()) == len(bar.elements())


@pytest.mark.parametrize("material", ["corotational", "neo_hookean", "stvk"])
def test_a_turn_is_no_stress(material):
    bar = stretched(World(), 0.0, material=material)
    c, s = np.cos(1.2), np.sin(1.2)
    nodes = bar.positions() @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    bar.set_nodes(nodes, 0.0 * nodes)
    assert bar.stress().max() < 1e-9 * YOUNG


def test_a_membrane_is_stretched_along_its_threads():
    """[Tournier15, Fig. 6]: twice as stiff across, twice the stress."""
    stress = []
    for way in ([1.001, 1.0, 1.0], [1.0, 1.001, 1.0]):
        world = World()
        world.add_cloth(
            "sheet", rows=3, columns=3, model="membrane", young=1e5, weft=2e5, poisson=0.0,
            thickness=1e-3,
        )  # fmt: skip
        sheet = world.soft("sheet")
        nodes = sheet.positions() * way
        sheet.set_nodes(nodes, 0.0 * nodes)
        stress.append(sheet.stress())
    assert stress[0] == pytest.approx(1e5 * 1e-3 * 1e-3, rel=2e-3)
    assert stress[1] == pytest.approx(2.0 * stress[0], rel=1e-6)


def test_a_rod_of_springs_hangs_as_hooke_says():
    """ρ g L²/2E in the mean of the lower face, though springs along edges are not quite isotropic:
    within 15 %. The matrix knows them as links."""
    world = World()
    world.add_solid(
        "rod", size=(0.4, 1.0, 0.4), cells=(4, 10, 4), young=5e5, elements="springs",
        position=(0, 0.5, 0),
    )  # fmt: skip
    rod = world.soft("rod")
    rest = rod.positions()
    rod.pin(np.flatnonzero(rest[:, 1] > 0.99))
    rod.item.body.find_equilibrium()
    low = rest[:, 1] < 0.01
    longer = rest[low, 1].mean() - rod.positions()[low, 1].mean()
    assert longer == pytest.approx(1000 * 9.81 / (2 * 5e5), rel=0.15)
    assert rod.mass() == pytest.approx(160.0)


def test_what_springs_do_not_know_is_said():
    with pytest.raises(ValueError, match="means nothing to springs"):
        World().add_solid("a", elements="springs", yield_strain=0.1)
