"""Ropes, cloth and elastic solids, with an implicit step of their own.

models.py       every cloth model and solid material with its parameters: one list
soft_builder.py nodes and elements into the arrays of solve/soft_arrays.py
make.py         cloths and solids from what `World.add_cloth` and `World.add_solid` are given
soft_item.py    one soft body in a world: contacts, seams, hands, air, cuts, snapshots
cluster.py      soft bodies near each other, joined into one for a step
soft_store.py   all soft bodies of a world, stepped between the rigid bodies' forces and their step
elements/       what an element is: φ, J, K̃ or an energy, force and stiffness
meshes/         nodes and cells: made, read, filled, cut, and points embedded in them
contact/        where a soft body touches shapes and itself, and the rows that follow
solve/          one step of one body: arrays, prediction, assembly, factor, corrections, guard
comparators/    other ways to step, to compare with
coupling/       a soft body together with the rigid bodies it meets

The rooms know each other in one direction: meshes and solve use elements, contact uses meshes,
coupling uses contact and solve, and the files here use them all.
"""
