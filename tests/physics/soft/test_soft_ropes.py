"""Ropes two ways: cables of rigid segments against theory, and ropes of particles that go slack."""

import numpy as np
import pytest

from physics import Box, World
from physics.definitions.new_body import rotation_matrix

SEGMENTS, PITCH = 12, 0.1
STIFF = {"axial": 2e4, "bend": 40.0, "twist": 25.0}  # N/m and N m/rad of every joint


def cantilever(force=(0.0, 0.0, 0.0), torque=(0.0, 0.0, 0.0)):
    """A cable clamped at x = 0 after it came to rest under a load at its free end, without weight.

    Returns (movement of the end, turn of the end about x).
    """
    world = World(rate=240, gravity=(0, 0, 0), sleeping=False)
    names = []
    for k in range(SEGMENTS):
        name = f"s{k}"
        world.add_body(name, Box((PITCH, 0.03, 0.03)), mass=0.1, position=(PITCH * (k + 0.5), 0, 0))
        joint = {f"{mode}_stiffness": value for mode, value in STIFF.items()}
        joint |= {"bend_damping": 15.0, "twist_damping": 0.2, "axial_damping": 200.0}
        ends = (names[-1], name) if names else (name,)
        world.add_joint("cable", *ends, at=(PITCH * k, 0, 0), axis=(1, 0, 0), **joint)
        names.append(name)
    last = names[-1]

    def tip():
        return world.position(last) + rotation_matrix(world.orientation(last)) @ [PITCH / 2, 0, 0]

    for _ in range(1200):
        world.apply_force(last, force, at=tip())
        world.apply_torque(last, torque)
        world.step()
    assert np.abs(world.velocity(last)).max() < 1e-4
    R = rotation_matrix(world.orientation(last))
    return tip() - [SEGMENTS * PITCH, 0, 0], np.arctan2(R[2, 1], R[1, 1])


def test_a_cable_stretches_by_its_axial_stiffness():
    moved, _ = cantilever(force=(30.0, 0.0, 0.0))
    assert moved[0] == pytest.approx(SEGMENTS * 30.0 / STIFF["axial"], rel=1e-3)


def test_a_cable_bends_by_its_bending_stiffness():
    """Every joint turns by moment over stiffness: the end sinks by F/k Σ (L - x_i)²."""
    load = 0.1
    moved, _ = cantilever(force=(0.0, -load, 0.0))
    arms = PITCH * np.arange(1, SEGMENTS + 1)
    assert -moved[1] == pytest.approx(load / STIFF["bend"] * np.sum(arms**2), rel=5e-3)


def test_a_cable_twists_by_its_twist_stiffness():
    _, turn = cantilever(torque=(0.2, 0.0, 0.0))
    assert turn == pytest.approx(SEGMENTS * 0.2 / STIFF["twist"], rel=5e-3)


def drop(pieces, mass, slack):
    """A load falls half a metre until its rope of 2 m is taut; (heights, energies, last tension).

    Of several pieces every second node is to the side at first.
    """
    world = World(rate=120)
    world.add_particle("p0", fixed=True)
    piece, down = 2.0 / pieces, 1.5 / pieces
    for k in range(1, pieces + 1):
        aside = np.sqrt(piece**2 - down**2) * (k % 2) if pieces > 1 else 0.0
        weight = mass if k == pieces else 0.05
        world.add_particle(f"p{k}", mass=weight, position=(aside, -down * k, 0.0))
        rope = world.add_joint("distance", f"p{k - 1}", f"p{k}", length=piece, slack=slack)
    height, energy = [], [world.energy().total]
    for _ in range(600):
        world.step()
        height.append(world.position(f"p{pieces}")[1])
        energy.append(world.energy().total)
    return np.array(height), np.array(energy), np.linalg.norm(world.joint_force(rope)[0])


@pytest.mark.parametrize("mass", [1.0, 1000.0])
def test_a_slack_rope_that_snaps_taut_does_not_bounce(mass):
    """A one-sided row takes up the blow at once: the load stays where the rope ends."""
    height, energy, tension = drop(1, mass, slack=True)
    taut = int(np.argmax(height < -1.995))
    assert 0 < taut < 60
    assert height.min() > -2.001
    assert height[taut:].max() < -1.995
    assert np.diff(energy).max() < 1e-6 * mass
    assert height[-1] == pytest.approx(-2.0, abs=1e-4)
    assert tension == pytest.approx(mass * 9.81, rel=1e-3)


def test_a_folded_rope_snaps_taut_under_a_heavy_load():
    """Twenty rods of 50 g under a tonne. A toggle that straightens hands the load's energy to its
    light nodes, which give it back as they fly through: an ideal chain throws the load up again.
    How much of it comes back is a matter of chance; never more than there was, and never a gap."""
    height, energy, _ = drop(20, 1000.0, slack=False)
    taut = int(np.argmin(height))
    print(f"lowest {height.min():.5f} m, then up to {height[taut:].max():.4f} m")
    assert -2.001 < height.min() < -1.9
    assert height[taut:].max() <= height[0] + 1e-3
    # the ledger's allowance: 3 % of the kinetic energy the load can have
    assert energy.max() < energy[0] + 0.03 * 1000.0 * 9.81 * 0.5
