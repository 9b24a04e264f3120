"""Energies of a double pendulum, one line per step, for any plotting program: energy.csv."""

import csv
from pathlib import Path

from physics import Box, World


def main(steps: int = 600, out: str = "energy.csv") -> None:
    world = World(rate=240)
    rod = Box((1.0, 0.05, 0.05))
    upper, lower = (
        world.add_body(name, rod, mass=1.0, position=(x, 0, 0), mask=0)
        for name, x in (("upper", 0.5), ("lower", 1.5))
    )
    world.add_joint("hinge", upper, at=(0, 0, 0), axis=(0, 0, 1))
    world.add_joint("hinge", upper, lower, at=(1, 0, 0), axis=(0, 0, 1))
    with Path(out).open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["time_s", "kinetic_J", "potential_J", "total_J"])
        for _ in range(steps):
            world.step()
            energy = world.energy()
            table.writerow([world.time, energy.kinetic, energy.potential, energy.total])
    print(f"{steps} lines in {out}; at the end {world.energy().total:+.4f} J (0 at the start)")


if __name__ == "__main__":
    main()
