"""Worlds of free bodies and what the step keeps of them: stored velocities, rows, overlaps."""

from typing import Any

from physics import World


class Piles:
    """A world, and the arrays behind it."""

    def __init__(self, world: World) -> None:
        self.world = world
        world._stores.stepping.ensure()

    @property
    def context(self) -> Any:
        return self.world._stores.stepping.ensure().context

    @property
    def bodies(self) -> Any:
        return self.context.bodies

    @property
    def rows(self) -> Any:
        rows = self.context.contacts.rows
        return rows, int(rows.count[0])

    def step(self, n: int = 1) -> None:
        self.world.step(n)

    def overlap(self) -> float:
        rows, n = self.rows
        return float(max(-rows.gap[:n].min(initial=0.0), 0.0))
