"""Three balls fall on a plane: who touches whom, where, and with which impulse."""

from physics import Plane, Sphere, World


def main(steps: int = 120) -> None:
    world = World(rate=120)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    for i, bounce in enumerate((0.0, 0.5, 0.9)):
        place = (0.5 * i, 0.5 + 0.2 * i, 0.0)
        world.add_body(f"ball {i}", Sphere(0.1), mass=1.0, position=place, restitution=bounce)
    for _ in range(steps):
        world.step()
        for kind, *data in world.events():
            if kind == "contact_begin":
                a, b, point, impulse = data
                names = f"{world.name(a)} meets {world.name(b)}"
                print(f"{world.time:6.3f} s  {names} at x = {point[0]:.2f} m, {impulse:.2f} N s")
            elif kind == "contact_end":
                print(f"{world.time:6.3f} s  {world.name(data[0])} leaves {world.name(data[1])}")


if __name__ == "__main__":
    main()
