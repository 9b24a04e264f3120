"""What is far away, kept while the camera stands still.

Sky and backdrop do not move, so from the same place they are the same pixels, and on a software
renderer they take a third of the time of a picture. They are kept with their depth: the ground and
whatever stands before a tree hide it, whichever is drawn first.
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

    def canvas(self, size: tuple[int, int]) -> tuple["moderngl.Framebuffer", bool]:
        """Where it is painted, and whether it has been: if not, the caller does so now."""
        painted = self._painted
        if not painted and size != self._size:
            self._make(size)
        self._painted = True
        return self._framebuffer, painted

    def _make(self, size: tuple[int, int]) -> None:
        self.release()
        context = self._context
        self._owned = (context.texture(size, 4), context.depth_texture(size))
        self._framebuffer = context.framebuffer([self._owned[0]], self._owned[1])
        self._size = size

    def release(self) -> None:
        if self._size != (0, 0):
            for thing in (self._framebuffer, *self._owned):
                thing.release()
            self._size, self._painted = (0, 0), False
