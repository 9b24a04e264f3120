"""Every registered element against finite differences: J of φ, K̃ of Jᵀλ, forces of energies.

Central differences with a step of 1e-6 on quantities of order one: truncation 1e-12 times third
derivatives, rounding 1e-10; hence 1e-7.
"""

import numpy as np
import pytest
from scipy.linalg import block_diag

from physics.soft.elements import principal, tetrahedra
from physics.soft.meshes import primitives
from physics.soft.soft_builder import Builder
from physics.soft.solve.linear_system import Options
from physics.soft.solve.soft_body import SoftBody
from tests.physics.soft import full_tangent, strain_rows
from tests.physics.soft.element_samples import REGISTRY, EnergyInstance, RowInstance, hooke_matrix

STEP, TOLERANCE = 1e-6, 1e-7


def difference(function, X):
    """∂function/∂X by central differences, last axis over the flattened X."""
    columns = []
    for index in np.ndindex(X.shape):
        sides = []
        for sign in (1.0, -1.0):
            moved = X.copy()
            moved[index] += sign * STEP
            sides.append(np.asarray(function(moved)))
        columns.append((sides[0] - sides[1]).ravel() / (2 * STEP))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_derivatives(name, seed):
    rng = np.random.default_rng(seed)
    one = REGISTRY[name](rng)
    X = one.position
    if isinstance(one, RowInstance):
        phi, J = one.rows(X)
        lam = rng.normal(size=phi.size)
        np.testing.assert_allclose(J, difference(lambda Y: one.rows(Y)[0], X), atol=TOLERANCE)
        if one.geometric is not None:
            K = difference(lambda Y: one.rows(Y)[1].T @ lam, X)
            np.testing.assert_allclose(one.geometric(X, lam), K, atol=TOLERANCE)
    else:
        assert isinstance(one, EnergyInstance)
        slope = difference(one.energy, X).ravel()
        np.testing.assert_allclose(one.force(X).ravel(), -slope, atol=TOLERANCE)
        np.testing.assert_allclose(one.stiffness(X), difference(one.force, X), atol=TOLERANCE)


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_internal_forces_have_no_resultant_and_no_moment(name):
    """Rotating or translating an element does no work, so Σf = 0 and Σ x⨯f = 0."""
    rng = np.random.default_rng(7)
    one = REGISTRY[name](rng)
    if isinstance(one, RowInstance):
        phi, J = one.rows(one.position)
        force = (J.T @ rng.normal(size=phi.size)).reshape(-1, 3)
    else:
        force = one.force(one.position)
    np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.cross(one.position, force).sum(axis=0), 0.0, atol=1e-12)


def test_green_rows_condense_to_the_stvk_stiffness_form():
    rng = np.random.default_rng(2)
    rows, stiff = REGISTRY["green_tetrahedron"](rng), REGISTRY["stvk_tetrahedron"](rng)
    X = stiff.position
    D = hooke_matrix(1.3, 0.8)
    phi, J = rows.rows(X)
    lam = -D @ phi
    np.testing.assert_allclose(stiff.force(X).ravel(), J.T @ lam, atol=1e-13)
    np.testing.assert_allclose(
        stiff.stiffness(X), -J.T @ D @ J + rows.geometric(X, lam), atol=1e-13
    )


def stretch_rows(F):
    """Rows of the corotational material, φ = s - 1, with the inverse of their compliance."""
    return np.linalg.svd(F, compute_uv=False) - 1.0, 1.3 + np.diag([1.6, 1.6, 1.6])


def neo_hookean_rows(F):
    """φ = (|F|, det F - 1 - μ/(λ + μ)): squares of these are its energy but for a constant."""
    phi = np.array([np.sqrt((F * F).sum()), np.linalg.det(F) - 1.0 - 0.8 / (1.3 + 0.8)])
    return phi, np.diag([0.8, 1.3 + 0.8])


@pytest.mark.parametrize(
    ("name", "rows"),
    [("corotational_tetrahedron", stretch_rows), ("neo_hookean_tetrahedron", neo_hookean_rows)],
)
def test_compliant_rows_of_other_materials_are_their_stiffness_form(name, rows):
    """f = -Jᵀ C⁻¹ φ and K = -Jᵀ C⁻¹ J + K̃(λ), rows against energies."""
    one = REGISTRY[name](np.random.default_rng(3))
    assert isinstance(one, EnergyInstance)
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0.2, 1, 0], [0.3, 0.2, 0.9]])
    gradient, volume = tetrahedra.shape_gradients(rest, np.arange(4)[None])
    X = one.position

    def phi(Y):
        return rows(Y.T @ gradient[0])[0]

    D = volume[0] * rows(X.T @ gradient[0])[1]
    J, lam = difference(phi, X), -D @ phi(X)
    np.testing.assert_allclose(one.force(X).ravel(), J.T @ lam, atol=1e-8)
    curved = difference(lambda Y: difference(phi, Y).T @ lam, X)
    np.testing.assert_allclose(one.stiffness(X), -J.T @ D @ J + curved, atol=2e-3)


