"""All ornaments: those of machines and those of places, under one roof."""

from sandbox.render import scenery
from sandbox.render.decorate import ORNAMENTS, decorate

__all__ = ["ORNAMENTS", "decorate", "scenery"]
