"""Impulses of contacts and bounded rows: projected Gauss-Seidel with the joints solved exactly.

groups.py         contacts that share no body, to be solved independently
gauss_seidel.py   sweeps over a group until it has converged: the entry, `solve_groups`
row_update.py     one update of one contact
reads.py          only what rows read is kept up to date meanwhile
anderson.py       acceleration between rounds of sweeps
direct.py         direct solution of a small group that does not converge
descent.py        impulses that have jammed are begun anew
rolling.py        rolling and spinning friction
restitution.py    the second pass: bounce, and no speed from pushing overlaps out
sliding.py        second-order positions of what slides
parallel.py       groups on two threads
"""
