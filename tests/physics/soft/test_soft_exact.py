"""Threads without compliance do not stretch, and seams stay closed, from the first step on."""

import numpy as np
import pytest

from physics import Box, Sphere, World


def widest(world, soft, body):
    """Largest distance (m) between a sewn point and where it is sewn to, as they are now."""
    item, arrays = world.soft_body(soft), world._bodies.arrays
    slot = world.find(body).slot
    gaps = [
        np.array(seam.weights) @ item.body.x[list(seam.nodes)]
        - arrays.position[slot]
        - arrays.rotation[slot] @ seam.point
        for seam in item.seams
    ]
    return float(np.abs(gaps).max())


def banner(load, rate=60, n=12, **options):
    """A cloth of 0.2 kg with a beam sewn to its lower edge."""
    world = World(rate=rate)
    world.add_cloth("cloth", rows=n, columns=n, mass=0.2, pins=[0, n - 1], **options)
    world.add_body("beam", Box((1.0, 0.1, 0.1)), mass=load, position=(0, -0.5, 0))
    world.attach("cloth", range(n * n - n, n * n), "beam")
    return world


@pytest.mark.parametrize("load", [0.1, 10.0, 1e3, 1e5])
@pytest.mark.parametrize("rate", [60, 240])
def test_a_cloth_carries_any_load_without_stretching(load, rate):
    """Half a million times its weight: a micrometre a metre, its seams closed to 1e-6 m."""
    world = banner(load, rate)
    for _ in range(60):
        world.step()
        assert world.strain("cloth") < 1e-6
        assert widest(world, "cloth", "beam") < 1e-6


@pytest.mark.parametrize("compliance", [1e-9, 1e-6])
def test_a_compliance_below_what_the_matrix_knows_is_exact(compliance):
    """One thread of four nodes: 1 t on it stretches it by C m g, however stiff the matrix is."""
    world = World()
    world.add_cloth(
        "ribbon", size=(0.1, 1.0), rows=2, columns=2, mass=0.1, pins=[0, 1], shear=None,
        stretch=compliance,
    )  # fmt: skip
    world.add_body("load", Box((0.2, 0.1, 0.1)), mass=1e3, position=(0, -0.5, 0))
    world.attach("ribbon", [2, 3], "load")
    lengths = []
    for _ in range(240):
        world.step()
        nodes = world.node_positions("ribbon")
        lengths.append(np.linalg.norm(nodes[2] - nodes[0]) - 1.0)
    assert np.mean(lengths[120:]) == pytest.approx(compliance * 500 * 9.81, rel=0.01)


@pytest.mark.parametrize("load", [1.0, 50.0, 1e3])
def test_a_weight_within_a_jelly_keeps_its_seam_closed(load):
    """Conserving steps; the weight turns about its seam and stretches the jelly."""
    world = World()
    world.add_solid("jelly", cells=(3, 3, 3), young=1e5, density=100.0, position=(0, 2, 0))
    jelly = world.soft("jelly")
    jelly.pin(np.flatnonzero(jelly.positions()[:, 1] > 2.49))
    world.add_body("weight", Sphere(0.1), mass=load, position=(0.3, 1.8, 0.0), mask=0)
    jelly.attach_points([(0.07, 1.9, 0.03)], "weight")
    for _ in range(60):
        world.step()
        assert widest(world, "jelly", "weight") < 1e-6


def test_a_spinning_body_keeps_its_seams_closed():
    """10 rad/s: the way of a seam in a step is an arc, not its chord."""
    world = World(gravity=(0, 0, 0))
    world.add_cloth("cloth", rows=6, columns=6, mass=0.5, position=(0, -0.55, 0))
    world.add_body("hub", Box((1.0, 0.1, 0.1)), mass=20.0)
    world.attach("cloth", range(6), "hub")
    world.set_angular_velocity("hub", (0, 10, 0))
    worst = 0.0
    for _ in range(60):
        world.step()
        worst = max(worst, widest(world, "cloth", "hub"))
    assert worst < 1e-6


def test_stretched_by_a_snap_it_closes_again_without_gaining_energy():
    """A slack cloth snaps taut under 20 kg: the guard may stretch it a little for a while."""
    world = banner(20.0)
    folded = np.sqrt(1.0 - 0.3**2) / 11  # rows to and fro, at their distance
    world.set_position("beam", (0, 0.2, folded))
    nodes = world.node_positions("cloth")
    nodes[:, 1] = 0.5 - 0.3 * (0.5 - nodes[:, 1])
    nodes[:, 2] = folded * (np.arange(len(nodes)) // 12 % 2)
    world.set_nodes("cloth", nodes, 0.0 * nodes)
    energy = [world.energy().total]
    for _ in range(240):
        world.step()
        energy.append(world.energy().total)
    # one step alone is off by what the snap's force does in half a step, down and up again
    mean = np.convolve(energy, [0.5, 0.5], "valid")
    assert np.diff(mean).max() < 0.006 * 20.2 * 9.81  # what soft and rigid checks allow in a step
    assert world.strain("cloth") < 1e-3
