"""Robots and meshes of other programs as level files: `import_model("robot.urdf", "robot.toml")`.

articulation.py   links, joints and shapes between formats; fusing what never moves
moments.py        masses and inertias of shapes; principal axes
urdf.py           reads URDF
mjcf.py           reads MJCF; mjcf_defaults.py its classes and units, mjcf_joints.py its joints
mesh_hull.py      meshes as hulls, or as several by decomposition
toml_text.py      writes the level
convert.py        all of it: `import_model`

What a format has and a level has not is never dropped silently: `Imported.unsupported` lists it by
name. Both formats have z up; levels have y up, so (x, y, z) becomes (x, z, -y).
"""

from levels.importers.model_files import Imported, import_model

__all__ = ["Imported", "import_model"]
