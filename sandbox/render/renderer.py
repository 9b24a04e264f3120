"""Draws a scene. The frame, in order:

1. shadow map: parts, tubes and sheets as the sun sees them
2. light: ground, contact shadows, parts, tubes, sheets, outlines, sky, overlays in linear light
3. occlusion from the depth of 2 (high rungs only)
4. pixels: tone mapping and dither (the lower rungs do this in 2)
5. edges smoothed (rungs without multisampling)
6. resample onto the target
"""

import time
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render.backdrop_cache import Distance
from sandbox.render.buffers import (
    SheetBuffer,
    blob_batch,
    coil_batch,
    tube_batch,
)
from sandbox.render.context import release_forgotten
from sandbox.render.layers import Layers, nearest_first
from sandbox.render.look import linear
from sandbox.render.programs import Programs
from sandbox.render.quality import Quality
from sandbox.render.scene import FEW_COILS, Scene, Sheet, pattern_index
from sandbox.render.targets import ShadowMap, Targets
from sandbox.render.view import View, light_matrix

if TYPE_CHECKING:
    import moderngl

_ACCENT = linear("#ffb020")  # selection
_HINT = linear("#fff4d6")  # under the pointer
_SELECTION_PIXELS, _HOVER_PIXELS = 3.0, 1.6
_COPIES = 8  # of a selected sheet around itself
_CLEAR = 38.0  # m from which fog thins with distance
_TO_TEXTURE = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]])


