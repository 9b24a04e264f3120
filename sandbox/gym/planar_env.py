"""The frame of a classic in the plane: rendering, seeding, and one world for each episode."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from physics import World
from sandbox.gym.screen import RENDER_MODES, Picture, Window

Observation = npt.NDArray[np.float32]

RATE = 50  # actions and steps a second
SIZE = (600, 400)  # pixels
SCALE = 30.0  # pixels to the metre


class PlanarEnv(gymnasium.Env[Observation, Any]):
    """`_build` makes the world of an episode, `_paint` its picture."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RATE}  # noqa: RUF012
    world: World

    def __init__(self, render_mode: str | None = None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f'render_mode "{render_mode}"; known: {", ".join(RENDER_MODES)}')
        self.render_mode = render_mode
        self._window: Window | None = None
        self._shaping: float | None = None

    def _build(self) -> None:
        raise NotImplementedError

    def _paint(self) -> Picture:
        raise NotImplementedError

    def _idle(self) -> Any:
        raise NotImplementedError

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._shaping = None
        self._build()
        observation = self.step(self._idle())[0]
        return observation, {}

    def _observed(self, state: list[float]) -> Observation:
        """Within the bounds of the space."""
        space: Any = self.observation_space
        found = np.array(state, np.float32)
        np.minimum(found, space.high, out=found)
        return np.maximum(found, space.low, out=found)

    def _gained(self, shaping: float) -> float:
        """Change of the potential since the last step."""
        before, self._shaping = self._shaping, shaping
        return 0.0 if before is None else shaping - before

    def render(self) -> Picture | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; make the environment with one")
            return None
        picture = self._paint()
        if self.render_mode == "rgb_array":
            return picture
        self._window = self._window or Window(type(self).__name__, RATE)
        self._window.show(picture)
        return None

    def close(self) -> None:
        if self._window:
            self._window.close()
            self._window = None
