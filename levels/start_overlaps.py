"""Bodies that overlap when a level begins: they would be pushed apart at once.

It takes a world to know, so this is asked where one is built anyway: `sandbox check`.
"""

from collections.abc import Iterator

from levels.plan import Plan
from levels.problems import Problem
from physics import World

_DEEP = 1e-3  # m: less is how things rest on each other, and pushes nothing visibly
_CURE = "move them apart, join them, or name one in the other's never_touches"
_COPIES = "so may other copies of it: `step` of repeat, or `i` in its position, sets them apart"
_MOST = 20  # warnings of one level


def overlap_warnings(world: World, plan: Plan) -> Iterator[Problem]:
    """A warning for each two bodies that begin inside each other, the deepest first."""
    found = sorted(world.overlaps(_DEEP), key=lambda entry: -entry[2])
    told: set[str] = set()  # entries whose copies overlap each other: said once
    for a, b, depth in found[:_MOST]:
        names = [world.name(a), world.name(b)]
        base, other = (name.rpartition(".")[0] for name in names)
        if base in told and base == other:
            continue
        copies = base == other and base in plan.families
        told |= {base} if copies else set()
        planned = [plan.movable(name) for name in names]
        moved = next((body for body in planned if body is not None and not body.fixed), None)
        if moved is None:
            continue
        yield Problem(
            f'"{names[0]}" and "{names[1]}" overlap by {depth:.3g} m at the start',
            moved.place.key(),
            _COPIES if copies else _CURE,
            severity="warning",
        )
    if len(found) > _MOST:
        yield Problem(
            f"{len(found) - _MOST} more pairs of bodies overlap at the start", severity="warning"
        )
