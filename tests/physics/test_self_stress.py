"""Forces of least norm in loops that are held more than once, against dense linear algebra."""

import math
from typing import Any

import numpy as np
import pytest

from physics import Box, World
from physics.islands.lists import enter_whole
from physics.jit import kernel
from physics.schemes.shared import begin_rows
from physics.solver.self_stress import remove_self_stress
from tests.physics.scenes import about, chain


@kernel
def _reduce(scene, force):  # type: ignore[no-untyped-def]
    enter_whole(scene)
    begin_rows(scene.bodies, scene.elements, scene.system)
    remove_self_stress(scene.elements, scene.system, force)


def bricard() -> World:
    """Six hinges in a ring, each at right angles to the next: it moves, held once too often."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1.0)])
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    world, previous = World(sleeping=False), None
    for i in range(5):
        size = np.where(np.abs(corners[i + 1] - corners[i]) > 0.5, 1.0, 0.02)
        middle = (corners[i] + corners[i + 1]) / 2
        body = world.add_body(f"b{i}", Box(tuple(size)), mass=1, position=middle, mask=0)
        world.add_joint("hinge", body, previous, at=corners[i], axis=axes[i])
        previous = body
    world.add_joint("hinge", previous, at=corners[5], axis=axes[5])
    return world


def door() -> World:
    world = World(sleeping=False)
    world.add_body("door", Box((1, 2, 0.1)), mass=20, position=(0.5, 0, 0), mask=0)
    for y in (-0.9, 0.1, 0.9):
        world.add_joint("hinge", "door", at=(0, y, 0), axis=(0, 1, 0))
    return world


def table() -> World:
    """A top on four legs that stand fixed in the ground."""
    world = World(sleeping=False)
    world.add_body("top", Box((2, 0.1, 1)), mass=30, position=(0, 1, 0), mask=0)
    for i, (x, z) in enumerate(((-0.9, -0.4), (0.9, -0.4), (0.9, 0.4), (-0.9, 0.4))):
        leg = world.add_body(f"leg{i}", Box((0.1, 1, 0.1)), mass=2, position=(x, 0.5, z), mask=0)
        world.add_joint("fixed", leg, "top", at=(x, 1, z))
        world.add_joint("fixed", leg, at=(x, 0, z))
    return world


def four_bar(dimension: int = 3) -> World:
    world = World(sleeping=False, dimension=dimension)
    corners = np.array([(0, 0, 0), (0.3, 1, 0), (2, 1.5, 0), (2.2, 0, 0.0)])
    previous = None
    for i in range(3):
        along = corners[i + 1] - corners[i]
        body = world.add_body(
            f"bar{i}", Box((float(np.linalg.norm(along)), 0.1, 0.1)), mass=10.0**i,
            position=(corners[i] + corners[i + 1]) / 2, mask=0,
            orientation=about((0, 0, 1), math.atan2(along[1], along[0])),
        )  # fmt: skip
        world.add_joint("hinge", body, previous, at=corners[i], axis=(0, 0, 1))
        previous = body
    world.add_joint("hinge", previous, at=corners[3], axis=(0, 0, 1))
    return world


def _rows(world: World) -> tuple[Any, Any, np.ndarray, np.ndarray, np.ndarray]:
    """Stepper, elements, which rows count, their J over free columns, and their weights."""
    stepper = world._stores.stepping.ensure()
    elements, bodies = world._joints.arrays, world._bodies.arrays
    _reduce(stepper.scene, np.zeros_like(elements.lam))  # evaluates J_start
    chosen = np.argwhere((elements.role == 1)[:, None] & (elements.idle == 0))
    size = 3 * len(bodies.velocity)
    J, levers = np.zeros((len(chosen), size)), []
    for i, (e, r) in enumerate(chosen):
        for s in range(4):
            node = elements.node[e, s]
            J[i, 3 * node : 3 * node + 3] += elements.J_start[e, s, r]
            if (
                s % 2
                and np.any(elements.J_start[e, s - 1, r])
                and np.any(elements.J_start[e, s, r])
            ):
                ratio = np.linalg.norm(elements.J_start[e, s, r])
                levers.append(ratio / np.linalg.norm(elements.J_start[e, s - 1, r]))
    length = np.mean(levers)
    turning = np.repeat(np.arange(size // 3) % 2 == 1, 3)
    solved = np.repeat(bodies.solved == 1, 3) & (bodies.free.ravel() == 1)
    weight = (J**2 / np.where(turning, length**2, 1.0))[:, solved].sum(axis=1)
    return stepper, elements, chosen, J[:, solved], weight


def _least(J: np.ndarray, weight: np.ndarray, force: np.ndarray) -> np.ndarray:
    scale = np.sqrt(weight)
    return np.linalg.pinv(J.T / scale, rcond=1e-9) @ (J.T @ force) / scale


@pytest.mark.parametrize(
    ("make", "redundant"),
    [(bricard, 1), (door, 10), (table, 18), (four_bar, 3), (lambda: four_bar(2), 0)],
)
def test_the_least_forces_are_those_of_dense_algebra(make: Any, redundant: int) -> None:
    """Forces with ten thousand times as much self-stress as load keep Jᵀλ, and lose the stress."""
    world = make()
    stepper, elements, chosen, J, weight = _rows(world)
    null = np.linalg.svd(J.T)[2][np.linalg.matrix_rank(J, tol=1e-9) :]
    assert len(null) == redundant
    rng = np.random.default_rng(1)
    load = rng.normal(size=len(chosen))
    force = load + 1e4 * null.T @ rng.normal(size=len(null))
    lam = np.zeros_like(elements.lam)
    lam[tuple(chosen.T)] = force
    _reduce(stepper.scene, lam)
    found, expected = lam[tuple(chosen.T)], _least(J, weight, force)
    np.testing.assert_allclose(J.T @ found, J.T @ force, rtol=0, atol=1e-5)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * max(1, np.abs(expected).max()))


def test_what_is_held_once_keeps_its_forces() -> None:
    """A chain without loops, a million to one: the forces are determined, and stay."""
    world = chain(1e6, 1 / 60, kind="hinge").world
    world.step(3)
    lam = world._joints.arrays.lam.copy()
    before = lam.copy()
    _reduce(world._stores.stepping.ensure().scene, lam)
    np.testing.assert_allclose(lam, before, rtol=0, atol=1e-7 * np.abs(before).max())


def test_three_hinges_share_the_weight_of_a_door() -> None:
    """Along the axis each bears a third; the pulls against tipping are as small as they can be."""
    world = door()
    world.step(2)
    elements = world._joints.arrays
    lam = elements.lam.copy()
    _reduce(world._stores.stepping.ensure().scene, lam)
    up = [lam[world._joints.joints[j.slot].elements[0], 1] for j in world.handles("joint")]
    np.testing.assert_allclose(np.abs(up), 20 * 9.81 / 3, rtol=1e-3)
    assert np.abs(lam).max() < 20 * 9.81
