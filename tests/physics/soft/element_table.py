"""Elements tried: error of a cantilever against milliseconds of a step.

python -m tests.physics.soft.element_table
"""

import time

import numpy as np

from physics.soft.meshes import primitives
from physics.soft.soft_builder import Builder
from physics.soft.solve.soft_body import SoftBody

SIDE, YOUNG = 0.1, 1e6
MESHES = ((8, 1, 1), (16, 2, 2), (24, 3, 3))


def _body(kind: str, cells: tuple[int, int, int], poisson: float) -> SoftBody:
    size = (1.0, SIDE, SIDE)
    split = 5 if kind == "tetrahedra, 5 a cube" else 6
    mesh = (
        primitives.bricks(cells, size)
        if kind == "hexahedra"
        else primitives.box(cells, size, split=split)
    )
    builder = Builder(mesh.position)
    add = builder.add_hexahedra if kind == "hexahedra" else builder.add_tetrahedra
    add(mesh[1], YOUNG, poisson, material="stvk", density=1000.0)
    return SoftBody(builder)


def deflection(kind: str, cells: tuple[int, int, int], poisson: float) -> float:
    """Of the tip under a small end load, over Euler–Bernoulli's."""
    body = _body(kind, cells, poisson)
    body.gravity[:] = 0.0
    rest = body.x.copy()
    body.pin(np.flatnonzero(rest[:, 0] < 1e-9))
    tip = rest[:, 0] > 1.0 - 1e-9
    share = tip.astype(float)
    for axis in (1, 2):
        edge = (rest[:, axis] < 1e-9) | (rest[:, axis] > SIDE - 1e-9)
        share[tip & edge] *= 0.5
    body.state.force[:, 1] = -1e-4 * 3 * YOUNG * SIDE**4 / 12.0 * share / share.sum()
    body.find_equilibrium(1e-12)
    return float((rest[tip, 1].mean() - body.x[tip, 1].mean()) / 1e-4)


def milliseconds(kind: str, cells: tuple[int, int, int]) -> float:
    """The fastest of some steps of the swinging beam."""
    body = _body(kind, cells, 0.3)
    body.pin(np.flatnonzero(body.x[:, 0] < 1e-9))
    body.step(1 / 60, 5)
    taken = []
    for _ in range(20):
        began = time.perf_counter()
        body.step(1 / 60)
        taken.append(time.perf_counter() - began)
    return 1e3 * min(taken)


def main() -> None:
    print("elements              cells      ν = 0.3   ν = 0.49   ms a step")
    for kind in ("hexahedra", "tetrahedra, 6 a cube", "tetrahedra, 5 a cube"):
        for cells in MESHES:
            found = [deflection(kind, cells, poisson) for poisson in (0.3, 0.49)]
            name = "x".join(map(str, cells))
            print(f"{kind:20s}  {name:9s} {found[0]:8.3f} {found[1]:9.3f} "
                  f"{milliseconds(kind, cells):9.2f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
