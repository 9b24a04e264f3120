"""Cloths and solids from mesh files beside the level, and what is said when that cannot be."""

import os
from pathlib import Path

import meshio
import numpy as np
import pytest

from levels import LevelError, load
from levels.mesh_input import named_nodes
from physics.soft.meshes import primitives

_LEVEL = """\
format = 1
[bodies.ground]
shape = "plane"
fixed = true
[bodies.rod]
shape = "box"
size = [2, 0.1, 0.1]
position = [0, 2, 0]
fixed = true
[props.thing]
{thing}
position = [0, 1, 0]
"""


def level(folder: Path, thing: str) -> Path:
    path = folder / "level.toml"
    path.write_text(_LEVEL.format(thing=thing), encoding="utf-8")
    return path


def write_sheet(path: Path, columns: int = 5) -> primitives.Cloth:
    """A unit square in its xy plane, top at y = 1."""
    sheet = primitives.cloth(5, columns, corner=(0, 1, 0), down=(0.0, -1.0, 0.0))
    cells = [("triangle", sheet.triangles.astype(np.int32))]
    meshio.write(path, meshio.Mesh(sheet.position, cells))
    return sheet


def write_solid(path: Path) -> primitives.TetMesh:
    solid = primitives.box((2, 2, 2), corner=(-0.5, -0.5, -0.5))
    name = {".msh": "gmsh", ".vtk": "vtk"}[path.suffix]
    meshio.write(path, meshio.Mesh(solid.position, [("tetra", solid.tetrahedra)]), name)
    return solid


def complaint(path: Path) -> str:
    with pytest.raises(LevelError) as caught:
        load(path)
    return str(caught.value)


@pytest.mark.parametrize("suffix", [".obj", ".off", ".ply", ".stl", ".vtk"])
def test_cloth_from_a_mesh_hangs_by_its_named_edge(tmp_path: Path, suffix: str) -> None:
    sheet = write_sheet(tmp_path / f"flag{suffix}")
    thing = f'kind = "cloth"\nmesh = "flag{suffix}"\nscale = 0.5\npins = ["top"]\nmass = 0.2'
    session = load(level(tmp_path, thing)).session()
    before = session.world.node_positions("thing")
    assert len(before) == len(sheet.position)
    assert np.ptp(before, axis=0) == pytest.approx([0.5, 0.5, 0.0], abs=1e-6)
    for _ in range(60):
        session.step()
    after = session.world.node_positions("thing")
    top = before[:, 1] > before[:, 1].max() - 1e-6
    assert top.sum() == 5
    np.testing.assert_array_equal(after[top], before[top])
    assert session.stretch("thing") < 0.01
    assert session.world.soft_body("thing").mass() == pytest.approx(0.2)


def test_cloth_from_a_mesh_is_sewn_to_a_body(tmp_path: Path) -> None:
    write_sheet(tmp_path / "flag.obj")
    thing = 'kind = "cloth"\nmesh = "flag.obj"\nsewn = { top = "rod" }'
    session = load(level(tmp_path, thing)).session()
    assert {seam.nodes[0] for seam in session.world.soft_body("thing").seams} == set(range(5))


@pytest.mark.parametrize("suffix", [".msh", ".vtk"])
def test_solid_from_a_mesh_falls_and_rests(tmp_path: Path, suffix: str) -> None:
    write_solid(tmp_path / f"cube{suffix}")
    thing = f'kind = "solid"\nmesh = "cube{suffix}"\nscale = 0.6\nyoung = 1e6'
    session = load(level(tmp_path, thing)).session()
    assert session.world.soft_body("thing").mass() == pytest.approx(1000 * 0.6**3)
    for _ in range(90):
        session.step()
    low = session.world.node_positions("thing")[:, 1].min()
    assert -0.01 < low < 0.05  # on the ground, not in it
    assert session.energy_gain() < 0.01


