"""Links that the matrix leaves out: the same motion as with them in it, for the price without."""

import numpy as np
import pytest

from physics import Sphere, World
from physics.soft.meshes import primitives
from physics.soft.soft_builder import Builder
from physics.soft.solve import weak_links
from physics.soft.solve.soft_body import SoftBody
from physics.solver.spd.analysis import modelled_time
from tests.physics.soft.soft_scenes import STEP, hung_cloth

FLAT = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # a cloth's own xy plane lies horizontally


@pytest.fixture
def whole(monkeypatch):
    """Calls a function with every link in the matrix."""

    def call(make, *arguments, **options):
        with monkeypatch.context() as patch:
            patch.setattr(weak_links, "WEAK", -1.0)
            return make(*arguments, **options)

    return call


def left_out(body):
    return int((body.model.link_slot < 0).sum())


def test_the_matrix_of_a_cloth_is_that_of_one_without_bending_links(whole):
    plain, bend, full = hung_cloth(60, False), hung_cloth(60, True), whole(hung_cloth, 60, True)
    assert left_out(bend) == 2 * 60 * 58
    np.testing.assert_array_equal(bend.model.edges, plain.model.edges)
    times = [modelled_time(b.symbolic.first, b.symbolic.row_start) for b in (bend, full)]
    print(f"modelled time of the factor {times[0] / 1e6:.1f} ms, of the whole {times[1] / 1e6:.1f}")
    assert times[0] < 0.5 * times[1]


def test_a_cloth_swings_as_with_all_links_in_the_matrix(whole):
    """Over a swing of 2 m that snaps taut, the guard included, to a twentieth of a millimetre; and
    no more energy is left than with the whole matrix, to 1e-4 of what was there to lose."""
    light, full = hung_cloth(40, True), whole(hung_cloth, 40, True)
    light.options.corrections = full.options.corrections = 2  # with more no guard is needed
    assert left_out(light) > 0
    assert left_out(full) == 0
    apart = guarded = 0.0
    for _ in range(55):
        light.step(STEP)
        full.step(STEP)
        apart = max(apart, float(np.abs(light.x - full.x).max()))
        guarded += light.guarded
    ends = [body.kinetic_energy() + body.potential_energy() for body in (light, full)]
    print(f"apart by {apart:.1e} m at most, guard {guarded:g}, energies {ends}")
    assert guarded > 0
    assert apart < 5e-5
    assert ends[0] - ends[1] < 1e-4 * abs(ends[1])


def crumpled(stiffness):
    """Free cloth of soft links, thrown about; the sum of h²k/m on a node is just weak enough."""
    n, mass = 14, 0.01
    sheet = primitives.cloth(n, n, (1.0, 1.0))
    builder = Builder(sheet.position)
    builder.add_mass(mass)
    builder.add_links(sheet.structural, stiffness)
    builder.add_links(sheet.bend, 0.99 * weak_links.WEAK * mass / (4 * STEP**2))
    body = SoftBody(builder)
    rng = np.random.default_rng(3)
    body.v[...] = 0.3 * rng.normal(size=body.v.shape)
    body.gravity = np.zeros(3)
    return body


@pytest.mark.parametrize("stiffness", [20.0, 1e6])
def test_the_strongest_of_the_weak_make_no_energy(stiffness):
    body = crumpled(stiffness)
    assert left_out(body) == 2 * 14 * 12
    momentum = body.v.sum(axis=0)
    energy = [body.kinetic_energy() + body.elastic_energy()]
    for _ in range(120):
        body.step(STEP)
        energy.append(body.kinetic_energy() + body.elastic_energy())
    print(f"{energy[0]:.4f} J to {energy[-1]:.4f} J, in a step {np.diff(energy).max():.1e} J more")
    assert np.diff(energy).max() < 1e-9
    np.testing.assert_allclose(body.v.sum(axis=0), momentum, atol=1e-9)


def curtain(n):
    sheet = primitives.cloth(n, n, (1.0, 1.0), down=(0.0, -1.0, 0.0))
    builder = Builder(sheet.position)
    builder.add_mass(1.0 / n**2)
    builder.add_links(sheet.structural, 100.0)
    builder.add_links(sheet.bend, 0.5)
    body = SoftBody(builder)
    body.pin(list(range(n)))
    return body


