"""The weight of a blow, for the eye alone: dust where things land, splinters where something
breaks, a picture that shakes a little. Nothing here feeds back into the world.

Particles are rows of one array, moved all at once; they live in the level's time, so that they
stand still with it and crawl in slow motion.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render.look import linear
from sandbox.render.scene import PART, Parts, Scene

if TYPE_CHECKING:
    from sandbox.app.camera import Camera

Array = npt.NDArray[np.floating]

_MOST = 160  # particles at once
_PER_STEP = 3  # blows that raise dust in one step
_SOFTEST = 1.2  # m/s of a blow that raises dust
_QUIETEST = 30.0  # J below which nothing is seen
_SHAKING = 4_000.0  # J from which the picture shakes
_LARGEST_SHAKE = 0.014  # of half a picture
_SHAKE_DECAY, _SHAKE_RATE = 7.0, 70.0  # 1/s, rad/s
_DUST, _SPLINTER = 0, 1
PARTICLE = np.dtype(
    [
        ("position", "3f8"),
        ("velocity", "3f8"),
        ("color", "3f8"),
        ("size", "f8"),
        ("age", "f8"),
        ("life", "f8"),
        ("kind", "i4"),
        ("spin", "f8"),
    ]
)


class Effects:
    """What is in the air, and how much the ground shakes."""

    def __init__(self) -> None:
        self.particles = np.zeros(0, PARTICLE)
        self.still = False  # reduced motion: no shaking
        self._shake = 0.0
        self._clock = 0.0  # s
        self._raised = 0  # blows that were shown in this step
        self._random = np.random.default_rng(7)  # looks alike on every machine

    def begin_step(self) -> None:
        self._raised = 0

    def blow(self, point: Array, impulse: float, mass: float) -> None:
        """Something hit something: `impulse` in N s on the lighter of the two, of `mass` kg."""
        speed = impulse / max(mass, 1e-9)
        energy = 0.5 * impulse * speed
        if not np.isfinite(energy) or speed < _SOFTEST or energy < _QUIETEST:
            return
        if energy > _SHAKING and not self.still:
            strength = 0.0035 * float(np.log10(energy / _SHAKING) + 0.6)
            self._shake = min(max(self._shake, strength), _LARGEST_SHAKE)
        if self._raised < _PER_STEP:
            self._raised += 1
            size = float(np.clip(0.055 * energy**0.2, 0.05, 0.8))
            self._add_dust(np.asarray(point, float), size, min(4 + int(2 * np.log10(energy)), 14))

    def _add_dust(self, point: Array, size: float, count: int) -> None:
        rows = self._fresh(count, _DUST, point)
        angle = self._random.uniform(0, 2 * np.pi, count)
        out = self._random.uniform(1.0, 3.2, count) * size
        rows["velocity"][:, 0], rows["velocity"][:, 2] = out * np.cos(angle), out * np.sin(angle)
        rows["velocity"][:, 1] = self._random.uniform(0.4, 2.0, count) * size
        rows["size"] = size * self._random.uniform(0.5, 1.1, count)
        rows["life"] = self._random.uniform(0.6, 1.3, count)
        rows["color"] = np.asarray(linear("#cfc3ae"))
        self._keep(rows)

    def splinters(self, point: Array, size: float, color: str = "wood") -> None:
        """Something broke here; `size` is how thick it was, m."""
        count = 14
        rows = self._fresh(count, _SPLINTER, np.asarray(point, float))
        rows["velocity"] = self._random.normal(size=(count, 3)) * 2.2
        rows["velocity"][:, 1] += 2.0
        rows["size"] = np.clip(size, 0.02, 0.3) * self._random.uniform(0.5, 1.6, count)
        rows["life"] = self._random.uniform(0.8, 1.6, count)
        shade = self._random.uniform(0.6, 1.2, (count, 1))
        rows["color"] = np.clip(np.asarray(linear(color)) * shade, 0.0, 1.0)
        rows["spin"] = self._random.uniform(-12, 12, count)
        self._keep(rows)

    def _fresh(self, count: int, kind: int, point: Array) -> Parts:
        rows = np.zeros(count, PARTICLE)
        rows["position"], rows["kind"] = point, kind
        return rows

    def _keep(self, rows: Parts) -> None:
        self.particles = np.concatenate((self.particles, rows))[-_MOST:]

    def update(self, seconds: float, frame: float, camera: "Camera", floor: float | None) -> None:
        """`seconds` of the level's time and a frame of real time have passed."""
        self._clock += frame
        self._shake *= float(np.exp(-_SHAKE_DECAY * frame))
        if self._shake < 1e-4:
            self._shake = 0.0
        wave = self._shake * np.sin(_SHAKE_RATE * self._clock * np.array((1.0, 1.31)))
        camera.shake = (float(wave[0]), float(wave[1]))
        p = self.particles
        if not len(p) or seconds <= 0.0:
            return
        dust = p["kind"] == _DUST
        p["age"] += seconds
        p["velocity"][dust] *= np.exp(-3.0 * seconds)
        p["velocity"][~dust, 1] -= 9.81 * seconds
        p["position"] += p["velocity"] * seconds
        if floor is not None:
            low = ~dust & (p["position"][:, 1] < floor + 0.02)
            p["position"][low, 1] = floor + 0.02
            p["velocity"][low] *= (0.4, -0.3, 0.4)
        self.particles = p[p["age"] < p["life"]]

    def clear(self) -> None:
        """Time was turned back, or the level is another one."""
        self.particles = np.zeros(0, PARTICLE)
        self._shake = 0.0

    def add_to(self, scene: Scene) -> None:
        p = self.particles
        if not len(p):
            return
        share = p["age"] / p["life"]
        rows = np.zeros(len(p), PART)
        rows["position"], rows["color"] = p["position"], p["color"]
        dust = p["kind"] == _DUST
        size = p["size"] * np.where(dust, 0.5 + 1.3 * np.sqrt(share), 1.0)
        rows["half"] = size[:, None] * np.where(dust[:, None], 1.0, (0.35, 1.6, 0.25))
        rows["radius"] = np.where(dust, size, 0.0)
        half_turn = 0.5 * p["spin"] * p["age"]
        rows["orientation"][:, 0] = np.cos(half_turn)
        rows["orientation"][:, 1] = 0.8 * np.sin(half_turn)
        rows["orientation"][:, 3] = 0.6 * np.sin(half_turn)
        rows["gloss"] = np.where(dust, 0.20 * (1.0 - share) ** 1.5, 0.2)
        _append(scene.ghosts, "ball", rows[dust])
        if (~dust).any():
            _append(scene.parts, "box", rows[~dust])


def _append(groups: dict[str, Parts], mesh: str, rows: Parts) -> None:
    if len(rows):
        old = groups.get(mesh)
        groups[mesh] = rows if old is None else np.concatenate((old, rows))
