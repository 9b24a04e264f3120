"""The ground of the walker: a random walk of heights; with stumps, stairs and pits if hardcore.

Heights are at corners a step apart. Rays for the lidar are cut with the same corners and with the
sides of the blocks, exactly.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sandbox.gym.planar_env import SCALE, SIZE

Floats = npt.NDArray[np.float64]
Block = tuple[float, float, float, float]  # left, right, bottom, top

STEP = 14 / SCALE  # m between corners
LENGTH = 200  # corners
HEIGHT = SIZE[1] / SCALE / 4  # m, on average
GRASS = 10  # corners of open ground between two obstacles, at most
START = 20  # corners that are flat at the beginning


@dataclass
class Terrain:
    """Corners and blocks."""

    heights: Floats
    blocks: list[Block] = field(default_factory=list)

    @property
    def corners(self) -> Floats:
        return np.column_stack([STEP * np.arange(len(self.heights)), self.heights])

    def edges(self) -> tuple[Floats, Floats]:
        """Starts and ends of everything a ray can meet."""
        corners = self.corners
        starts, ends = [corners[:-1]], [corners[1:]]
        for left, right, bottom, top in self.blocks:
            around = np.array([(left, bottom), (left, top), (right, top), (right, bottom)])
            starts.append(around)
            ends.append(np.roll(around, -1, axis=0))
        return np.vstack(starts), np.vstack(ends)


def grown(draw: np.random.Generator, hardcore: bool) -> Terrain:
    """A new ground."""
    terrain = Terrain(np.full(LENGTH, HEIGHT))
    height, slope, at, left = HEIGHT, 0.0, 0, START
    while at < LENGTH:
        if left > 0:
            slope = 0.8 * slope + 0.01 * np.sign(HEIGHT - height)
            if at > START:
                slope += draw.uniform(-1.0, 1.0) / SCALE
            height += slope
            terrain.heights[at] = height
            at, left = at + 1, left - 1
            continue
        if hardcore:
            at, height = _obstacle(draw, terrain, at, height)
            slope = 0.0
        left = int(draw.integers(GRASS // 2, GRASS))
    return terrain


def _obstacle(
    draw: np.random.Generator, terrain: Terrain, at: int, height: float
) -> tuple[int, float]:
    """One of three; where the ground goes on, and how high."""
    kind = draw.integers(3)
    if kind == 0:  # a stump
        wide = int(draw.integers(1, 3))
        terrain.blocks.append((STEP * at, STEP * (at + wide), height, height + STEP * wide))
        terrain.heights[at : at + wide + 1] = height
        return at + wide + 1, height
    if kind == 1:  # a pit
        wide = int(draw.integers(3, 5))
        terrain.heights[at] = height
        terrain.heights[at + 1 : at + wide] = height - 4 * STEP
        terrain.heights[at + wide : at + wide + 1] = height
        return at + wide + 1, height
    rise = 1.0 if draw.random() > 0.5 else -1.0
    flights, wide = int(draw.integers(3, 5)), 4
    for n in range(flights):  # stairs
        first = at + n * wide
        low = height + n * rise * STEP
        terrain.heights[first : first + wide] = min(low, low + rise * STEP) if rise < 0 else low
        terrain.blocks.append((STEP * first, STEP * (first + wide), low - STEP, low))
    return at + flights * wide, height + (flights - 1) * rise * STEP


def distances(origin: tuple[float, float], rays: Floats, starts: Floats, ends: Floats) -> Floats:
    """Share of every ray (n, 2) until it meets the first edge; 1 where it meets none.

    origin + t ray = start + s (end - start), by Cramer's rule.
    """
    edge, to = ends - starts, starts - np.array(origin)
    across = rays[:, None, 0] * edge[None, :, 1] - rays[:, None, 1] * edge[None, :, 0]
    safe = np.where(across == 0.0, 1.0, across)
    t = (to[:, 0] * edge[:, 1] - to[:, 1] * edge[:, 0])[None, :] / safe
    s = (to[None, :, 0] * rays[:, None, 1] - to[None, :, 1] * rays[:, None, 0]) / safe
    hit = (across != 0.0) & (t >= 0.0) & (t <= 1.0) & (s >= 0.0) & (s <= 1.0)
    found: Floats = np.where(hit, t, 1.0).min(axis=1, initial=1.0)
    return found
