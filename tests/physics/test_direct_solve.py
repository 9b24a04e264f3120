"""The sparse block solve against dense numpy, on random articulated systems.

    A = [[ M̃, -J₀ᵀ ], [ -J, -Σ - ε ]]

The dense matrix is built here from masses, J, K and Σ alone, without the solver's ordering. To
1e-10 relative: block elimination without pivoting of systems with mass ratios of 1e3 loses four or
five of sixteen digits, and one refinement wins them back; that is part of the solver.
"""

from typing import Any

import numpy as np
import pytest

from physics import Box, World
from physics.constraints.rows import fill_rows
from physics.integrate import refresh_mass, refresh_rotations
from physics.params import REDUNDANCY
from physics.schemes.shared import mask_rows, prepare_rows, set_kicks
from physics.solver.assembly import assemble, multiply_system
from physics.solver.ldu import factorise, solve
from physics.stabilization import ADAPTIVE, GEOMETRIC, NONE, add_stabilization
from physics.structs import bodies_ref, elements_ref
from tests.physics.scenes import about
from tests.physics.variants import random_quaternion

SEEDS = [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (3, 4, 5))]

H = 0.01
KINDS = ("ball", "hinge", "universal", "fixed", "prismatic", "distance", "point_on_line", "cable")


def random_system(
    seed: int, *, loops: int = 0, redundant: bool = False, plane: bool = False
) -> World:
    """A random tree of bodies and particles, all kinds of joints, a spring, perhaps loops."""
    rng = np.random.default_rng(seed)
    world = World(rate=1 / H, dimension=2 if plane else 3)
    count = int(rng.integers(4, 14))
    flat = np.array([1.0, 1.0, 0.0 if plane else 1.0])
    for i in range(count):
        world.add_body(
            f"body {i}",
            Box(rng.uniform(0.1, 0.6, size=3)),
            mass=10.0 ** rng.uniform(-1.5, 1.5),
            position=rng.normal(size=3) * flat,
            orientation=about((0, 0, 1), rng.normal()) if plane else random_quaternion(rng),
            mask=0,
        )
    for i in range(count):
        parent = f"body {rng.integers(i)}" if i else None
        _join(world, str(rng.choice(KINDS)), f"body {i}", parent, rng, flat)
    for _ in range(loops):
        i, j = rng.choice(count, 2, replace=False)
        _join(world, "distance", f"body {i}", f"body {j}", rng, flat)
    if redundant:
        at = world.position("body 1") + 0.3 * flat
        for _ in range(2):  # the same joint twice: three rows too many
            world.add_joint("hinge", "body 1", "body 0", at=at, axis=(0, 0, 1))
    world.add_joint("spring", "body 0", f"body {count - 1}", stiffness=200.0, damper=3.0)
    for i in range(3):
        world.add_particle(f"bead {i}", mass=0.3, position=rng.normal(size=3) * flat)
        world.add_joint("distance", f"bead {i}", f"bead {i - 1}" if i else "body 0")
    return world


def _join(world: World, kind: str, a: str, b: str | None, rng: Any, flat: np.ndarray) -> None:
    point = world.position(a) + rng.normal(size=3) * flat
    axis = (0, 0, 1) if flat[2] == 0 else tuple(rng.normal(size=3))
    if kind == "prismatic" and flat[2] == 0:
        axis = (1, 0, 0)
    if kind == "distance":
        other = point + rng.normal(size=3) * flat if b is None else None
        world.add_joint(kind, a, b, at_a=point, at_b=other, compliance=float(rng.choice([0, 1e-5])))
    elif kind == "cable":
        world.add_joint(kind, a, b, at=point, axis=axis, axial_stiffness=1e7, bend_damping=0.5)
    else:
        world.add_joint(kind, a, b, at=point, axis=axis)


