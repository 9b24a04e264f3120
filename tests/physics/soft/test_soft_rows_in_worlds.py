"""Areas, volumes and quads as they are reached from worlds and levels."""

import numpy as np
import pytest

from levels import LevelError, load
from physics import World
from physics.soft.elements import quads
from physics.soft.elements.membrane import isotropic

STEP = 1.0 / 60.0


def built(folder, prop):
    """The world of a level with this prop alone."""
    path = folder / "one.toml"
    path.write_text(f"format = 1\n[props.thing]\n{prop}\nposition = [0, 1, 0]\n", encoding="utf-8")
    return load(path).build()


@pytest.mark.parametrize("poisson", [0.25, 0.35, 0.45, 0.49])
def test_springs_with_volumes_have_the_bulk_modulus_asked_for(poisson):
    """Blown up evenly by ε they store 9/2 K ε² a volume, K = E/3(1 - 2ν); springs alone cannot."""
    world = World(gravity=(0, 0, 0))
    for kind in ("volumes", "springs"):
        world.add_solid(kind, size=(1.2, 0.4, 0.4), cells=(6, 2, 2), young=1e5, poisson=poisson,
                        elements=kind)  # fmt: skip
    grown = 1e-4
    expected = 4.5 * 1e5 / (3.0 * (1.0 - 2.0 * poisson)) * grown**2 * 1.2 * 0.4 * 0.4
    stored = []
    for kind in ("volumes", "springs"):
        body = world.soft_body(kind).body
        body.x[...] *= 1.0 + grown
        stored.append(body.elastic_energy())
    assert stored[0] == pytest.approx(expected, rel=1e-3)
    assert stored[1] == pytest.approx(4.5 * 2e5 / 3.0 * grown**2 * 0.192, rel=1e-3)


def test_volumes_of_a_squeezed_block_are_kept():
    """Under its own weight on its base, nearly incompressible: the volume stays, it bulges."""
    world = World()
    world.add_solid("block", size=(0.5, 0.5, 0.5), cells=(3, 3, 3), young=2e4, elements="volumes",
                    poisson=0.495, stepping="euler", damping=0.05)  # fmt: skip
    block = world.soft("block")
    block.pin(np.flatnonzero(block.positions()[:, 1] < -0.249))
    model = world.soft_body("block").body.model
    world.step(180)
    X = block.positions()[model.volume_nodes]
    edges = X[:, 1:] - X[:, :1]
    volume = np.linalg.det(edges).sum() / 6.0
    assert volume == pytest.approx(0.125, rel=0.01)
    assert block.positions()[:, 1].max() < 0.2499


@pytest.mark.parametrize("area", [1e-6, 1e-8])
def test_areas_keep_a_sheet_from_narrowing(area):
    """Threads without diagonals shear freely, and lose area; with rows of area they do not."""

    def left(area):
        world = World(gravity=(0, 0, 0))
        world.add_cloth("sheet", size=(1, 1), rows=6, columns=6, mass=1.0, shear=None, area=area)
        sheet, item = world.soft("sheet"), world.soft_body("sheet")
        force = item.body.state.force
        for _ in range(90):
            force[[0, 35]] = [[-3.0, 3.0, 0.0], [3.0, -3.0, 0.0]]  # opposite corners
            force -= 1.0 * item.body.v * item.body.model.mass[:, None]
            world.step()
            force[...] = 0.0
        X = sheet.positions()[sheet.triangles()]
        return 0.5 * np.linalg.norm(np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]), axis=1).sum()

    assert left(None) < 0.9
    assert left(area) > 0.97


@pytest.mark.parametrize("kind", ["quads", "membrane"])
def test_sheets_keep_energy_and_momentum_when_they_spin_and_swing(kind):
    world = World(gravity=(0, 0, 0))
    handle = world.add_cloth("sheet", size=(1, 0.6), rows=6, columns=9, model=kind, young=1e5,
                             weft=5e4, rigidity=1e-3, mass=0.5)  # fmt: skip
    body = world.soft_body(handle).body
    body.x[:, 0] *= 1.05
    body.v[...] = np.cross([1.0, 0.5, 5.0], body.x)
    mass = body.model.mass[:, None]

    def turning():
        return np.cross(body.x, mass * (body.v + body.state.ahead)).sum(axis=0)

    world.step()
    energy, momentum = world.energy().total, turning()
    world.step(300)
    assert world.energy().total == pytest.approx(energy, rel=0.01)
    np.testing.assert_allclose(turning(), momentum, rtol=1e-4, atol=1e-6)


def test_rows_of_volume_keep_energy():
    """Alone, without springs: the work of a step is the change of energy to round-off."""
    from physics.soft.meshes import primitives
    from physics.soft.soft_builder import Builder
    from physics.soft.solve.soft_body import SoftBody

    position, cells = primitives.box((2, 2, 2), (1.0, 1.0, 1.0))
    builder = Builder(position)
    builder.add_mass(0.1)
    builder.add_volumes(cells, 1e3)
    body = SoftBody(builder)
    body.gravity = np.zeros(3)
    body.x[:, 1] *= 1.02
    body.v[...] = np.cross([0.3, 0.2, 2.0], body.x - body.x.mean(axis=0))
    mass = body.model.mass[:, None]
    found = []
    for _ in range(120):
        body.step(STEP)
        now = body.v + body.state.ahead
        kinetic = 0.5 * float((mass * now**2).sum())
        found.append(kinetic + body.elastic_energy())
        assert body.guarded == 0
    assert max(found) - min(found) < 1e-3 * found[0]