def test_mesh_is_part_of_the_level(tmp_path: Path) -> None:
    """It is watched, and a replay notices that it is another one."""
    write_sheet(tmp_path / "flag.obj")
    path = level(tmp_path, 'kind = "cloth"\nmesh = "flag.obj"\npins = ["corners"]')
    first = load(path)
    assert not first.changed()
    write_sheet(tmp_path / "flag.obj", columns=7)
    os.utime(tmp_path / "flag.obj", ns=(1, 1))  # some file systems count in seconds
    assert first.changed()
    assert load(path).digest != first.digest
    assert len(load(path).build().node_positions("thing")) == 35


def test_mesh_of_a_prefab_lies_beside_the_prefab(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    write_solid(folder / "cube.vtk")
    (folder / "jelly.toml").write_text(
        'format = 1\n[bodies.lid]\nshape = "box"\nsize = [1, 0.1, 1]\n'
        '[props.cube]\nkind = "solid"\nmesh = "cube.vtk"\n',
        encoding="utf-8",
    )
    path = tmp_path / "level.toml"
    path.write_text(
        'format = 1\n[bodies.pudding]\nprefab = "parts/jelly"\nposition = [0, 3, 0]\n',
        encoding="utf-8",
    )
    centre = load(path).build().node_positions("pudding.cube").mean(axis=0)
    assert centre == pytest.approx([0, 3, 0], abs=1e-12)


def test_names_of_nodes_on_a_mesh() -> None:
    sheet = primitives.cloth(3, 4, corner=(0, 1, 0), down=(0.0, -1.0, 0.0))
    named = {
        "top": [0, 1, 2, 3],
        "left": [0, 4, 8],
        "corners": [0, 3, 8, 11],
        "bottom_right": [11],
        "all_edges": [0, 1, 2, 3, 4, 7, 8, 9, 10, 11],
    }
    for word, nodes in named.items():
        assert named_nodes(sheet.position, sheet.triangles, [word]) == nodes, word


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ('kind = "cloth"\nmesh = "flug.obj"', 'there is no file "flug.obj"'),
        ('kind = "cloth"\nmesh = "flug.obj"', 'did you mean "flag.obj"?'),
        ('kind = "cloth"\nmesh = "../flag.obj"', "leaves the folder of the level"),
        ('kind = "cloth"\nmesh = "/etc/passwd"', "leaves the folder of the level"),
        ('kind = "cloth"\nmesh = "level.toml"', "known: .msh, .obj"),
        ('kind = "cloth"\nmesh = "cube.vtk"', "holds no triangles but tetra"),
        ('kind = "solid"\nmesh = "flag.obj"', "physics.soft.meshes.fill flag.obj flag.vtk"),
        ('kind = "cloth"\nmesh = "torn.ply"', "torn.ply cannot be read: the file ends too early"),
        ('kind = "cloth"\nmesh = "huge.obj"', "a level may use 10,000"),
        ('kind = "cloth"\nmesh = "flag.obj"\nsize = [1, 1]', "give either size or mesh"),
        ('kind = "cloth"\nmesh = "flag.obj"\nsag = 0.1', "hangs as the mesh is drawn"),
        ('kind = "solid"\nmesh = "cube.vtk"\nradius = 1', "give one of size, radius and mesh"),
    ],
)
def test_bad_mesh_is_answered_kindly(tmp_path: Path, thing: str, message: str) -> None:
    write_sheet(tmp_path / "flag.obj")
    write_solid(tmp_path / "cube.vtk")
    (tmp_path / "torn.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 9\n", encoding="utf-8"
    )
    if "huge" in thing:
        big = primitives.cloth(101, 101)
        cells = [("triangle", big.triangles)]
        meshio.write(tmp_path / "huge.obj", meshio.Mesh(big.position, cells))
    said = complaint(level(tmp_path, thing))
    assert message in said
    assert said.startswith("level.toml:")  # with the place


def test_mesh_file_of_too_many_bytes_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("levels.mesh_input.MAX_MESH_BYTES", 10)
    write_sheet(tmp_path / "flag.obj")
    said = complaint(level(tmp_path, 'kind = "cloth"\nmesh = "flag.obj"'))
    assert "a mesh may have 10" in said
