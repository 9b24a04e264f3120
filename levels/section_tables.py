"""The sections of a level file whose entries are all of one kind: their models, once for everybody.

Checks, the JSON schema and the reference read these lists; bodies, joints and props, whose entries
say what kind they are, are in kinds.py.
"""

from levels import level_tables, motion_tables
from levels.assemblies import Assembly
from levels.values import Table

SINGLE: dict[str, type[Table]] = {
    "simulation": level_tables.Simulation,
    "goal": level_tables.Goal,
    "camera": level_tables.Camera,
    "look": level_tables.Look,
}
NAMED: dict[str, type[Table]] = {
    "parameters": level_tables.Parameter,
    "materials": level_tables.Material,
    "particles": level_tables.Particle,
    "zones": level_tables.Zone,
    "winds": motion_tables.Wind,
    "counters": motion_tables.Counter,
    "assemblies": Assembly,
}
LISTS: dict[str, type[Table]] = {
    "on": level_tables.Trigger,
    "expect": level_tables.Expectation,
    "input": level_tables.Input,
}
