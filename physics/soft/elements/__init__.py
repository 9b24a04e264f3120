"""Elements of soft bodies, each from its own few nodes; what they add up to is in solve/.

Rows (φ, J, K̃ as compliant constraints): links, area, volume, bending, attachment.
Energies: tetrahedra (Green strain), principal (corotational, Neo-Hookean), membrane.
plastic.py moves the rest shape of tetrahedra, air_drag.py is the air on a surface.
tests/physics/soft/element_samples.py has one of each for the finite-difference tests.
"""
