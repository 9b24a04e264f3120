"""Motion that is known exactly. A test belongs here when its answer comes from paper, not from us.

Tolerances follow the order of the integrator: positions after T seconds err by O(h T) where the
scheme is of first order, periods by O(h²) since symplectic Euler conserves a nearby energy.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipk

from physics import Box, Sphere, World
from tests.physics.scenes import G, pendulum

H = 1 / 60


def _lone(world: World, **state: object) -> None:
    world.add_body("body", Sphere(0.1), mass=3.0, mask=0, **state)


@pytest.mark.parametrize("stabilization", ["none", "adaptive"])
def test_free_fall(stabilization: str) -> None:
    """Leapfrog: x_n = n h v₀ + g (n h)²/2 to round-off; the papers' schemes are symplectic Euler,
    x_n = n h v₀ + g h² n(n+1)/2. v_n = v₀ + n h g in both."""
    world = World(rate=60, stabilization=stabilization)
    _lone(world, velocity=(1.0, 5.0, -2.0))
    n = 120
    world.step(n)
    np.testing.assert_allclose(
        world.velocity("body"), (1.0, 5.0 - n * H * G, -2.0), rtol=0, atol=1e-12
    )
    fall = 5.0 * n * H - 0.5 * G * H * H * n * (n + (stabilization == "none"))
    np.testing.assert_allclose(
        world.position("body"), (n * H, fall, -2 * n * H), rtol=0, atol=1e-11
    )


def test_a_particle_and_a_body_fall_alike() -> None:
    world = World(rate=60)
    _lone(world)
    world.add_particle("dust", mass=1e-3)
    world.step(60)
    np.testing.assert_allclose(world.position("dust"), world.position("body"), rtol=0, atol=1e-12)


def _crossings(world: World, read: object, seconds: float) -> list[float]:
    """Times at which `read()` falls through zero, by linear interpolation."""
    times, before = [], read()  # type: ignore[operator]
    while world.time < seconds:
        world.step()
        now = read()  # type: ignore[operator]
        if before > 0.0 >= now:
            times.append(world.time - world.h * now / (now - before))
        before = now
    return times


@pytest.mark.parametrize("angle", [0.05, 1.0])
def test_period_of_a_five_metre_pendulum(angle: float) -> None:
    """T = 4 √(I/(m g l)) K(sin²(θ/2)), I = m l² + 2/5 m r² for a ball that turns with its rod.

    The ball joint holds the sphere at a lever, so that it swings as a rigid body. 0.1 % is asked
    for; symplectic Euler itself errs by (hω)²/24 = 2e-5 at h = 1/60.
    """
    length, radius = 5.0, 0.1
    scene = pendulum(length, angle, H, radius=radius)
    world = scene.world
    times = _crossings(world, lambda: world.position("bob")[0], 30.0)
    period = float(np.diff(times).mean())
    arm = (length**2 + 0.4 * radius**2) / (G * length)
    expected = 4.0 * math.sqrt(arm) * float(ellipk(math.sin(angle / 2) ** 2))
    assert len(times) >= 5
    assert period == pytest.approx(expected, rel=1e-3)
    print(f"pendulum {angle}: period {period:.6f} s, exact {expected:.6f} s")


@pytest.mark.parametrize("kind", ["spring", "distance"])
def test_spring_frequency_and_energy(kind: str) -> None:
    """A mass on a spring, k/m = (2π)²: T = 1 s. Ten periods at h = 1/240.

    The stiffness form is leapfrog, the compliant row the trapezoidal rule: T errs by (hω)²/24 and
    (hω)²/12, 3e-5 and 6e-5. Leapfrog's energy swings by (hω)²/8 = 9e-5, the trapezoidal rule's not
    at all.
    """
    stiffness = (2 * math.pi) ** 2
    world = World(rate=240, gravity=(0, 0, 0))
    world.add_particle("mass", mass=1.0, position=(1.3, 0, 0))
    given = {"stiffness": stiffness} if kind == "spring" else {"compliance": 1 / stiffness}
    world.add_joint(kind, "mass", at_b=(0, 0, 0), length=1.0, **given)
    start = 0.5 * stiffness * 0.3**2
    times = _crossings(world, lambda: world.position("mass")[0] - 1.0, 10.0)
    assert float(np.diff(times).mean()) == pytest.approx(1.0, rel=1e-4)
    left = world.energy().total / start
    assert left == pytest.approx(1.0, abs=1e-4 if kind == "spring" else 1e-6)


@pytest.mark.parametrize("stabilization", ["none", "geometric", "inertial", "constraint"])
def test_a_compliant_damped_row_is_backward_euler(stabilization: str) -> None:
    """v₊ = (m v - h k φ)/(m + h b + h² k), which holds for Γ, Σ with the brackets put right.

    The printed Eqs. 16-17 of [Andrews17] put h² outside and give another v₊.
    """
    m, k, b, h, stretch, speed = 2.0, 300.0, 7.0, 1 / 50, 0.1, 0.4
    world = World(rate=1 / h, gravity=(0, 0, 0), stabilization=stabilization)
    world.add_particle("mass", mass=m, position=(1 + stretch, 0, 0), velocity=(speed, 0, 0))
    world.add_joint("distance", "mass", at_b=(0, 0, 0), length=1.0, compliance=1 / k, damping=b)
    world.step()
    expected = (m * speed - h * k * stretch) / (m + h * b + h * h * k)
    assert world.velocity("mass")[0] == pytest.approx(expected, rel=1e-10)


def test_the_adaptive_compliant_damped_row_is_of_second_order() -> None:
    """The damped oscillator x = e^(-βt)(s cos νt + (v + βs)/ν sin νt), at 50, 100 and 200 Hz.

    Halving the step leaves a quarter of the errors of position and reported velocity.
    """
    m, k, b, stretch, speed, t = 2.0, 300.0, 7.0, 0.1, 0.4, 0.6
    beta = b / (2 * m)
    nu = math.sqrt(k / m - beta**2)
    B = (speed + beta * stretch) / nu
    x = math.exp(-beta * t) * (stretch * math.cos(nu * t) + B * math.sin(nu * t))
    v = math.exp(-beta * t) * (
        (B * nu - beta * stretch) * math.cos(nu * t) - (stretch * nu + beta * B) * math.sin(nu * t)
    )
    errors = []
    for rate in (50, 100, 200):
        world = World(rate=rate, gravity=(0, 0, 0))
        world.add_particle("mass", mass=m, position=(1 + stretch, 0, 0), velocity=(speed, 0, 0))
        world.add_joint("distance", "mass", at_b=(0, 0, 0), length=1.0, compliance=1 / k, damping=b)
        world.step(round(t * rate))
        errors.append((abs(world.position("mass")[0] - 1 - x), abs(world.velocity("mass")[0] - v)))
    print("errors (m, m/s) at 50, 100, 200 Hz:", errors)
    for coarse, fine in itertools.pairwise(errors):
        assert np.log2(np.divide(coarse, fine)) == pytest.approx([2.0, 2.0], abs=0.2)


def test_dzhanibekov() -> None:
    """A free top spun about its middle axis flips over and over; energy and |L| do not change.

    Leapfrog keeps L in the axes of the world: 1e-9 over 10⁴ steps leaves room for round-off and for
    Newton's tolerance. Its energy swings by the square of the turn in a step, h ω = 0.1 rad, times
    the spread of the inertias, and comes back: no drift.
    """
    world = World(rate=100, gravity=(0, 0, 0))
    world.add_body(
        "nut", Box((0.1, 0.3, 0.5)), mass=1.0, angular_velocity=(1e-3, 10.0, 1e-3), mask=0
    )
    bodies = world._bodies.arrays
    slot = world.find("nut").slot
    start = world.energy().kinetic
    signs, worst, spread = [], 0.0, 0.0
    first = _angular_momentum(world, slot)
    for _ in range(1000):
        world.step(10)
        worst = max(worst, abs(world.energy().kinetic / start - 1.0))
        now = _angular_momentum(world, slot)
        spread = max(spread, abs(np.linalg.norm(now) / np.linalg.norm(first) - 1.0))
        signs.append((bodies.rotation[slot].T @ world.angular_velocity("nut"))[1] > 0)
    flips = sum(a != b for a, b in itertools.pairwise(signs))
    print(f"top: energy {worst:.1e}, |L| {spread:.1e}, {flips} flips in 100 s")
    assert worst < 1e-3
    assert abs(world.energy().kinetic / start - 1.0) < 1e-3
    assert spread < 1e-9
    assert flips >= 10


def _angular_momentum(world: World, slot: int) -> np.ndarray:
    bodies = world._bodies.arrays
    R = bodies.rotation[slot]
    return R @ bodies.inertia[slot] @ R.T @ world.angular_velocity("nut")


def test_a_symmetric_top_precesses_at_the_right_rate() -> None:
    """Free symmetric top: the spin circles the figure axis at Ω = (I₃ - I₁)/I₁ ω₃ in body axes."""
    world = World(rate=1000, gravity=(0, 0, 0))
    world.add_body("disc", Box((1.0, 0.2, 1.0)), mass=1.0, angular_velocity=(1.0, 5.0, 0), mask=0)
    bodies, slot = world._bodies.arrays, world.find("disc").slot
    I1, I3 = bodies.inertia[slot, 0, 0], bodies.inertia[slot, 1, 1]
    world.step(1000)
    body = bodies.rotation[slot].T @ world.angular_velocity("disc")
    turned = math.atan2(body[0], body[2]) - math.atan2(1.0, 0.0)
    expected = (I3 - I1) / I1 * 5.0
    difference = math.remainder(turned - expected, 2 * math.pi)
    assert abs(difference) < 1e-4  # midpoint: (hΩ)²/12 per radian
    assert body[1] == pytest.approx(5.0, rel=1e-6)


def test_catenary() -> None:
    """A chain of 40 equal links, hung as a V, comes to rest with the sag of y = a cosh(x/a)."""
    n, half, depth = 40, 3.0, 2.5
    world = World(rate=60)
    share = np.abs(np.linspace(-1, 1, n + 1))
    for i in range(n + 1):
        side = half * share[i] * (1 if i > n // 2 else -1)
        place = (side, -depth * (1 - share[i]), 0)
        world.add_particle(f"p{i}", mass=0.1, position=place, fixed=i in (0, n))
        if i:
            world.add_joint("distance", f"p{i}", f"p{i - 1}")
    for _ in range(200):  # friction of the air, by hand, until it rests
        world.step(5)
        for i in range(1, n):
            world.set_velocity(f"p{i}", 0.7 * world.velocity(f"p{i}"))
    length = 2 * math.hypot(half, depth)
    a = brentq(lambda a: 2 * a * math.sinh(half / a) - length, 0.1, 100.0)
    expected = a * (math.cosh(half / a) - 1)
    found = -world.position(f"p{n // 2}")[1]
    print(f"catenary: sag {found:.5f} m, exact {expected:.5f} m")
    assert abs(found - depth) > 0.1  # it did leave its V
    # straight links instead of a curve: O(1/n²), some 1e-3 of the sag
    assert found == pytest.approx(expected, rel=3e-3)


def test_a_suspension_bridge_is_a_parabola() -> None:
    """Masses evenly spaced in x, not along the chain, rest on a parabola exactly: nothing moves."""
    n, half = 40, 3.0
    world = World(rate=60)
    xs = np.linspace(-half, half, n + 1)
    for i, x in enumerate(xs):
        place = (x, 2.0 * (x / half) ** 2, 0)
        world.add_particle(f"p{i}", mass=0.1, position=place, fixed=i in (0, n))
        if i:
            world.add_joint("distance", f"p{i}", f"p{i - 1}")
    before = world.poses()[0]
    world.step(120)
    assert np.abs(world.poses()[0] - before).max() < 1e-9
