"""What joints do in motion: motors, servos, limits, breaking, winches, and that each holds."""

import math
from typing import Any

import numpy as np
import pytest

from physics import JOINTS, Box, Sphere, World
from physics.params import LIMIT_MISS
from tests.physics.scenes import G, about
from tests.physics.variants import sample

RATE = 120


def wheel(*, gravity: Any = (0, 0, 0), **parameters: Any) -> World:
    """A flywheel of inertia 0.5 kg m² on a hinge about z, carried by a fixed base."""
    world = World(rate=RATE, gravity=gravity)
    world.add_body("base", Box((1, 1, 1)), fixed=True, mask=0)
    # solid sphere: 2/5 m r²
    world.add_body("wheel", Sphere(0.5), mass=5.0, mask=0)
    world.add_joint(
        "hinge", "base", "wheel", at=(0, 0, 0), axis=(0, 0, 1), name="axle", **parameters
    )
    return world


def arm(**parameters: Any) -> World:
    """A 2 kg bob one metre from a hinge about z, held out horizontally, under gravity."""
    world = World(rate=RATE)
    world.add_body("base", Box((0.2, 0.2, 0.2)), fixed=True, mask=0)
    world.add_body("bob", Sphere(0.1), mass=2.0, position=(1, 0, 0), mask=0)
    world.add_joint("hinge", "base", "bob", at=(0, 0, 0), axis=(0, 0, 1), name="axle", **parameters)
    return world


def slider(**parameters: Any) -> World:
    """A 2 kg box on a horizontal rail."""
    world = World(rate=RATE)
    world.add_body("base", Box((0.2, 0.2, 0.2)), fixed=True, mask=0)
    world.add_body("cart", Box((0.2, 0.2, 0.2)), mass=2.0, mask=0)
    world.add_joint(
        "prismatic", "base", "cart", at=(0, 0, 0), axis=(1, 0, 0), name="rail", **parameters
    )
    return world


# --- motors --------------------------------------------------------------------------------------


def test_a_motor_reaches_its_speed_at_once_when_unlimited() -> None:
    world = wheel(motor={"speed": 3.0})
    world.step(2)
    assert world.angular_velocity("wheel")[2] == pytest.approx(3.0, abs=1e-9)


def test_a_motor_accelerates_with_its_greatest_torque() -> None:
    """τ = 0.25 N m on 0.5 kg m²: ω = 0.5 t until 3 rad/s at 6 s, then no more."""
    world = wheel(motor={"speed": 3.0, "max_force": 0.25})
    world.step(2 * RATE)
    assert world.angular_velocity("wheel")[2] == pytest.approx(1.0, rel=1e-6)
    torque = world.joint_force("axle")[1]
    assert abs(torque[2]) == pytest.approx(0.25, rel=1e-9)
    world.step(8 * RATE)
    assert world.angular_velocity("wheel")[2] == pytest.approx(3.0, rel=1e-6)
    assert abs(world.joint_force("axle")[1][2]) < 1e-6


