"""Dense matrices of an articulation, and inverse dynamics, against closed forms and MuJoCo."""

import math

import numpy as np
import pytest

from physics import Box, Handle, Sphere, World
from tests.physics.scenes import about, chain

LENGTH, MASS = 1.2, 2.0
DRAWN = np.array([0.4, -0.7, 0.3])


def _arm(angles: np.ndarray, speeds: np.ndarray, axes: np.ndarray) -> tuple[World, list[Handle]]:
    """A serial arm of hinges; link i is a box along its own x axis, turned about axes[i]."""
    world = World(rate=240, sleeping=False)
    turn, point, omega, speed = np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3)
    q = np.array([1.0, 0, 0, 0])
    joints: list[Handle] = []
    previous = None
    for i, (angle, rate) in enumerate(zip(angles, speeds, strict=True)):
        axis = turn @ axes[i]
        q = _product(about(axis, angle), q)
        turn = _matrix(q)
        omega = omega + rate * axis
        half = turn @ np.array([LENGTH / 2, 0, 0])
        body = world.add_body(
            f"link {i}", Box((LENGTH, 0.2, 0.1)), mass=MASS, position=point + half, orientation=q,
            velocity=speed + np.cross(omega, half), angular_velocity=omega, mask=0,
        )  # fmt: skip
        ends = (body,) if previous is None else (previous, body)
        joints.append(world.add_joint("hinge", *ends, at=point, axis=axis))
        point, speed = point + 2 * half, speed + np.cross(omega, 2 * half)
        previous = body
    return world, joints


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    vector = p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *vector])


def _matrix(q: np.ndarray) -> np.ndarray:
    w, v = q[0], q[1:]
    hat = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * hat + 2 * hat @ hat


def test_a_single_arm_obeys_its_closed_form() -> None:
    """τ = (I + m l²/4) q̈ + m g (l/2) cos θ, I = m (l² + w²)/12."""
    for angle, acceleration in ((0.0, 0.0), (0.7, 3.0), (-2.0, -11.0)):
        world, (joint,) = _arm(np.array([angle]), np.array([1.7]), np.array([[0, 0, 1.0]]))
        inertia = MASS * (LENGTH**2 + 0.2**2) / 12 + MASS * LENGTH**2 / 4
        expected = inertia * acceleration + MASS * 9.81 * LENGTH / 2 * math.cos(angle)
        found = world.inverse_dynamics({joint: acceleration})[joint]
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-9)


def test_a_double_arm_obeys_its_closed_form() -> None:
    """Coriolis terms and all: Lagrange's equations of the planar double pendulum."""
    q, v, a = np.array([0.4, -0.9]), np.array([1.3, -2.1]), np.array([0.7, 4.0])
    world, joints = _arm(q, v, np.array([[0, 0, 1.0]] * 2))
    inertia = MASS * (LENGTH**2 + 0.2**2) / 12
    half, c2, s2 = LENGTH / 2, math.cos(q[1]), math.sin(q[1])
    m11 = 2 * inertia + MASS * half**2 + MASS * (LENGTH**2 + half**2 + 2 * LENGTH * half * c2)
    m12 = inertia + MASS * (half**2 + LENGTH * half * c2)
    m22 = inertia + MASS * half**2
    k = MASS * LENGTH * half * s2
    g1, g2 = MASS * 9.81 * half * math.cos(q[0]), MASS * 9.81 * half * math.cos(q[0] + q[1])
    first = m11 * a[0] + m12 * a[1] - k * (2 * v[0] * v[1] + v[1] ** 2)
    first += g1 + g2 + MASS * 9.81 * LENGTH * math.cos(q[0])
    second = m12 * a[0] + m22 * a[1] + k * v[0] ** 2 + g2
    found = world.inverse_dynamics(dict(zip(joints, a, strict=True)))
    np.testing.assert_allclose([found[j] for j in joints], [first, second], rtol=1e-8)


