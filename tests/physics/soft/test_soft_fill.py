"""Closed surfaces filled with tetrahedra by the optional library, and what is said without it."""

import sys

import meshio
import numpy as np
import pytest

from physics import World
from physics.soft.meshes import fill, mesh_files, mesh_topology, primitives


def write_ball(path, open_=False):
    ball = primitives.ball(4, 0.5)
    triangles = mesh_topology.surface(ball.tetrahedra)
    cells = [("triangle", triangles[1:] if open_ else triangles)]
    meshio.write(path, meshio.Mesh(ball.position, cells))
    X = ball.position[ball.tetrahedra]
    return np.linalg.det(X[:, 1:] - X[:, :1]).sum() / 6


def test_filled_ball_keeps_its_volume_and_moves(tmp_path, capsys):
    pytest.importorskip("pytetwild")
    volume = write_ball(tmp_path / "ball.stl")
    arguments = [str(tmp_path / "ball.stl"), str(tmp_path / "ball.vtk"), "--edge", "0.2"]
    assert fill.main(arguments) == 0
    assert "tetrahedra" in capsys.readouterr().out
    solid = mesh_files.load_tetrahedra(tmp_path / "ball.vtk")
    X = solid.position[solid.tetrahedra]
    volumes = np.linalg.det(X[:, 1:] - X[:, :1]) / 6
    assert volumes.min() > 0.0
    assert volumes.sum() == pytest.approx(volume, rel=0.02)  # its surface may move by 0.1 %
    world = World()
    world.add_solid("ball", mesh=solid, density=500.0)
    world.step(3)
    assert world.soft_body("ball").mass() == pytest.approx(500 * volumes.sum())


def said(capsys, *arguments):
    assert fill.main([str(argument) for argument in arguments]) == 2
    return capsys.readouterr().err


def test_what_cannot_be_filled_is_explained(tmp_path, capsys):
    write_ball(tmp_path / "open.stl", open_=True)
    target = tmp_path / "x.vtk"
    assert "3 open edges" in said(capsys, tmp_path / "open.stl", target)
    assert "no mesh file" in said(capsys, tmp_path / "none.stl", target)
    assert "must end in one of .msh, .vtk" in said(capsys, tmp_path / "open.stl", "x.obj")
    assert "above 0 up to 1" in said(capsys, tmp_path / "open.stl", target, "--edge", "0")
    assert not target.exists()


def test_missing_tetrahedraliser_is_explained(tmp_path, capsys, monkeypatch):
    write_ball(tmp_path / "ball.stl")
    monkeypatch.setitem(sys.modules, "pytetwild", None)
    message = said(capsys, tmp_path / "ball.stl", tmp_path / "x.vtk")
    assert "pip install 'taut[tetrahedra]'" in message


def test_surface_is_not_taken_for_a_solid(tmp_path):
    write_ball(tmp_path / "ball.stl")
    with pytest.raises(mesh_files.SurfaceOnly, match="holds a surface, no tetrahedra"):
        mesh_files.load_tetrahedra(tmp_path / "ball.stl")


@pytest.mark.parametrize("suffix", [".msh", ".obj", ".off", ".ply", ".stl", ".vtk"])
def test_cut_off_files_end_in_one_line(tmp_path, suffix):
    """At every twentieth of its length; some readers would look for the rest for ever."""
    path = tmp_path / f"mesh{suffix}"
    solid = primitives.box((1, 1, 1))
    cells = [("triangle", mesh_topology.surface(solid.tetrahedra).astype(np.int32))]
    name = mesh_files.FORMATS[suffix][0]
    meshio.write(path, meshio.Mesh(solid.position, cells), name)
    whole = path.read_bytes()
    assert len(mesh_files.load_triangles(path)[1]) == 12
    complaints = []
    for share in range(20):
        path.write_bytes(whole[: len(whole) * share // 20])
        try:
            assert len(mesh_files.load_triangles(path)[1]) <= 12
        except ValueError as error:
            complaints.append(str(error))
    assert complaints
    assert not [text for text in complaints if "\n" in text or str(tmp_path) in text]


def test_repeated_corners_become_one_node(tmp_path):
    path = tmp_path / "two.obj"
    corners = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 1 0 0", "v 1 1 0", "v 0 1 0", "v 9 9 9"]
    path.write_text("\n".join([*corners, "f 1 2 3", "f 4 5 6", "f 2 4 5"]) + "\n", encoding="utf-8")
    position, triangles = mesh_files.load_triangles(path)
    assert position.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    assert triangles.tolist() == [[0, 1, 2], [1, 3, 2]]
