"""Condition numbers of [Tournier15, Table 2]: compliance form against stiffness form.

A falling cloth of 10 x 10 nodes; step, mass and thickness are not given in the paper; here they are
0.01 s, 1 kg and 1 mm. Printed there: springs 1e5 against 1e12, triangles 1e3 against 1e6.
"""

import numpy as np

from physics.soft.elements import membrane
from physics.soft.meshes import primitives
from tests.physics.soft import strain_rows

STEP, SIDE = 0.01, 10


def crumpled():
    """The sheet and positions as after a fall: a few per cent off flat, so that all rows differ."""
    sheet = primitives.cloth(SIDE, SIDE, (1.0, 1.0))
    rng = np.random.default_rng(7)
    return sheet, sheet.position + 0.01 * rng.normal(size=sheet.position.shape)


def conditions(J, stiffness, mass):
    """(compliance form, stiffness form) for rows J (m, 3n) with a block of D (b, b) per element."""
    size = len(stiffness)
    D = np.kron(np.eye(len(J) // size), stiffness)
    n = J.shape[1]
    C = np.linalg.inv(stiffness)
    M = mass * np.eye(n)
    KKT = np.block([[M, J.T], [J, -np.kron(np.eye(len(J) // size), C) / STEP**2]])
    return np.linalg.cond(KKT), np.linalg.cond(M + STEP**2 * J.T @ D @ J)


def test_springs_are_better_conditioned_in_compliance_form():
    sheet, x = crumpled()
    pairs = sheet.structural  # diagonals make rows redundant, which costs the advantage
    J = np.zeros((len(pairs), 3 * len(x)))
    for row, (i, j) in enumerate(pairs):
        along = (x[i] - x[j]) / np.linalg.norm(x[i] - x[j])
        J[row, 3 * i : 3 * i + 3], J[row, 3 * j : 3 * j + 3] = along, -along
    compliant, stiff = conditions(J, np.array([[1e10]]), 1.0 / SIDE**2)  # c = 1e-10 m/N
    # measured 2e2 against 4e8; with diagonals and bending links 3e6 against 1e9
    assert compliant < 1e4
    assert stiff > 1e7


def test_triangles_are_better_conditioned_in_compliance_form():
    sheet, x = crumpled()
    gradient, area = membrane.shape_gradients(sheet.position, sheet.triangles)
    J = np.zeros((3 * len(sheet.triangles), 3 * len(x)))
    for t, nodes in enumerate(sheet.triangles):
        phi, one = np.empty(3), np.empty((3, 9))
        strain_rows.evaluate(x[nodes], gradient[t], area[t], membrane.VOIGT, phi, one)
        for a, node in enumerate(nodes):
            J[3 * t : 3 * t + 3, 3 * node : 3 * node + 3] = one[:, 3 * a : 3 * a + 3]
    D = membrane.isotropic(1e9, 0.49, 1e-3)
    compliant, stiff = conditions(J, D, 1.0 / SIDE**2)
    # measured 6e2 against 9e4
    assert compliant < 3e3
    assert stiff > 3e4
