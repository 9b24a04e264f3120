"""What environments show: pictures as arrays, and a window for people."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from levels import Session

Picture = npt.NDArray[np.uint8]
RENDER_MODES = ("human", "rgb_array")


class Window:
    """A plain window that shows one picture after the other, at most `rate` a second."""

    def __init__(self, title: str, rate: float) -> None:
        self._title, self._rate = title, rate
        self._surface: Any = None
        self._clock: Any = None

    def show(self, picture: Picture) -> None:
        import pygame

        height, width = picture.shape[:2]
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._surface = pygame.display.set_mode((width, height))
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        pygame.surfarray.blit_array(self._surface, picture.swapaxes(0, 1))
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        if self._surface is not None:
            import pygame

            pygame.display.quit()
            self._surface = None


class LevelCamera:
    """Pictures of a session, drawn offscreen as `sandbox render` does."""

    def __init__(self, session: "Session", size: tuple[int, int], quality: str = "low") -> None:
        from sandbox.app.player import Player
        from sandbox.record.offline import Studio

        self._size, self._studio = size, Studio(quality)
        self._player = Player(session, size[1])
        self._player.camera.aspect = size[0] / size[1]
        self._player.aim_camera()

    def picture(self) -> Picture:
        self._player.refresh()
        self._player.show(1.0)
        return self._studio.picture(self._player, self._size)

    def close(self) -> None:
        self._studio.close()