class Renderer:
    """Owns the GPU side of pictures of one context at one quality."""

    def __init__(self, context: "moderngl.Context", quality: Quality) -> None:
        self.context = context
        self.quality = quality
        self.upload_seconds = 0.0  # of the last picture, for the profiler
        defines = {
            "SHADOW_TAPS": quality.taps,
            "OCCLUSION_SAMPLES": quality.occlusion,
            "DIRECT": int(quality.direct),
        }
        self._lit = Programs(context, {**defines, "PAPER": 0})
        self._paper = Programs(context, {**defines, "PAPER": 1})
        self._programs = self._lit  # those of the look that is drawn
        self._frame = context.buffer(reserve=4 * (3 * 16 + 13 * 4), dynamic=True)
        self._shadow = ShadowMap(context, quality.shadow)
        self._targets: Targets | None = None
        self._distance = Distance(context)
        self._layers = Layers(context, quality.detail)
        self._tubes = tube_batch(context, 5 + 2 * quality.detail)
        self._ghost_tubes = tube_batch(context, 5 + 2 * quality.detail)
        self._coil_batches = [coil_batch(context, 2 + quality.detail, n) for n in (90, 30)]
        self._coils = self._coil_batches[0]
        self._blobs = blob_batch(context)
        self._backdrop: object = None
        self._seen_from: View | None = None
        self._framed: tuple[object, bytes] = (None, b"")  # from where, and the uniform block
        self._sheets: dict[int, tuple[Sheet, SheetBuffer]] = {}
        quad = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], "f4")
        self._quad = context.buffer(quad.tobytes())
        self._quads: dict[int, moderngl.VertexArray] = {}

    def render(
        self,
        scene: Scene,
        view: View,
        size: tuple[int, int],
        target: "moderngl.Framebuffer",
        corner: tuple[int, int] = (0, 0),
    ) -> None:
        """Draw `scene` into the rectangle of `target` with the given lower left corner."""
        began = time.perf_counter()
        release_forgotten(self.context)
        targets = self._sized(size)
        self._programs = self._paper if scene.look.flat else self._lit
        self._upload(scene, view)
        self._write_frame(scene, view, targets)
        self.upload_seconds = time.perf_counter() - began
        self._frame.bind_to_uniform_block(0)
        self._draw_shadows()
        self._draw_light(scene, targets)
        self._draw_occlusion(targets)
        self._draw_pixels(targets, target, (*corner, *size))

    def compile_one_a_frame(self, wanted: bool) -> None:
        """Whether `render` ends with Postponed, its target as it was, once it has compiled one."""
        self._lit.one_a_frame = self._paper.one_a_frame = wanted

    def image(self, scene: Scene, view: View, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
        """The picture as (height, width, 3) bytes, top row first."""
        color = self.context.renderbuffer(size, 4)
        target = self.context.framebuffer([color])
        self.render(scene, view, size, target)
        data = target.read(components=3, alignment=1)
        target.release()
        color.release()
        return np.frombuffer(data, "u1").reshape(size[1], size[0], 3)[::-1].copy()

    def release(self) -> None:
        self._lit.release()
        self._paper.release()
        self._shadow.release()
        self._distance.release()
        if self._targets is not None:
            self._targets.release()

    # --- data to the GPU -----------------------------------------------------------------------

    def _sized(self, size: tuple[int, int]) -> Targets:
        if self._targets is None or self._targets.size != size:
            if self._targets is not None:
                self._targets.release()
            self._targets = Targets(self.context, size, self.quality)
        return self._targets

    def _upload(self, scene: Scene, view: View) -> None:
        self._layers.write("parts", scene.parts, scene)
        self._layers.write("marks", scene.marks, scene)
        self._layers.write("ghosts", scene.ghosts, scene)
        if self._backdrop is not scene.backdrop or self._seen_from != view:  # it never moves
            seen = {mesh: nearest_first(view, rows) for mesh, rows in scene.backdrop.items()}
            self._layers.write("backdrop", seen, scene)
            self._backdrop, self._seen_from = scene.backdrop, view
        self._layers.write("selected", scene.selected, scene)
        self._layers.write("hovered", scene.hovered, scene)
        self._layers.write("glow", scene.glow, scene)
        self._tubes.write(scene.tubes)
        self._coils, other = self._coil_batches[:: 1 if len(scene.coils) <= FEW_COILS else -1]
        self._coils.write(scene.coils)
        other.count = 0
        self._ghost_tubes.write(scene.ghost_tubes)
        solid = [rows for mesh, rows in scene.parts.items() if mesh != "rod"]
        self._blobs.write(*solid)
        self._upload_sheets(scene.sheets)

    def _upload_sheets(self, sheets: list[Sheet]) -> None:
        alive = {id(sheet) for sheet in sheets}
        for key in [key for key in self._sheets if key not in alive]:
            self._sheets.pop(key)[1].release()
        for sheet in sheets:
            if id(sheet) not in self._sheets:
                self._sheets[id(sheet)] = (sheet, SheetBuffer(self.context, sheet))
            self._sheets[id(sheet)][1].write(sheet)

    def _write_frame(self, scene: Scene, view: View, targets: Targets) -> None:
        """Fill the uniform block of frame.glsl: the same numbers while the camera stands."""
        place = (view, scene.look, scene.ground, scene.center, scene.radius, targets.inner)
        if place != self._framed[0]:
            self._framed = place, self._frame_data(scene, view, targets)
        self._frame.write(self._framed[1])

    def _frame_data(self, scene: Scene, view: View, targets: Targets) -> bytes:
        """In the order of frame.glsl."""
        look, (width, height) = scene.look, targets.inner
        radius = max(scene.radius, 2.0)
        light = light_matrix(look.sun_direction, scene.center, radius, self._shadow.texels)
        matrix = view.matrix()
        sun = np.asarray(look.sun_direction) / np.linalg.norm(look.sun_direction)
        ortho = view.height is not None
        # The further the camera stands back, the clearer the air: haze is for depth, not distance.
        away = float(np.linalg.norm(np.subtract(view.eye, scene.center)))
        fog = look.fog * min(1.0, _CLEAR / max(away, 1.0))
        rows = (
            (*view.eye, float(ortho)),
            (*view.axes()[2], view.pixel_size(1.0, height)),
            (*sun, 0.0),
            (*look.sun_color, look.exposure),
            (*look.zenith, fog),
            (*look.horizon, scene.ground if scene.ground is not None else -1e4),
            (*look.ground, look.grid_size),
            (*look.grid, float(scene.ground is not None)),
            (*look.ambient_sky, 0.0),
            (*look.ambient_ground, radius),
            (*look.outline_color, look.outline),
            (width, height, 1 / width, 1 / height),
            (
                1 / self._shadow.texels,
                2 * radius / self._shadow.texels,
                scene.center[0],
                scene.center[2],
            ),
        )
        parts = [matrix.T, np.linalg.inv(matrix).T, (_TO_TEXTURE @ light).T]
        data = np.concatenate([np.ravel(part) for part in parts] + [np.ravel(rows)])
        return data.astype("f4").tobytes()

    def _write_outline(self, color: tuple[float, float, float], width: float) -> None:
        offset = 4 * (3 * 16 + 10 * 4)
        self._frame.write(np.array((*color, width), "f4").tobytes(), offset=offset)

    # --- passes --------------------------------------------------------------------------------

    def _draw_solids(self, *variant: str) -> None:
        """Parts, tubes and sheets with one variant of their programs."""
        self._layers.draw(self._programs, "parts", *variant)
        if self._tubes.count:
            strip = self.context.TRIANGLE_STRIP
            self._tubes.draw(self._programs.get("tube", *variant), strip)
        if self._coils.count and (self.quality.taps > 1 or "DEPTH" not in variant):
            self._coils.draw(self._programs.get("coil", *variant), self.context.TRIANGLE_STRIP)
        if self._sheets and not any(word.startswith("OUTLINE") for word in variant):
            self._draw_sheets(*variant)

    def _draw_sheets(self, *variant: str) -> None:
        program = self._programs.get("sheet", *variant)
        self.context.disable(self.context.CULL_FACE)
        for sheet, buffer in self._sheets.values():
            if "material" in program:
                program["material"] = (*sheet.color, sheet.gloss)
                program["second"] = (*sheet.second, float(pattern_index(sheet.pattern)))
            buffer.draw(program, self.context.TRIANGLES)
        self.context.enable(self.context.CULL_FACE)

    def _draw_shadows(self) -> None:
        if not self.quality.shadow:
            return
        context = self.context
        self._shadow.framebuffer.use()
        self._shadow.framebuffer.clear(depth=1.0)
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.polygon_offset = 1.5, 2.0
        self._draw_solids("DEPTH")
        context.polygon_offset = 0.0, 0.0

    def _draw_light(self, scene: Scene, targets: Targets) -> None:
        context = self.context
        self._shadow.depth.use(0)
        kept = self._keep_distance(scene, targets)
        targets.light.use()
        if kept is not None:
            context.copy_framebuffer(targets.light, kept)
        else:
            targets.light.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.depth_func = "<="
        self._draw_solids()
        self._layers.draw(self._programs, "marks")
        if scene.look.flat:
            self._layers.draw(self._programs, "backdrop")
        if scene.look.outline > 0.0:
            self._draw_outlines("parts", scene.look.outline_color, scene.look.outline)
        wide = self.quality.scale
        self._draw_rim("hovered", scene.hovered_sheets, _HINT, _HOVER_PIXELS * wide)
        self._draw_rim("selected", scene.selected_sheets, _ACCENT, _SELECTION_PIXELS * wide)
        if scene.ground is not None or scene.look.flat:
            context.disable(context.CULL_FACE)
            self._draw_quad(self._programs.get("ground"))
            if scene.ground is not None and not scene.look.flat:
                self._draw_blobs()
        if kept is None and not scene.look.flat:  # the ground hides the lower part of hills
            self._draw_far()
        if scene.ghosts or len(scene.ghost_tubes):
            self._draw_ghosts()
        if scene.glow:
            self._draw_glow()
        if targets.light is not targets.resolved:
            context.copy_framebuffer(targets.resolved, targets.light)

    def _keep_distance(self, scene: Scene, targets: Targets) -> "moderngl.Framebuffer | None":
        """Finished pixels of backdrop and sky, kept while nothing about them changes: the picture
        begins as a copy of them, which takes a thirtieth of the time of drawing them."""
        place = (self._seen_from, scene.look, scene.ground, scene.center, scene.radius, targets)
        still = self._distance.is_still(place, scene.backdrop)
        if not still or scene.look.flat or not self.quality.direct:
            return None
        canvas, painted = self._distance.canvas(targets.inner)
        if not painted:
            canvas.use()
            canvas.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
            self.context.depth_func = "<="
            self._draw_far()
        return canvas

    def _draw_far(self) -> None:
        context = self.context
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        self._layers.draw(self._programs, "backdrop")
        context.disable(context.CULL_FACE)
        self._draw_quad(self._programs.get("sky"))

    def _draw_outlines(self, layer: str, color: tuple[float, float, float], width: float) -> None:
        """Back faces of the inflated solids: a rim around each silhouette."""
        context = self.context
        self._write_outline(color, width)
        context.cull_face = "front"
        if layer == "parts":
            self._draw_solids("OUTLINE=1")
        else:
            self._layers.draw(self._programs, layer, "OUTLINE=2")
        context.cull_face = "back"

    def _draw_rim(
        self, layer: str, sheets: list[Sheet], color: tuple[float, float, float], width: float
    ) -> None:
        """Around what is chosen. A cloth has no back to inflate: copies of it, moved a little on
        the screen and back."""
        if self._layers.has(layer):
            self._draw_outlines(layer, color, width)
        if not sheets:
            return
        self._write_outline(color, width)
        program = self._programs.get("sheet", "OUTLINE=2")
        self.context.disable(self.context.CULL_FACE)
        for sheet in sheets:
            for angle in np.arange(_COPIES) * (2 * np.pi / _COPIES):
                program["way"] = (float(np.cos(angle)), float(np.sin(angle)))
                self._sheets[id(sheet)][1].draw(program, self.context.TRIANGLES)
        self.context.enable(self.context.CULL_FACE)

    def _draw_blobs(self) -> None:
        context = self.context
        context.enable_only(context.DEPTH_TEST | context.BLEND)
        context.blend_func = context.DST_COLOR, context.ZERO
        program = self._programs.get("blob")
        depth_mask = self._targets.light.depth_mask if self._targets else True
        if self._targets:
            self._targets.light.depth_mask = False
        self._blobs.draw(program, context.TRIANGLE_STRIP)
        if self._targets:
            self._targets.light.depth_mask = depth_mask
        context.disable(context.BLEND)

    def _draw_ghosts(self) -> None:
        """Translucent copies: hidden by what is solid, and by nothing of their own behind them."""
        context = self.context
        context.enable_only(context.CULL_FACE | context.BLEND | context.DEPTH_TEST)
        context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
        self._layers.draw(self._programs, "ghosts", "GLOWING")
        if self._ghost_tubes.count:
            self._ghost_tubes.draw(self._programs.get("tube", "GLOWING"), context.TRIANGLE_STRIP)
        context.disable(context.BLEND)

    def _draw_glow(self) -> None:
        context = self.context
        context.enable_only(context.CULL_FACE | context.BLEND)
        context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
        self._layers.draw(self._programs, "glow", "GLOWING")
        context.disable(context.BLEND)

    def _draw_occlusion(self, targets: Targets) -> None:
        if not self.quality.occlusion:
            return
        targets.occluded.use()
        self.context.enable_only(self.context.NOTHING)
        targets.depth.use(1)
        program = self._programs.get("occlusion")
        program["depth_map"] = 1
        width, height = targets.occlusion.size
        program["texel"] = (1 / width, 1 / height)
        self._draw_quad(program)

    def _draw_pixels(
        self,
        targets: Targets,
        target: "moderngl.Framebuffer",
        rectangle: tuple[int, int, int, int],
    ) -> None:
        self.context.enable_only(self.context.NOTHING)
        if not self.quality.direct:
            targets.final.use()
            program = self._programs.get("post")
            sources = {
                "picture": targets.picture,
                "occlusion_map": targets.occlusion,
                "depth_map": targets.depth,
            }
            self._bind(program, sources)
            self._draw_quad(program)
        target.viewport = rectangle
        pixels = targets.pixels
        if self.quality.fxaa:
            whole = targets.inner == targets.size
            (target if whole else targets.smooth).use()
            self._draw_pass("smooth", pixels)
            if whole:
                return
            pixels = targets.smoothed
        target.use()
        self._draw_pass("resample", pixels, *(("SHRINK",) if self.quality.scale > 1.5 else ()))

    def _draw_pass(self, name: str, picture: "moderngl.Texture", *variant: str) -> None:
        program = self._programs.get(name, *variant)
        self._bind(program, {"picture": picture})
        self._draw_quad(program)

    def _bind(self, program: "moderngl.Program", textures: dict[str, "moderngl.Texture"]) -> None:
        for unit, (name, texture) in enumerate(textures.items(), start=1):
            if name in program:
                texture.use(unit)
                program[name] = unit

    def _draw_quad(self, program: "moderngl.Program") -> None:
        array = self._quads.get(program.glo)
        if array is None:
            array = self.context.vertex_array(program, [(self._quad, "2f", "in_plane")])
            self._quads[program.glo] = array
        array.render(self.context.TRIANGLE_STRIP)