def test_long_steps_take_the_links_in(whole):
    """A curtain comes to rest in a step of 1000 s, and sways in the usual ones afterwards."""
    light, full = curtain(12), whole(curtain, 12)
    pattern = light.pattern
    for body in (light, full):
        body.find_equilibrium(1e-9)
    assert not left_out(light)
    np.testing.assert_allclose(light.x, full.x, atol=1e-9)
    light.step(STEP)
    assert left_out(light) == 2 * 12 * 10
    assert light.pattern is pattern


@pytest.mark.parametrize("option", [{"integrator": "spook"}, {"corrections": 0}, {"damping": 0.01}])
def test_where_nothing_corrects_them_the_links_are_in_the_matrix(whole, option):
    light, full = hung_cloth(12, True), whole(hung_cloth, 12, True)
    for body in (light, full):
        for name, value in option.items():
            setattr(body.options, name, value)
        body.step(STEP, 20)
    assert not left_out(light)
    np.testing.assert_allclose(light.x, full.x, atol=1e-7)


def test_a_net_of_weak_links_alone_is_in_the_matrix():
    """They are all there is: nothing would be saved, and their motion is exact as it was."""
    sheet = primitives.cloth(8, 8, (1.0, 1.0))
    builder = Builder(sheet.position)
    builder.add_mass(0.1)
    builder.add_links(sheet.structural, 1.0)
    assert left_out(SoftBody(builder)) == 0
    builder.surface = sheet.triangles
    builder.add_links(sheet.bend, 1.0)
    assert left_out(SoftBody(builder)) == len(sheet.bend)


def test_links_find_their_places_in_every_pattern():
    """Contacts bring edges among theirs, and a saved moment brings its own pattern back."""
    body, long = hung_cloth(12, True), 10.0
    body.fit_matrix(long)
    before = body.pattern
    slots = body.couple(np.array([[3, 100], [70, 20]]))
    np.testing.assert_array_equal(body.model.edges[slots], [[3, 100], [20, 70]])
    np.testing.assert_array_equal(body.model.edges[body.model.link_slot], body.model.link_nodes)
    body.use_pattern(before)
    body.fit_matrix(long)
    assert body.pattern is before
    np.testing.assert_array_equal(body.model.edges[body.model.link_slot], body.model.link_nodes)


def meeting(rate):
    """A cloth with bending links falls on another; both touch themselves, a ball lies on them."""
    world = World(rate=rate)
    given = {"rows": 8, "columns": 8, "orientation": FLAT, "bend": 20.0, "self_collision": True}
    world.add_cloth("low", pins=[0, 7, 56, 63], **given)
    world.add_cloth("high", size=(0.5, 0.5), position=(0.02, 0.03, 0.01), mass=0.3, **given)
    world.add_body("ball", Sphere(0.1), mass=0.5, position=(0.1, 0.2, 0.0))
    return world


@pytest.mark.parametrize(("rate", "steps", "tolerance"), [(4, 6, 1e-6), (60, 8, 2e-5)])
def test_bodies_that_meet(whole, rate, steps, tolerance):
    """In short steps the links are out, in long ones joined bodies take in what their members do.

    Contacts multiply differences by a thousand within the next few steps.
    """
    light, full = meeting(rate), whole(meeting, rate)
    touching = 0
    for world in (light, full):
        for _ in range(steps):
            world.step()
            touching += world.stats.soft["touching"]
    assert touching > 0
    for name in ("low", "high"):
        apart = np.abs(light.node_positions(name) - full.node_positions(name)).max()
        print(f"{name} at {rate} Hz: {apart:.1e} m apart")
        assert apart < tolerance


@pytest.mark.parametrize(("rate", "other"), [(60, 4), (4, 60)])
def test_a_saved_moment_comes_back_whatever_the_rate_was_meanwhile(rate, other):
    world = meeting(rate)
    world.step(15)
    saved, ends = world.snapshot(), []
    for meanwhile in (rate, other):
        world.rate = meanwhile
        world.step(3)
        world.rate = rate
        world.restore(saved)
        world.step(10)
        ends.append(world.node_positions("high"))
        world.restore(saved)
    np.testing.assert_array_equal(ends[0], ends[1])
