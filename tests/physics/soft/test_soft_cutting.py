"""Cutting cloths of every kind and solids: what is cut is gone in the next step, and only that."""

import numpy as np
import pytest

from physics import Sphere, World
from physics.soft.models import SOLID_MATERIALS

N = 9


def membrane(world: World):
    return world.add_cloth(
        "sheet", size=(1, 1), rows=N, columns=N, pins=range(N), mass=0.5, model="membrane",
        young=2e5, rigidity=1e-3,
    )  # fmt: skip


def beam(world: World, material: str = "corotational"):
    solid = world.add_solid(
        "beam", size=(2, 0.4, 0.4), cells=(8, 2, 2), young=5e6, material=material, damping=0.01
    )
    x = world.node_positions(solid)
    nodes = np.flatnonzero(x[:, 0] <= x[:, 0].min() + 1e-9)
    world.pin_nodes(solid, nodes)
    return solid


def middle(world: World, soft) -> float:
    x = world.node_positions(soft)
    return float(0.5 * (x[:, 0].min() + x[:, 0].max()))


@pytest.mark.parametrize("kind", ["membrane", *SOLID_MATERIALS])
def test_what_is_cut_falls_and_no_energy_comes_of_it(kind: str) -> None:
    world = World()
    soft = membrane(world) if kind == "membrane" else beam(world, kind)
    world.step(60)
    x = world.node_positions(soft)
    shown = world.triangles(soft)
    before = world.energy().total
    if kind == "membrane":
        low, free = 0.5 * (x[:, 1].min() + x[:, 1].max()) + 0.01, x[:, 1] < x[:, 1].mean() - 0.3
        count = world.cut(soft, (-2, low, 0), (2, low, 0), (0, 0, 1))
    else:
        at = middle(world, soft) + 0.02
        free = x[:, 0] > at + 0.4
        count = world.cut(soft, (at, -3, 0), (at, 3, 0), (0, 0, 1))
    assert count >= (2 * (N - 1) if kind == "membrane" else 4)
    assert free.sum() > 10
    assert world.is_torn(soft)
    assert len(world.cut_elements(soft)) == count
    assert world.energy().total <= before + 1e-9 * abs(before)
    speed = world.node_velocities(soft)[free, 1].mean()
    energies = [world.energy().total]
    for _ in range(30):
        world.step()
        energies.append(world.energy().total)
    fallen = speed - world.node_velocities(soft)[free, 1].mean()
    assert fallen == pytest.approx(9.81 * 0.5, rel=0.1)  # in free fall for half a second
    # elastic energy may swing, the total may only go down (round-off of a swinging beam: 1e-3)
    assert max(energies) <= energies[0] + 1e-3 * abs(energies[0])
    assert np.isfinite(world.node_positions(soft)).all()
    assert world.triangles(soft) is not shown


def test_a_cut_in_half_the_sheet_leaves_the_other_half_hanging() -> None:
    world = World()
    sheet = membrane(world)
    world.step(30)
    world.cut(sheet, (-2, 0.01, 0), (0.01, 0.01, 0), (0, 0, 1))
    world.step(90)
    corners = world.node_positions(sheet)[[N * N - N, N * N - 1]]
    assert corners[1, 1] > -0.75  # still held on its own side
    assert np.isfinite(corners).all()


def test_a_ball_falls_through_the_hole_and_not_before() -> None:
    def lowest(cut: bool) -> float:
        world = World()
        sheet = world.add_cloth(
            "sheet", size=(2, 2), rows=13, columns=13, mass=1.0, model="membrane", young=1e6,
            orientation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0), pins=range(13 * 13), radius=0.02,
        )  # fmt: skip
        ball = world.add_body("ball", Sphere(0.15), mass=1.0, position=(0.0, 0.5, 0.0))
        if cut:
            for at in np.arange(-0.4, 0.41, 0.1):
                world.cut(sheet, (at, 0, -0.4), (at, 0, 0.4), (0, 1, 0))
        world.step(60)
        return float(world.position(ball)[1])

    assert lowest(cut=False) > 0.1
    assert lowest(cut=True) < -1.0


def test_a_solid_cut_open_shows_its_inside_and_undoing_closes_it() -> None:
    world = World()
    solid = beam(world)
    world.step(10)
    whole, moment = world.triangles(solid), world.snapshot()
    at = middle(world, solid) + 0.02
    world.cut(solid, (at, -3, 0), (at, 3, 0), (0, 0, 1))
    opened = world.triangles(solid)
    edges = np.sort(opened[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, shared = np.unique(edges, axis=0, return_counts=True)
    assert (shared % 2 == 0).all()  # closed again: every edge between two faces
    world.step(5)
    apart = world.node_positions(solid)
    world.restore(moment)
    assert np.array_equal(world.triangles(solid), whole)
    assert len(world.cut_elements(solid)) == 0
    assert not world.is_torn(solid)
    world.step(5)
    together = world.node_positions(solid)
    assert not np.allclose(apart, together)
    untouched = World()
    other = beam(untouched)
    untouched.step(15)
    assert np.array_equal(together, untouched.node_positions(other))


def test_elements_are_taken_out_by_number_and_wrong_ones_are_named() -> None:
    world = World()
    sheet = membrane(world)
    triangles = len(world.triangles(sheet))
    world.remove_elements(sheet, [3, 4])
    assert world.cut_elements(sheet).tolist() == [3, 4]
    assert len(world.triangles(sheet)) == triangles - 2
    with pytest.raises(ValueError, match=r"elements must lie in 0 … \d+"):
        world.remove_elements(sheet, [10_000])
