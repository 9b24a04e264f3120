"""Starting from nothing added."""

from physics.jit import kernel


@kernel
def clear_added(elements, system):
    """Zeroes system.added, elements.K of coupled elements and elements.added_damping."""
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for r in range(3):
                for c in range(3):
                    system.added[node, r, c] = 0.0
    for e in system.bilateral:
        for r in range(3):
            elements.added_damping[e, r] = 0.0
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
