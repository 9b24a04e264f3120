"""A film as a glTF 2.0 file: .glb (one binary file) or .gltf.

Every body is a node with a mesh; its motion is a channel for its place and one for its turn. Cloths
and solids are meshes with a morph target for every keyframe, and a channel for their weights.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from levels.files import Aside
from sandbox.gltf.film import MOST_SHAPES, Film, SoftTrack, Track
from sandbox.gltf.tessellate import Indices

Floats = npt.NDArray[np.float64]

_FLOAT, _UNSIGNED = 5126, 5125  # component types of the format
_VERTICES, _ELEMENTS = 34962, 34963  # targets of buffer views


def _library() -> Any:
    try:
        import pygltflib
    except ImportError:
        raise ImportError(
            "writing glTF needs pygltflib: pip install 'taut[gltf]'", name="pygltflib"
        ) from None
    return pygltflib


def write_gltf(film: Film, path: Path) -> Path:
    """ValueError for another ending; either all of the file or nothing is written."""
    if path.suffix not in (".glb", ".gltf"):
        raise ValueError(f"{path}: glTF files end in .glb or .gltf")
    document = _Document(_library())
    for track in film.bodies:
        document.add_body(film, track)
    for soft in film.softs:
        document.add_soft(film, soft)
    with Aside(path) as aside:
        document.save(aside.path, binary=path.suffix == ".glb")
    return path


class _Document:
    """Accessors, meshes, nodes and one animation."""

    def __init__(self, library: Any) -> None:
        self._lib = library
        self._gltf = library.GLTF2(
            asset=library.Asset(version="2.0", generator="Taut"),
            scene=0,
            scenes=[library.Scene(nodes=[])],
            buffers=[library.Buffer(byteLength=0)],
        )
        self._blob = bytearray()
        self._animation = library.Animation(name="motion", samplers=[], channels=[])
        self._times: dict[int, int] = {}  # number of keyframes → accessor

    def add_body(self, film: Film, track: Track) -> None:
        mesh = self._mesh(track.name, track.points, track.triangles, track.color, [])
        node = self._node(track.name, mesh)
        turns = np.array(track.orientations)[:, [1, 2, 3, 0]]  # glTF has w last
        node.translation = [float(x) for x in track.positions[0]]
        node.rotation = [float(x) for x in turns[0]]
        if track.moves and len(film.times) > 1:
            number = len(self._gltf.nodes) - 1
            self._channel(film.times, number, "translation", np.array(track.positions), "VEC3")
            self._channel(film.times, number, "rotation", _steady(turns), "VEC4")

    def add_soft(self, film: Film, soft: SoftTrack) -> None:
        every = max(1, -(-len(film.times) // MOST_SHAPES))
        times, shapes = film.times[::every], soft.nodes[::every]
        base = shapes[0]
        targets = [shape - base for shape in shapes[1:]]
        mesh = self._mesh(soft.name, base, soft.triangles, soft.color, targets)
        self._node(soft.name, mesh)
        if targets:
            weights = np.vstack([np.zeros(len(targets)), np.eye(len(targets))])
            number = len(self._gltf.nodes) - 1
            self._channel(times, number, "weights", weights.reshape(-1, 1), "SCALAR")

    def save(self, path: Path, *, binary: bool) -> None:
        gltf, library = self._gltf, self._lib
        gltf.buffers[0].byteLength = len(self._blob)
        if self._animation.channels:
            gltf.animations = [self._animation]
        gltf.set_binary_blob(bytes(self._blob))
        if binary:
            gltf.save_binary(str(path))
        else:
            gltf.convert_buffers(library.BufferFormat.DATAURI)
            gltf.save_json(str(path))

    # --- parts ------------------------------------------------------------------------------------

    def _node(self, name: str, mesh: int) -> Any:
        node = self._lib.Node(name=name, mesh=mesh)
        self._gltf.scenes[0].nodes.append(len(self._gltf.nodes))
        self._gltf.nodes.append(node)
        return node

    def _mesh(
        self,
        name: str,
        points: Floats,
        triangles: Indices,
        color: tuple[float, float, float],
        targets: list[Floats],
    ) -> int:
        """Soft bodies share their nodes; of rigid ones every triangle is flat."""
        if not targets and len(triangles):
            points, triangles = points[triangles].reshape(-1, 3), _counted(len(triangles))
        attributes = self._lib.Attributes(POSITION=self._accessor(points, "VEC3", _VERTICES))
        if not targets:
            attributes.NORMAL = self._accessor(_normals(points), "VEC3", _VERTICES)
        primitive = self._lib.Primitive(
            attributes=attributes,
            indices=self._accessor(triangles.reshape(-1, 1), "SCALAR", _ELEMENTS),
            material=self._material(color),
            targets=[
                self._lib.Attributes(POSITION=self._accessor(t, "VEC3", _VERTICES)) for t in targets
            ],
        )
        weights = [0.0] * len(targets)
        self._gltf.meshes.append(self._lib.Mesh(name=name, primitives=[primitive], weights=weights))
        return len(self._gltf.meshes) - 1

    def _material(self, color: tuple[float, float, float]) -> int:
        library = self._lib
        for number, known in enumerate(self._gltf.materials):
            if tuple(known.pbrMetallicRoughness.baseColorFactor[:3]) == color:
                return number
        surface = library.PbrMetallicRoughness(
            baseColorFactor=[*color, 1.0], metallicFactor=0.0, roughnessFactor=0.7
        )
        self._gltf.materials.append(
            library.Material(pbrMetallicRoughness=surface, doubleSided=True)
        )
        return len(self._gltf.materials) - 1

    def _channel(self, times: list[float], node: int, path: str, values: Floats, kind: str) -> None:
        if len(times) not in self._times:
            column = np.array(times).reshape(-1, 1)
            self._times[len(times)] = self._accessor(column, "SCALAR", None)
        sampler = self._lib.AnimationSampler(
            input=self._times[len(times)],
            output=self._accessor(values, kind, None),
            interpolation="LINEAR",
        )
        target = self._lib.AnimationChannelTarget(node=node, path=path)
        self._animation.channels.append(
            self._lib.AnimationChannel(sampler=len(self._animation.samplers), target=target)
        )
        self._animation.samplers.append(sampler)

    def _accessor(self, values: npt.NDArray[Any], kind: str, target: int | None) -> int:
        whole = np.issubdtype(values.dtype, np.integer)
        raw = values.astype(np.uint32 if whole else np.float32)
        start = len(self._blob)
        self._blob += raw.tobytes()
        self._gltf.bufferViews.append(
            self._lib.BufferView(
                buffer=0, byteOffset=start, byteLength=len(self._blob) - start, target=target
            )
        )
        self._gltf.accessors.append(
            self._lib.Accessor(
                bufferView=len(self._gltf.bufferViews) - 1,
                componentType=_UNSIGNED if whole else _FLOAT,
                count=len(raw),
                type=kind,
                min=raw.min(axis=0).tolist() if len(raw) else None,
                max=raw.max(axis=0).tolist() if len(raw) else None,
            )
        )
        return len(self._gltf.accessors) - 1


def _counted(triangles: int) -> Indices:
    return np.arange(3 * triangles, dtype=np.int64).reshape(-1, 3)


def _normals(points: Floats) -> Floats:
    """Of triangles that share no corner, one for each corner."""
    corners = points.reshape(-1, 3, 3)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.sqrt((normal * normal).sum(axis=1, keepdims=True))
    flat: Floats = np.where(size > 0.0, normal / np.where(size > 0.0, size, 1.0), (0.0, 1.0, 0.0))
    return np.repeat(flat, 3, axis=0)


def _steady(turns: Floats) -> Floats:
    """q and -q are the same turn; neighbours are given the same sign, for interpolation."""
    found = turns.copy()
    for i in range(1, len(found)):
        if (found[i] * found[i - 1]).sum() < 0.0:
            found[i] = -found[i]
    return found
