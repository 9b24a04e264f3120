"""Prints the stability map: `python -m tests.stability.table [stabilization ...]`.

Ten links of 0.5 m and 1 kg released horizontally with a sphere of mass R at the end, 10 s. Each
cell: gap in m, energy gained in % of what can be released, energy left after 4 s in %, guarded
steps (frozen ones after a !).
"""

import sys
from collections.abc import Callable

from tests.physics.scenes import Scene, chain, folded_chain, loop, net
from tests.stability.runs import Outcome, run

RATIOS = (1.0, 1e2, 1e3, 1e4, 1e5, 1e6)
STEPS = (0.001, 0.005, 0.01, 1 / 60, 1 / 30, 0.05, 0.1)
SECONDS = 10.0
SHORT = 4.0  # s, for steps of 1 ms

VARIANTS: dict[str, Callable[..., Scene]] = {
    "plane": chain,
    "spinning": lambda R, h, **s: chain(R, h, spin=0.2, **s),
    "hinges": lambda R, h, **s: chain(R, h, kind="hinge", spin=0.2, **s),
    "50 links": lambda R, h, **s: chain(R, h, links=50, **s),
    "0.2 kg links": lambda R, h, **s: chain(R, h, mass=0.2, spin=0.2, **s),
    "folded": folded_chain,
    "loop": loop,
    "net": net,
}


def cell(variant: str, ratio: float, h: float, stabilization: str) -> Outcome:
    """One run of the map."""
    scene = VARIANTS[variant](ratio, h, stabilization=stabilization)
    return run(scene, SHORT if h < 0.002 else SECONDS)


def text(outcome: Outcome) -> str:
    if not outcome.finite:
        return "diverged"
    guard = f" {outcome.rescued}g" if outcome.rescued else ""
    frozen = f"!{outcome.frozen}" if outcome.frozen else ""
    return f"{outcome.gap:.0e} {100 * outcome.gain:+.1f} {100 * outcome.left:.1f}{guard}{frozen}"


def print_table(variant: str, stabilization: str) -> None:
    print(f"\n{variant}, {stabilization}: gap m, gain %, left % after 4 s, guarded steps")
    print("| R \\ h |" + "".join(f" {h:.4g} |" for h in STEPS))
    print("|---|" + "---|" * len(STEPS))
    for ratio in RATIOS:
        cells = (text(cell(variant, ratio, h, stabilization)) for h in STEPS)
        print(f"| {ratio:g} |" + "".join(f" {entry} |" for entry in cells), flush=True)


def main(arguments: list[str]) -> None:
    names = [name for name in arguments if name in VARIANTS] or ["plane"]
    chosen = [name for name in arguments if name not in VARIANTS] or ["adaptive"]
    for variant in names:
        for stabilization in chosen:
            print_table(variant, stabilization)


if __name__ == "__main__":
    main(sys.argv[1:])
