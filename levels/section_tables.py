"""The sections of a level file whose entries are all of one kind: their models, once for everybody.

Checks, the JSON schema and the reference read these lists; bodies, joints and props, whose entries
say what kind they are, are in kinds.py.
"""

from levels import level_tables, motion_tables, rule_tables, view_tables
from levels.assemblies import Assembly
from levels.values import Table

SINGLE: dict[str, type[Table]] = {
    "simulation": level_tables.Simulation,
    "goal": rule_tables.Goal,
    "camera": view_tables.Camera,
    "look": view_tables.Look,
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
    "on": rule_tables.Trigger,
    "expect": rule_tables.Expectation,
    "input": rule_tables.Input,
}