def test_inverse_dynamics_is_that_of_mujoco() -> None:
    """Six hinges about all axes, moving: mj_inverse, its own bias and its inertia matrix."""
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(3)
    axes = np.eye(3)[[2, 1, 0, 2, 0, 1]]
    q, v, a = rng.uniform(-1.5, 1.5, (3, 6))
    size = f"{LENGTH / 2} 0.1 0.05"
    text, closing = "", ""
    for i in range(6):
        at = 0.0 if i == 0 else LENGTH
        axis = " ".join(str(c) for c in axes[i])
        text += (
            f'<body pos="{at} 0 0"><joint type="hinge" axis="{axis}"/>'
            f'<geom type="box" size="{size}" pos="{LENGTH / 2} 0 0" mass="{MASS}"/>'
        )
        closing += "</body>"
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option gravity="0 -9.81 0"/><option><flag contact="disable"/></option>'
        f"<worldbody>{text}{closing}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
    mujoco.mj_inverse(model, data)
    world, joints = _arm(q, v, axes)
    found = world.inverse_dynamics(dict(zip(joints, a, strict=True)))
    expected = data.qfrc_inverse
    np.testing.assert_allclose(
        [found[j] for j in joints], expected, rtol=0, atol=1e-7 * np.abs(expected).max()
    )


def test_the_forces_give_the_accelerations() -> None:
    """Motors that give these torques speed the joints up as wanted, but for O(h)."""
    q, v, a = np.array([0.4, -0.9, 0.5]), np.array([0.3, -0.1, 0.2]), np.array([0.7, 4.0, -3.0])
    world, joints = _arm(q, v, np.array([[0, 0, 1.0], [0, 1.0, 0], [1.0, 0, 0]]))
    forces = world.inverse_dynamics(dict(zip(joints, a, strict=True)))
    for joint, force in forces.items():
        info = world.joint(joint)
        world.apply_torque(info.b or info.a, force * info.axis)
        if info.b is not None:
            world.apply_torque(info.a, -force * info.axis)
    before = np.array([world.joint_speed(j) for j in joints])
    world.rate = 400_000
    world.step(400)
    after = np.array([world.joint_speed(j) for j in joints])
    np.testing.assert_allclose((after - before) / (400 * world.h), a, rtol=0, atol=0.05)


def test_joints_that_are_not_named_hang_free() -> None:
    """A cart pushed so that it stays: the pole falls, and the force is the pole's pull."""
    world = World(rate=240, sleeping=False)
    world.add_body("cart", Box((1, 0.2, 0.2)), mass=3.0, mask=0)
    world.add_body("pole", Sphere(0.1), mass=1.0, position=(0.6, 0.8, 0), mask=0)
    world.add_joint("prismatic", "cart", at=(0, 0, 0), axis=(1, 0, 0), name="rail")
    world.add_joint("hinge", "cart", "pole", at=(0, 0, 0), axis=(0, 0, 1), name="pin")
    inertia = 0.4 * 1.0 * 0.1**2 + 1.0
    falling = -9.81 * 0.6 / inertia  # rad/s², about z
    found = world.inverse_dynamics({"rail": 0.0})[world.find("rail")]
    assert found == pytest.approx(falling * -0.8, rel=1e-9)


def test_a_loop_that_cannot_follow_is_refused() -> None:
    """A four-bar has one freedom: of two driven hinges the second must agree with the first."""
    world = World(rate=240)
    corners = np.array([(0, 0, 0), (0.3, 1, 0), (2, 1.5, 0), (2.2, 0, 0.0)])
    previous, joints = None, []
    for i in range(3):
        along = corners[i + 1] - corners[i]
        size = float(np.linalg.norm(along))
        body = world.add_body(
            f"bar {i}", Box((size, 0.1, 0.1)), mass=1, position=(corners[i] + corners[i + 1]) / 2,
            orientation=about((0, 0, 1), math.atan2(along[1], along[0])), mask=0,
        )  # fmt: skip
        ends = (body,) if previous is None else (previous, body)
        joints.append(world.add_joint("hinge", *ends, at=corners[i], axis=(0, 0, 1)))
        previous = body
    joints.append(world.add_joint("hinge", previous, at=corners[3], axis=(0, 0, 1)))
    held = world.inverse_dynamics({joints[0]: 0.0})
    assert abs(held[joints[0]]) > 0.1
    assert set(world.inverse_dynamics({joints[0]: 0.0, joints[3]: 0.0})) == {joints[0], joints[3]}
    with pytest.raises(ValueError, match="drive fewer"):
        world.inverse_dynamics({joints[0]: 1.0, joints[3]: -5.0})


