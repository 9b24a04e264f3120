"""Low-rank forms of K̃, and the inverse of M - h²K̃ they give [Andrews17, §3 and App. B].

Sums of products a bᵀ must equal the matrices of constraints/rows, which test_rows.py holds against
differences; so each misprint of the printed appendix would be found here.
"""

from typing import Any

import numpy as np
import pytest

from physics.constraints.rows import DOT2, POINT, row_pairs
from physics.constraints.rows.angle import angle_pairs
from physics.constraints.rows.dot1 import dot1_pairs
from physics.integrate import refresh_mass
from physics.schemes.dense_inverse import invert_with_stiffness
from physics.solver.lowrank import update_group, update_node
from physics.state import NO_ROW, VECTOR, System
from physics.structs import bodies_ref, system_ref
from tests.physics.scenes import chain
from tests.physics.test_rows import Rows
from tests.physics.variants import label, variants

VARIANTS = variants()


def _summed(rows: Rows, e: int, r: int, primitive: int) -> np.ndarray:
    """Σ a bᵀ of one row (of a vector, all three)."""
    count, a, b = _pairs(rows, e, r, primitive)
    return a[:count, :12].T @ b[:count, :12]


def _pairs(rows: Rows, e: int, r: int, primitive: int) -> tuple[int, np.ndarray, np.ndarray]:
    work, a, b = np.zeros((3, 16, 16))
    return row_pairs(primitive, e, r, *rows.refs, work, a, b), a, b


@pytest.mark.parametrize("variant", VARIANTS, ids=label)
def test_pairs_sum_to_the_stiffness(variant: tuple[str, dict[str, Any]]) -> None:
    rows = Rows(*variant, seed=11)
    lam = rows.elements.lam.copy()
    for e in rows.chosen:
        for r, primitive in enumerate(rows.elements.primitive[e]):
            vector = rows.elements.traits[e, r] & VECTOR
            if primitive == NO_ROW or (vector and r > 0):
                continue
            rows.elements.lam[:] = 0.0
            own = slice(None) if vector else r
            rows.elements.lam[e, own] = lam[e, own]
            K = rows.stiffness()
            np.testing.assert_allclose(
                _summed(rows, e, r, primitive), K, rtol=0, atol=1e-12 * max(1.0, np.abs(K).max())
            )


def test_the_ranks_are_those_of_the_paper() -> None:
    """Two pairs per ball lever, two per dot-1 at n·u = 0, ten per dot-2 with the missing two."""
    for kind, primitive, most in (("ball", POINT, 4), ("point_on_line", DOT2, 10)):
        rows = Rows(kind, {}, seed=2)
        assert _pairs(rows, rows.chosen[0], 0, primitive)[0] == most
    a, b = np.zeros((16, 16)), np.zeros((16, 16))
    assert dot1_pairs(1.0, np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), a, b) == 2
    assert dot1_pairs(1.0, np.array([1.0, 0, 0]), np.array([0.6, 0.8, 0]), a, b) == 5


