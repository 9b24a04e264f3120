"""The sweeps against an independent solution of the same problem.

Without friction a step is the least-distance problem

    min (v - v_f)ᵀ M (v - v_f)   subject to   J v + target ≥ 0,

v_f the velocity without contacts; it is solved here by non-negative least squares (Lawson and
Hanson's LDP), which shares nothing with the engine but J and M. With friction the solution is held
against Coulomb's law itself, contact by contact, and against Newton's for every body.
"""

import numpy as np
import pytest
from scipy.optimize import nnls

from physics import Sphere, World


def crowd(seed: int, friction: float = 0.0) -> World:
    """Balls of very different mass flying at each other, none overlapping yet."""
    rng = np.random.default_rng(seed)
    world = World(gravity=(0, -9.81, 0))
    for k in range(12):
        lattice = np.array([k % 3 - 1, k // 3 % 2, k // 6], dtype=float)
        at = 0.42 * lattice + rng.uniform(-0.005, 0.005, 3)
        world.add_body(
            f"ball {k}",
            Sphere(0.2),
            mass=float(10 ** rng.uniform(-1, 1)),
            position=tuple(at),
            velocity=tuple(-5.0 * at + 0.5 * rng.normal(size=3)),
            friction=friction,
        )
    return world


@pytest.mark.parametrize("seed", range(6))
def test_step_is_the_least_distance_solution(seed: int) -> None:
    world = crowd(seed)
    balls = world.handles("body")
    free = np.concatenate([world.velocity(ball) for ball in balls])
    free[1::3] -= 9.81 * world.h
    world.step()
    found = np.concatenate([world.velocity(ball) for ball in balls])
    rows = world._contacts.rows
    count = int(rows.count[0])
    assert count > 6
    J = np.zeros((count, len(free)))
    for c in range(count):
        for side, body in enumerate((rows.body_a[c], rows.body_b[c])):
            J[c, 3 * (body - 1) : 3 * body] = rows.J[c, 2 * side, 0]
    root = np.sqrt(np.repeat([world.mass(ball) for ball in balls], 3))
    G = J / root
    least = -(rows.target[:count] + J @ free)
    dual, _ = nnls(np.vstack([G.T, least]), np.r_[np.zeros(len(free)), 1.0])
    residual = np.vstack([G.T, least]) @ dual - np.r_[np.zeros(len(free)), 1.0]
    expected = free - residual[:-1] / residual[-1] / root
    assert np.abs(expected - found).max() < 1e-4
    assert (J @ found + rows.target[:count]).min() > -1e-4


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
        for s in range(4):
            body = (rows.body_a[c], rows.body_b[c])[s // 2]
            w += rows.J[c, s] @ velocity[2 * body + s % 2]
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
        for side, body in enumerate((rows.body_a[c], rows.body_b[c])):
            gained[int(body)] += rows.J[c, 2 * side].T @ rows.mu[c]
    before = crowd(seed, friction)
    for ball in balls:
        change = world.velocity(ball) - before.velocity(ball) - world.gravity * world.h
        assert change * world.mass(ball) == pytest.approx(gained[int(ball.slot)], abs=1e-9)
