"""A soft body to hold in Python: model, state, symbolic analysis and options together."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.soft.elements.conserving import ELEMENT_CORRECTIONS, ELEMENT_TOLERANCE, LINEARISATIONS
from physics.soft.meshes.cutting import torn
from physics.soft.solve import corrections as corrected
from physics.soft.solve import guard_step, soft_step
from physics.soft.solve.guarded_body import GuardedBody
from physics.soft.solve.linear_system import Options
from physics.soft.solve.link_step import STABILIZATIONS, balance_links
from physics.soft.solve.momenta import keep_momenta
from physics.soft.solve.prediction import predict

if TYPE_CHECKING:
    from physics.soft.soft_builder import Builder

Floats = NDArray[np.float64]


class SoftBody(GuardedBody):
    """Steps one model; `begin`, `response`, `end` split a step for coupling."""

    def __init__(self, builder: "Builder", options: Options | None = None) -> None:
        super().__init__(builder, options)
        self.corrections = 0  # made by the last call of step
        self._linearised = 0  # times in this step
        self.unsolved = False  # elements of the last step, by corrections
        self._added = self.work.link_added.copy()
        model = self.model
        self._rows = {"area": model.area_stiffness.copy(), "volume": model.volume_stiffness.copy()}
        self.alone = True  # assembles itself, so it can be linearised anew within a step

    def pin(
        self, nodes: int | list[int] | NDArray[np.int64], velocity: tuple[float, ...] = (0, 0, 0)
    ) -> None:
        """Prescribe the velocity of nodes from now on."""
        self.state.pinned[nodes] = True
        self.state.pin_velocity[nodes] = velocity
        self.state.v[nodes] = velocity

    def unpin(self, nodes: int | list[int] | NDArray[np.int64]) -> None:
        """Let nodes go."""
        self.state.pinned[nodes] = False

    def cut(self, links: NDArray[np.int64]) -> None:
        """Sever links: the next step no longer knows them. The pattern of the matrix stays."""
        self.model.link_stiffness[links] = 0.0
        self.state.lam[links] = 0.0
        self.ledger.stored = np.nan
        np.subtract.at(self.model.link_count, self.model.link_nodes[links], 1.0)

    def drop_rows(self) -> None:
        """Areas and volumes are kept where all links along their edges are whole."""
        cut = self.model.link_nodes[self.model.link_stiffness == 0.0]
        for name, whole in self._rows.items():
            stiffness = getattr(self.model, f"{name}_stiffness")
            stiffness[...] = np.where(torn(getattr(self.model, f"{name}_nodes"), cut), 0.0, whole)

    def _arguments(self, h: float) -> tuple[object, ...]:
        stabilization = STABILIZATIONS.get(self.options.stabilization)
        if stabilization is None:
            names = sorted(STABILIZATIONS)
            raise ValueError(f"unknown stabilization {self.options.stabilization!r}: {names}")
        a, b = self.options.weights(h)
        return h, self.gravity, stabilization, a, b, self.options.damping, self.share

    @property
    def share(self) -> float:
        """Of the forces of a step that the velocity is still to feel."""
        return 0.5 if self.starts and self.conserves else 1.0

    def step(self, h: float, steps: int = 1) -> None:
        """Advance by `steps` steps of h seconds."""
        corrections = guarded = 0
        violation = 0.0
        for _ in range(steps):
            self.begin(h)
            self.end(h)
            corrections += self.corrections
            guarded += self.guarded
            violation = max(violation, self.violation)
        self.corrections, self.guarded, self.violation = corrections, guarded, violation

    def bootstrap(self, h: float) -> None:
        """Find link tensions before the first step or after a sudden change: solve, keep only λ."""
        self.fresh = False
        self.begin(h)
        a, _ = self.options.weights(h)
        balance_links(self.model, h, a, self.work.delta, 1.0, self.work)
        self.state.lam[:] = self.work.link_lam

    def find_equilibrium(
        self, tolerance: float = 1e-9, iterations: int = 50, horizon: float = 1e3
    ) -> float:
        """Static equilibrium under gravity, `force` and pins; returns the last change (m).

        Backward Euler over one step of `horizon` seconds, so long that inertia only keeps the
        matrix definite. A body without pins needs a horizon of a few of its periods only.
        """
        h = horizon
        self.work.start_x[:] = self.x
        self.work.start_v[:] = 0.0
        self.work.drag[...] = 0.0
        self.work.push[...] = 0.0
        guard_step.stop(self.state)
        change, done = np.inf, 0
        while done < iterations and change > tolerance:
            change = self.guard_iteration(h)
            done += 1
        guard_step.end_guard(self.model, self.state, h, self.work)
        self._find_forces()
        self.v[:] = 0.0
        self.state.link_mean[:] = 0.0
        self.starts = True
        return float(change)

    def begin(self, h: float) -> Floats:
        """Factorise and return the free velocity (n, 3); change it in place before `end`."""
        self.assemble(h)
        return self.solve_free()

    def assemble(self, h: float) -> None:
        """Matrix and right side without pins and rows, linearised at the velocity as it is."""
        self.fit_matrix(h)
        self.model.link_memory[...] = self.firm.now * self._memory
        self._loosen(self.x, self.state.lam)
        if self.changed:
            self._find_forces()
        if self.starts:
            self.state.elastic[:] = 0.0
            soft_step.start_averages(self.model, self.state, self.work)
        if self.fresh:
            self.ledger.stored = np.nan
            self.bootstrap(h)
        if self.starts:  # whatever inertia tension adds has always been moving
            self.work.link_added[:] = np.inf
        if self.conserves:
            predict(self.model, self.state, h, self.starts, self.work.guess)
        self._added = self.work.link_added.copy()
        self._assemble(h)

    def _assemble(self, h: float) -> None:
        self._load_elements(h)
        a, _ = self.options.weights(h)
        self.link_scale = a * h * h + self.options.damping * h
        soft_step.assemble(self.model, self.state, *self._arguments(h), self.work)

    def _load_elements(self, h: float) -> None:
        """Elements of the step into an empty matrix."""
        model, w, options = self.model, self.work, self.options
        if self.links_only:
            soft_step.clear(w)
            return
        if options.conserving:
            rate, quarter = options.damping / h, 0.25 * h * h
            w.product[...] = self.x + h * w.guess
            soft_step.load_elements(
                model, self.x, w.product, rate, quarter * (1.0 + 2.0 * rate), quarter, w
            )
            soft_step.linearise(model, self.state, h, w)
            return
        a, b = options.weights(h)
        geometric = 0.0 if options.stabilization == "none" or b != 0.0 else h * h
        material = a * h * h + options.damping * h
        soft_step.load_elements(model, self.x, self.x, 0.0, material, geometric, w)
        w.elastic[...] = w.average

    def restart(self) -> None:
        """Go on from the velocities of now: elements came or went, and with them their forces."""
        self.v[...] += self.state.ahead
        self.state.ahead[...] = 0.0
        self.starts = True
        self.ledger.stored = np.nan

    def linearise_anew(self, h: float) -> bool:
        """Assemble the step again at the velocity it has found so far; whether that is possible."""
        w = self.work
        fit = self.pivot > 0.0 and np.isfinite(self.v).all()
        if not self.alone or self._linearised >= LINEARISATIONS or not fit:
            return False
        self._linearised += 1
        w.guess[...] = self.v
        self.v[...] = w.start_v
        w.link_added[...] = self._added
        self._assemble(h)
        return True

    def stay_loose(self, h: float) -> bool:
        """Assemble the step again without closing links that the guard stretched; whether there
        are any. Closing them lifts what they carry, and that energy was lost."""
        if not self.alone or not self.firm.closes:
            return False
        w = self.work
        self.firm.refuse()
        self.model.link_memory[...] = self.firm.now * self._memory
        self.v[...] = w.start_v
        w.link_added[...] = self._added
        self._assemble(h)
        return True

    def begin_correction(self, h: float) -> bool:
        """As `correct`, after the first solve of a step."""
        self._linearised = 1
        return self.correct(h)

    def correct(self, h: float) -> bool:
        """Accept the velocity in `work.delta` and correct it; whether links and elements hold."""
        a, _ = self.options.weights(h)
        corrections, budget, tolerance = self.link_corrections
        self.guarded, self.unsolved = 0, False
        tolerance *= self._shortest
        links = h, a, corrections
        met = self.rows, self.met, self.kappa, self.work
        with self._helped() as board:
            arrays = board, self.model, self.symbolic, self.state
            if self.conserves:
                most = 0 if self.krylov else ELEMENT_CORRECTIONS
                self.corrections, self.violation, change = corrected.correct_all(
                    *arrays, *links, most, self.options.damping, tolerance, *met
                )
                lost = self.pivot <= 0.0 or not np.isfinite(self.v).all()
                self.unsolved = lost or not change <= ELEMENT_TOLERANCE
                if self._free and not self.unsolved:
                    keep_momenta(self.model, self.state, h, self.gravity, self.share, self.work)
            else:
                self.corrections, self.violation = corrected.correct_links(
                    *arrays, *links, budget, tolerance, *met
                )
        found = not self.unsolved and bool(np.isfinite(self.v).all())
        return found and (corrections == 0 or not self.violation >= self.limit)

    @property
    def _free(self) -> bool:
        """Whether nothing but elements and the air acts: no links, no rows, no pins."""
        held = len(self.model.link_nodes) + int(self.rows.count[0])
        return held == 0 and not self.state.pinned.any()

    def move(self, h: float) -> None:
        """Take the velocity found."""
        paid = self.pays
        soft_step.move(
            self.model, self.state, h, self.options.conserving, self.share, self.rows, self.work
        )
        self.starts = False
        self.tighten()
        self.firm.go_on(paid)

    def end(self, h: float) -> None:
        """Accept the velocity in `work.delta`, correct the links and move."""
        holds = self.begin_correction(h)
        while self.unsolved and self.linearise_anew(h):
            self.solve_free()
            holds = self.correct(h)
        gain = self.gain(h, 0.0)
        if holds and self.refuses(gain, self.moves(h)) and self.stay_loose(h):
            self.solve_free()
            holds, gain = self.begin_correction(h), self.gain(h, 0.0)
        if holds and not self.ran_away(gain, self.moves(h)):
            self.move(h)
            self.settle(h, gain, smooth=True)
            return
        self.begin_guard(lambda v: self.incremental_potential(h, v, self._still, 0.0))
        change = np.inf
        while not self.guard_done(h, change):
            change = self.guard_iteration(h)
            self.guarded += 1
        gain = self.end_guard(h, lambda: self.gain(h, 0.0), lambda: self.moves(h))
        self.note_loss(gain)
        self.settle(h, gain, smooth=False)

    def moves(self, h: float) -> float:
        """Kinetic energy of the velocities found, and that of falling for h, J."""
        return self.kinetic_of_step() + self.falls(h)
