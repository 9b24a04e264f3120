"""One level over a parameter: do the crane's joints open when its load grows a thousandfold?"""

from levels import load


def main(steps: int = 240) -> None:
    level = load("crane")
    print("   load [kg]   gap [m]   hash")
    for mass in (1e3, 1e4, 1e5, 1e6):
        world = level.build(load=mass)
        worst = 0.0
        for _ in range(steps):
            world.step()
            worst = max(worst, world.constraint_error())
        print(f"{mass:12g}   {worst:.1e}   {world.hash()[:12]}")


if __name__ == "__main__":
    main()
