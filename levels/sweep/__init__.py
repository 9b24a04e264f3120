"""One level under many parameters, on all cores or on a Dask cluster.

    from levels.sweep import sweep
    table = sweep("million", {"weight": "1e2:1e6:log5", "rate": [30, 60]}, out="million.csv")
    table.to_pandas()

axes.py            what is varied: ranges, lists, Latin hypercubes
one_run.py         a run and its row of the table
journal.py         every finished run on the disk at once, so that a killed sweep goes on
local_workers.py   processes on this machine; worker.py is one of them
cluster.py         the same on a Dask cluster
table.py           rows in the order of the runs: CSV, Parquet, pandas
study.py           `sweep` itself
"""

from levels.sweep.axes import Axis, grid, latin_hypercube, parse_axis
from levels.sweep.study import Study, sweep
from levels.sweep.table import Table

__all__ = ["Axis", "Study", "Table", "grid", "latin_hypercube", "parse_axis", "sweep"]
