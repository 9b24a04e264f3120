"""The papers' own stabilizations: what they keep of a swing, loops, and α."""

import math
from typing import Any

import numpy as np
import pytest

from levels import load
from physics import Box, Sphere, World
from tests.physics.scenes import about, chain


def _swing(kind: str, **settings: Any) -> World:
    """100 kg on 7.65 m of cable, 30° from the vertical [Andrews17, Fig. 8]."""
    world = World(rate=100, sleeping=False, **settings)
    tilt, length, links = math.pi / 6, 7.65 / 20, 20
    along = np.array([math.sin(tilt), -math.cos(tilt), 0.0])
    turn = about((0, 0, 1), tilt - math.pi / 2)
    extra = {"axis": along, "axial_stiffness": 1e12} if kind == "cable" else {}
    previous: list[Any] = []
    for i in range(links + 1):
        reach = i * length + (0.25 if i == links else length / 2)
        shape = Sphere(0.25) if i == links else Box((length, 0.04, 0.04))
        body = world.add_body(
            f"link {i}", shape, mass=100 if i == links else 0.2, position=reach * along,
            orientation=turn, mask=0,
        )  # fmt: skip
        world.add_joint(kind, *previous, body, at=i * length * along, **extra)
        previous = [body]
    return world


def _kept(world: World, seconds: float) -> float:
    """Peak kinetic energy of the last half swing over that of the first."""
    kinetic = []
    for _ in range(round(seconds * world.rate)):
        world.step()
        kinetic.append(world.energy().kinetic)
    half = round(3.2 * world.rate)
    return max(kinetic[-half:]) / max(kinetic[:half])


def test_cables_lose_as_much_as_ball_joints_under_geometric_stiffness() -> None:
    """exp(-h g T/L), the drag of h²K̃ without its momentum; projected row by row it was more."""
    kinds = ("ball", "cable")
    ball, cable = (_kept(_swing(kind, stabilization="geometric"), 20.0) for kind in kinds)
    expected = math.exp(-0.01 * 9.81 * 20.0 / 7.9)
    print(f"kept: ball {ball:.3f}, cable {cable:.3f}, exp(-hgT/L) {expected:.3f}")
    assert cable == pytest.approx(ball, abs=0.02)
    assert cable == pytest.approx(expected, abs=0.06)


def test_a_figure_that_holds_on_with_two_hands_is_not_torn_off() -> None:
    """Two hands on one liana close a loop whose rows repeat each other."""
    world = load("liana").build()
    world.stabilization = "geometric"
    world.step(300)
    assert not world.diverged
    assert world.constraint_error() < 0.05
    assert world.energy().kinetic < 1e4


@pytest.mark.parametrize("stabilization", ["inertial"])
def test_alpha_says_how_much_is_damped(stabilization: str) -> None:
    """b = (h²k - 4αm)₊/2h: less α damps more, and enough α nothing."""
    added = []
    for alpha in (0.0, 1.0, 1e9):
        scene = chain(300.0, 0.01, stabilization=stabilization, alpha=alpha, tilt=0.3, kind="ball")
        for joint in scene.joints:
            scene.world.set_joint(joint, compliance=1e-9)
        scene.world.step(3)
        bodies, joints = scene.world.added_by_stabilization()
        added.append(float(bodies.max() if stabilization == "inertial" else joints.max()))
    assert added[0] > added[1] > added[2] == 0.0


def test_alpha_is_a_setting_of_world_and_levels() -> None:
    world = World(alpha=0.3)
    assert world.alpha == 0.3
    before = world.snapshot()
    world.alpha = 2
    world.restore(before)
    assert world.alpha == 0.3
    for bad in (-1, math.nan, "x", None):
        with pytest.raises(ValueError, match="alpha"):
            world.alpha = bad
    assert world.alpha == 0.3
