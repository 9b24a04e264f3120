"""Bodies that overlap when a level begins: they would be pushed apart at once.

It takes a world to know, so this is asked where one is built anyway: `sandbox check`.
"""

from collections.abc import Iterator

from levels.plan import Plan
from levels.problems import Problem
from physics import World

_DEEP = 1e-3  # m: less is how things rest on each other, and pushes nothing visibly
_MOST = 20  # warnings of one level


def overlap_warnings(world: World, plan: Plan) -> Iterator[Problem]:
    """A warning for each two bodies that begin inside each other, the deepest first."""
    found = sorted(world.overlaps(_DEEP), key=lambda entry: -entry[2])
    for a, b, depth in found[:_MOST]:
        names = [world.name(a), world.name(b)]
        planned = [plan.movable(name) for name in names]
        moved = next((body for body in planned if body is not None and not body.fixed), None)
        if moved is None:
            continue
        yield Problem(
            f'"{names[0]}" and "{names[1]}" overlap by {depth:.3g} m at the start',
            moved.place.key(),
            "move them apart, join them, or name one in the other's never_touches",
            severity="warning",
        )
    if len(found) > _MOST:
        yield Problem(
            f"{len(found) - _MOST} more pairs of bodies overlap at the start", severity="warning"
        )
