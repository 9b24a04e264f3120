"""A tower made in Python and knocked over: as a picture, as a video, or in a window."""

import sys

import sandbox
from physics import Box, Plane, Sphere, World


def main(steps: int = 60) -> None:
    world = World()
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    for i in range(6):
        world.add_body(f"block {i}", Box((0.6, 0.3, 0.6)), mass=4, position=(0, 0.15 + 0.3 * i, 0))
    world.add_body("ball", Sphere(0.25), mass=30, position=(-4, 0.9, 0), velocity=(8, 1, 0))
    world.step(steps)
    print(world)
    if "--window" in sys.argv:
        sandbox.show(world)
    elif "--film" in sys.argv:
        print(sandbox.record(world, "tower.mp4", seconds=2))
    elif "--picture" in sys.argv:
        sandbox.picture(world, "tower.png")


if __name__ == "__main__":
    main()
