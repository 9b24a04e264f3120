"""An overhand knot: loose at first, drawn tight by both ends, and then it holds."""

from itertools import pairwise

import numpy as np

from physics import Capsule, World

PITCH, RADIUS = 0.09, 0.028  # m of a piece of rope


def loose_knot() -> np.ndarray:  # points PITCH apart, on a curve that crosses itself thrice
    t = np.linspace(-2.35, 2.35, 4000)[:, None]
    curve = 0.16 * np.hstack([t**3 - 3 * t, t**4 - 4 * t**2, 0.18 * (t**5 - 10 * t)])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    return np.stack([np.interp(np.arange(0.0, way[-1], PITCH), way, c) for c in curve.T], axis=1)


def main(steps: int = 240, pull: float = 20.0) -> tuple[World, list[str]]:
    world, names = World(gravity=(0, 0, 0)), []
    for a, b in pairwise(loose_knot()):
        along, length = (b - a) / np.linalg.norm(b - a), float(np.linalg.norm(b - a))
        turn = np.array([1.0 + along[1], along[2], 0.0, -along[0]])  # from y to the piece
        place = {"position": (a + b) / 2, "orientation": turn / np.linalg.norm(turn)}
        names.append(world.add_body(f"p{len(names)}", Capsule(RADIUS, length), mass=0.05, **place))
        give = {"axial_stiffness": 1e5, "bend_stiffness": 0.05, "bend_damping": 0.05}
        if len(names) > 1:
            world.add_joint("cable", *names[-2:], at=a, axis=along, **give)
    for step in range(steps):
        ends = world.position(names[-1]) - world.position(names[0])
        world.apply_force(names[-1], min(1.0, step / 120) * pull * ends / np.linalg.norm(ends))
        world.apply_force(names[0], -min(1.0, step / 120) * pull * ends / np.linalg.norm(ends))
        world.step()
    print(f"ends {np.linalg.norm(ends):.2f} m apart, rope {PITCH * len(names):.2f} m long")
    return world, names


if __name__ == "__main__":
    main()
