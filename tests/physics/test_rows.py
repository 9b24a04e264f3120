"""J and K̃ of every joint kind against central differences, at poses where φ ≠ 0.

    J = ∂φ/∂x,   K̃ = ∂(Jᵀλ)/∂x,   x moved by (δp, δθ): p + δp, exp(δθ^) R, world axes

One test over the registry; a kind that is added is tested without a line here. Central differences
with ε = 1e-5 err by ε²·φ''' ≈ 1e-9 and by round-off 1e-16/ε = 1e-11; the tolerance is 1e-7 of the
largest entry, seven digits under the sign errors and swapped vectors this is to find.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from physics import JOINTS
from physics.constraints import rows as rows_folder
from physics.constraints.rows import PRIMITIVES, add_stiffness, fill_rows
from physics.integrate import refresh_rotations
from physics.scene_arrays import make_scene
from physics.state import KEEPS_TURN, NO_ROW, TRANSLATES, TURNS, VECTOR
from physics.structs import bodies_ref, elements_ref
from tests.physics.variants import label, live_elements, random_quaternion, two_bodies, variants

FOLDER = Path(rows_folder.__file__).parent
STEP = 1e-5
TOLERANCE = 1e-7
VARIANTS = variants()


class Rows:
    """The rows of one joint between two bodies, evaluated wherever the bodies are put."""

    def __init__(self, kind: str, parameters: dict[str, Any], seed: int) -> None:
        rng = np.random.default_rng(seed)
        world = two_bodies(kind, parameters, rng)
        self.bodies, self.elements = world._bodies.arrays, world._joints.arrays
        records = world._stores.records
        counters = records.counters, records.measures, records.cycles
        arrays = make_scene(
            self.bodies, self.elements, False, False, world._contacts.ref, *counters
        )
        self.system, self.system_ref = arrays.system, arrays.system_ref
        self.refs = bodies_ref(self.bodies), elements_ref(self.elements)
        self.chosen = live_elements(self.elements)
        self.slots = [world.find(name).slot for name in "ab"]
        # away from where the joint was made, so that φ ≠ 0 and nothing is perpendicular any more
        for slot in self.slots:
            self.bodies.position[slot] += 0.5 * rng.normal(size=3)
            self.bodies.orientation[slot] = random_quaternion(rng)
        self.elements.lam[self.chosen] = rng.normal(size=(len(self.chosen), 3))
        self.pose = self.bodies.position.copy(), self.bodies.orientation.copy()
        self.evaluate()  # makes the unwrapped angles those of this pose

    def evaluate(self) -> tuple[np.ndarray, np.ndarray]:
        """φ (rows,) and J (rows, 12) of all rows of the joint."""
        refresh_rotations(self.refs[0], self.system_ref)
        lists = self.system.list_start, self.system.list_rows
        fill_rows(*self.refs, *lists, self.elements.J)
        J = self.elements.J[self.chosen].transpose(0, 2, 1, 3).reshape(-1, 12)
        return self.elements.phi[self.chosen].ravel(), J.copy()

    def stiffness(self) -> np.ndarray:
        """K̃ (12, 12), summed over the rows."""
        self.elements.K[:] = 0.0
        lists = self.system.list_start, self.system.list_rows
        add_stiffness(*self.refs, *lists, self.elements.lam, self.elements.K)
        blocks = self.elements.K[self.chosen].sum(axis=0)
        return blocks.transpose(0, 2, 1, 3).reshape(12, 12)

    def force(self) -> np.ndarray:
        """Jᵀλ (12,)."""
        return self.evaluate()[1].T @ self.elements.lam[self.chosen].ravel()

    def moved(self, coordinate: int, amount: float) -> "Rows":
        """The same rows with one of the twelve coordinates displaced."""
        slot, c = self.slots[coordinate // 6], coordinate % 6
        self.bodies.position[:], self.bodies.orientation[:] = self.pose
        if c < 3:
            self.bodies.position[slot, c] += amount
        else:
            self.bodies.orientation[slot] = _turned(self.pose[1][slot], c - 3, amount)
        return self


def _turned(q: np.ndarray, axis: int, angle: float) -> np.ndarray:
    """exp(angle · e_axis) times the rotation q: the turn is about a world axis."""
    w, vector = q[0], q[1:]
    e = np.eye(3)[axis] * np.sin(angle / 2)
    c = np.cos(angle / 2)
    return np.array([c * w - e @ vector, *(c * vector + w * e + np.cross(e, vector))])


def _differences(rows: Rows, quantity: Any) -> np.ndarray:
    columns = []
    for k in range(12):
        forward = quantity(rows.moved(k, STEP))
        back = quantity(rows.moved(k, -STEP))
        columns.append((forward - back) / (2 * STEP))
    rows.moved(0, 0.0).evaluate()
    return np.array(columns).T


@pytest.mark.parametrize("variant", VARIANTS, ids=label)
def test_jacobian_is_the_gradient_of_phi(variant: tuple[str, dict[str, Any]]) -> None:
    for seed in range(3):
        rows = Rows(*variant, seed=seed)
        J = rows.evaluate()[1]
        expected = _differences(rows, lambda moved: moved.evaluate()[0])
        assert np.abs(J).max() > 0.1
        np.testing.assert_allclose(J, expected, rtol=0, atol=TOLERANCE * max(1.0, np.abs(J).max()))


@pytest.mark.parametrize("variant", VARIANTS, ids=label)
def test_stiffness_is_the_gradient_of_the_force(variant: tuple[str, dict[str, Any]]) -> None:
    for seed in range(3):
        rows = Rows(*variant, seed=seed)
        K = rows.stiffness()
        expected = _differences(rows, Rows.force)
        assert np.abs(K).max() > 0.01
        np.testing.assert_allclose(K, expected, rtol=0, atol=TOLERANCE * max(1.0, np.abs(K).max()))


def test_the_registry_uses_every_primitive_and_every_place_of_a_row() -> None:
    used, places = set(), set()
    for variant in VARIANTS:
        rows = Rows(*variant, seed=0)
        for e in rows.chosen:
            for r, primitive in enumerate(rows.elements.primitive[e]):
                used.add(int(primitive))
                if primitive != NO_ROW and not rows.elements.traits[e, r] & VECTOR:
                    places.add(r)
    assert used == PRIMITIVES.keys()
    assert places == {0, 1, 2}


def test_every_row_file_is_in_the_table() -> None:
    found = {path.stem for path in FOLDER.glob("*.py") if "PRIMITIVE = " in path.read_text("utf-8")}
    assert found == {primitive.name for primitive in PRIMITIVES.values()} - {"none"}


@pytest.mark.parametrize("variant", VARIANTS, ids=label)
def test_rows_are_what_they_say(variant: tuple[str, dict[str, Any]]) -> None:
    """The traits a row declares against its own J and K̃, with the anchors in the centres."""
    rows = Rows(*variant, seed=8)
    rows.elements.anchor[:] = 0.0
    rows.evaluate()
    K = np.zeros_like(rows.elements.K)
    lists = rows.system.list_start, rows.system.list_rows
    add_stiffness(*rows.refs, *lists, rows.elements.lam, K)
    for e in rows.chosen:
        for r in np.flatnonzero(rows.elements.primitive[e]):
            traits, J = rows.elements.traits[e, r], rows.elements.J[e, :, r]
            assert bool(traits & TRANSLATES) == bool(np.abs(J[::2]).max() > 0)
            assert bool(traits & TURNS) == bool(np.abs(J[1::2]).max() > 1e-12)
            coupled = np.abs(K[e, ~np.eye(4, dtype=bool)]).max() > 0
            assert not (traits & VECTOR and coupled)
        assert np.count_nonzero(rows.elements.traits[e] & KEEPS_TURN) <= 1  # room for one


def test_every_kind_and_every_parameter_is_covered() -> None:
    covered = {(kind, name) for kind, given in VARIANTS for name in given}
    assert covered == {(k, name) for k, kind in JOINTS.items() for name in kind.parameters}


# --- the misprints of the papers: the printed form is told from the right one ------------------


def _hat(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def test_the_derivative_of_a_direction_is_minus_its_hat() -> None:
    """[Andrews17, Eq. 20] prints +n̂."""
    rows = Rows("axial_lock", {}, seed=4)
    n_local = rows.elements.axis_a[rows.chosen[0], 0]

    def direction(moved: Rows) -> np.ndarray:
        moved.evaluate()
        return rows.bodies.rotation[rows.slots[0]] @ n_local

    expected = _differences(rows, direction)[:, 3:6]
    n = rows.bodies.rotation[rows.slots[0]] @ n_local
    np.testing.assert_allclose(-_hat(n), expected, rtol=0, atol=1e-9)
    assert np.abs(_hat(n) - expected).max() > 0.1


def test_the_lower_ball_block_uses_the_lever_of_b() -> None:
    """[Andrews17, Eq. 22] prints s_i in both blocks."""
    rows = Rows("ball", {}, seed=5)
    K = rows.stiffness()
    e = rows.chosen[0]
    lam = rows.elements.lam[e]
    a, b = (rows.bodies.rotation[rows.slots[k]] @ rows.elements.anchor[e, k] for k in range(2))
    np.testing.assert_allclose(K[3:6, 3:6], _hat(lam) @ _hat(a), rtol=0, atol=1e-12)
    np.testing.assert_allclose(K[9:, 9:], -_hat(lam) @ _hat(b), rtol=0, atol=1e-12)
    assert np.abs(K[9:, 9:] + _hat(lam) @ _hat(a)).max() > 0.1


def test_a_dot_product_away_from_zero_needs_the_symmetric_part() -> None:
    """[Andrews17, App. B] dot-1 holds for n·u = 0 only; λ(n·u)[-1 1; 1 -1] is missing else."""
    rows = Rows("universal", {}, seed=6)
    e = rows.chosen[1]
    rows.elements.lam[rows.chosen[0]] = 0.0
    rows.elements.lam[e, 1:] = 0.0
    K = rows.stiffness()
    angular = np.ix_([3, 4, 5, 9, 10, 11], [3, 4, 5, 9, 10, 11])
    lam = rows.elements.lam[e, 0]
    n = rows.bodies.rotation[rows.slots[0]] @ rows.elements.axis_a[e, 0]
    u = rows.bodies.rotation[rows.slots[1]] @ rows.elements.axis_b[e, 0]
    missing = lam * (n @ u) * np.kron([[-1, 1], [1, -1]], np.eye(3))
    printed = lam * np.block([[np.outer(n, u), -np.outer(u, n)], [-np.outer(n, u), np.outer(u, n)]])
    assert abs(n @ u) > 0.05
    np.testing.assert_allclose(K[angular], printed + missing, rtol=0, atol=1e-12)
    assert np.abs(K[angular] - printed).max() > 0.01
