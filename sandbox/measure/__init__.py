"""What `sandbox bench` and `sandbox profile` measure.

bench_scenes.py   scenes by name, beside the levels
step_times.py     times of steps: median, p99, longest, by stage; memory
start_up.py       from nothing to the first step; compiling
revisions.py      this tree and another commit, in turn
beside.py         other engines on the same scenes, in turn
friction_laws.py  the capstan and falling dominoes, against what is known
bench_records.py  CSV files by machine and commit
call_tree.py      who calls whom, and how long it takes
flame.py          such a tree as a picture
"""