def test_the_matrices_are_those_of_the_bodies() -> None:
    world, _ = _arm(DRAWN, np.ones(3), np.array([[0, 0, 1.0], [0, 1.0, 0], [1.0, 0, 0]]))
    found = world.articulation("link 1")
    assert [h.name for h in found.bodies] == ["link 0", "link 1", "link 2"]
    assert found.mass.shape == (18, 18)
    assert found.jacobian.shape == (15, 18)
    np.testing.assert_allclose(found.jacobian @ found.velocity, 0, atol=1e-12)
    np.testing.assert_allclose(found.error, 0, atol=1e-12)
    kinetic = 0.5 * found.velocity @ found.mass @ found.velocity
    assert kinetic == pytest.approx(world.energy().kinetic, rel=1e-9)
    assert np.bincount(found.rows).tolist() == [5, 5, 5]
    assert np.linalg.matrix_rank(found.jacobian) == 15
    assert "3 bodies, 3 joints, 18 degrees of freedom, 15 rows" in repr(found)


def test_two_dimensions_have_three_freedoms_a_body() -> None:
    world = World(dimension=2)
    world.add_body("a", Box((1, 1, 1)), mass=1)
    world.add_joint("hinge", "a", at=(0, 1, 0), axis=(0, 0, 1), name="pin")
    assert world.articulation("a").freedoms[:, 1].tolist() == [0, 1, 5]
    assert world.inverse_dynamics({"pin": 2.0})[world.find("pin")] == pytest.approx(2 * (1 + 1 / 6))


def test_springs_and_compliant_joints_are_forces() -> None:
    world = World(gravity=(0, 0, 0))
    world.add_body("a", Box((1, 1, 1)), mass=2, mask=0)
    world.add_joint("prismatic", "a", axis=(1, 0, 0), name="rail")
    world.add_joint("spring", "a", at_b=(3, 0, 0), stiffness=7.0, length=1.0)
    assert world.inverse_dynamics({"rail": 0.0})[world.find("rail")] == pytest.approx(-14.0)


def test_nothing_is_changed_by_asking() -> None:
    scene = chain(50.0, 1 / 60, kind="hinge")
    scene.world.step(5)
    before = scene.world.hash()
    scene.world.articulation("load")
    scene.world.inverse_dynamics({scene.joints[0]: 1.0})
    assert scene.world.hash() == before
    scene.world.step(5)
    other = chain(50.0, 1 / 60, kind="hinge")
    other.world.step(10)
    assert scene.world.hash() == other.world.hash()


def test_what_makes_no_sense_is_refused() -> None:
    world = World()
    world.add_body("free", Sphere(0.1), mass=1)
    world.add_body("hung", Sphere(0.1), mass=1)
    world.add_body("wall", Box((1, 1, 1)), fixed=True)
    world.add_joint("ball", "hung", at=(0, 1, 0), name="ball")
    world.add_joint("hinge", "wall", axis=(0, 0, 1), name="stuck")
    with pytest.raises(ValueError, match="hangs on no joint"):
        world.articulation("free")
    with pytest.raises(ValueError, match="no coordinate to drive"):
        world.inverse_dynamics({"ball": 1.0})
    with pytest.raises(ValueError, match="holds nothing that moves"):
        world.inverse_dynamics({"stuck": 1.0})
    with pytest.raises(ValueError, match="acceleration"):
        world.inverse_dynamics({"stuck": math.nan})
