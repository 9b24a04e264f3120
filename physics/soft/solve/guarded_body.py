"""The guard of a soft body, and the energy it watches over.

Where the usual step does not converge, or makes energy, it is taken again as backward Euler by full
Newton (physics/soft/solve/guard_step.py). Links without compliance are springs for it, and what
they gave in is taken back (physics/soft/solve/firmness.py).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.portable import norm, weighted_sum
from physics.schema import allocate, copied
from physics.soft.elements import links
from physics.soft.solve import corrections as corrected
from physics.soft.solve import guard_step, potentials, soft_step
from physics.soft.solve.element_energy import element_energy
from physics.soft.solve.firmness import Firmness
from physics.soft.solve.linear_system import Options, SoftSystem
from physics.soft.solve.soft_arrays import Met, Model, Rows
from physics.soft.solve.soft_ledger import (
    Ledger,
    energy_after,
    energy_before,
    know_stored,
    note_stored,
    two,
    work_from_outside,
)

if TYPE_CHECKING:
    from physics.soft.soft_builder import Builder

Floats = NDArray[np.float64]
SMALLEST_SHARE = 1e-3  # of a Newton step; what is smaller is round-off
GUARD_ITERATIONS = 14  # of Newton; a crumpled cloth snapping taut needs about ten
HEAVY_ITERATIONS = 4  # the same of bodies that are heavy work
NEAR = 1.0  # strain up to which the guard goes on from what was found
CLOSED = 1e-5  # strain up to which the guard has closed links without compliance
TOO_LONG = 1e-4  # strain of a link without compliance from which it closes little by little ...
LOOSE = 0.95  # ... keeping this much of it in a step
GUARD_LEFT = 0.2  # of the way to the solution that shortened Newton steps may leave
LOAD_STIFFNESS = 100.0  # h²k of links without compliance, in masses of the bodies they carry
CONTACTS_CHANGE = 6  # iterations for which contacts are waited for


def _shortest(model: Model, position: Floats) -> float:
    """Length by which changes are judged, m: the shortest link, or edge where there are none."""
    if len(model.link_length):
        return float(model.link_length.min())
    i, j = model.edges.T
    return float(norm(position[i] - position[j]).min(initial=np.inf))


class GuardedBody(SoftSystem):
    """A model and its state, with what the guard needs to know of its links and rows."""

    def __init__(self, builder: "Builder", options: Options | None = None) -> None:
        super().__init__(builder, options)
        self.gravity = np.array([0.0, -9.81, 0.0])
        self.guarded = 0  # iterations of the guard in the last call of step
        self._shortest = _shortest(self.model, builder.position)
        self.violation = 0.0  # worst |φ + Cλ| of the last call of step, m
        self._left = 1.0  # of the way to the guard's solution
        self._length = self.model.link_length.copy()
        self._known = self.model.link_memory.copy()
        self._memory = self._known.copy()
        self._exact = self._memory == 1.0  # links without compliance
        self.stiffening = 1.0  # of their stiffness in the matrix, see `bear`
        self.firm = Firmness()
        self.ledger = Ledger()
        self.drained = 0.0  # J taken back in the last step
        self.rows = allocate(Rows, r=1)  # contacts and attachments
        self.kappa = 1.0  # their stiffness times h², kg
        self.met = allocate(Met, b=1, n=len(self.x), m=0, k=2)  # bodies that rows push
        self.fresh = True  # tensions unknown: the next step starts by finding them
        self.starts = True  # v is the velocity of now, not of half a step ago
        self.changed = False  # elements came or went: their forces are not known

    def bear(self, load: float, h: float) -> None:
        """Links without compliance shall carry rigid bodies of `load` kg.

        Their stiffness in the matrix means nothing but how fast multipliers are found: it is far
        above h⁻² of every mass on them.
        """
        if not self._exact.any():
            return
        stiffest = float(self.model.link_stiffness[self._exact].max()) / self.stiffening
        wanted = max(1.0, LOAD_STIFFNESS * load / (h * h * stiffest)) if stiffest > 0.0 else 1.0
        if wanted != self.stiffening:
            ratio = self.firm.soften(wanted / self.stiffening)
            self.model.link_stiffness[self._exact] *= ratio
            self.stiffening *= ratio

    def as_springs(self, springs: bool) -> None:
        """Threads without compliance are springs of their stiffness in the matrix, or not."""
        self._memory[...] = 0.0 if springs else self._known
        self._exact = self._memory == 1.0
        self.model.link_memory[...] = self._memory

    @property
    def conserves(self) -> bool:
        """Whether elements are stepped so that energy and momenta are kept."""
        return self.options.conserving and not self.links_only

    def elastic_energy(self) -> float:
        """Of all elements, J; of links by the force they carry, not by what they are off."""
        stored = 0.0 if self.links_only else float(element_energy(self.model, self.x))
        if self.fresh:
            soft = 1.0 - self._memory
            return stored + float(np.sum(0.5 * soft * self.model.link_stiffness * self._off() ** 2))
        return stored + self.link_energy(self.state.lam, self.firm.before)

    def link_energy(self, lam: Floats, firmness: float) -> float:
        """½Cλ² of every link, and of those that the guard stretched, J."""
        whole = self.model.link_stiffness > 0.0
        soft = 0.5 * (1.0 - firmness * self._memory[whole])
        return float(np.sum(soft * lam[whole] ** 2 / self.model.link_stiffness[whole]))

    def _held_by_exact(self, lam: Floats) -> float:
        """½λ²/k of links without compliance, J."""
        whole = self._exact & (self.model.link_stiffness > 0.0)
        return float(np.sum(0.5 * lam[whole] ** 2 / self.model.link_stiffness[whole]))

    @property
    def pays(self) -> float:
        """J that closing links take in this step of what was lost in stretching them."""
        if self.firm.credit <= 0.0:
            return 0.0
        return self.firm.pays(self._held_by_exact(self.work.start_lam))

    def note_loss(self, gain: float) -> None:
        """The guard lost energy where it stretched links: closing them may take that back."""
        if self.guarded and self.firm.now < 1.0:
            self.firm.credit += max(-gain, 0.0)

    def _off(self) -> Floats:
        """l - L of every link, m."""
        i, j = self.model.link_nodes.T
        return np.asarray(norm(self.x[i] - self.x[j]) - self.model.link_length)

    def guard_iteration(self, h: float) -> float:
        """One Newton iteration of backward Euler without rows; returns the change in m."""
        self.fit_matrix(h)
        self.assemble_guard(h)
        self.solve_free(self._still)
        start, way = self.v.copy(), self.work.delta.copy()
        return self.advance_guard(h, lambda share: self.incremental_potential(h, start, way, share))

    def assemble_guard(self, h: float) -> None:
        """Matrix and residual of one Newton iteration of backward Euler."""
        w = self.work
        self.x[...] = w.start_x + h * self.v
        self.link_scale = h * h
        if self.links_only:
            soft_step.clear(w)
        else:
            soft_step.load_elements(self.model, self.x, self.x, 0.0, h * h, h * h, w)
            w.elastic[...] = w.average
        guard_step.assemble_guard(self.model, self.state, h, self.gravity, w)

    def advance_guard(self, h: float, potential: Callable[[float], float]) -> float:
        """Takes as much of what an iteration found as lowers the potential; returns its size in m.

        Newton's matrix leaves out what would make it indefinite, so its answer points downhill but
        may reach too far: halve it until it does not.
        """
        share, before = 1.0, potential(0.0)
        while share > SMALLEST_SHARE and not potential(share) <= before:
            share *= 0.5
        self._left *= 1.0 - share
        return float(guard_step.advance_guard(self.model, self.state, h, share, self.work))

    @property
    def links_only(self) -> bool:
        return not self.has_elements

    def incremental_potential(self, h: float, v: Floats, way: Floats, share: float) -> float:
        """What backward Euler makes least, at v + share·way."""
        w, state = self.work, self.state
        return float(potentials.incremental_potential(
            self.model, state.pinned, state.force, self.gravity, h, w.drag, w.push, w.start_x,
            w.start_v, v, way, share, w.trial,
        ))  # fmt: skip

    def _find_forces(self) -> None:
        """Elastic forces of the elements where they are."""
        self.changed = False
        self.state.elastic[...] = 0.0
        if not self.links_only:
            soft_step.load_elements(self.model, self.x, self.x, 0.0, 0.0, 0.0, self.work)
            self.state.elastic[...] = self.work.average

    @property
    def limit(self) -> float:
        """What a link may be off (m) before the guard takes the step."""
        return self.options.limit * self._shortest

    def begin_guard(self, potential: Callable[[Floats], float]) -> bool:
        """The step again: from what was found for it, or from rest if that is better; which.

        Links that are a little off say nothing against it, though their potential is enormous.
        """
        self._loosen(self.work.start_x, self.work.start_lam)
        found, best = self.v.copy(), potential(self.v)
        self._left = 1.0
        guard_step.stop(self.state)
        near = self.limit <= self.violation <= NEAR * self._shortest
        if not near and not best < potential(self.v):
            return False
        self.v[...], self.state.lam[...] = found, self.work.link_lam
        return True

    def _loosen(self, x: Floats, lam: Floats) -> None:
        """Links without compliance that are too long at x, but for what the guard stretched them
        by, stay nearly so in this step: closed at once they would throw what they carry about, and
        as springs of the guard they would hold energy that nobody gave them."""
        if not self._exact.any():
            return
        w, model = self.work, self.model
        whole = self._exact & (model.link_stiffness > 0.0)
        links.directions(x, model.link_nodes, self._length, w.scratch_u, w.link_trial)
        excess = w.link_trial[whole]
        excess = excess + (1.0 - self.firm.before) * lam[whole] / model.link_stiffness[whole]
        length = self._length[whole]
        model.link_length[whole] = length + np.where(
            excess > TOO_LONG * length, LOOSE * excess, 0.0
        )

    def tighten(self) -> None:
        """The step is over: lengths are what they should be again."""
        self.model.link_length[...] = self._length

    def guard_done(self, h: float, change: float, contacts_kept: bool = True) -> bool:
        """Whether the guard's answer is good: it stands still, or at least the links hold.

        What goes on changing then is how a slack cloth crumples, which nobody can see.
        `contacts_kept`: no contact came or went.
        """
        if self.guarded >= self.guard_iterations or change <= self.limit:
            return True
        if not self.links_only or self.guarded < 2 or self._left > GUARD_LEFT:
            return False
        if not contacts_kept and self.guarded < CONTACTS_CHANGE:
            return False
        return self.loose_stretch(h, self.work.start_x, self.v) < self.options.limit

    @property
    def guard_iterations(self) -> int:
        """Of Newton at most, within a step."""
        return HEAVY_ITERATIONS if self.heavy else GUARD_ITERATIONS

    def loose_stretch(self, h: float, x: Floats, v: Floats) -> float:
        """Largest strain of the stiffest links at x + h v beyond what the force found calls for."""
        w = self.work
        return float(potentials.loose_stretch(self.model, x, v, h, w.link_lam, w.trial))

    def end_guard(self, h: float, gain: Callable[[], float], moves: Callable[[], float]) -> float:
        """Move by what the guard found; returns what that gains, J. Backward Euler gave up what
        momentum tension had added.

        Where Newton has not come to its end a link's force and length disagree; the smaller is
        believed. If it `ran_away` even so, half is left of all motion.
        """
        w, model = self.work, self.model
        self.tighten()
        closed = False
        if not (np.isfinite(self.v).all() and np.isfinite(w.link_lam).all()):
            guard_step.stop(self.state)
            w.link_lam[...] = w.start_lam
        else:
            closed = self._close_links(h, gain)
        w.trial[...] = w.start_x + h * self.v
        links.directions(w.trial, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
        held = -model.link_stiffness * w.link_trial
        believed = np.where(
            w.link_lam < 0.0,
            np.minimum(np.maximum(w.link_lam, held), 0.0),
            np.maximum(np.minimum(w.link_lam, held), 0.0),
        )
        w.link_lam[...] = np.where(self._exact & closed, w.link_lam, believed)
        self.firm.now = 1.0 if closed else 0.0
        if self.ran_away(gain(), moves()):
            self.v[~self.state.pinned] *= 0.5
        gained = gain()
        self.state.lam[...] = w.link_lam
        guard_step.end_guard(model, self.state, h, w)
        self._find_forces()
        w.link_added[:] = 0.0
        self.starts = False
        self.firm.set(self.firm.now, self.pays)
        return gained

    def _close_links(self, h: float, gain: Callable[[], float]) -> bool:
        """What the stiffness of the guard gave in is taken back with its last factor; whether that
        worked, and made no energy. Else the links close in the next steps, little by little."""
        if not self._exact.any() and self.rows.held[0] == 0:
            return True
        met, w = self.met, self.work
        found = self.v.copy(), w.link_lam.copy(), met.motion.copy(), copied(self.rows)
        self.model.link_memory[...] = self._memory
        corrections, budget, tolerance = self.link_corrections
        with self._helped() as board:
            worst = corrected.correct_guard(
                board, self.model, self.symbolic, self.state, h, corrections,
                budget, tolerance * self._shortest, self.rows, met, self.kappa, w,
            )  # fmt: skip
        before, self.firm.now = self.firm.now, 1.0
        if worst <= CLOSED * self._shortest and not gain() > 0.0:
            self.violation = worst
            return True
        self.firm.now = before
        self.v[...], w.link_lam[...], met.motion[...], self.rows = found
        met.force[...] = 0.0
        return False

    @property
    def checkable(self) -> bool:
        """Whether the energy can be accounted for: moving pins do any work."""
        return not self.state.pin_velocity[self.state.pinned].any()

    @property
    def watched(self) -> bool:
        """Whether its energy is: without the guard what is unstable shall be seen to be, and where
        elements are conserving it is kept as it is."""
        plain = self.options.stabilization == "adaptive" and self.options.plain
        return plain and self.checkable and not self.conserves

    def gain(self, h: float, work: float) -> float:
        """Energy that the velocity just found makes from nothing, J; `work` is what went elsewhere.

        0 where it is not watched.
        """
        if not self.watched:
            return 0.0
        know_stored(self, h)
        made = energy_after(self, h) - energy_before(self, h) - work_from_outside(self, h)
        return made + work - self.pays

    def kinetic_of_step(self) -> float:
        """½ m v² of the velocities that a step finds, J."""
        return float(0.5 * np.sum(self.model.mass[:, None] * self.v**2))

    def falls(self, h: float) -> float:
        """Energy of falling for h, J."""
        return float(self.model.mass.sum()) * (h * float(norm(self.gravity))) ** 2

    def refuses(self, gain: float, moves: float) -> bool:
        """Whether a step that gains so much is worth another try; `moves` is the kinetic energy of
        all, and of falling for h, J. Closing links must be paid in full.
        """
        if self.firm.closes and self.watched and gain > 0.0:
            return True
        return self.ledger.refuses(gain, moves + self.held)

    def ran_away(self, gain: float, moves: float) -> bool:
        """Whether no drain should have to take what a step has gained."""
        return not gain <= 0.0 and self.ledger.ran_away(gain, moves + self.held)

    @property
    def held(self) -> float:
        """Elastic energy, J, if it is known."""
        return self.ledger.stored if np.isfinite(self.ledger.stored) else 0.0

    def settle(self, h: float, gain: float, smooth: bool) -> None:
        """Enters a step that concerned nobody else, and takes back what is too much.

        Written: the ledger, v.
        """
        self.drained = 0.0
        if not self.watched:
            self.ledger.stored = np.nan
            return
        note_stored(self, h)
        mass, free = self.model.mass[:, None], ~self.state.pinned
        centre = weighted_sum(self.model.mass, self.v) / mass.sum() if free.all() else np.zeros(3)
        inner = self.v - centre
        kinetic = float(0.5 * np.sum(mass * inner**2))
        energy = self.kinetic_of_step() + self.held + self.falls(h)
        excess = self.ledger.enter(two(gain), energy, smooth, h)
        taken = self.ledger.take(excess, gain, kinetic, h)
        if taken > 0.0:
            self.drained = taken
            left = centre + np.sqrt(1.0 - taken / kinetic) * inner
            self.v[free] = left[free]

    def strain(self) -> Floats:
        """(l - L)/L of every link."""
        i, j = self.model.link_nodes.T
        length = norm(self.x[i] - self.x[j])
        return length / self.model.link_length - 1.0

    def kinetic_energy(self) -> float:
        return float(0.5 * np.sum(self.model.mass[:, None] * self.velocity**2))

    @property
    def velocity(self) -> Floats:
        """(n, 3) m/s now: `v` is that of half a step ago where elements are conserving.

        Near a contact it is `v` where the forces of the last step would have given half a step
        more energy than all the motion before: an impact in a stiff body is over by then.
        """
        now = self.v + self.state.ahead
        rows = self.rows
        if rows.count[0] > rows.held[0]:
            mass = self.model.mass[:, None]
            if np.sum(mass * now**2) > 2.0 * np.sum(mass * self.v**2):
                return self.v.copy()
        return now

    def potential_energy(self) -> float:
        return float(-np.sum(self.model.mass[:, None] * self.x * self.gravity))
