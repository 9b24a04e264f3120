"""One step of one soft body.

soft_arrays.py       the arrays of a soft body, one declaration each
soft_step.py         the step itself: assemble, factorise, solve, correct the links, move
element_assembly.py  forces and matrix blocks of all elements
linear_system.py     the matrix and who solves it: direct, or iterative with an older factor
matrix_pattern.py    which nodes share a block, with room for those that touch
weak_links.py        links that the matrix can do without
local_rotation.py    how far the neighbourhood of every node has turned since a factor was made
potentials.py        energies: what backward Euler makes least
condense.py          dense algebra of a soft body with the rigid bodies it meets
soft_ledger.py       what a body has gained from nothing, and its credit
soft_body.py         all of it as an object to be stepped, with the guard of backward Euler
"""
