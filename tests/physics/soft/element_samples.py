"""All soft elements, described alike: what the finite-difference tests iterate over.

A *row* element gives φ, J and K̃; an *energy* element gives an energy, its force and its stiffness.
`sample(rng)` builds one instance with everything but the positions bound.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.linalg import quaternion_to_matrix
from physics.portable import matmul, norm, transform
from physics.soft.elements import (
    area,
    bending,
    membrane,
    principal,
    tetrahedra,
    volume,
)
from tests.physics.soft import full_tangent, strain_rows

Array = NDArray[np.float64]


def hooke_matrix(first: float, second: float) -> NDArray[np.float64]:
    """D of [Servin06, Eq. 14] from the Lamé constants."""
    D = np.diag([2 * second] * 3 + [second] * 3)
    D[:3, :3] += first
    return D


@dataclass(frozen=True)
class RowInstance:
    """One element: rows(X) -> (φ, J), geometric(X, λ) -> K̃ if it is used, at some positions."""

    position: Array
    rows: Callable[[Array], tuple[Array, Array]]
    geometric: Callable[[Array, Array], Array] | None = None


@dataclass(frozen=True)
class EnergyInstance:
    """One element: energy(X), force(X) and stiffness ∂force/∂x, at reference positions."""

    position: Array
    energy: Callable[[Array], float]
    force: Callable[[Array], Array]
    stiffness: Callable[[Array], Array]


Instance = RowInstance | EnergyInstance
Sample = Callable[[np.random.Generator], Instance]
REGISTRY: dict[str, Sample] = {}


def register(name: str) -> Callable[[Sample], Sample]:
    """Enter an element under a name."""

    def enter(sample: Sample) -> Sample:
        REGISTRY[name] = sample
        return sample

    return enter


def _simplex(rng: np.random.Generator, nodes: int) -> tuple[Array, Array]:
    """Rest and moderately deformed, rotated positions of a well-shaped simplex."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0.2, 1, 0], [0.3, 0.2, 0.9]])[:nodes]
    q = rng.normal(size=(1, 4))
    turn = np.empty((1, 3, 3))
    quaternion_to_matrix(q / norm(q)[:, None], 0, turn)
    moved = corners + 0.12 * rng.normal(size=corners.shape)
    return corners, transform(turn[0], moved) + rng.normal(size=3)


@register("green_tetrahedron")
def _green(rng: np.random.Generator) -> Instance:
    rest, moved = _simplex(rng, 4)
    gradient, size = tetrahedra.shape_gradients(rest, np.arange(4)[None])

    def rows(X: Array) -> tuple[Array, Array]:
        phi, J = np.empty(6), np.empty((6, 12))
        strain_rows.evaluate(X, gradient[0], size[0], tetrahedra.VOIGT, phi, J)
        return phi, J

    def geometric(X: Array, lam: Array) -> Array:
        K = np.empty((12, 12))
        strain_rows.geometric(gradient[0], size[0], tetrahedra.VOIGT, lam, K)
        return K

    return RowInstance(moved, rows, geometric)


@register("membrane_triangle")
def _membrane(rng: np.random.Generator) -> Instance:
    rest, moved = _simplex(rng, 3)
    gradient, size = membrane.shape_gradients(rest, np.arange(3)[None], np.array([1.0, 1.0, 0.0]))

    def rows(X: Array) -> tuple[Array, Array]:
        phi, J = np.empty(3), np.empty((3, 9))
        strain_rows.evaluate(X, gradient[0], size[0], membrane.VOIGT, phi, J)
        return phi, J

    def geometric(X: Array, lam: Array) -> Array:
        K = np.empty((9, 9))
        strain_rows.geometric(gradient[0], size[0], membrane.VOIGT, lam, K)
        return K

    return RowInstance(moved, rows, geometric)


@register("dihedral")
def _dihedral(rng: np.random.Generator) -> Instance:
    _, moved = _simplex(rng, 4)
    moved[3] = moved[0] + moved[1] - moved[2] + 0.3 * rng.normal(size=3)
    work = np.empty((5, 3))

    def rows(X: Array) -> tuple[Array, Array]:
        phi, J = np.empty(1), np.empty((1, 12))
        bending.evaluate(X, 0.1, work, phi, J)
        return phi, J

    return RowInstance(moved, rows)


@register("area")
def _area(rng: np.random.Generator) -> Instance:
    def rows(X: Array) -> tuple[Array, Array]:
        phi, J = np.empty(1), np.empty((1, 9))
        area.evaluate(X, 0.4, phi, J)
        return phi, J

    return RowInstance(_simplex(rng, 3)[1], rows)


@register("volume")
def _volume(rng: np.random.Generator) -> Instance:
    def rows(X: Array) -> tuple[Array, Array]:
        phi, J = np.empty(1), np.empty((1, 12))
        volume.evaluate(X, 0.15, phi, J)
        return phi, J

    return RowInstance(_simplex(rng, 4)[1], rows)


def _principal(rng: np.random.Generator, kind: int) -> Instance:
    rest, moved = _simplex(rng, 4)
    gradients, sizes = tetrahedra.shape_gradients(rest, np.arange(4)[None])
    gradient, size, first, second = gradients[0], float(sizes[0]), 1.3, 0.8

    def evaluate(X: Array) -> tuple[Array, Array]:
        F, P, T, work = np.empty((3, 3)), np.empty((3, 3)), np.empty((3,) * 4), np.empty((7, 3, 3))
        tetrahedra.deformation(X, gradient, F)
        full_tangent.stress_and_tangent(kind, F, first, second, False, P, T, work)
        H = size * np.einsum("aj,ijkl,bl->abik", gradient, T, gradient)
        return -size * transform(P, gradient), -H.transpose(0, 2, 1, 3).reshape(12, 12)

    return EnergyInstance(
        moved,
        lambda X: float(full_tangent.element_energy(kind, X, gradient, size, first, second)),
        lambda X: evaluate(X)[0],
        lambda X: evaluate(X)[1],
    )


@register("corotational_tetrahedron")
def _corotational(rng: np.random.Generator) -> Instance:
    return _principal(rng, principal.COROTATIONAL)


@register("neo_hookean_tetrahedron")
def _neo_hookean(rng: np.random.Generator) -> Instance:
    return _principal(rng, principal.NEO_HOOKEAN)


@register("stvk_tetrahedron")
def _stvk(rng: np.random.Generator) -> Instance:
    rest, moved = _simplex(rng, 4)
    gradients, sizes = tetrahedra.shape_gradients(rest, np.arange(4)[None])
    gradient, size, first, second = gradients[0], float(sizes[0]), 1.3, 0.8

    def stress(X: Array) -> tuple[Array, Array, float]:
        F, S = np.empty((3, 3)), np.empty((3, 3))
        tetrahedra.deformation(X, gradient, F)
        return F, S, float(tetrahedra.green_stress(F, first, second, S))

    def force(X: Array) -> Array:
        F, S, _ = stress(X)
        return -size * transform(matmul(F, S), gradient)

    def stiffness(X: Array) -> Array:
        F, S, _ = stress(X)
        H = np.empty((4, 4, 3, 3))
        tetrahedra.material_blocks(F, gradient, size, first, second, np.empty((4, 3)), H)
        for a in range(4):
            for b in range(a):
                H[a, b] = H[b, a].T
        tension = size * matmul(matmul(gradient, S), gradient.T)
        return -(H.transpose(0, 2, 1, 3).reshape(12, 12) + np.kron(tension, np.eye(3)))

    return EnergyInstance(moved, lambda X: size * stress(X)[2], force, stiffness)
