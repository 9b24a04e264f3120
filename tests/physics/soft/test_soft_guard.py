"""The guard of soft bodies: it keeps energy, wind and hands, and judges all kinds of elements."""

from functools import partial

import numpy as np
import pytest

from physics import Capsule, World
from physics.soft.elements.membrane import isotropic
from physics.soft.meshes import mesh_topology, primitives
from physics.soft.models import SOLID_MATERIALS
from physics.soft.soft_builder import Builder
from physics.soft.solve.soft_body import SoftBody
from tests.physics.soft.soft_scenes import clamped_beam, cloth_world, hung_cloth

STEP = 1.0 / 60.0


def total(body):
    return body.kinetic_energy() + body.potential_energy() + body.elastic_energy()


def guarded(body):
    """Every step is taken by the guard."""
    body.options.limit = 0.0
    return body


def test_guard_swings_as_the_ordinary_step_does():
    """Started from rest it used to stop a fast cloth; it goes on from where the step ended."""
    free, held = hung_cloth(12, False), guarded(hung_cloth(12, False))
    begin = total(free)
    for _ in range(24):
        free.step(STEP)
        held.step(STEP)
        assert held.guarded > 0
    fallen = begin - free.potential_energy()
    assert held.kinetic_energy() > 0.5 * free.kinetic_energy()
    assert np.abs(held.x - free.x).max() < 0.1  # m, of a fall of about a metre
    assert total(held) < begin
    assert fallen > 1.0


def test_wind_and_hands_reach_a_guarded_cloth():
    world = World(gravity=(0, 0, 0))
    cloth = world.add_cloth("sheet", size=(1, 1), rows=6, columns=6, mass=0.1)
    guarded(world.soft_body(cloth).body)
    world.set_wind(cloth, (0, 0, 8.0))
    world.step(60)
    assert world.stats.soft["guarded"] == 1
    assert 6.0 < world.node_velocities(cloth)[:, 2].mean() < 8.0 + 1e-9
    world.set_wind(cloth, (0, 0, 0))  # still air stops it: a hand gives way to what swings
    world.step(60)
    corner = world.node_positions(cloth)[0]
    grab = world.grab(cloth, corner)
    world.move_grab(grab, corner + np.array([0.0, 1.0, 0.0]))
    world.step(90)
    assert np.linalg.norm(world.grab_point(grab) - corner - (0.0, 1.0, 0.0)) < 0.05
    assert world.stats.soft["guarded"] == 1


def test_a_hand_draws_a_soft_body_alike_at_any_rate():
    """A spring of ω = 12 rad/s on the mass of the whole body: it sags by g/ω² at every rate."""
    for rate in (60, 240):
        world = World(rate=rate)
        cube = world.add_solid("cube", size=(0.4, 0.4, 0.4), cells=(2, 2, 2), young=1e6)
        hand = np.array([0.0, 0.2, 0.0])  # the middle of its upper side
        grab = world.grab(cube, hand)
        world.step(4 * rate)
        sag = hand - world.grab_point(grab)
        assert sag == pytest.approx([0.0, 9.81 / 144, 0.0], abs=1e-3)


def membrane():
    sheet = primitives.cloth(8, 8, (1.0, 1.0))
    builder = Builder(sheet.position)
    builder.add_triangles(sheet.triangles, isotropic(1e6, 0.3, 1e-3), area_density=0.5)
    builder.add_hinges(mesh_topology.hinges(sheet.triangles), 1e-3)
    body = SoftBody(builder)
    body.pin([0, 7])
    return body


@pytest.mark.parametrize(
    "make",
    [
        lambda: hung_cloth(8, True),
        membrane,
        *(partial(clamped_beam, (4, 2, 2), material) for material in SOLID_MATERIALS),
    ],
    ids=["links", "membrane", *SOLID_MATERIALS],
)
def test_energy_out_of_nothing_is_noticed_and_taken_back(make):
    body = make()
    body.options.integrator = "euler"  # of elements: they are conserved otherwise
    body.step(STEP, 20)
    before = total(body)
    body.begin(STEP)
    assert body.correct(STEP)
    assert not body.refuses(body.gain(STEP, 0.0), body.moves(STEP))
    body.work.delta[:] = np.where(body.state.pinned[:, None], 0.0, 3.0 * body.v + 2.0)
    body.end(STEP)
    assert body.guarded > 0
    weight = float(np.sum(body.model.mass) * 9.81) * float(np.ptp(body.x, axis=0).max())
    assert total(body) - before < 0.01 * (weight + body.kinetic_energy())


def test_statistics_say_what_a_stabilization_means_for_soft_bodies():
    for name, used in (("inertial", "geometric"), ("constraint", "geometric"), ("none", "none")):
        world = World(stabilization=name)
        world.add_cloth("sheet", rows=4, columns=4)
        world.step()
        assert world.stats.soft["stabilization"] == {0: used}


def test_cloth_under_a_ball_needs_few_factorisations():
    """Two rounds for the contacts, and a guard that is done when the links hold."""
    world = cloth_world(20, 20.0)
    factorisations, strain, start, gain = 0, 0.0, world.energy().total, 0.0
    for _ in range(90):
        world.step()
        factorisations += world.stats.soft["factorisations"]
        strain = max(strain, world.strain("cloth"))
        gain = max(gain, world.energy().total - start)
    assert factorisations < 3 * 90
    assert strain < 0.02
    assert gain < 0.003 * 21.0 * 9.81 * 2.0  # what one step may gain by the guard's own measure
    assert world.position("ball")[1] > -0.6  # it lies in the cloth


def test_a_bar_within_a_cloth_does_not_stretch_it():
    """One side of the cloth, straight between its pins, lies in a bar that would push it out: its
    threads took up 300 J."""
    world, n = World(), 9
    world.add_cloth(
        "cloth", size=(1.5, 1.5), rows=n, columns=n, pins=[0, n - 1, n * n - n, n * n - 1],
        radius=0.02, orientation=(np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0),
    )  # fmt: skip
    along = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    world.add_body(
        "bar", Capsule(0.03, 1.5), fixed=True, position=(0.0, -0.02, 0.75), orientation=along
    )
    start = world.energy().total
    for _ in range(90):
        world.step()
        assert world.stats.soft["rows"] >= n - 2
        assert world.energy().total - start < 0.1
