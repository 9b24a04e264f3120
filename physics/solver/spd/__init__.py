"""Direct solver for symmetric positive definite matrices of 3x3 node blocks (cloth, solids).

nested_dissection.py    order of elimination
elimination_tree.py     tree and supernodes; subtrees.py shares them out to two threads
analysis.py             `analyse`: all that depends on the topology only, as a `Symbolic`
factor.py, dense.py     numeric factorisation, on the register tiles of simd.py
triangular.py           solves with a factor; assist.py is what the second thread does
conjugate_gradients.py  solves with the factor of an earlier matrix
matrix.py               products with the matrix itself
"""

from physics.solver.spd.analysis import Symbolic, analyse

__all__ = ["Symbolic", "analyse"]
