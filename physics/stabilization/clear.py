"""Starting from nothing added."""

from physics.jit import kernel
from physics.linalg import zero_blocks, zero_rows


@kernel
def clear_added(elements, system):
    """Zeroes system.added, elements.K of coupled elements and elements.added_damping."""
    zero_blocks(system.added)
    zero_rows(elements.added_damping)
    for e in system.coupled:
        zero_element(elements.K, e)


@kernel
def zero_element(K, e):
    """K[e] = 0 for an (m, 4, 4, 3, 3) array."""
    for i in range(4):
        for j in range(4):
            for r in range(3):
                for c in range(3):
                    K[e, i, j, r, c] = 0.0
