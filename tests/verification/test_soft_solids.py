"""Solids and sheets against closed forms: free spin, bending, twist, ringing, bouncing."""

import numpy as np
import pytest

from levels import load
from physics import World
from physics.soft.meshes import primitives
from physics.soft.models import SOLID_MATERIALS
from physics.soft.soft_builder import Builder
from physics.soft.solve.soft_body import SoftBody

MATERIALS = [name for name in SOLID_MATERIALS if name != "linear"]
TURN = 2.0 * np.pi


def motion(body):
    """Energy and angular momentum."""
    momentum = body.model.mass[:, None] * body.velocity
    energy = body.kinetic_energy() + body.elastic_energy()
    return energy, np.sum(np.cross(body.x, momentum), axis=0)


def spun(world, name, spin):
    handle = world.soft(name)
    nodes = world.node_positions(name)
    handle.set_nodes(nodes, np.cross(spin, nodes - nodes.mean(axis=0)))
    return world.soft_body(name).body


def check_spin(world, body, spin, seconds):
    """Deformation may borrow energy from the spin, but nothing is lost: a thousandth a second."""
    energy, momentum = motion(body)
    world.step(round(seconds * world.rate))
    after, turned = motion(body)
    assert after == pytest.approx(energy, rel=1e-3 * seconds)
    turns = np.linalg.norm(spin) * seconds / TURN
    assert np.linalg.norm(turned - momentum) < 1e-6 * turns * np.linalg.norm(momentum)


@pytest.mark.parametrize("elements", ["hexahedra", "tetrahedra"])
@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("young", [1e4, 1e8, 1e12])
def test_a_free_spin_costs_a_solid_nothing(young, material, elements):
    world = World(gravity=(0, 0, 0))
    world.add_solid(
        "bar", size=(0.6, 0.2, 0.2), cells=(6, 2, 2), young=young, material=material,
        elements=elements,
    )  # fmt: skip
    spin = np.array([0.0, 0.0, 6.0])
    check_spin(world, spun(world, "bar", spin), spin, 10.0 if young == 1e8 else 3.0)


@pytest.mark.parametrize("rate", [60, 240])
@pytest.mark.parametrize("spin", [(1.0, 3.0, 2.0), (0.0, 6.0, 0.0)])
def test_a_tumbling_heavy_block_keeps_its_momentum(rate, spin):
    world = World(gravity=(0, 0, 0), rate=rate)
    world.add_solid("block", size=(3.0, 2.0, 1.0), cells=(3, 2, 2), young=2e11, density=7800.0)
    check_spin(world, spun(world, "block", np.array(spin)), np.array(spin), 4.0)


@pytest.mark.parametrize("young", [1e4, 1e6, 1e9])
def test_a_free_spin_costs_a_membrane_nothing(young):
    world = World(gravity=(0, 0, 0))
    world.add_cloth("sheet", size=(0.6, 0.4), rows=7, columns=10, model="membrane", young=young)
    spin = np.array([0.0, 0.0, 6.0])
    check_spin(world, spun(world, "sheet", spin), spin, 10.0)


def test_a_free_spin_of_inextensible_cloth_keeps_99_per_cent():
    world = World(gravity=(0, 0, 0))
    world.add_cloth("sheet", size=(0.6, 0.4), rows=9, columns=13)
    body = spun(world, "sheet", (0.0, 0.0, 6.0))
    energy, _ = motion(body)
    world.step(600)
    assert motion(body)[0] == pytest.approx(energy, rel=0.01)
    assert np.abs(body.strain()[: 9 * 12 + 8 * 13]).max() < 1e-5


LEVEL = """
format = 1
[simulation]
gravity = [0, 0, 0]
[props.bar]
kind = "solid"
size = [0.6, 0.2, 0.2]
cells = [4, 2, 2]
young = 1e10
"""


def test_a_free_spin_costs_nothing_in_a_level(tmp_path):
    path = tmp_path / "spin.toml"
    path.write_text(LEVEL, encoding="utf-8")
    world = load(path).build()
    spin = np.array([0.0, 0.0, 6.0])
    check_spin(world, spun(world, "bar", spin), spin, 5.0)


def beam(cells, size, poisson, young=1e6, density=1000.0, material="stvk"):
    mesh = primitives.bricks(cells, size)
    builder = Builder(mesh.position)
    builder.add_hexahedra(mesh.hexahedra, young, poisson, material=material, density=density)
    body = SoftBody(builder)
    body.gravity[:] = 0.0
    return body


def end_shares(x, at, lengths):
    """Consistent shares of the nodes on the face x = at: a quarter of each cell's face a corner."""
    on = np.abs(x[:, 0] - at) < 1e-9
    share = on.astype(float)
    for axis, length in ((1, lengths[0]), (2, lengths[1])):
        share[on & ((np.abs(x[:, axis]) < 1e-9) | (np.abs(x[:, axis] - length) < 1e-9))] *= 0.5
    return share / share.sum()


