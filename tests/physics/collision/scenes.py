"""Small scenes for the collision tests, and slow but simple references."""

import numpy as np
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

from physics.collision import Contacts, ShapeStore
from physics.shapes import Box, Capsule, Hull, Shape, Sphere

H = 1 / 60
ROUGH = np.random.default_rng(7).normal(size=(14, 3)) * 0.3
SHAPES = {
    "sphere": Sphere(0.3),
    "capsule": Capsule(0.2, 0.7),
    "box": Box((0.5, 0.8, 0.4)),
    "hull": Hull(ROUGH - Hull(ROUGH).mass_properties(1.0).center),
}


class Scene:
    """Bodies with one shape each; body slot = order of adding."""

    def __init__(self) -> None:
        self.store = ShapeStore()
        self.position: list[np.ndarray] = []
        self.orientation: list[np.ndarray] = []
        self.velocity: list[np.ndarray] = []

    def add(self, shape: Shape, at=(0, 0, 0), turned=(1, 0, 0, 0), moving=(0, 0, 0), **how) -> int:
        slot = self.store.add(shape, len(self.position), **how)
        self.position.append(np.array(at, dtype=float))
        self.orientation.append(np.array(turned, dtype=float))
        self.velocity.append(np.array([*moving, 0, 0, 0], dtype=float))
        return slot

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return np.array(self.position), np.array(self.orientation), np.array(self.velocity)

    def detect(self, h: float = H) -> Contacts:
        return self.store.detect(*self.state(), h)


def rows(contacts: Contacts, name: str) -> np.ndarray:
    """A copy of the rows in use."""
    return getattr(contacts, name)[: contacts.count[0]].copy()


def quaternion(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    cross = np.cross(p[1:], q[1:])
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + cross)])


def core(shape: Shape, at: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """Core points in world axes."""
    return shape.core()[0] @ matrix(turned).T + at


def hull_distance(a: np.ndarray, b: np.ndarray) -> float:
    """Distance of two hulls as a non-negative least-squares problem; weights sum to one."""
    heavy = 1e4
    top = np.hstack([a.T, -b.T])
    sums = heavy * np.vstack(
        [
            np.r_[np.ones(len(a)), np.zeros(len(b))],
            np.r_[np.zeros(len(a)), np.ones(len(b))],
        ]
    )
    weights, _ = nnls(np.vstack([top, sums]), np.r_[np.zeros(3), heavy, heavy])
    return float(np.linalg.norm(top @ weights))


def hull_depth(a: np.ndarray, b: np.ndarray) -> float:
    """How deep two solids overlap: distance of the origin from the boundary of {a - b}."""
    difference = (a[:, None] - b[None]).reshape(-1, 3)
    return float(-ConvexHull(difference).equations[:, 3].max())


def signed_gap(p: Shape, q: Shape, points_p: np.ndarray, points_q: np.ndarray) -> float:
    """Exact signed distance of two convex shapes with cores in world axes."""
    radii = p.core()[1] + q.core()[1]
    apart = hull_distance(points_p, points_q)
    if apart > 1e-5:
        return apart - radii
    return -hull_depth(points_p, points_q) - radii


def place(rng: np.random.Generator, p: Shape, q: Shape, closeness: float):
    """Random poses whose centres are apart by `closeness` times the sum of the bounding radii."""
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    apart = direction * (p.bounding_radius + q.bounding_radius) * closeness
    return [(p, apart, quaternion(rng)), (q, np.zeros(3), quaternion(rng))]


def contacts_of(bodies, h: float = 0.05):
    scene = Scene()
    for shape, at, turned in bodies:
        scene.add(shape, at, turned)
    return scene.detect(h)
