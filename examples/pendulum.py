"""A pendulum of one joint: its period beside 2π √(L/g) and the correction for 20 degrees."""

import math

from physics import Sphere, World

LENGTH, ANGLE, G = 1.0, math.radians(20), 9.81  # m, rad, m/s²


def main(steps: int = 1200) -> None:
    world = World(rate=240, gravity=(0, -G, 0))
    place = (LENGTH * math.sin(ANGLE), -LENGTH * math.cos(ANGLE), 0)
    bob = world.add_body("bob", Sphere(0.01), mass=1.0, position=place)
    world.add_joint("distance", bob, at_b=(0, 0, 0), length=LENGTH)

    crossings: list[float] = []  # s, from right to left through the lowest point
    before = place[0]
    for _ in range(steps):
        world.step()
        x = float(world.position(bob)[0])
        if before > 0 >= x:
            crossings.append(world.time - world.h * x / (x - before))
        before = x
    theory = 2 * math.pi * math.sqrt(LENGTH / G) * (1 + ANGLE**2 / 16)
    if len(crossings) > 1:
        measured = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
        print(f"period {measured:.4f} s, in theory {theory:.4f} s")
    print(f"joint error {world.constraint_error():.1e} m")


if __name__ == "__main__":
    main()
