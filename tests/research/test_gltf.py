"""Motion as glTF: what another reader finds in the file is what the world had."""

from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest

from levels import load
from sandbox.cli import main
from sandbox.gltf import filmed, write_gltf
from sandbox.gltf.tessellate import surface
from tests.research.falling import falling


def _values(gltf: Any, number: int) -> Any:
    accessor = gltf.accessors[number]
    view = gltf.bufferViews[accessor.bufferView]
    kind = {5126: np.float32, 5125: np.uint32}[accessor.componentType]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
    raw = gltf.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    return np.frombuffer(raw, kind).reshape(accessor.count, width)


def test_channels_hold_the_motion(tmp_path: Path) -> None:
    session = load(falling(tmp_path)).session()
    film = filmed(session, 0.5, rate=20)
    gltf = pygltflib.GLTF2().load(str(write_gltf(film, tmp_path / "fall.glb")))
    (ball,) = [i for i, node in enumerate(gltf.nodes) if node.name == "ball"]
    (motion,) = gltf.animations
    tracks = {c.target.path: c for c in motion.channels if c.target.node == ball}
    sampler = motion.samplers[tracks["translation"].sampler]
    times, places = _values(gltf, sampler.input), _values(gltf, sampler.output)
    assert times[:, 0] == pytest.approx(np.arange(11) / 20)
    other = load(falling(tmp_path)).session()
    for step in range(30):
        other.step()
        if (step + 1) % 3 == 0:
            assert places[(step + 1) // 3] == pytest.approx(other.position("ball"), abs=1e-5)
    ground = [i for i, node in enumerate(gltf.nodes) if node.name == "ground"]
    assert not [c for c in motion.channels if c.target.node in ground], "it does not move"


def test_cloth_is_a_shape_for_every_frame(tmp_path: Path) -> None:
    path = tmp_path / "cloth.toml"
    path.write_text(
        'format = 1\n[props.towel]\nkind = "cloth"\nsize = [1, 1]\nrows = 5\ncolumns = 5\n'
        'position = [0, 2, 0]\npins = ["top"]\n',
        encoding="utf-8",
    )
    session = load(path).session()
    gltf = pygltflib.GLTF2().load(
        str(write_gltf(filmed(session, 0.2, rate=20), tmp_path / "cloth.glb"))
    )
    (mesh,) = gltf.meshes
    base = _values(gltf, mesh.primitives[0].attributes.POSITION)
    last = _values(gltf, mesh.primitives[0].targets[-1]["POSITION"])
    assert len(mesh.primitives[0].targets) == 4
    assert base + last == pytest.approx(session.world.node_positions("towel"), abs=1e-5)


@pytest.mark.parametrize("name", ["sphere", "box", "capsule", "cylinder", "cone", "hull"])
def test_triangles_enclose_the_volume(name: str) -> None:
    """By the divergence theorem, outward; round things are a little smaller, by their sides."""
    from physics import SHAPES

    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    given: dict[str, Any] = {
        "sphere": {"radius": 0.4}, "box": {"size": (0.3, 0.5, 0.7)}, "hull": {"points": corners},
    }.get(name, {"radius": 0.3, "length": 0.8})  # fmt: skip
    shape: Any = SHAPES[name](**given)
    points, triangles = surface(shape, np.zeros(3))
    a, b, c = (points[triangles[:, i]] for i in range(3))
    volume = float((a * np.cross(b, c)).sum() / 6.0)
    whole = shape.mass_properties(1.0).mass
    assert 0.97 * whole < volume <= whole * (1 + 1e-9)


def test_the_command_films(tmp_path: Path) -> None:
    level, out = falling(tmp_path), tmp_path / "fall.gltf"
    assert main(["convert", str(level), str(out), "--seconds", "0.2", "--set", "weight=5"]) == 0
    assert pygltflib.GLTF2().load(str(out)).animations
    assert main(["convert", str(level), str(tmp_path / "fall.obj")]) == 2


def test_blender_shows_what_the_world_had(tmp_path: Path) -> None:
    """Only where Blender is installed as a module (`pip install bpy`)."""
    pytest.importorskip("bpy")
    from tests.research.blender import differences, opened

    film = filmed(load("trampoline").session(), 0.5, 24.0)
    found = differences(film, opened(write_gltf(film, tmp_path / "film.glb")))
    assert max(found) < 1e-5
