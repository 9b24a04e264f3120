"""Inverse of M - h²K̃ of chains: low-rank updates beside the full inverse [Andrews17, Table 2].

Both give the same matrix from the same pose and forces. The full inverse is LAPACK's, of the matrix
as it stands (OPENBLAS_NUM_THREADS=1 for one thread); the low-rank one begins with the joints and
makes its products itself. Time is the processor's, the best of many runs. Paper: 9.8, 13.1 and 18.9
times at 10, 50 and 100 ball joints.
"""

from typing import Any

import numpy as np

from physics.integrate import refresh_mass
from physics.schemes.dense_inverse import invert_with_stiffness
from physics.structs import bodies_ref, system_ref
from tests.benchmarks.block_matrices import best
from tests.physics.scenes import chain
from tests.physics.test_lowrank import dense_inverse, full_matrix

KINDS = ("ball", "universal", "hinge", "cable")
PAPER = {10: 9.81, 50: 13.13, 100: 18.87}


def measure(kind: str, joints: int) -> tuple[float, float, float]:
    """Times of the full and of the low-rank inverse (ms), and how far they differ."""
    settings: dict[str, Any] = {"solver": "pgs", "stabilization": "geometric"}
    scene = chain(100.0, 0.01, links=joints - 1, kind=kind, tilt=1.0, **settings)
    world = scene.world
    world.step(2)
    stepper = world._stores.stepping.ensure()
    bodies, system = world._bodies.arrays, stepper.system
    refresh_mass(bodies_ref(bodies), system_ref(system))
    nodes = [node for node in range(len(bodies.solved)) if bodies.solved[node]]
    A = full_matrix(bodies, world._joints.arrays, system, nodes, world.h)
    full = best(lambda: np.linalg.inv(A), 40)
    low = best(lambda: invert_with_stiffness(stepper.scene, world.h), 200)
    index = np.concatenate([3 * node + np.arange(3) for node in nodes])
    found = dense_inverse(stepper, len(bodies.velocity))[np.ix_(index, index)]
    expected = np.linalg.inv(A)
    return full, low, float(np.abs(found - expected).max() / np.abs(expected).max())


def main(arguments: list[str]) -> None:
    print(f"{'joint':>10}{'number':>8}{'full ms':>10}{'low ms':>10}{'gain':>8}{'paper':>8}  error")
    for kind in KINDS:
        for joints, paper in PAPER.items():
            full, low, error = measure(kind, joints)
            told = f"{paper:8.1f}" if kind == "ball" else " " * 8
            gain = full / low
            print(f"{kind:>10}{joints:8d}{full:10.4f}{low:10.4f}{gain:8.1f}{told}  {error:.1e}")
