"""Ways of solving a step, each whole in its file.

adaptive.py   contacts, then Newton on positions, with an acceptance test: the default
linear.py     one linear solve, for the papers' stabilizations
piles.py      islands of free bodies: substeps and sweeps of a fixed number
all_rows.py   solver "pgs": projected Gauss-Seidel over all rows
implicit.py   backward Euler, the fallback of recovery

`shared.py` and `velocity_solve.py` serve several of them.
"""
