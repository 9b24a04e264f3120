"""The window: SDL through pygame-ce, with an OpenGL 3.3 core context."""

import os
from types import ModuleType
from typing import TYPE_CHECKING

from sandbox.messages import MachineProblem
from sandbox.render.context import GraphicsError, window_context

if TYPE_CHECKING:
    import moderngl
    from pygame.event import Event

_INVISIBLE = ("offscreen", "dummy")


class NoDisplay(MachineProblem):
    """There is nothing to open a window on."""


class Closed(Exception):
    """The window was closed while something was still being prepared."""


class Window:
    """Owns the SDL window and the framebuffer that everything is drawn into."""

    def __init__(self, title: str, size: tuple[int, int] = (1280, 720)) -> None:
        self._pygame = _start_video()
        self._open(title, size)
        self.context = self._context()
        self.size = self._pygame.display.get_window_size()
        self.canvas = self.spare_canvas()
        self.visible = True
        self.full_screen = False

    def _open(self, title: str, size: tuple[int, int]) -> None:
        pygame = self._pygame
        attributes = (
            (pygame.GL_CONTEXT_MAJOR_VERSION, 3),
            (pygame.GL_CONTEXT_MINOR_VERSION, 3),
            (pygame.GL_CONTEXT_PROFILE_MASK, pygame.GL_CONTEXT_PROFILE_CORE),
            (pygame.GL_CONTEXT_FORWARD_COMPATIBLE_FLAG, 1),
        )
        for name, value in attributes:
            pygame.display.gl_set_attribute(name, value)
        flags = pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE
        try:
            pygame.display.set_mode(size, flags, vsync=1)
        except pygame.error:
            try:
                pygame.display.set_mode(size, flags)
            except pygame.error as error:
                pygame.display.quit()
                raise GraphicsError(f"no window with OpenGL 3.3 can be opened ({error})") from error
        pygame.display.set_caption(title)

    def _context(self) -> "moderngl.Context":
        try:
            return window_context()
        except GraphicsError:
            self._pygame.display.quit()
            raise

    def spare_canvas(self) -> "moderngl.Framebuffer":
        """Another canvas of the window's size; give it back with `release`."""
        return self.context.framebuffer([self.context.texture(self.size, 4)])

    @staticmethod
    def release(canvas: "moderngl.Framebuffer") -> None:
        for attachment in canvas.color_attachments:
            attachment.release()
        canvas.release()

    def events(self) -> "list[Event]":
        """The events since the last call; resizing and hiding are handled here."""
        pygame = self._pygame
        events = pygame.event.get()
        for event in events:
            if event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWRESIZED):
                self._resize()
            elif event.type in (pygame.WINDOWHIDDEN, pygame.WINDOWMINIMIZED):
                self.visible = False
            elif event.type in (pygame.WINDOWSHOWN, pygame.WINDOWRESTORED, pygame.WINDOWEXPOSED):
                self.visible = True
        return list(events)

    def watch(self) -> None:
        """Keep the window answering while there is no game yet."""
        if any(event.type == self._pygame.QUIT for event in self.events()):
            raise Closed

    def stay(self) -> None:
        """Answer and show the same picture again, in the middle of what takes long."""
        self.watch()
        self.present()

    def _resize(self) -> None:
        width, height = self._pygame.display.get_window_size()
        size = (max(width, 16), max(height, 16))
        if size != self.size:
            self.size = size
            self.release(self.canvas)
            self.canvas = self.spare_canvas()
            self.context.screen.viewport = (0, 0, *size)

    def present(self) -> None:
        """Show the canvas."""
        self.context.copy_framebuffer(self.context.screen, self.canvas)
        self._pygame.display.flip()

    def toggle_full_screen(self) -> None:
        self._pygame.display.toggle_fullscreen()
        self.full_screen = not self.full_screen
        self._resize()

    def copy_text(self, text: str) -> None:
        """Put a text on the clipboard; OSError where there is none."""
        try:
            self._pygame.scrap.put_text(text)
        except (AttributeError, self._pygame.error) as error:
            raise OSError(f"there is no clipboard ({error})") from error

    def set_title(self, title: str) -> None:
        self._pygame.display.set_caption(title)

    def close(self) -> None:
        self._pygame.quit()


def _start_video() -> ModuleType:
    """Initialise SDL's video, and refuse the drivers SDL falls back to without saying so."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    try:
        pygame.display.init()
    except pygame.error as error:
        raise NoDisplay(f"there is no display ({error})") from error
    driver = pygame.display.get_driver()
    if driver in _INVISIBLE and os.environ.get("SDL_VIDEODRIVER") != driver:
        pygame.display.quit()
        raise NoDisplay("there is no display: DISPLAY and WAYLAND_DISPLAY are not set or are wrong")
    return pygame
