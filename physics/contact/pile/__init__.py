"""Piles: islands of free bodies that touch, stepped by themselves in short substeps.

pile_rows.py   what the sweeps read of a body and of a contact, side by side
coupling.py    how the points of a patch see each other, and the inverse of that
sweep.py       one sweep over the contacts: normal, friction disk, rolling friction
bounce.py      restitution: impacts reflected together, as they arise
pile_step.py   the substeps: kick, sweep, drift, relax; the entry, `step_pile`
"""
