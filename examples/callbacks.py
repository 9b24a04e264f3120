"""Functions called after a step: a ball counts its bounces, a thread says when it tears."""

from physics import Handle, Plane, Sphere, World


def main(steps: int = 240) -> None:
    world = World(rate=120)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    world.add_body("ball", Sphere(0.1), mass=1, position=(0, 1, 0), restitution=0.9)
    world.add_body("lamp", Sphere(0.2), mass=8, position=(2, 3, 0))
    world.add_joint("distance", "lamp", at_b=(2, 4, 0), breaks_at=60.0, name="thread")

    def bounced(a: Handle, b: Handle, point: object, impulse: float) -> None:
        print(f"{world.time:5.2f} s  {a.name} on {b.name}, {impulse:.2f} N s")

    def torn(handle: Handle, name: str) -> None:
        print(f"{world.time:5.2f} s  the {name} tears")

    world.on("contact_begin", bounced)
    world.on("broken", torn)
    world.step(steps)


if __name__ == "__main__":
    main()
