"""A sheet of threads that do not stretch, held at two corners, catches a ball."""

from physics import Sphere, World

ROWS = 16


def main(steps: int = 180) -> None:
    world = World(rate=60)
    sheet = world.add_cloth(
        "sheet",
        size=(2.0, 2.0),
        rows=ROWS,
        columns=ROWS,
        mass=0.5,
        pins=(0, ROWS - 1, ROWS * (ROWS - 1), ROWS * ROWS - 1),
        orientation=(0.5**0.5, 0.5**0.5, 0.0, 0.0),  # flat
    )
    ball = world.add_body("ball", Sphere(0.25), mass=20.0, position=(0.0, 0.6, 0.0))
    world.set_wind(sheet, wind=(0.0, 0.0, 0.0), normal_drag=1.2)
    for _ in range(steps):
        world.step()
    lowest = world.node_positions(sheet)[:, 1].min()
    print(f"ball at {world.position(ball)[1]:+.3f} m, sheet hangs down to {lowest:+.3f} m")
    print(f"largest strain {world.strain(sheet):.1e}, force {world.thread_force(sheet):.0f} N")


if __name__ == "__main__":
    main()
