"""Props: things of many bodies and joints behind one entry of a level file. One file each."""

from importlib import import_module
from pkgutil import iter_modules

from levels.props.prop import PROPS, Prop, PropTable, Site, prop

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["PROPS", "Prop", "PropTable", "Site", "prop"]
