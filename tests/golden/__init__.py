"""Golden hashes: what a set of scenes must come to, bit for bit, on every x86-64 machine.

scenes.py      the scenes: all levels, chains, piles, soft bodies, joints, solvers
record.py      the recorded hashes (hashes.json) and what differs from them
__main__.py    `python -m tests.golden [--write] [--short] [word …]`

A change of physics renews hashes.json (`python -m tests.golden --write`) in a commit that says why
the motion changed; a change that only moves code leaves the file alone.
"""
