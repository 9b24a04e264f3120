"""What is far away, kept while the camera stands still.

Sky and backdrop do not move, so from the same place they are the same pixels, and on a software
renderer they take a third of the time of a picture. They are kept with their depth: the ground and
whatever stands before a tree hide it as if it were drawn anew.
"""

from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import moderngl


class Distance:
    """Remembers from where it was seen last, and how it looked from there."""

    def __init__(self, context: "moderngl.Context") -> None:
        self._context = context
        self._seen: tuple[Hashable, object] = (None, None)
        self._painted = False
        self._size = (0, 0)

    def is_still(self, place: Hashable, backdrop: object) -> bool:
        """Was the last picture taken from this place, with this backdrop in it?

        A moving camera would paint what is used once, so it is drawn straight into the picture.
        """
        before, self._seen = self._seen, (place, backdrop)
        still = before[0] == place and before[1] is backdrop
        self._painted &= still
        return still

    def canvas(self, size: tuple[int, int]) -> "moderngl.Framebuffer | None":
        """Where to paint it, or None when that has been done."""
        if self._painted:
            return None
        if size != self._size:
            self._make(size)
        self._painted = True
        self._framebuffer.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
        return self._framebuffer

    def _make(self, size: tuple[int, int]) -> None:
        self.release()
        context = self._context
        self.picture = context.texture(size, 4)
        self.depth = context.depth_texture(size)
        self.depth.compare_func = ""
        self.depth.filter = (context.NEAREST, context.NEAREST)
        self._framebuffer = context.framebuffer([self.picture], self.depth)
        self._size = size

    def release(self) -> None:
        if self._size != (0, 0):
            for thing in (self._framebuffer, self.picture, self.depth):
                thing.release()
            self._size, self._painted = (0, 0), False
