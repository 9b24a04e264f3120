"""The matrix of an island with as much ε in its loops as it takes to factorise it.

Rows that repeat what others hold leave pivots of ε. Where several joints hold the same two bodies,
rounding is as large: a pivot of the wrong sign makes impulses of any size. Then the matrix is built
again with more ε, as interior point methods do; Newton and the next step take out what that gives.
"""

from physics.jit import kernel
from physics.params import REDUNDANCY
from physics.solver.assembly import assemble
from physics.solver.ldu import factorise

MORE = 100.0  # times ε
ATTEMPTS = 3


@kernel
def factorise_system(system, elements):
    """Assembles and factorises the symmetric matrix; returns how many pivots are still wrong."""
    epsilon, wrong = REDUNDANCY, 0
    for _ in range(ATTEMPTS):
        assemble(system, elements, epsilon)
        wrong = factorise(system, True)
        if wrong == 0:
            break
        epsilon *= MORE
    return wrong
