"""Meshes fill their shape, are oriented, conforming, and have a closed surface."""

import sys

import meshio
import numpy as np
import pytest

from physics.soft.elements import tetrahedra
from physics.soft.meshes import mesh_files, mesh_topology, primitives


def volumes(solid):
    return tetrahedra.shape_gradients(solid.position, solid.tetrahedra)[1]


@pytest.mark.parametrize("split", [5, 6])
def test_box_fills_its_volume(split):
    solid = primitives.box((3, 2, 4), (1.5, 0.5, 2.0), split=split)
    assert len(solid.tetrahedra) == 24 * split
    assert volumes(solid).min() > 0.0
    assert volumes(solid).sum() == pytest.approx(1.5)


def test_servin_beam_has_88_nodes_and_105_tetrahedra():
    solid = primitives.box((21, 1, 1), (21.0, 1.0, 1.0), split=5)
    assert (len(solid.position), len(solid.tetrahedra)) == (88, 105)


def test_cube_of_five_tetrahedra_has_18_edges():
    assert len(mesh_topology.unique_edges(primitives.box((1, 1, 1), split=5).tetrahedra)) == 18


def test_ball_converges_to_a_ball():
    errors = [abs(volumes(primitives.ball(n)).sum() / (np.pi / 6.0) - 1.0) for n in (4, 8)]
    assert errors[1] < 0.3 * errors[0]  # second order in the cell size
    assert volumes(primitives.ball(6)).min() > 0.0


@pytest.mark.parametrize(
    "solid", [primitives.box((3, 2, 2), split=5), primitives.box((2, 2, 3)), primitives.ball(4)]
)
def test_surface_is_closed_and_faces_outwards(solid):
    faces = mesh_topology.surface(solid.tetrahedra)
    directed = faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    forward = {tuple(pair) for pair in directed}
    assert len(forward) == len(directed)  # conforming: no edge twice in one direction
    assert forward == {(b, a) for a, b in forward}
    a, b, c = (solid.position[faces[:, k]] for k in range(3))
    enclosed = np.sum(np.cross(a, b) * c) / 6.0  # divergence theorem
    assert enclosed == pytest.approx(volumes(solid).sum())


@pytest.mark.parametrize("pattern", ["structured", "alternating"])
def test_cloth_counts_and_area(pattern):
    sheet = primitives.cloth(4, 5, (2.0, 1.0), pattern=pattern)
    assert len(sheet.structural) == 4 * 4 + 3 * 5
    assert len(sheet.shear) == 2 * 3 * 4
    assert len(sheet.bend) == 2 * 5 + 4 * 3
    a, b, c = (sheet.position[sheet.triangles[:, k]] for k in range(3))
    normals = 0.5 * np.cross(b - a, c - a)
    assert np.linalg.norm(normals, axis=1).sum() == pytest.approx(2.0)
    assert np.abs(normals.sum(axis=0)).max() == pytest.approx(2.0)  # all face the same way


def test_hinges_are_the_interior_edges():
    sheet = primitives.cloth(4, 5)
    quads = mesh_topology.hinges(sheet.triangles)
    edges = mesh_topology.unique_edges(sheet.triangles)
    boundary = 2 * (3 + 4)
    assert len(quads) == len(edges) - boundary
    assert all(len(set(quad)) == 4 for quad in quads.tolist())


def test_mesh_files(tmp_path):
    solid = primitives.box((2, 1, 1))
    path = tmp_path / "box.vtk"
    meshio.Mesh(solid.position, [("tetra", solid.tetrahedra)]).write(path)
    loaded = mesh_files.load_tetrahedra(path)
    assert volumes(loaded).sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no mesh file"):
        mesh_files.load_tetrahedra(tmp_path / "missing.vtk")
    with pytest.raises(ValueError, match="no triangles"):
        mesh_files.load_triangles(path)


def test_missing_meshio_is_explained(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "meshio", None)
    with pytest.raises(RuntimeError, match="pip install"):
        mesh_files.load_tetrahedra(tmp_path / "a.msh")
