"""Ropes two ways: cables of rigid segments against theory, and ropes of particles that go slack."""

import numpy as np
import pytest

from physics import Box, World
from physics.body_store import rotation_matrix

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
        joint |= {"bend_damping": 2.0, "twist_damping": 0.2, "axial_damping": 200.0}
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


@pytest.mark.parametrize("mass", [1.0, 1000.0])
@pytest.mark.parametrize("pieces", [1, 20])
def test_a_slack_rope_that_snaps_taut_does_not_bounce(pieces, mass):
    """A load falls half a metre on an inextensible rope: the blow is taken up at once. It never
    comes up again by more than a centimetre, energy only falls, and it hangs still in the end."""
    world = World(rate=120)
    world.add_particle("p0", fixed=True)
    piece = 2.0 / pieces
    ropes = []
    for k in range(1, pieces + 1):
        # every second node to the side: 1.5 m of height for 2 m of rope
        down = 1.5 * k / pieces
        aside = np.sqrt(piece**2 - (1.5 / pieces) ** 2) * (k % 2) if pieces > 1 else 0.0
        last = k == pieces
        world.add_particle(f"p{k}", mass=mass if last else 0.05, position=(aside, -down, 0.0))
        ropes.append(world.add_joint("distance", f"p{k - 1}", f"p{k}", length=piece, slack=True))
    load, start = f"p{pieces}", world.energy().total
    height, energy = [], [start]
    for _ in range(600):
        world.step()
        height.append(world.position(load)[1])
        energy.append(world.energy().total)
    height = np.array(height)
    assert height.min() > -2.002
    taut = int(np.argmax(height < -1.995))
    assert 0 < taut < 120
    print(f"{pieces} pieces, {mass:g} kg: lowest {height.min():.4f} m, then at most"
          f" {height[taut:].max():.4f} m")  # fmt: skip
    assert height[taut:].max() < -1.99
    assert np.diff(energy).max() < 1e-3 * mass * 9.81 * 0.5
    assert height[-1] == pytest.approx(-2.0, abs=1e-3)
    assert abs(world.velocity(load)[1]) < 1e-3
    assert np.linalg.norm(world.joint_force(ropes[-1])[0]) == pytest.approx(mass * 9.81, rel=0.01)