class Assembled:
    """The system of a world at its present state, and the same matrix in dense form."""

    def __init__(self, world: World, stabilization: int, moved: bool, seed: int) -> None:
        rng = np.random.default_rng(seed)
        stepper = world._stores.stepping.ensure()
        self.bodies, self.elements, self.system = (
            stepper.context.bodies,
            stepper.context.elements,
            stepper.system,
        )
        refs = (
            bodies_ref(self.bodies),
            elements_ref(self.elements),
            stepper.context.arrays.system_ref,
        )
        self.refs = refs
        self.elements.lam[:] = 50.0 * rng.normal(size=self.elements.lam.shape)
        lists = self.system.list_start, self.system.list_rows
        refresh_rotations(refs[0], refs[2])
        refresh_mass(refs[0], refs[2])
        fill_rows(*refs[:2], *lists, self.elements.J_start)
        mask_rows(*refs, self.elements.J_start, True)
        add_stabilization(stabilization, *refs, H)
        set_kicks(*refs, H, False)
        prepare_rows(*refs, H, False)
        if moved:
            self._move(rng)
        fill_rows(*refs[:2], *lists, self.elements.J)
        mask_rows(*refs, self.elements.J, False)
        assemble(refs[2], refs[1], REDUNDANCY)
        self.wrong_pivots = factorise(refs[2], not moved)

    def _move(self, rng: Any) -> None:
        """Positions at the end of a step differ from those at its start: J ≠ J₀."""
        alive = self.bodies.kind > 2
        change = 0.05 * rng.normal(size=self.bodies.position.shape) * self.bodies.free[::2]
        self.bodies.position[alive] += change[alive]
        refresh_rotations(self.refs[0], self.refs[2])

    def dense(self) -> np.ndarray:
        """A in the solver's order of unknowns, without ε."""
        system, elements = self.system, self.elements
        size = 3 * int(system.size[0])
        A = np.zeros((size, size))
        for k, node in enumerate(system.unknown):
            if node >= 0:
                A[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] += system.mass[node] + system.added[node]
        for e in system.coupled:
            self._add_stiffness(A, e)
        for e in system.bilateral:
            k = 3 * system.row_of[e]
            A[k : k + 3, k : k + 3] = -np.diag(elements.sigma[e])
            for s, i in self._places(e):
                A[k : k + 3, i : i + 3] -= elements.J[e, s]
                A[i : i + 3, k : k + 3] -= elements.J_start[e, s].T
        return A

    def _places(self, e: int) -> list[tuple[int, int]]:
        nodes = [2 * self.elements.body[e, s // 2] + s % 2 for s in range(4)]
        places = [(s, 3 * int(self.system.position_of[node])) for s, node in enumerate(nodes)]
        return [(s, i) for s, i in places if i >= 0]

    def _add_stiffness(self, A: np.ndarray, e: int) -> None:
        for s, i in self._places(e):
            for t, j in self._places(e):
                A[i : i + 3, j : j + 3] += self.elements.K[e, s, t]

    def solved(self, right: np.ndarray) -> np.ndarray:
        """The solver's answer with one refinement, as `linear` and Newton take it."""
        x = right.reshape(-1, 3).copy()
        solve(self.refs[2], x, 0, len(x))
        residual = right.reshape(-1, 3).copy()
        multiply_system(self.refs[2], self.refs[1], x, residual)
        solve(self.refs[2], residual, 0, len(x))
        return (x + residual).ravel()

    def is_node(self) -> np.ndarray:
        return np.repeat(self.system.unknown >= 0, 3)


@pytest.mark.parametrize("moved", [False, True], ids=["symmetric", "unsymmetric"])
@pytest.mark.parametrize("stabilization", [NONE, GEOMETRIC, ADAPTIVE])
@pytest.mark.parametrize("plane", [False, True], ids=["3d", "2d"])
@pytest.mark.parametrize("seed", SEEDS)
def test_trees_equal_the_dense_solution(
    seed: int, plane: bool, stabilization: int, moved: bool
) -> None:
    case = Assembled(random_system(seed, plane=plane), stabilization, moved, seed)
    A = case.dense()
    right = np.random.default_rng(seed).normal(size=len(A))
    expected = np.linalg.solve(A, right)
    assert case.wrong_pivots == 0
    node = case.is_node()
    for part in (node, ~node):
        scale = np.abs(expected[part]).max()
        np.testing.assert_allclose(
            case.solved(right)[part], expected[part], rtol=0, atol=1e-10 * scale
        )


@pytest.mark.parametrize("moved", [False, True], ids=["symmetric", "unsymmetric"])
@pytest.mark.parametrize("plane", [False, True], ids=["3d", "2d"])
@pytest.mark.parametrize("seed", SEEDS)
def test_loops_and_redundant_rows_give_the_same_motion(seed: int, plane: bool, moved: bool) -> None:
    """Redundant rows leave the forces open but not the motion; the right side is consistent.

    Their pivots are -ε plus round-off, so the signature is not asked for here.
    """
    world = random_system(seed, loops=2, redundant=True, plane=plane)
    case = Assembled(world, ADAPTIVE, moved, seed)
    A = case.dense()
    node = case.is_node()
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=len(A))
    right = A @ truth
    found = case.solved(right)
    scale = np.abs(truth[node]).max()
    np.testing.assert_allclose(found[node], truth[node], rtol=0, atol=1e-10 * scale)
    # and it solves the equations: the forces, whichever they are, do what they must
    np.testing.assert_allclose(A @ found, right, rtol=0, atol=1e-10 * np.abs(right).max())


def test_an_indefinite_mass_shows_in_the_pivots() -> None:
    case = Assembled(random_system(1), NONE, False, 1)
    assert case.wrong_pivots == 0
    case.system.added[:] = -3.0 * case.system.mass
    assemble(case.refs[2], case.refs[1], REDUNDANCY)
    assert factorise(case.refs[2], True) > 0


def test_a_million_to_one_is_still_exact() -> None:
    """What must hold is |J v|: a chain of 40 links with a load a million times as heavy."""
    from tests.physics.scenes import chain

    case = Assembled(chain(1e6, H, links=40).world, NONE, False, 0)
    A = case.dense()
    right = np.random.default_rng(0).normal(size=len(A))
    right[~case.is_node()] = 0.0
    found = case.solved(right)
    closing = (A @ found)[~case.is_node()]
    assert np.abs(closing).max() < 1e-10 * np.abs(found[case.is_node()]).max()
