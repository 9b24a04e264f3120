"""The sweeps against an independent solution of the same problem.

A step with contacts is a complementarity problem: without friction linear,

    0 ≤ S μ + (J v_f + target) ⟂ μ ≥ 0,     S = J M⁻¹ Jᵀ,

v_f the velocity without contacts; with friction linear for polygons instead of disks. Both are
solved here by Lemke's pivoting (`lemke.py`), which shares nothing with the engine but J and M. As
it stands in play, the solution with friction is also held against Coulomb's law itself, contact by
contact, and against Newton's for every body.
"""

from typing import NamedTuple

import numpy as np
import pytest

from physics import Sphere, World
from tests.physics.contact.lemke import coulomb, lemke

RADIUS = 0.2  # m, of the balls
STRICT = 1e-9  # of the tolerances at which sweeps end in play


def crowd(seed: int, friction: float = 0.0, balls: int = 12) -> World:
    """Balls of very different mass flying at each other, none overlapping yet."""
    rng = np.random.default_rng(seed)
    world = World(gravity=(0, -9.81, 0))
    for k in range(balls):
        lattice = np.array([k % 3 - 1, k // 3 % 2, k // 6], dtype=float)
        at = 0.42 * lattice + rng.uniform(-0.005, 0.005, 3)
        world.add_body(
            f"ball {k}",
            Sphere(RADIUS),
            mass=float(10 ** rng.uniform(-1, 1)),
            position=tuple(at),
            velocity=tuple(-5.0 * at + 0.5 * rng.normal(size=3)),
            friction=friction,
        )
    return world


class Problem(NamedTuple):
    """A step as seen from outside: impulses μ change the velocities by A⁻¹Jᵀμ."""

    J: np.ndarray  # (3 contacts, 6 balls): normal and two tangents of each contact
    inverse: np.ndarray  # (6 balls,) of the masses and moments of inertia
    free: np.ndarray  # (6 balls,) velocities without contacts
    speed: np.ndarray  # (3 contacts,) J v + what may be used up of the gap

    @property
    def S(self) -> np.ndarray:
        return (self.J * self.inverse) @ self.J.T


def jacobian(rows, c: int) -> list[tuple[int, np.ndarray]]:
    """(body, its 3x6 part of J) for both bodies of a contact, from its geometry alone."""
    directions = np.stack([rows.normal[c], rows.tangent1[c], rows.tangent2[c]])
    a, b = (np.cross(anchor[c], directions) for anchor in (rows.anchor_a, rows.anchor_b))
    return [
        (int(rows.body_a[c]), np.hstack([directions, a])),
        (int(rows.body_b[c]), -np.hstack([directions, b])),
    ]


def solve_step(world: World) -> tuple[Problem, np.ndarray, np.ndarray]:
    """Takes a step, the sweeps going on to rounding; returns (problem, velocities, impulses)."""
    world._contacts.tolerance_scale[0] = STRICT
    balls = world.handles("body")
    velocity = world._bodies.arrays.velocity
    nodes = np.array([2 * ball.slot + k for ball in balls for k in range(2)])
    free = velocity[nodes].ravel()
    free[1::6] -= 9.81 * 0.5 * world.h  # the first kick of leapfrog lasts half a step
    world.step()
    rows = world._contacts.rows
    count = int(rows.count[0])
    J = np.zeros((3 * count, len(free)))
    for c in range(count):
        for body, given in jacobian(rows, c):
            at = 6 * (body - balls[0].slot)
            J[3 * c : 3 * c + 3, at : at + 6] = given
    mass = np.array([world.mass(ball) for ball in balls])
    inverse = np.repeat(1.0 / np.stack([mass, 0.4 * mass * RADIUS**2], 1).ravel(), 3)
    speed = J @ free
    speed[::3] += rows.target[:count]
    return Problem(J, inverse, free, speed), velocity[nodes].ravel(), rows.mu[:count].ravel()


@pytest.mark.parametrize("seed", range(6))
def test_frictionless_step_is_the_solution_of_its_lcp(seed: int) -> None:
    problem, found, impulses = solve_step(crowd(seed))
    normal = np.s_[::3]
    S, speed = problem.S[normal, normal], problem.speed[normal]
    assert len(speed) > 6
    impulse = lemke(S, speed)
    expected = problem.free + problem.inverse * (problem.J[normal].T @ impulse)
    # velocities are unique where impulses are not; sweeps end at 1e-12 of some m/s, and a slow mode
    # may be off by a thousand times the last change
    assert np.abs(expected - found).max() < 1e-8
    assert impulses[normal] == pytest.approx(impulse, abs=1e-7)
    # the reference itself
    w = S @ impulse + speed
    assert w.min() > -1e-12
    assert np.abs(w * impulse).max() < 1e-12


@pytest.mark.parametrize("friction", [0.2, 0.6])
@pytest.mark.parametrize("seed", range(4))
def test_step_with_friction_is_the_solution_of_its_lcp(seed: int, friction: float) -> None:
    """Lemke on polygons that are turned until they stand for disks."""
    problem, found, _ = solve_step(crowd(seed, friction, balls=6))
    impulse = coulomb(problem.S, problem.speed, friction)
    assert np.count_nonzero(impulse[::3] > 0.0) > 3
    expected = problem.free + problem.inverse * (problem.J.T @ impulse)
    assert np.abs(expected - found).max() < 1e-6


@pytest.mark.parametrize("friction", [0.2, 0.6, 1.5])
@pytest.mark.parametrize("seed", range(4))
def test_step_obeys_coulomb(seed: int, friction: float) -> None:
    world = crowd(seed, friction)
    balls = world.handles("body")
    world.step()
    rows = world._contacts.rows
    count = int(rows.count[0])
    velocity = world._bodies.arrays.velocity
    pressing = 0
    # sweeps stop at 1e-4 of the fastest approach, and slow modes may be off by ten times as much
    tolerance = 1e-3 * np.abs(rows.falling[:count]).max()
    for c in range(count):
        w = np.zeros(3)
        for body, given in jacobian(rows, c):
            w += given @ velocity[2 * body : 2 * body + 2].ravel()
        normal, sliding = w[0] + rows.target[c], w[1:]
        mu, mu_t = rows.mu[c, 0], rows.mu[c, 1:]
        limit = friction * mu
        assert mu >= 0.0
        assert np.linalg.norm(mu_t) <= limit * (1 + 1e-9)
        assert normal > -tolerance
        if mu > 0.0:
            pressing += 1
            assert abs(normal) < tolerance
            if np.linalg.norm(mu_t) < 0.999 * limit:
                assert np.linalg.norm(sliding) < tolerance  # it sticks
            elif np.linalg.norm(sliding) > tolerance:
                against = mu_t @ sliding / np.linalg.norm(mu_t) / np.linalg.norm(sliding)
                assert against < -0.99  # it slides, and friction opposes that
    assert pressing > 6
    # Newton: what each ball gained is what its contacts gave
    gained = {int(ball.slot): np.zeros(3) for ball in balls}
    for c in range(count):
        for body, given in jacobian(rows, c):
            gained[body] += given[:, :3].T @ rows.mu[c]
    before = crowd(seed, friction)
    for ball in balls:
        change = world.velocity(ball) - before.velocity(world.name(ball)) - world.gravity * world.h
        assert change * world.mass(ball) == pytest.approx(gained[int(ball.slot)], abs=1e-9)