def test_a_step_in_compliance_form_is_that_in_stiffness_form():
    """[M Jᵀ; J -C/h²] of all rows at once against the condensed matrix of a step: [Tournier15]."""
    position, cells = primitives.box((2, 1, 1), (1.0, 0.5, 0.5))
    builder = Builder(position)
    builder.add_tetrahedra(cells, 1e5, 0.3, material="stvk", density=1000.0)
    body = SoftBody(builder, Options(stabilization="none", integrator="euler"))
    body.x[...] *= [1.05, 0.98, 1.01]
    body.pin(np.flatnonzero(position[:, 0] < 1e-9))
    start, h = body.x.copy(), 1.0 / 60.0
    found = body.begin(h).copy()
    free = np.repeat(~body.state.pinned, 3)
    J, phi, C = [], [], []
    for e, nodes in enumerate(cells):
        one, row = np.empty((6, 12)), np.empty(6)
        model = body.model
        strain_rows.evaluate(
            start[nodes], model.tet_gradient[e], model.tet_volume[e], tetrahedra.VOIGT, row, one
        )
        wide = np.zeros((6, start.size))
        wide[:, (3 * nodes[:, None] + np.arange(3)).ravel()] = one
        J.append(wide[:, free])
        phi.append(row)
        C.append(np.linalg.inv(hooke_matrix(*model.tet_lame[e])))
    J, phi = np.concatenate(J), np.concatenate(phi)
    M = np.diag(np.repeat(body.model.mass, 3)[free])
    weight = M @ np.tile([0.0, -9.81, 0.0], int(free.sum() // 3))
    C = block_diag(*C)
    kkt = np.block([[M, -h * J.T], [h * J, C]])
    answer = np.linalg.solve(kkt, np.concatenate([h * weight, -phi]))
    speeds = answer[: int(free.sum())]
    np.testing.assert_allclose(found.ravel()[free], speeds, atol=1e-7 * np.abs(speeds).max())


def test_signed_svd_reconstructs_any_matrix():
    rng = np.random.default_rng(0)
    matrices = [rng.normal(size=(3, 3)) for _ in range(50)]
    matrices += [np.eye(3), -np.eye(3), np.diag([1.0, 1.0, 0.0]), np.zeros((3, 3))]
    matrices += [np.outer([1.0, 2.0, 3.0], [3.0, 1.0, -1.0]), np.diag([1.0, 1e-9, 1e-9])]
    for F in matrices:
        U, s, V, work = np.empty((3, 3)), np.empty(3), np.empty((3, 3)), np.empty((3, 3))
        principal.signed_svd(F, U, s, V, work)
        np.testing.assert_allclose(U * s @ V.T, F, atol=1e-7)
        np.testing.assert_allclose(U.T @ U, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-12)
        assert np.linalg.det(U) == pytest.approx(1.0)
        assert np.linalg.det(V) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", [principal.COROTATIONAL, principal.NEO_HOOKEAN])
def test_projected_tangent_is_positive_semi_definite(kind):
    rng = np.random.default_rng(4)
    P, T, work = np.empty((3, 3)), np.empty((3,) * 4), np.empty((7, 3, 3))
    for _ in range(40):
        F = np.eye(3) + 0.8 * rng.normal(size=(3, 3))
        full_tangent.stress_and_tangent(kind, F, 1.3, 0.8, True, P, T, work)
        assert np.linalg.eigvalsh(T.reshape(9, 9)).min() > -1e-12


@pytest.mark.parametrize("nodes", [4, 8])
@pytest.mark.parametrize("kind", [principal.COROTATIONAL, principal.NEO_HOOKEAN])
def test_blocks_in_the_frame_of_stretches_are_those_of_the_tangent(kind, nodes):
    rng = np.random.default_rng(5)
    P, T, work, psi, A = (np.empty(s) for s in ((3, 3), (3,) * 4, (7, 3, 3), 3, (3, 3)))
    U, s, V, H = (np.empty(s) for s in ((3, 3), 3, (3, 3), (nodes, nodes, 3, 3)))
    for _ in range(20):
        F, gradient = np.eye(3) + 0.5 * rng.normal(size=(3, 3)), rng.normal(size=(nodes, 3))
        full_tangent.stress_and_tangent(kind, F, 1.3, 0.8, True, P, T, work)
        principal.signed_svd(F, U, s, V, A)
        principal.derivatives(kind, s, 1.3, 0.8, psi, A)
        principal.stretch_blocks(
            kind, U, s, V, 1.3, 0.8, psi, A, gradient, 0.7, work[:3], np.empty((nodes, 3)), H
        )
        expected = 0.7 * np.einsum("aj,ijkl,bl->abik", gradient, T, gradient)
        for a in range(nodes):
            np.testing.assert_allclose(H[a, a:], expected[a, a:], atol=1e-11)


@pytest.mark.parametrize("kind", [principal.COROTATIONAL, principal.NEO_HOOKEAN])
def test_small_strain_follows_lame(kind):
    P, T, work = np.empty((3, 3)), np.empty((3,) * 4), np.empty((7, 3, 3))
    first, second = tetrahedra.lame(1000.0, 0.3)
    strain = 1e-7 * np.array([[1.0, 0.3, 0.2], [0.3, -0.5, 0.1], [0.2, 0.1, 0.4]])
    full_tangent.stress_and_tangent(kind, np.eye(3) + strain, first, second, False, P, T, work)
    expected = first * np.trace(strain) * np.eye(3) + 2 * second * strain
    np.testing.assert_allclose(P, expected, atol=1e-6 * np.abs(expected).max())
