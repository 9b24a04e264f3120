"""Open films in Blender and compare what it shows with what the world had.

    pip install bpy          # Blender as a module; large, and for one version of Python each
    python -m tests.research.blender crane trampoline ragdoll

Prints, for each level, how many bodies and soft bodies Blender found and the largest difference of
place (m) and turn (rad) over all frames. glTF has y upwards and Blender z: (x, y, z) → (x, -z, y).
"""

import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from levels import load
from sandbox.gltf import Film, filmed, write_gltf

SECONDS, RATE = 2.0, 24.0
_UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def opened(path: Path) -> Any:
    """An empty scene of Blender with the file in it."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = int(RATE)
    bpy.ops.import_scene.gltf(filepath=str(path))
    return bpy


def differences(film: Film, bpy: Any) -> tuple[float, float, float]:
    """Largest of places, of turns, and of the nodes of soft bodies."""
    place = turn = soft = 0.0
    objects = {item.name: item for item in bpy.data.objects}
    for frame in range(len(film.times)):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for track in film.bodies:
            matrix = np.array(objects[track.name].evaluated_get(graph).matrix_world)
            wanted = _UPRIGHT @ track.positions[frame]
            place = max(place, float(abs(matrix[:3, 3] - wanted).max()))
            turn = max(turn, _angle(matrix[:3, :3], track.orientations[frame]))
        for cloth in film.softs:
            mesh = objects[cloth.name].evaluated_get(graph).to_mesh()
            seen = np.array([vertex.co for vertex in mesh.vertices])
            soft = max(soft, _apart(seen, cloth.nodes[frame] @ _UPRIGHT.T))
    return place, turn, soft


def _angle(matrix: Any, orientation: Any) -> float:
    """Between a rotation that Blender shows and a quaternion of ours."""
    w, x, y, z = orientation
    ours = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    between = (_UPRIGHT @ ours @ _UPRIGHT.T).T @ matrix
    axis = [between[2, 1] - between[1, 2], between[0, 2] - between[2, 0],
            between[1, 0] - between[0, 1]]  # fmt: skip
    return math.atan2(0.5 * math.hypot(*axis), 0.5 * (float(np.trace(between)) - 1.0))


def _apart(seen: Any, wanted: Any) -> float:
    """Blender may merge and reorder nodes: the largest distance to the nearest one wanted."""
    gaps = np.sqrt(((seen[:, None, :] - wanted[None, :, :]) ** 2).sum(axis=2))
    return float(gaps.min(axis=1).max())


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            film = filmed(load(name).session(), SECONDS, RATE)
            bpy = opened(write_gltf(film, Path(folder) / f"{name}.glb"))
            place, turn, soft = differences(film, bpy)
            print(
                f"{name:20} Blender {bpy.app.version_string}: {len(film.bodies)} bodies, "
                f"{len(film.softs)} soft, {len(film.times)} frames; differs by {place:.1e} m, "
                f"{turn:.1e} rad, nodes {soft:.1e} m"
            )


if __name__ == "__main__":
    main(sys.argv[1:] or ["crane"])
