"""What a soft body has gained from nothing: its share of the ledger (physics/energy.py).

Velocities of links and of linear steps are those of half a step ago. So energies are compared at
the moments of the velocities before and after the step, halfway between the positions: there free
fall, threads and springs neither gain nor lose, and impulses do their work at the mean velocity.
Stored energy at that moment is carried on as a number: the tensions before the last are gone.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.params import DRAINED_SHARE, LEDGER_SHARE, LEDGER_TIME, SMOOTH_LOSS
from physics.portable import transform
from physics.soft.solve import potentials
from physics.soft.solve.element_energy import element_energy

if TYPE_CHECKING:
    from physics.soft.solve.guarded_body import GuardedBody

Floats = NDArray[np.float64]

DRAG = 0.1  # of the kinetic energy that debts of earlier steps take in one
UNPAID_TIME = 0.25  # s within which debts fade for which nothing moves


def two(value: float = 0.0) -> Floats:
    """The same by the velocities of now and by those of half a step ago."""
    return np.array([value, value])


@dataclass
class Ledger:
    """Debt is what was gained and not lost since, J; negative: what may come back."""

    debt: Floats = field(default_factory=two)  # by the velocities of now, and of half a step ago
    recent: float = 0.0  # J: kinetic and elastic energy of late, fading
    stored: float = np.nan  # J: elastic energy at the moment of the velocities; NaN: not known

    def most(self, energy: float) -> float:
        """How much debt it may have, J, with so much energy in motion now."""
        return LEDGER_SHARE * max(self.recent, energy)

    def excess(self, gain: float, energy: float) -> float:
        """What would be too much after a step that gained so much, J."""
        return float((self.debt + gain).min()) - self.most(energy)

    def refuses(self, gain: float, energy: float) -> bool:
        """Whether that is more than is taken back without a word."""
        least = DRAINED_SHARE * max(self.recent, energy)
        return min(self.excess(gain, energy), gain) > least

    def ran_away(self, gain: float, energy: float) -> bool:
        """Whether one step gained more than all it had: what is less is drained in time."""
        return self.excess(gain, energy) > 0.0 and gain > max(self.recent, energy - gain)

    def enter(self, made: Floats, energy: float, smooth: bool, h: float) -> float:
        """Adds up what a step has made; returns what is to be drained, J."""
        most = self.most(energy)
        self.debt = np.maximum(self.debt + made, -SMOOTH_LOSS * most if smooth else 0.0)
        excess = max(float(self.debt.min()) - most, 0.0)
        fades = max(1.0 - h / LEDGER_TIME, 0.0)
        self.recent, self.debt = max(fades * self.recent, energy), fades * self.debt
        return excess

    def take(self, excess: float, gain: float, moving: float, h: float) -> float:
        """What is to be drained of an excess now, J, as the kinetic energy is `moving`.

        The gain of the step at once, of what was inherited only so much that it is a drag: what
        lies still cannot pay, and would be held against its weight. Debts that are not in the
        motion fade sooner. Written: debt.
        """
        taken = min(excess, max(gain, 0.0) + DRAG * moving, moving)
        self.debt = self.debt - taken - min(h / UNPAID_TIME, 1.0) * (excess - taken)
        return taken

    def copy(self) -> "Ledger":
        return Ledger(self.debt.copy(), self.recent, self.stored)


def joined(ledgers: list[Ledger]) -> Ledger:
    """Of bodies that are solved together."""
    debt = sum((one.debt for one in ledgers), two(0.0))
    recent = sum(one.recent for one in ledgers)
    return Ledger(debt, recent, sum(one.stored for one in ledgers))


def share_out(whole: Ledger, ledgers: list[Ledger], masses: list[float]) -> None:
    """To the bodies that were solved together. Written: their debt and recent."""
    for one, mass in zip(ledgers, masses, strict=True):
        one.debt, one.recent = whole.debt * (mass / sum(masses)), whole.recent * mass / sum(masses)


def _stored(body: "GuardedBody", x: Floats, lam: Floats, firmness: float) -> float:
    elements = 0.0 if body.links_only else float(element_energy(body.model, x))
    return elements + body.link_energy(lam, firmness)


def with_height(body: "GuardedBody", x: Floats, v: Floats) -> float:
    """Kinetic and potential energy at x, v."""
    return float(potentials.mechanical_energy(body.model, body.gravity, x, v))


def note_stored(body: "GuardedBody", h: float) -> None:
    """What it holds at the moment of its velocities, after a step. Written: its ledger."""
    lam = 0.5 * (body.work.start_lam + body.state.lam)
    body.ledger.stored = _stored(body, body.x - 0.5 * h * body.v, lam, body.firm.middle_before)


def know_stored(body: "GuardedBody", h: float) -> None:
    """The same of a step that has been assembled, where nothing is known of the last one."""
    if not np.isfinite(body.ledger.stored):
        w = body.work
        x = w.start_x - 0.5 * h * w.start_v
        body.ledger.stored = _stored(body, x, w.start_lam, body.firm.before)


def energy_before(body: "GuardedBody", h: float) -> float:
    """At the moment of the velocities with which the step begins, J."""
    w = body.work
    return body.ledger.stored + with_height(body, w.start_x - 0.5 * h * w.start_v, w.start_v)


def energy_after(body: "GuardedBody", h: float) -> float:
    """The same of the velocities found, J, before they are taken."""
    w, middle = body.work, body.work.start_x + 0.5 * h * body.v
    stored = _stored(body, middle, 0.5 * (w.start_lam + w.link_lam), body.firm.middle)
    return stored + with_height(body, middle, body.v)


def work_from_outside(body: "GuardedBody", h: float) -> float:
    """Work of air, hands and forces in the step, J."""
    w = body.work
    impulse = w.push + h * body.state.force - transform(w.drag, body.v)
    mean = 0.5 * (body.v + w.start_v)
    return float(np.sum((impulse * mean)[~body.state.pinned]))
