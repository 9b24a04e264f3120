"""Von Mises stress of elastic sheets, for colours.

With F = Σ x_a g_aᵀ and ε = ½ (FᵀF - 1) in the axes of warp and weft the law of the sheet gives
s = D (ε₁₁, ε₂₂, 2ε₁₂), N per metre of its width; in plane stress the equivalent one is
√(s₁₁² - s₁₁ s₂₂ + s₂₂² + 3 s₁₂²).
"""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]
Ints = npt.NDArray[np.integer]


def von_mises(position: Array, nodes: Ints, gradient: Array, law: Array) -> Array:
    """N/m of each triangle, or point of a quad: `nodes` (s, k), `gradient` (s, k, 2), `law` D."""
    F = np.einsum("sac,sag->scg", position[nodes], gradient)
    strain = 0.5 * (np.einsum("sci,scj->sij", F, F) - np.eye(2))
    voigt = np.stack((strain[:, 0, 0], strain[:, 1, 1], 2.0 * strain[:, 0, 1]), axis=1)
    a, b, c = np.einsum("sij,sj->is", law, voigt)
    return np.asarray(np.sqrt(a * a - a * b + b * b + 3.0 * c * c))


def at_nodes(stress: Array, nodes: Ints, count: int) -> Array:
    """The largest of the elements around each node."""
    found = np.zeros(count)
    for corner in range(nodes.shape[1]):
        np.maximum.at(found, nodes[:, corner], stress)
    return found
