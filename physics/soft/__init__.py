"""Ropes, cloth and elastic solids: elements, meshes and a stepper of their own."""
