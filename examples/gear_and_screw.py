"""A motor turns a crank, a gear turns the nut of a screw, and the screw lifts a platform."""

import math

from physics import Box, World

UP = (0.0, 1.0, 0.0)
PITCH, RATIO = 0.2, 0.5  # m per turn; turns of the platform for one of the crank


def main(steps: int = 240) -> None:
    world = World(rate=120)
    platform = world.add_body("platform", Box((1.5, 0.2, 1.5)), mass=50, position=(0, 1, 0))
    crank = world.add_body("crank", Box((0.8, 0.1, 0.2)), mass=2, position=(2, 1, 0))
    screw = world.add_joint("screw", platform, at=(0, 1, 0), axis=UP, pitch=PITCH)
    bearing = world.add_joint(
        "hinge", crank, at=(2, 1, 0), axis=UP, motor={"speed": 2 * math.pi, "max_force": 1e4}
    )
    world.add_joint("gear", crank, platform, axis=UP, ratio=RATIO)

    world.step(steps)
    turns = world.joint_value(bearing) / (2 * math.pi)
    nut = world.joint_value(screw) / (2 * math.pi)
    lifted = world.position(platform)[1] - 1.0
    print(f"crank {turns:+.3f} turns, nut {nut:+.3f} turns, platform {lifted:+.4f} m")
    print(f"motor torque {abs(world.joint_force(bearing)[1][1]):.2f} N m")


if __name__ == "__main__":
    main()