def test_angle_pairs_have_the_sign_of_a_right_handed_frame() -> None:
    """Where the axes agree and both bodies turn, K̃ of J = (0, -nᵀ, 0, nᵀ) is λn̂ over -λn̂.

    That is ∂(Jᵀλ)/∂θ with ∂n/∂θ = -n̂; [Andrews17, App. B] prints it negated.
    """
    rng = np.random.default_rng(3)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    lam, step = 1.7, 1e-6
    a, b, u, v = np.zeros((5, 12)), np.zeros((5, 12)), np.zeros(3), np.zeros(3)
    count = angle_pairs(lam, n, n, u, v, a, b)
    K = a[:count].T @ b[:count]
    expected = np.zeros((12, 3))
    for c in range(3):
        change = np.cross(np.eye(3)[c], n)  # ∂n/∂θ_c
        moved = (n + step * change) - (n - step * change)
        expected[3:6, c] = -lam * moved / (2 * step)
        expected[9:, c] = lam * moved / (2 * step)
    np.testing.assert_allclose(K[:, 3:6] + K[:, 9:], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("scale", [-3.0, -0.2, 0.4, 25.0])
def test_an_update_of_one_node_inverts_it(scale: float) -> None:
    """The denominator is 1 + scale·bᵀM⁻¹a, scale = -h²: [Andrews17] prints another."""
    rng = np.random.default_rng(7)
    M = np.zeros((9, 9))
    for n in range(0, 9, 3):
        block = rng.normal(size=(3, 3))
        M[n : n + 3, n : n + 3] = block @ block.T + np.eye(3)
    inverse, a, b = np.linalg.inv(M), np.zeros(12), np.zeros(12)
    a[9:], b[9:] = rng.normal(size=(2, 3))
    update_node(inverse, 1, a, b, 9, scale)
    M[3:6, 3:6] += scale * np.outer(a[9:], b[9:])
    expected = np.linalg.inv(M)
    np.testing.assert_allclose(inverse, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("rank", [1, 2, 6, 12])
def test_an_update_of_a_group_inverts_it(rank: int) -> None:
    """Nodes 1, 4 and 6 of seven are coupled; the element acts on 4 and 1, twice on neither."""
    rng = np.random.default_rng(rank)
    M = 3.0 * np.eye(21)
    group = np.array([1, 4, 6])
    own = (3 * group[:, None] + np.arange(3)).ravel()
    M[np.ix_(own, own)] += 0.3 * rng.normal(size=(9, 9))
    slots = np.array([4, -1, 1, -1])
    A, B = rng.normal(size=(2, rank, 12))
    inverse, scale = np.linalg.inv(M), -0.04
    scratch = np.empty((21, rank)), np.empty((rank, 21)), np.empty((rank, rank))
    update_group(inverse, group, 3, slots, A, B, rank, scale, *scratch)
    E = np.zeros((21, 12))
    E[12:15, 0:3], E[3:6, 6:9] = np.eye(3), np.eye(3)
    expected = np.linalg.inv(M + scale * E @ A.T @ B @ E.T)
    np.testing.assert_allclose(inverse, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("kind", ["ball", "universal", "hinge", "fixed", "prismatic", "cable"])
@pytest.mark.parametrize("links", [1, 4, 11])
def test_dense_inverse_is_the_inverse_of_mass_minus_stiffness(kind: str, links: int) -> None:
    """A moving chain with its real λ; M - h²K̃ assembled here in numpy, K̃ unsymmetric as it is."""
    scene = chain(
        20.0, 0.01, links=links, kind=kind, tilt=1.0, solver="pgs", stabilization="geometric"
    )
    world = scene.world
    world.step(3)
    stepper = world._stores.stepping.ensure()
    bodies, elements, system = world._bodies.arrays, world._joints.arrays, stepper.system
    refresh_mass(bodies_ref(bodies), system_ref(system))
    nodes = [node for node in range(len(bodies.solved)) if bodies.solved[node]]
    expected = np.linalg.inv(full_matrix(bodies, elements, system, nodes, world.h))
    invert_with_stiffness(stepper.scene, world.h)
    dense = dense_inverse(stepper, len(bodies.velocity))
    index = np.concatenate([3 * node + np.arange(3) for node in nodes])
    found = dense[np.ix_(index, index)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


def full_matrix(
    bodies: Any, elements: Any, system: System, nodes: list[int], h: float
) -> np.ndarray:
    from physics.constraints.rows import add_stiffness
    from physics.structs import elements_ref

    K = np.zeros_like(elements.K)
    lists = system.list_start, system.list_rows
    add_stiffness(bodies_ref(bodies), elements_ref(elements), *lists, elements.lam, K)
    place = {node: 3 * i for i, node in enumerate(nodes)}
    A = np.zeros((3 * len(nodes), 3 * len(nodes)))
    for node, i in place.items():
        A[i : i + 3, i : i + 3] = system.mass[node]
    for e in np.flatnonzero(elements.role):
        own = [2 * elements.body[e, s // 2] + s % 2 for s in range(4)]
        for s, i in enumerate(own):
            for t, j in enumerate(own):
                if i in place and j in place:
                    block = slice(place[i], place[i] + 3), slice(place[j], place[j] + 3)
                    A[block] -= h * h * K[e, s, t]
    return A


def dense_inverse(stepper: Any, nodes: int) -> np.ndarray:
    """scene.dense, read through the compiled side: structrefs have no Python attributes."""
    out = np.zeros((3 * nodes, 3 * nodes))
    _copy_dense(stepper.scene, out)
    return out


def _make_copy() -> Any:
    import numba

    @numba.njit
    def copy(scene, out):  # type: ignore[no-untyped-def]
        for i in range(len(out)):
            for j in range(len(out)):
                out[i, j] = scene.dense[i, j]

    return copy


_copy_dense = _make_copy()
