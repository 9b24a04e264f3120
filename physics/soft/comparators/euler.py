"""Explicit, symplectic and implicit Euler of masses, springs and elements."""

from typing import TYPE_CHECKING, ClassVar

from physics.soft.comparators.comparator import Comparator, speed_up, spring_forces
from physics.soft.comparators.penalties import give, penalties
from physics.soft.solve import guard_step, soft_step

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody

NEWTON = 20  # iterations of the implicit step at most
SOLVED = 1e-7  # m: changes by less end them


def _kick(body: "SoftBody", h: float) -> None:
    """v += h f(x)/m, rows included."""
    w, model, state = body.work, body.model, body.state
    soft_step.load_elements(model, body.x, body.x, 0.0, 0.0, 0.0, w)
    spring_forces(model, body.x, w.average, state.lam)
    penalties(model, body.rows, state.v, h)
    w.push[...] += h * w.average
    speed_up(model, state, body.gravity, h, w)
    give(model, body.rows, state.pinned, state.v)


class Explicit(Comparator):
    """x += h v with the velocity before the forces."""

    springs: ClassVar[bool] = True

    def step(self, body: "SoftBody", h: float) -> None:
        old = body.v.copy()
        pinned = body.state.pinned
        old[pinned] = body.state.pin_velocity[pinned]
        _kick(body, h)
        body.x[...] += h * old


class Symplectic(Comparator):
    """x += h v with the velocity after the forces."""

    springs: ClassVar[bool] = True

    def step(self, body: "SoftBody", h: float) -> None:
        _kick(body, h)
        body.x[...] += h * body.v


class Implicit(Comparator):
    """Forces where the step ends, by Newton; penalties at its start."""

    springs: ClassVar[bool] = True

    def step(self, body: "SoftBody", h: float) -> None:
        w, state = body.work, body.state
        penalties(body.model, body.rows, state.v, h)
        give(body.model, body.rows, state.pinned, state.v)
        w.start_x[...], w.start_v[...] = body.x, state.v
        state.v[state.pinned] = state.pin_velocity[state.pinned]
        body.corrections, change = 0, 1.0
        while change > SOLVED and body.corrections < NEWTON:
            change = body.guard_iteration(h)
            body.corrections += 1
        guard_step.end_guard(body.model, state, h, w)
