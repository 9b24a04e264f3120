"""Bodies that overlap when a level begins: they would be pushed apart at once.

It takes a world to know, so this is asked where one is built anyway: `sandbox check`.
"""

from collections.abc import Iterator

from levels.plan import Plan
from levels.problems import Problem
from physics import Handle, World

_DEEP = 1e-3  # m: less is how things rest on each other, and pushes nothing visibly
_CURE = "move them apart, join them, or name one in the other's never_touches"
_COPIES = "`step` of repeat, or `i` in the position, sets copies apart"
_MOST = 20  # warnings of one level


def overlap_warnings(world: World, plan: Plan) -> Iterator[Problem]:
    """A warning for each two entries that begin inside each other, the deepest first."""
    pairs: dict[tuple[str, str], list[tuple[Handle, Handle, float]]] = {}
    for a, b, depth in sorted(world.overlaps(_DEEP), key=lambda entry: -entry[2]):
        if any(_moves(plan, world.name(body)) for body in (a, b)):
            first, second = sorted(world.name(body).partition(".")[0] for body in (a, b))
            pairs.setdefault((first, second), []).append((a, b, depth))
    for (first, second), found in list(pairs.items())[:_MOST]:
        a, b, depth = found[0]
        names = [world.name(a), world.name(b)]
        moved = plan.movable(next(name for name in names if _moves(plan, name)))
        others = f", and {len(found) - 1} more of their parts" if len(found) > 1 else ""
        yield Problem(
            f'"{names[0]}" and "{names[1]}" overlap by {depth:.3g} m at the start{others}',
            moved.place.key() if moved is not None else None,
            _COPIES if first == second and first in plan.families else _CURE,
            severity="warning",
        )
    if len(pairs) > _MOST:
        yield Problem(
            f"{len(pairs) - _MOST} more pairs of things overlap at the start", severity="warning"
        )


def _moves(plan: Plan, name: str) -> bool:
    planned = plan.movable(name)
    return planned is not None and not planned.fixed
