"""Elements of soft bodies, each from its own few nodes; what they add up to is in solve/.

Rows (φ and J as compliant constraints): links, area, volume, bending.
K̃ is taken where it is tension: of links and of the energies. Rows of areas, volumes and angles go
without, so that the matrix stays definite.
Energies: tetrahedra (Green strain), principal (corotational, Neo-Hookean), membrane.
plastic.py moves the rest shape of tetrahedra, air_drag.py is the air on a surface.
tests/physics/soft/element_samples.py has one of each for the finite-difference tests.
"""
