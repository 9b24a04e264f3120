"""Vertex data on the GPU: instanced parts and tubes, and sheets whose points stream in.

A vertex array ties buffers to one program, so each batch keeps one per program it has met.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render.meshes import Mesh
from sandbox.render.scene import Parts, Sheet

if TYPE_CHECKING:
    import moderngl

_PART_NAMES = ("at_position", "at_orientation", "at_half", "at_color")
_TUBE_NAMES = ("at_a", "at_b", "at_before", "at_after", "at_color")
_COIL_NAMES = ("at_a", "at_b", "at_color")
_QUAD = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], "f4")


def _known(program: "moderngl.Program", names: tuple[str, ...]) -> list[str]:
    """Attributes the linker kept; the rest become padding of their size in the format."""
    return [name for name in names if name in program]


def _format(program: "moderngl.Program", names: tuple[str, ...], size: str, end: str) -> str:
    width = int(size[0]) * 4
    words = [size if name in program else f"{width}x" for name in names]
    return " ".join(words) + end


class Stream:
    """A GPU buffer that is rewritten every frame and grows when it must."""

    def __init__(self, context: "moderngl.Context") -> None:
        self._context = context
        self.buffer = context.buffer(reserve=1 << 12, dynamic=True)
        self.grown = 0  # how often the buffer object was replaced

    def write(self, *pieces: npt.NDArray[np.generic]) -> None:
        """One after the other."""
        size = sum(data.nbytes for data in pieces)
        if size > self.buffer.size:
            self.buffer.release()
            self.buffer = self._context.buffer(reserve=int(size * 1.5), dynamic=True)
            self.grown += 1
        else:
            self.buffer.orphan(self.buffer.size)
        offset = 0
        for data in pieces:
            self.buffer.write(np.ascontiguousarray(data), offset=offset)
            offset += data.nbytes


class Batch:
    """Instances of one mesh."""

    def __init__(
        self,
        context: "moderngl.Context",
        vertices: "moderngl.Buffer",
        layout: tuple[str, tuple[str, ...]],
        indices: "moderngl.Buffer | None",
        instance_names: tuple[str, ...],
    ) -> None:
        self._context = context
        self._vertices, self._layout, self._indices = vertices, layout, indices
        self._names = instance_names
        self._stream = Stream(context)
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._seen = 0
        self.count = 0

    def write(self, *pieces: Parts) -> None:
        self.count = sum(len(rows) for rows in pieces)
        if self.count:
            self._stream.write(*pieces)
        if self._stream.grown != self._seen:
            self._drop_arrays()
            self._seen = self._stream.grown

    def draw(self, program: "moderngl.Program", mode: int) -> None:
        if self.count:
            self._array(program).render(mode, instances=self.count)

    def _array(self, program: "moderngl.Program") -> "moderngl.VertexArray":
        array = self._arrays.get(program.glo)
        if array is None:
            size, names = self._layout
            content = [
                (self._vertices, _format(program, names, size, ""), *_known(program, names)),
                (
                    self._stream.buffer,
                    _format(program, self._names, "4f", "/i"),
                    *_known(program, self._names),
                ),
            ]
            array = self._context.vertex_array(program, content, self._indices)
            self._arrays[program.glo] = array
        return array

    def _drop_arrays(self) -> None:
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()


def part_batch(context: "moderngl.Context", mesh: Mesh) -> Batch:
    vertices = context.buffer(mesh.packed())
    indices = context.buffer(mesh.triangles.astype("u4").tobytes())
    return Batch(context, vertices, ("3f", ("in_corner", "in_normal")), indices, _PART_NAMES)


def blob_batch(context: "moderngl.Context") -> Batch:
    vertices = context.buffer(_QUAD.tobytes())
    return Batch(context, vertices, ("2f", ("in_plane",)), None, _PART_NAMES)


def tube_batch(context: "moderngl.Context", sides: int) -> Batch:
    """A strip of `sides` quads around the axis."""
    angle = np.linspace(0.0, 2 * np.pi, sides + 1)
    ring = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    strip = np.zeros((2 * (sides + 1), 3), "f4")
    strip[0::2, :2], strip[1::2, :2] = ring, ring
    strip[1::2, 2] = 1.0
    vertices = context.buffer(strip.tobytes())
    return Batch(context, vertices, ("3f", ("in_ring",)), None, _TUBE_NAMES)


def coil_batch(context: "moderngl.Context", sides: int, pieces: int) -> Batch:
    """Rings of `sides` around a wire of so many pieces, as one strip: where it goes on to the next
    ring it meets itself, so the triangles between are empty."""
    angle = np.linspace(0.0, 2 * np.pi, sides + 1)
    share = np.arange(pieces + 1) / pieces
    strip = np.zeros((pieces, sides + 1, 2, 3), "f4")
    strip[..., 0], strip[..., 1] = np.cos(angle)[:, None], np.sin(angle)[:, None]
    strip[..., 0, 2], strip[..., 1, 2] = share[:-1, None], share[1:, None]
    vertices = context.buffer(strip.tobytes())
    return Batch(context, vertices, ("3f", ("in_ring",)), None, _COIL_NAMES)


class SheetBuffer:
    """One cloth or solid: its points and normals stream, its triangles and uv stay."""

    _NAMES = ("in_position", "in_normal")

    def __init__(self, context: "moderngl.Context", sheet: Sheet) -> None:
        self._context = context
        self._dynamic = Stream(context)
        self._tint = Stream(context)
        self._uv = context.buffer(np.asarray(sheet.uv, "f4").tobytes())
        self._indices = context.buffer(np.asarray(sheet.triangles, "u4").tobytes())
        self._arrays: dict[tuple[int, int, int], moderngl.VertexArray] = {}
        self._triangles = sheet.triangles
        self._normals = VertexNormals(sheet.triangles, len(sheet.points))

    def write(self, sheet: Sheet) -> None:
        count = len(sheet.points)
        if sheet.triangles is not self._triangles:  # some were torn, or are whole again
            self._triangles = sheet.triangles
            self._write_indices()
            self._normals = VertexNormals(sheet.triangles, count)
        data = np.empty((count, 6), "f4")
        data[:, :3] = sheet.points
        data[:, 3:] = self._normals(data[:, :3])
        self._dynamic.write(data)
        tint = np.zeros((count, 4), "f4") if sheet.tint is None else np.asarray(sheet.tint, "f4")
        self._tint.write(tint)

    def _write_indices(self) -> None:
        """A solid shows more triangles when it is cut open than when it is whole."""
        data = np.asarray(self._triangles, "u4").tobytes()
        if len(data) > self._indices.size:
            self.release()
            self._arrays.clear()
            self._indices.release()
            self._indices = self._context.buffer(data)
        elif data:
            self._indices.write(data)

    def draw(self, program: "moderngl.Program", mode: int) -> None:
        if not len(self._triangles):
            return
        key = (program.glo, self._dynamic.grown, self._tint.grown)
        array = self._arrays.get(key)
        if array is None:
            array = self._context.vertex_array(program, self._content(program), self._indices)
            self._arrays[key] = array
        array.render(mode, vertices=3 * len(self._triangles))

    def _content(self, program: "moderngl.Program") -> list[tuple[object, ...]]:
        content: list[tuple[object, ...]] = [
            (
                self._dynamic.buffer,
                _format(program, self._NAMES, "3f", ""),
                *_known(program, self._NAMES),
            )
        ]
        if "in_uv" in program:
            content.append((self._uv, "2f", "in_uv"))
        if "in_tint" in program:
            content.append((self._tint.buffer, "4f", "in_tint"))
        return content

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()


class VertexNormals:
    """Area-weighted normals: the sum over a vertex's triangles, as one sparse product."""

    def __init__(self, triangles: npt.NDArray[np.integer], points: int) -> None:
        from scipy.sparse import csr_matrix

        self._triangles = np.asarray(triangles)
        count = len(self._triangles)
        column = np.repeat(np.arange(count), 3)
        ones = np.ones(3 * count, "f4")
        self._sum = csr_matrix((ones, (self._triangles.ravel(), column)), shape=(points, count))

    def __call__(self, points: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        a, b, c = (points[self._triangles[:, i]] for i in range(3))
        u, v = b - a, c - a
        face = np.stack(
            (
                u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1],
                u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2],
                u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0],
            ),
            axis=1,
        )
        total = self._sum @ face
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return np.asarray(total / np.maximum(length, 1e-12))