def test_quads_pull_as_hooke_says_along_warp_and_weft():
    """A patch under equal pulls: every quad has the same stress, and von Mises is that stress."""
    for axis, young in ((0, 2e5), (1, 1e5)):
        world = World(gravity=(0, 0, 0))
        handle = world.add_cloth("sheet", size=(1, 1), rows=5, columns=5, model="quads", young=2e5,
                                 weft=1e5, poisson=0.2, thickness=1e-3)  # fmt: skip
        body = world.soft_body(handle).body
        x = body.x.copy()
        for sign in (-1.0, 1.0):
            side = np.flatnonzero(np.abs(x[:, axis] - 0.5 * sign) < 1e-9)
            share = np.full(len(side), 0.25)
            share[[0, -1]] = 0.125
            body.state.force[side, axis] = sign * 1.0 * share
        body.gravity = np.zeros(3)
        body.find_equilibrium(horizon=1.0)
        stretch = np.ptp(body.x[:, axis]) - 1.0
        strain = 0.5 * ((1.0 + stretch) ** 2 - 1.0)  # Green
        assert young * 1e-3 * strain * (1.0 + stretch) == pytest.approx(1.0, rel=1e-3)
        stress = world.soft(handle).stress()
        assert len(stress) == 16 == len(world.soft(handle).elements())
        np.testing.assert_allclose(stress, 1.0 / (1.0 + stretch), rtol=2e-3)


def test_gradients_of_quads_are_exact_for_linear_motion():
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [1.2, 0.9, 0.0], [-0.1, 0.8, 0.0]])
    gradient, area = quads.shape_gradients(corners, np.arange(4)[None])
    across = np.cross(corners[2] - corners[0], corners[3] - corners[1])
    assert area.sum() == pytest.approx(0.5 * np.linalg.norm(across))
    np.testing.assert_allclose(gradient.sum(axis=1), 0.0, atol=1e-12)
    for one in gradient:
        F = corners.T @ one
        np.testing.assert_allclose(F.T @ F, np.eye(2), atol=1e-12)


def test_a_cut_through_quads_leaves_a_gap():
    world = World(gravity=(0, 0, 0))
    world.add_cloth("sheet", size=(1, 1), rows=6, columns=6, model="quads", pins=range(6))
    sheet = world.soft("sheet")
    whole = len(sheet.triangles())
    assert world.cut("sheet", (-1, 0.05, 0), (1, 0.05, 0), (0, 0, 1)) > 0
    assert len(sheet.triangles()) == whole - 10
    world.step(5)
    assert np.isfinite(sheet.positions()).all()


def test_a_torn_thread_lets_its_areas_go():
    world = World(gravity=(0, 0, 0))
    world.add_cloth("sheet", size=(1, 1), rows=4, columns=4, area=1e-5)
    saved = world.snapshot()
    model = world.soft_body("sheet").body.model
    world.cut("sheet", (-1, 0.05, 0), (1, 0.05, 0), (0, 0, 1))
    assert (model.area_stiffness == 0.0).sum() == 6
    world.restore(saved)
    assert (model.area_stiffness > 0.0).all()


@pytest.mark.parametrize(
    ("prop", "wrong"),
    [
        ('kind = "solid"\nsize = [1, 1, 1]\nelements = "volumes"\npoisson = 0.1', "0.25"),
        ('kind = "solid"\nsize = [1, 1, 1]\nelements = "volumes"\nyield_strain = 0.1', "yield"),
        ('kind = "cloth"\nsize = [1, 1]\nmodel = "quads"\narea = 1e-3', "means nothing"),
    ],
)
def test_what_makes_no_sense_is_said(tmp_path, prop, wrong):
    with pytest.raises(LevelError, match=wrong):
        built(tmp_path, prop)


@pytest.mark.parametrize(
    ("prop", "field", "count"),
    [
        ('kind = "solid"\nsize = [1, 1, 1]\nelements = "volumes"', "volume_nodes", 384),
        ('kind = "cloth"\nsize = [1, 1]\nmodel = "quads"\nrows = 4\ncolumns = 4', "quad_nodes", 36),
        ('kind = "cloth"\nsize = [1, 1]\narea = 1e-4\nrows = 4\ncolumns = 4', "area_nodes", 18),
    ],
)
def test_levels_reach_them(tmp_path, prop, field, count):
    world = built(tmp_path, prop)
    assert len(getattr(world.soft_body("thing").body.model, field)) == count


def test_comparators_that_know_no_rows_say_so():
    with pytest.raises(ValueError, match="knows no areas"):
        World().add_cloth("sheet", model="quads", stepping="xpbd")


def test_law_of_quads_is_that_of_triangles():
    """Stretched alike, a cloth of quads stores what a cloth of triangles does."""
    D = isotropic(1e5, 0.3, 1e-3)
    strain = np.array([0.5 * (1.1**2 - 1.0), 0.5 * (0.95**2 - 1.0), 0.0])
    expected = 0.5 * strain @ D @ strain
    for kind in ("quads", "membrane"):
        world = World(gravity=(0, 0, 0))
        handle = world.add_cloth("sheet", size=(1, 1), rows=5, columns=5, model=kind, young=1e5)
        body = world.soft_body(handle).body
        body.x[:, 0] *= 1.1
        body.x[:, 1] *= 0.95
        assert body.elastic_energy() == pytest.approx(expected, rel=1e-9)
