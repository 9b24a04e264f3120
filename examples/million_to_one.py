"""Ten links of 1 kg carry 1000 t that are released sideways: the joints stay closed."""

from physics import Capsule, Sphere, World

LINK, LOAD = 1.0, 1e6  # kg


def main(steps: int = 600) -> None:
    world = World(rate=60)
    before, joint = None, (0.0, 0.0, 0.0)
    for i in range(10):
        place = (i + 0.5, 0.0, 0.0)
        link = world.add_body(
            f"link {i}",
            Capsule(radius=0.05, length=0.8),
            mass=LINK,
            position=place,
            orientation=(0.5**0.5, 0.0, 0.0, 0.5**0.5),  # capsules lie along y
            mask=0,
        )
        world.add_joint("ball", link, before, at=joint)
        before, joint = link, (i + 1.0, 0.0, 0.0)
    load = world.add_body("load", Sphere(1.0), mass=LOAD, position=joint, mask=0)
    world.add_joint("ball", load, before, at=joint)

    start, worst = world.energy().total, 0.0
    for _ in range(steps):
        world.step()
        worst = max(worst, world.constraint_error())
    print(f"largest gap of a joint {worst:.1e} m")
    print(f"energy {world.energy().total - start:+.3g} J of {LOAD * 9.81 * 10:.3g} J in the fall")


if __name__ == "__main__":
    main()