def bending_ratio(cells, poisson, slenderness=10.0):
    """Tip deflection of a cantilever over Euler–Bernoulli's, small load.

    Beam theory clamps only x; here the sides of that face are held too, which for ν > 0 stiffens
    the end by a share of 1/slenderness.
    """
    side = 1.0 / slenderness
    body = beam(cells, (1.0, side, side), poisson)
    rest = body.x.copy()
    body.pin(np.flatnonzero(rest[:, 0] < 1e-9))
    load = 1e-4 * 3e6 * side**4 / 12.0
    body.state.force[:, 1] = -load * end_shares(rest, 1.0, (side, side))
    body.find_equilibrium(1e-12)
    tip = rest[:, 0] > 1.0 - 1e-9
    return (rest[tip, 1].mean() - body.x[tip, 1].mean()) / 1e-4


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.49, 0.5])
def test_beams_bend_as_euler_and_bernoulli_say(poisson):
    assert bending_ratio((8, 1, 1), poisson) == pytest.approx(1.0, abs=0.15)
    assert bending_ratio((16, 2, 2), poisson) == pytest.approx(1.0, abs=0.05)


def twist_ratio(cells, poisson):
    """Twist of the middle of a square bar over Saint-Venant's, K = 0.1406 a⁴; both ends turned."""
    length = 2.0
    body = beam((2 * cells, cells, cells), (length, 1.0, 1.0), poisson)
    rest, angle = body.x.copy(), 1e-4
    arm = rest[:, 1:] - 0.5
    torque = []
    for end, sign in ((0.0, -1.0), (length, 1.0)):
        on = np.abs(rest[:, 0] - end) < 1e-9
        share = end_shares(rest, end, (1.0, 1.0))[:, None] * np.stack([-arm[:, 1], arm[:, 0]], 1)
        body.state.force[:, 1:] += sign * share
        torque.append(np.sum(arm[on, 0] * share[on, 1] - arm[on, 1] * share[on, 0]))
    scale = 1e6 / (2 * (1 + poisson)) * 0.1406 * angle / torque[0]
    body.state.force[:] *= scale
    body.find_equilibrium(1e-12, iterations=6, horizon=2.0)
    turned = []
    for at in (0.5 * length - 0.25, 0.5 * length + 0.25):
        on = np.abs(rest[:, 0] - at) < 1e-9
        moved = body.x[on, 1:] - rest[on, 1:]
        spin = arm[on, 0] * moved[:, 1] - arm[on, 1] * moved[:, 0]
        turned.append(spin.sum() / np.sum(arm[on] ** 2))
    return (turned[1] - turned[0]) / (0.5 * angle)


@pytest.mark.parametrize("poisson", [0.25, 0.49])
def test_bars_twist_as_saint_venant_says(poisson):
    assert twist_ratio(8, poisson) == pytest.approx(1.0, abs=0.05)


def ringing(young, density, rate, seconds):
    """(first frequency over theory's, share of energy left) of an undamped cantilever."""
    side = 0.1
    body = beam((8, 1, 1), (1.0, side, side), 0.0, young, density)
    rest = body.x.copy()
    body.pin(np.flatnonzero(rest[:, 0] < 1e-9))
    theory = 1.8751**2 / TURN * np.sqrt(young * side**2 / 12.0 / density)
    body.state.force[:, 1] = -0.02 * 3 * young * side**4 / 12 * end_shares(rest, 1.0, (side, side))
    body.find_equilibrium(1e-10)
    body.state.force[:] = 0.0
    energy, tip = [body.elastic_energy()], rest[:, 0] > 1.0 - 1e-9
    height = []
    for _ in range(round(seconds * rate)):
        body.step(1.0 / rate)
        energy.append(body.elastic_energy() + body.kinetic_energy())
        height.append(body.x[tip, 1].mean() - rest[tip, 1].mean())
    sign = np.signbit(height)
    at = np.flatnonzero(sign[1:] != sign[:-1])
    cross = at + np.array([height[k] / (height[k] - height[k + 1]) for k in at])
    frequency = rate * (len(cross) - 1) / (2.0 * (cross[-1] - cross[0]))
    return frequency / theory, energy[-1] / energy[0]


@pytest.mark.parametrize(("young", "density"), [(1e5, 1000.0), (2e5, 500.0)])
def test_an_undamped_cantilever_rings_on(young, density):
    frequency, left = ringing(young, density, 60, 10.0)
    assert frequency == pytest.approx(1.0, abs=0.02)
    assert left > 0.9


def test_damping_is_a_loss_factor():
    """β damps a mode of ω with the ratio βω/2: energy falls by exp(-β ω² t)."""
    body = beam((6, 1, 1), (1.0, 0.1, 0.1), 0.0, 1e6)
    rest = body.x.copy()
    body.pin(np.flatnonzero(rest[:, 0] < 1e-9))
    omega = 1.8751**2 * np.sqrt(1e6 * 0.01 / 12.0 / 1000.0)
    body.state.force[:, 1] = -1e-3 * 3e6 * 1e-4 / 12 * end_shares(rest, 1.0, (0.1, 0.1))
    body.find_equilibrium(1e-10)
    body.state.force[:] = 0.0
    body.options.damping = 0.002
    body.step(1 / 240, 480)  # higher modes, 2 % of the energy, are gone
    before = body.elastic_energy() + body.kinetic_energy()
    body.step(1 / 240, 480)
    left = (body.elastic_energy() + body.kinetic_energy()) / before
    assert np.log(left) == pytest.approx(-0.002 * omega**2 * 2.0, rel=0.1)
