"""Dear ImGui on moderngl and SDL events.

Rendering: one vertex and one index buffer for all draw lists, one scissored draw per command.
Textures: ImGui ≥ 1.92 asks for its font atlas to be created, updated and destroyed as glyphs are
needed; `_serve_textures` answers. Pictures of our own (thumbnails) are registered by GL name.
"""

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui, implot

from sandbox.render.programs import Programs

if TYPE_CHECKING:
    import moderngl
    from pygame.event import Event

_BUTTONS = {1: 0, 3: 1, 2: 2}  # SDL numbers the middle button second, ImGui third


class ImguiBackend:
    """Owns the ImGui context of a window."""

    def __init__(self, context: "moderngl.Context") -> None:
        self._gl: Any = context  # its stubs know neither four blend factors nor no scissor
        self._imgui = imgui.create_context()
        imgui.set_current_context(self._imgui)  # a second context is not made current by itself
        self._implot = implot.create_context()
        implot.set_current_context(self._implot)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures.value
        io.backend_flags |= imgui.BackendFlags_.renderer_has_vtx_offset.value
        self._program = Programs(context, {}).get("interface")
        self._vertices = context.buffer(reserve=1 << 16, dynamic=True)
        self._indices = context.buffer(reserve=1 << 16, dynamic=True)
        self._array = self._make_array()
        self._textures: dict[int, Any] = {}
        self._commands: list[tuple[tuple[int, int, int, int], Any, int, int]] = []
        self._shown_size = (0.0, 0.0)
        self.pointer_moved = False  # since the panels were last built
        self.dirty = True  # something was entered since the panels were last built

    def _make_array(self) -> "moderngl.VertexArray":
        content = [(self._vertices, "2f 2f 4f1", "in_position", "in_uv", "in_color")]
        return self._gl.vertex_array(
            self._program, content, self._indices, index_element_size=imgui.INDEX_SIZE
        )

    # --- input ---------------------------------------------------------------------------------

    def event(self, event: "Event") -> None:
        """Feed one SDL event."""
        import pygame

        self.dirty = True
        io = imgui.get_io()
        if event.type == pygame.MOUSEMOTION:
            self.pointer_moved = True
            io.add_mouse_pos_event(*event.pos)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            if event.button in _BUTTONS:
                io.add_mouse_pos_event(*event.pos)
                down = event.type == pygame.MOUSEBUTTONDOWN
                io.add_mouse_button_event(_BUTTONS[event.button], down)
        elif event.type == pygame.MOUSEWHEEL:
            io.add_mouse_wheel_event(float(event.x), float(event.y))
        elif event.type == pygame.TEXTINPUT:
            io.add_input_characters_utf8(event.text)
        elif event.type in (pygame.KEYDOWN, pygame.KEYUP):
            key = _editing_keys(pygame).get(event.key)
            if key is not None:
                io.add_key_event(key, event.type == pygame.KEYDOWN)
            control = bool(event.mod & pygame.KMOD_CTRL)
            io.add_key_event(imgui.Key.mod_ctrl, control)

    @property
    def wants_mouse(self) -> bool:
        return bool(imgui.get_io().want_capture_mouse)

    @property
    def popup_open(self) -> bool:
        """Is a list open, or something of the interface being dragged?"""
        anything = imgui.PopupFlags_.any_popup_id.value | imgui.PopupFlags_.any_popup_level.value
        return bool(imgui.is_popup_open("", anything) or imgui.is_any_item_active())

    @property
    def wants_keys(self) -> bool:
        return bool(imgui.get_io().want_text_input)

    # --- drawing -------------------------------------------------------------------------------

    def begin(self, size: tuple[int, int], frame: float) -> None:
        self.dirty = self.pointer_moved = False
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(*size)
        io.delta_time = max(frame, 1e-4)
        imgui.new_frame()

    def end(self, target: "moderngl.Framebuffer") -> None:
        """Draw what was built since `begin` over the target."""
        imgui.render()
        data = imgui.get_draw_data()
        self._serve_textures()
        lists = data.cmd_lists
        self._shown_size = data.display_size.x, data.display_size.y
        self._commands = []
        if len(lists):
            self._upload(lists)
            self._collect(lists, int(data.display_size.y))
        self.paint(target)

    def paint(self, target: "moderngl.Framebuffer") -> None:
        """Draw what was built last, once more."""
        if not self._commands:
            return
        gl = self._gl
        width, height = self._shown_size
        target.viewport = (0, 0, int(width), int(height))
        target.use()
        gl.enable_only(gl.BLEND)
        gl.blend_func = gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA
        self._program["size"] = (width, height)
        self._program["atlas"] = 0
        for scissor, texture, count, first in self._commands:
            target.scissor = scissor
            texture.use(0)
            self._array.render(vertices=count, first=first)
        target.scissor = None  # type: ignore[assignment] # its stubs do not know that
        gl.disable(gl.BLEND)

    def _upload(self, lists: Any) -> None:
        vertices = b"".join(_bytes(item.vtx_buffer, imgui.VERTEX_SIZE) for item in lists)
        base, rows = 0, []
        kind = np.uint32 if imgui.INDEX_SIZE == 4 else np.uint16
        for item in lists:
            index = np.frombuffer(_bytes(item.idx_buffer, imgui.INDEX_SIZE), kind)
            rows.append(index.astype(np.uint32) + np.uint32(base))
            base += item.vtx_buffer.size()
        indices = np.concatenate(rows).astype(np.uint32).tobytes()
        grown = False
        for name, data in (("_vertices", vertices), ("_indices", indices)):
            buffer = getattr(self, name)
            if len(data) > buffer.size:
                buffer.release()
                setattr(self, name, self._gl.buffer(reserve=2 * len(data), dynamic=True))
                grown = True
        if grown or self._array.index_element_size != 4:
            self._array.release()
            content = [(self._vertices, "2f 2f 4f1", "in_position", "in_uv", "in_color")]
            self._array = self._gl.vertex_array(
                self._program, content, self._indices, index_element_size=4
            )
        self._vertices.write(vertices)
        self._indices.write(indices)

    def _collect(self, lists: Any, height: int) -> None:
        """One command per draw: where, with which texture, how many indices from where on."""
        first = 0
        for item in lists:
            for command in item.cmd_buffer:
                clip = command.clip_rect
                width, tall = int(clip.z) - int(clip.x), int(clip.w) - int(clip.y)
                texture = self._textures.get(int(command.get_tex_id()))
                if width > 0 and tall > 0 and texture is not None:
                    scissor = int(clip.x), height - int(clip.w), width, tall
                    start = first + command.idx_offset
                    self._commands.append((scissor, texture, command.elem_count, start))
            first += item.idx_buffer.size()

    # --- textures ------------------------------------------------------------------------------

    def register(self, texture: "moderngl.Texture") -> "imgui.ImTextureRef":
        """Make a texture of ours drawable with imgui.image."""
        self._textures[texture.glo] = texture
        return imgui.ImTextureRef(texture.glo)

    def _serve_textures(self) -> None:
        status = imgui.ImTextureStatus
        for request in imgui.get_platform_io().textures:
            if request.status == status.want_create:
                size = (request.width, request.height)
                texture = self._gl.texture(size, 4, bytes(request.get_pixels_array()))
                self._textures[texture.glo] = texture
                request.set_tex_id(texture.glo)
                request.status = status.ok
            elif request.status == status.want_updates:
                self._update(request)
                request.status = status.ok
            elif request.status == status.want_destroy and request.unused_frames > 0:
                texture = self._textures.pop(int(request.tex_id), None)
                if texture is not None:
                    texture.release()
                request.set_tex_id(0)
                request.status = status.destroyed

    def _update(self, request: Any) -> None:
        pixels = np.asarray(request.get_pixels_array()).reshape(request.height, request.width, 4)
        texture = self._textures[int(request.tex_id)]
        for rect in request.updates:
            block = pixels[rect.y : rect.y + rect.h, rect.x : rect.x + rect.w]
            viewport = (rect.x, rect.y, rect.w, rect.h)
            texture.write(np.ascontiguousarray(block).tobytes(), viewport=viewport)

    def release(self) -> None:
        """Give back every texture ImGui asked for, then its contexts."""
        imgui.set_current_context(self._imgui)
        for request in imgui.get_platform_io().textures:
            request.set_tex_id(0)
            request.status = imgui.ImTextureStatus.destroyed
        implot.destroy_context(self._implot)
        imgui.destroy_context(self._imgui)


def _bytes(vector: Any, size: int) -> bytes:
    return ctypes.string_at(vector.data_address(), vector.size() * size) if vector.size() else b""


def _editing_keys(pygame: Any) -> dict[int, Any]:
    return {
        pygame.K_BACKSPACE: imgui.Key.backspace,
        pygame.K_DELETE: imgui.Key.delete,
        pygame.K_RETURN: imgui.Key.enter,
        pygame.K_KP_ENTER: imgui.Key.enter,
        pygame.K_LEFT: imgui.Key.left_arrow,
        pygame.K_RIGHT: imgui.Key.right_arrow,
        pygame.K_UP: imgui.Key.up_arrow,
        pygame.K_DOWN: imgui.Key.down_arrow,
        pygame.K_HOME: imgui.Key.home,
        pygame.K_END: imgui.Key.end,
        pygame.K_a: imgui.Key.a,
        pygame.K_c: imgui.Key.c,
        pygame.K_v: imgui.Key.v,
    }
