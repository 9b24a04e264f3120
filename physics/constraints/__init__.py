"""Joint kinds, one file each; importing this package fills the table JOINTS."""

import importlib
import pkgutil

from physics.constraints.registry import JOINTS, JointKind, Parameter

for _module in pkgutil.iter_modules(__path__):
    if not _module.ispkg and _module.name != "registry":
        importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["JOINTS", "JointKind", "Parameter"]
