"""Von Mises stress of sheets against closed forms."""

import numpy as np
import pytest

from physics.soft.elements.membrane import orthotropic, shape_gradients
from sandbox.app.stress_overlay import at_nodes, von_mises

NODES = np.array([[0, 1, 2], [1, 3, 2]])
REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
WARP, WEFT, SHEAR, THICK = 4e6, 1e6, 0.5e6, 1e-3


def _stress(deformed: np.ndarray) -> np.ndarray:
    gradient, _ = shape_gradients(REST, NODES, np.array([1.0, 0, 0]))
    law = np.broadcast_to(orthotropic(WARP, WEFT, 0.0, SHEAR, THICK), (2, 3, 3))
    return von_mises(deformed, NODES, gradient, law)


@pytest.mark.parametrize(("axis", "modulus"), [(0, WARP), (1, WEFT)])
def test_pulled_along_one_axis(axis: int, modulus: float) -> None:
    pulled = REST.copy()
    pulled[:, axis] *= 1.2
    green = 0.5 * (1.2**2 - 1)
    assert _stress(pulled) == pytest.approx(modulus * THICK * green)


def test_simple_shear() -> None:
    sheared = REST.copy()
    sheared[:, 0] += 0.01 * REST[:, 1]
    # 2ε₁₂ = γ, and ε₂₂ = γ²/2 is a half per cent of it
    assert _stress(sheared) == pytest.approx(np.sqrt(3) * SHEAR * THICK * 0.01, rel=1e-4)


def test_turning_is_no_stress_and_nodes_take_the_largest() -> None:
    turn = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
    assert _stress(REST @ turn.T) == pytest.approx(0.0, abs=1e-6)
    assert at_nodes(np.array([1.0, 3.0]), NODES, 5).tolist() == [1.0, 3.0, 3.0, 3.0, 0.0]
