"""Energy of an elastic cube that bounces for a minute.

`python -m tests.physics.soft.bouncing` prints the table: share of the energy above that of rest on
the ground that is left, without friction. With `restitution` 0 every impact stops the nodes that
strike, a layer of the mesh. With 1 they are thrown back, and energy is kept where the step resolves
how the elements ring: at 60 Hz it does not, and contacts within a step stop what they meet.
"""

import numpy as np

from physics import Plane, World

SIZE, DROP = 0.4, 0.5  # m


def bounced(young: float, cells: int, restitution: float, rate: int, seconds: int) -> list[float]:
    """The share after every second."""
    world = World(rate=rate)
    world.add_body("ground", Plane(), fixed=True)
    world.add_solid(
        "cube", size=(SIZE,) * 3, cells=(cells,) * 3, young=young, friction=0.0,
        restitution=restitution, position=(0, 0.5 * SIZE + DROP, 0),
    )  # fmt: skip
    rest = 9.81 * 0.5 * SIZE * world.soft_body("cube").mass()
    first, left = world.energy().total - rest, []
    for _ in range(seconds):
        world.step(rate)
        left.append((world.energy().total - rest) / first)
    return left


def main() -> None:
    print("young, Pa  cells  restitution  rate     1 s     5 s    10 s    30 s    60 s    most")
    for young, cells, restitution, rate in (
        (1e5, 2, 0.0, 60), (1e5, 4, 0.0, 60), (1e4, 2, 1.0, 60), (1e5, 2, 1.0, 60),
        (1e5, 2, 1.0, 120), (1e5, 2, 1.0, 240), (1e5, 4, 1.0, 240), (1e6, 2, 1.0, 240),
    ):  # fmt: skip
        left = bounced(young, cells, restitution, rate, 60)
        row = "".join(f"{left[k - 1]:8.3f}" for k in (1, 5, 10, 30, 60))
        most = f"{np.max(left):8.3f}"
        print(f"{young:9.0e} {cells:6} {restitution:12g} {rate:5}{row}{most}", flush=True)


if __name__ == "__main__":
    main()