def test_a_motor_too_weak_lets_the_load_sink() -> None:
    """The bob needs m g l = 19.6 N m; 10 N m cannot hold it, 30 N m can."""
    weak, strong = (arm(motor={"speed": 0.0, "max_force": most}) for most in (10.0, 30.0))
    weak.step(RATE // 2)
    strong.step(2 * RATE)
    assert weak.position("bob")[1] < -0.2
    assert abs(strong.position("bob")[1]) < 1e-6


def test_a_slide_motor_moves_the_cart() -> None:
    world = slider(motor={"speed": 0.8})
    world.step(RATE)
    assert world.position("cart")[0] == pytest.approx(0.8, abs=0.01)
    assert world.joint_value("rail") == pytest.approx(world.position("cart")[0], abs=1e-9)
    world.set_joint("rail", motor={"speed": -0.8})
    world.step(RATE)
    assert world.position("cart")[0] == pytest.approx(0.0, abs=0.02)


# --- servos --------------------------------------------------------------------------------------


def test_a_servo_goes_to_its_target() -> None:
    """k = 50, critically damped on 0.5 kg m²: within a second it is there."""
    world = wheel(servo={"target": 1.2, "stiffness": 50.0, "damping": 10.0})
    world.step(3 * RATE)
    assert world.joint_value("axle") == pytest.approx(1.2, abs=1e-3)
    world.set_joint("axle", servo={"target": -0.5})
    world.step(3 * RATE)
    assert world.joint_value("axle") == pytest.approx(-0.5, abs=1e-3)


def test_a_servo_under_load_sags_by_torque_over_stiffness() -> None:
    world = arm(servo={"target": 0.0, "stiffness": 500.0, "damping": 60.0})
    world.step(6 * RATE)
    angle = world.joint_value("axle")
    assert angle == pytest.approx(-2.0 * G * math.cos(angle) / 500.0, rel=1e-3)


def test_a_servo_beyond_its_force_gives_way() -> None:
    servo = {"target": 0.0, "stiffness": 1e5, "damping": 100.0, "max_force": 10.0}
    world = arm(servo=servo)
    world.step(RATE)
    assert world.joint_value("axle") < -0.3
    assert abs(world.joint_force("axle")[1][2]) == pytest.approx(10.0, rel=1e-6)


def test_a_servo_works_beyond_half_a_turn() -> None:
    world = wheel(servo={"target": 7.5, "stiffness": 50.0, "damping": 10.0})
    world.step(4 * RATE)
    assert world.joint_value("axle") == pytest.approx(7.5, abs=1e-2)


# --- limits --------------------------------------------------------------------------------------


def test_hinge_limits_hold() -> None:
    """The bob falls on its limit at -0.5 rad and stays there; the limit carries m g l cos θ."""
    world = arm(limits=(-0.5, 1.0))
    worst = 0.0
    for _ in range(3 * RATE):
        world.step()
        worst = min(worst, world.joint_value("axle") + 0.5)
    assert worst > -1e-3
    assert world.joint_value("axle") == pytest.approx(-0.5, abs=1e-3)
    assert abs(world.joint_force("axle")[1][2]) == pytest.approx(2 * G * math.cos(0.5), rel=0.01)


def test_slide_limits_hold() -> None:
    world = slider(limits=(-0.3, 0.4))
    world.set_velocity("cart", (5, 0, 0))
    places = []
    for _ in range(RATE):
        world.step()
        places.append(world.position("cart")[0])
    assert max(places) < 0.4 + 1e-3
    assert min(places) > -0.3 - 1e-3


def test_swing_and_twist_limits_of_a_ball_joint_hold() -> None:
    """A stick on a ball joint at its top, thrown sideways and spun."""
    world = World(rate=RATE)
    world.add_body("base", Box((0.2, 0.2, 0.2)), fixed=True, mask=0)
    world.add_body("stick", Box((0.1, 1, 0.1)), mass=1.0, position=(0, -0.5, 0), mask=0)
    world.add_joint(
        "ball",
        "base",
        "stick",
        at=(0, 0, 0),
        axis=(0, 1, 0),
        swing_limit=0.6,
        twist_limits=(-0.3, 0.3),
    )
    world.set_velocity("stick", (3.0, 0, 1.0))
    world.set_angular_velocity("stick", (2.0, 4.0, 6.0))
    swing, twist = 0.0, 0.0
    slot = world.find("stick").slot
    for _ in range(3 * RATE):
        world.step()
        R = world._bodies.arrays.rotation[slot]
        swing = max(swing, math.acos(min(1.0, R[1, 1])))
        twist = max(twist, abs(_twist(R)))
    assert swing < 0.6 + 0.01
    assert twist < 0.3 + 0.01
    assert swing > 0.5  # it did get there
    assert world.constraint_error() < 1e-6


def _twist(R: np.ndarray) -> float:
    """Angle of b's u about a's n, as rows/angle.py measures it, for n = y, u = ±z×y."""
    from physics.constraints.registry import perpendicular

    n = np.array([0.0, 1.0, 0.0])
    u, v = perpendicular(n)
    w = R @ u
    return math.atan2(v @ w, u @ w)


# --- breaking, winch -----------------------------------------------------------------------------


@pytest.mark.parametrize(("strength", "breaks"), [(50.0, False), (48.0, True)])
def test_a_joint_breaks_at_its_load(strength: float, breaks: bool) -> None:
    """5 kg hang at rest: 49.05 N. A joint for 48 N breaks in the first step, one for 50 N never."""
    world = World(rate=RATE)
    world.add_body("load", Sphere(0.2), mass=5.0, position=(0, -1, 0), mask=0)
    joint = world.add_joint("ball", "load", at=(0, 0, 0), breaks_at=strength)
    events = []
    for _ in range(RATE):
        world.step()
        events += world.events()
    assert world.is_broken(joint) == breaks
    assert [event[0] for event in events] == ["broken"] * breaks
    assert (world.position("load")[1] < -2) == breaks


def test_a_joint_breaks_when_the_pull_grows() -> None:
    """Pulled with a force that grows 10 N a step, it breaks at the first step above 200 N."""
    world = World(rate=RATE, gravity=(0, 0, 0))
    world.add_body("load", Sphere(0.2), mass=5.0, position=(0, -1, 0), mask=0)
    joint = world.add_joint("ball", "load", at=(0, 0, 0), breaks_at=200.0)
    for step in range(1, 40):
        world.apply_force("load", (0, -10.0 * step, 0))
        world.step()
        if world.is_broken(joint):
            break
    assert 10.0 * step == pytest.approx(210.0, abs=10.0)


@pytest.mark.parametrize("slack", [False, True])
def test_a_winch_lifts_the_load(slack: bool) -> None:
    """set_joint(length) while running: 4 m to 2 m in 4 s, the load follows to a tenth of a mm."""
    world = World(rate=RATE)
    world.add_particle("load", mass=100.0, position=(0, -4, 0))
    rope = world.add_joint("distance", "load", at_b=(0, 0, 0), slack=slack)
    for step in range(4 * RATE):
        world.set_joint(rope, length=4.0 - 0.5 * (step + 1) / RATE)
        world.step()
    assert world.position("load")[1] == pytest.approx(-2.0, abs=1e-3)
    assert world.velocity("load")[1] == pytest.approx(0.5, abs=0.01)
    assert world.joint_force(rope)[0][1] == pytest.approx(100 * G, rel=0.01)


def test_a_slack_rope_does_not_push() -> None:
    world = World(rate=RATE)
    world.add_particle("load", mass=1.0, position=(0, -1, 0))
    world.add_joint("distance", "load", at_b=(0, 0, 0), length=2.0, slack=True)
    world.step(24)  # 0.2 s of free fall, 0.2 m
    fall = 0.5 * G * (24 / RATE) ** 2
    assert world.position("load")[1] == pytest.approx(-1 - fall, abs=1e-9)
    deepest = 0.0
    for _ in range(3 * RATE):
        world.step()
        deepest = min(deepest, world.position("load")[1])
    assert deepest > -2.0 - 1e-3


# --- every kind holds, and can be anchored to the world ------------------------------------------


@pytest.mark.parametrize("with_world", [False, True], ids=["two bodies", "world"])
@pytest.mark.parametrize("kind", JOINTS)
def test_every_kind_holds_what_it_is_for(kind: str, with_world: bool) -> None:
    """Two seconds of a body flung about: hard rows stay shut, the guard at most shortens steps.

    A box on a rod whips round in a few steps; first-order energy wobble then asks for halving.
    """
    world = World(rate=RATE)
    spec = JOINTS[kind]
    given = {name: sample(p) for name, p in spec.parameters.items() if p.required}
    world.add_body("held", Box((0.2, 0.4, 0.6)), mass=3.0, position=(0.5, -0.3, 0.2), mask=0)
    world.set_velocity("held", (0.5, 0.2, -0.4))
    other = None
    if not with_world:
        orientation = about((0.6, 0.8, 0.0), 0.7)
        other = world.add_body(
            "base", Sphere(0.3), mass=1.0, position=(-0.2, 0.4, 0), orientation=orientation, mask=0
        )
        world.add_joint("ball", other, at=(0, 0.5, 0))
    if spec.anchors == "separate":
        where: dict[str, Any] = {"at_a": (0.5, 0, 0.3), "at_b": (0, 0.2, 0)}
    else:
        where = {"at": (0.1, 0.1, 0)}
    joint = world.add_joint(kind, "held", other, axis=(0, 0.6, 0.8), **where, **given)
    world.step(2 * RATE)
    assert not world.diverged
    assert world.joint_error(joint) < 1e-6
    assert world.constraint_error() < 1e-6
    guard = world.stats.guard
    assert guard["implicit"] == guard["frozen"] == 0
    assert guard["halved"] < 0.1 * 2 * RATE


@pytest.mark.parametrize("kind", ["ball", "distance", "point_on_line"])
def test_particles_can_be_held(kind: str) -> None:
    world = World(rate=RATE)
    world.add_particle("bead", mass=0.5, position=(0, 1, 0), velocity=(1, 0, 0))
    where = {"at_b": (0, 2, 0)} if kind == "distance" else {"at": (0, 1, 0), "axis": (1, 0, 0)}
    world.add_joint(kind, "bead", **where)
    world.step(RATE)
    assert world.constraint_error() < 1e-7


def test_planar_worlds_stay_in_the_plane() -> None:
    """Two dimensions: z, and turns about x and y, are zero to the last bit."""
    world = World(rate=RATE, dimension=2)
    for i in range(5):
        world.add_body(
            f"link {i}", Box((0.5, 0.1, 0.1)), mass=1.0, position=(0.25 + 0.5 * i, 0, 0), mask=0
        )
        below = f"link {i - 1}" if i else None
        world.add_joint("hinge", f"link {i}", below, at=(0.5 * i, 0, 0), axis=(0, 0, 1))
    world.step(3 * RATE)
    for i in range(5):
        assert world.position(f"link {i}")[2] == 0.0
        assert world.orientation(f"link {i}")[1:3].tolist() == [0.0, 0.0]
    assert world.constraint_error() < 1e-7


def test_a_keyframed_body_pulls_what_hangs_on_it() -> None:
    world = World(rate=RATE)
    world.add_body("hand", Sphere(0.1), keyframed=True, velocity=(1.0, 0, 0), mask=0)
    world.add_body("load", Sphere(0.2), mass=2.0, position=(0, -1, 0), mask=0)
    world.add_joint("ball", "load", "hand", at=(0, 0, 0))
    world.step(2 * RATE)
    assert world.position("hand")[0] == pytest.approx(2.0, abs=1e-9)
    assert world.constraint_error() < 1e-7
    assert np.linalg.norm(world.position("load") - world.position("hand")) == pytest.approx(
        1.0, abs=1e-6
    )


def test_a_grab_follows_the_hand() -> None:
    world = World(rate=RATE)
    world.add_body("box", Box((0.3, 0.3, 0.3)), mass=4.0, mask=0)
    grab = world.grab("box", (0.1, 0.1, 0))
    world.move_grab(grab, (2, 1, 0))
    world.step(3 * RATE)
    R = world._bodies.arrays.rotation[world.find("box").slot]
    held = world.position("box") + R @ np.array([0.1, 0.1, 0])
    # a spring of 12 rad/s under gravity sags by g/ω² = 7 cm, less the damping's share
    assert np.linalg.norm(held - (2, 1, 0)) < 0.1
    world.release_grab(grab)
    world.step(RATE)
    assert world.position("box")[1] < -1


def test_a_twist_limit_holds_at_every_swing() -> None:
    """Also along the very axis it is measured by, where the angle of one vector has a pole."""
    for axis in ((1.0, 0, 0), (0, 1.0, 0), (0.6, 0.8, 0)):
        world = World(gravity=(0, 0, 0), rate=RATE)
        world.add_body("arm", Box((0.2, 0.2, 0.6)), mass=1.0, mask=0)
        limits = {"axis": (0, 0, 1), "twist_limits": (-0.3, 0.3)}
        joint = world.add_joint("ball", "arm", at=(0, 0, 0), **limits)
        world.set_orientation("arm", about(axis, 0.5 * math.pi))
        along = np.cross(axis, (0, 0, 1))  # its own axis now, about which it twists
        world.set_angular_velocity("arm", 3.0 * along)
        twists = []
        for _ in range(RATE):
            world.step()
            twists.append(world.joint_value(joint))
        # free it would come to 3 rad; LIMIT_MISS is what one step may be beyond the limit
        assert max(np.abs(twists)) < 0.3 + LIMIT_MISS
        assert max(np.abs(twists)) > 0.25


def test_a_lock_turned_over_lets_go_and_holds_again() -> None:
    """Two free bodies swing through half a turn, where no twist is defined: nothing happens."""
    world = World(gravity=(0, 0, 0), rate=RATE)
    for name, spin in (("a", 2.0), ("b", -2.0)):
        world.add_body(name, Box((0.2, 0.3, 0.4)), mass=1.0, mask=0)
        world.set_angular_velocity(name, (spin, 0, 0))
    world.add_joint("axial_lock", "a", "b", at=(0, 0, 0), axis=(0, 0, 1))
    energy = world.energy().kinetic
    world.step(2 * RATE)
    assert world.energy().kinetic == pytest.approx(energy, rel=1e-9)  # a lock does no work
    assert not any(world.stats.guard.values())
    world.set_angular_velocity("a", (0, 0, 3.0))
    world.set_angular_velocity("b", (0, 0, 0))
    world.step()  # and it is a lock again: equal bodies share a spin about the axis
    spins = world.angular_velocity("a")[2], world.angular_velocity("b")[2]
    assert spins == pytest.approx((1.5, 1.5), abs=0.05)
