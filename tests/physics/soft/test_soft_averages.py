"""Forces over a step: they do the work that the energy says, turn nothing, and are its gradient."""

import numpy as np
import pytest

from physics.soft.elements.membrane import isotropic
from physics.soft.meshes import mesh_topology, primitives
from physics.soft.models import SOLID_MATERIALS
from physics.soft.soft_builder import Builder
from physics.soft.solve import soft_step
from physics.soft.solve.element_energy import element_energy
from physics.soft.solve.soft_body import SoftBody

YOUNG, POISSON = 1e5, 0.3


def skewed_cell(material):
    """One hexahedron that is no brick."""
    mesh = primitives.bricks((1, 1, 1), (1.0, 0.6, 0.4))
    position = mesh.position.copy()
    position[:, 0] += 0.2 * position[:, 1]
    position[7] += (0.05, -0.04, 0.06)
    builder = Builder(position)
    builder.add_hexahedra(mesh.hexahedra, YOUNG, POISSON, material=material, density=1000.0)
    return SoftBody(builder)


def tetrahedra(material):
    mesh = primitives.box((1, 1, 1), split=5)
    builder = Builder(mesh.position)
    builder.add_tetrahedra(mesh.tetrahedra, YOUNG, POISSON, material=material, density=1000.0)
    return SoftBody(builder)


def membrane(_material):
    sheet = primitives.cloth(3, 3)
    builder = Builder(sheet.position)
    builder.add_triangles(sheet.triangles, isotropic(1e3, POISSON, 1.0), area_density=1.0)
    return SoftBody(builder)


def hinges(_material):
    sheet = primitives.cloth(2, 2)
    builder = Builder(sheet.position)
    builder.add_mass(1.0)
    builder.add_hinges(mesh_topology.hinges(sheet.triangles), 1.0)
    return SoftBody(builder)


CASES = [
    *((skewed_cell, material) for material in SOLID_MATERIALS),
    *((tetrahedra, material) for material in SOLID_MATERIALS),
    (membrane, "stvk"),
]
IDS = [f"{make.__name__}, {material}" for make, material in CASES]


def force(body, x0, x1):
    soft_step.load_elements(body.model, x0, x1, 0.0, 0.0, 0.0, body.work)
    return body.work.average.copy()


def turned(x, axis, angle):
    axis = np.asarray(axis) / np.linalg.norm(axis)
    across = np.cross(axis, x)
    return x + np.sin(angle) * across + (1 - np.cos(angle)) * np.cross(axis, across)


def ends(body, size, angle):
    """Two deformed states, the second turned as well."""
    rng = np.random.default_rng(5)
    first = body.x + size * rng.normal(size=body.x.shape)
    second = first + size * rng.normal(size=body.x.shape)
    return first, turned(second, (1.0, 2.0, -0.5), angle)


@pytest.mark.parametrize(("make", "material"), CASES, ids=IDS)
def test_the_work_of_a_step_is_the_change_of_energy(make, material):
    body = make(material)
    for size in (0.02, 0.06):
        x0, x1 = ends(body, size, 0.3)
        work = float(np.sum(force(body, x0, x1) * (x1 - x0)))
        made = element_energy(body.model, x0) - element_energy(body.model, x1)
        assert work == pytest.approx(made, rel=1e-9)


@pytest.mark.parametrize(("make", "material"), CASES, ids=IDS)
def test_forces_of_a_step_neither_push_nor_turn(make, material):
    body = make(material)
    x0, x1 = ends(body, 0.05, 0.4)
    f = force(body, x0, x1)
    scale = np.abs(f).max()
    assert np.abs(f.sum(axis=0)).max() < 1e-12 * scale
    if material != "linear":  # which takes turns for strains
        assert np.abs(np.cross(0.5 * (x0 + x1), f).sum(axis=0)).max() < 1e-11 * scale


@pytest.mark.parametrize(("make", "material"), [*CASES, (hinges, "")], ids=[*IDS, "hinges"])
def test_forces_at_rest_are_the_gradient_of_the_energy(make, material):
    body = make(material)
    x = ends(body, 0.05, 0.4)[0]
    f, h = force(body, x, x), 1e-6
    for node in range(len(x)):
        for d in range(3):
            step = np.zeros_like(x)
            step[node, d] = h
            rise = element_energy(body.model, x + step) - element_energy(body.model, x - step)
            assert -rise / (2 * h) == pytest.approx(
                f[node, d], rel=1e-6, abs=1e-5 * np.abs(f).max()
            )


@pytest.mark.parametrize(("make", "material"), CASES, ids=IDS)
def test_a_rigid_turn_is_no_strain_and_costs_no_force(make, material):
    body = make(material)
    x1 = turned(body.x, (0.3, 1.0, 0.2), 1.0) + np.array([3.0, -2.0, 1.0])
    pushed = np.abs(force(body, body.x, x1)).max()
    if material == "linear":  # that is what is wrong with it
        assert pushed > 1e-3 * YOUNG
    else:
        assert pushed < 1e-9 * YOUNG


@pytest.mark.parametrize(("make", "material"), CASES, ids=IDS)
def test_the_matrix_at_rest_is_the_derivative_of_the_force(make, material):
    """At rest nothing is projected away and no hourglass is bent: all of it must be there."""
    body, h = make(material), 1e-6
    x, n = body.x.copy(), 3 * len(body.x)
    K = np.zeros((n, n))
    soft_step.load_elements(body.model, x, x, 0.0, 1.0, 1.0, body.work)
    for i in range(len(x)):
        K[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = body.work.diagonal[i]
    for e, (i, j) in enumerate(body.model.edges):
        K[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = body.work.off[e]
        K[3 * j : 3 * j + 3, 3 * i : 3 * i + 3] = body.work.off[e].T
    for column in range(n):
        step = np.zeros(n)
        step[column] = h
        ahead, back = x + step.reshape(-1, 3), x - step.reshape(-1, 3)
        slope = (force(body, back, back) - force(body, ahead, ahead)).reshape(-1) / (2 * h)
        assert slope == pytest.approx(K[:, column], abs=1e-5 * np.abs(K).max())


def test_a_skewed_cell_passes_the_patch_test():
    """Any linear field leaves the hourglass modes alone: the stress is that of the middle."""
    body = skewed_cell("stvk")
    x = body.x @ np.array([[1.01, 0.02, 0.0], [0.0, 0.99, 0.01], [0.03, 0.0, 1.02]])
    force(body, x, x)
    assert np.abs(body.work.hex_tau).max() < 1e-12 * YOUNG
