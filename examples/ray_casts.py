"""A turning range finder: rays all around a body, drawn as text, while boxes fall past it."""

import math

from physics import Box, Plane, World

RAYS, RANGE = 48, 10.0  # m


def main(steps: int = 90) -> None:
    world = World(rate=60)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    for i in range(8):
        angle = i * math.pi / 4
        place = (4 * math.cos(angle), 1.0 + 0.5 * i, 4 * math.sin(angle))
        world.add_body(f"box {i}", Box((1.0, 1.0, 1.0)), density=500, position=place)
    for step in range(steps):
        world.step()
        if step % 15 == 0:
            print(f"{world.time:5.2f} s  " + "".join(mark(world, ray) for ray in range(RAYS)))


def mark(world: World, ray: int) -> str:
    """Metres to what a ray meets at eye height, as a digit."""
    angle = 2 * math.pi * ray / RAYS
    hit = world.raycast((0, 1, 0), (math.cos(angle), 0, math.sin(angle)), max_distance=RANGE)
    return "." if hit is None else str(int(hit.distance))


if __name__ == "__main__":
    main()
