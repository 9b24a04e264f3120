"""One soft body and the rigid bodies it meets, solved together.

Active rows are blocks on the nodes of the soft matrix A, and couple to the motion q of the touched
rigid bodies by T = Σ B P (six columns a body, however many rows). From any guess (v, q), at which
the rows give the bodies the impulse f₀ and leave the residual b,

    y = A⁻¹b,  X = A⁻¹T,  S = Σ PᵀBP - TᵀX,     f = f₀ + Tᵀy - S δq,     q + δq = q₀ + C f
    ⇒  (1 + C S) δq = q₀ - q + C (f₀ + Tᵀy),       δv = y + X δq

q₀ and C come from the exact system of the joints (physics/soft/coupling/rigid_side.py). Which
contacts act and how they slide is found by repeating this (semi-smooth Newton), starting from the
last step's answer. Contacts of these bodies with other rigid ones are rows as well (resting.py). If
links do not hold afterwards, or energy was made, the guard goes on in the same way with backward
Euler, and pushes nothing out of what it lies in: against threads that do not stretch that would be
work without end.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from physics.portable import dot, matmul
from physics.soft.contact import soft_rows
from physics.soft.coupling.resting import Resting
from physics.soft.coupling.rigid_side import RigidSide, falls_in, kinetic_of
from physics.soft.solve.condense import condense, coupling, divide, multiply, solve, unfold
from physics.soft.solve.link_step import balance_links
from physics.soft.solve.soft_arrays import Met, Rows
from physics.soft.solve.soft_body import SoftBody
from physics.state import DYNAMIC, KEYFRAMED, Bodies, Floats

ROUNDS = 2  # factorisations in a step at most; an answer that still changes is good enough to go on
SPRUNG_ROUNDS = 3  # the same of links, and elements that do not conserve
MISSED_ROUNDS = 3  # more where corrections ran into contacts that did not act
SLIDING = 4  # iterations of the guard in which friction may change: it need not converge
NODE_STIFFNESS = 1e3  # κ in node masses: a node alone gives way by a thousandth of its fall
RESTING_ROUNDS = 8  # the same where rigid bodies touch: what acts a step late throws them about
BEYOND_CORRECTION = 0.5  # strain after the first round that no correction of the links will mend
BODY_STIFFNESS = 1.0  # κ in masses of the heaviest rigid body near: all rows carry many times it
PUSHED_SHARE = 1e-3  # of what moves: energy that pushing out may make in a step
RESTING_STIFFNESS = 100.0  # the same where rigid bodies touch: one row may have to stop one alone


class CoupledSolve:
    """Takes the step of `body`, whose rows are loaded and whose matrix is assembled."""

    def __init__(
        self,
        body: SoftBody,
        bodies: Bodies,
        rigid: RigidSide | None,
        h: float,
        most: int = ROUNDS,
    ) -> None:
        self.body, self.bodies, self.rigid, self.h = body, bodies, rigid, h
        rows = body.rows
        near = sorted({int(b) for b in rows.body[: rows.count[0]]})
        self.near = [b for b in near if bodies.kind[b] >= DYNAMIC] if rigid else []
        self._resting = Resting(rigid, self.near, body.share)
        self.near = self._resting.near
        if not body.conserves:
            most = max(most, SPRUNG_ROUNDS)
        self._most = 1 if body.heavy else max(most, RESTING_ROUNDS if self._resting.count else 0)
        self.free = rigid.motion(self.near) if rigid else np.zeros(0)
        self.time = body.share * h  # s for which impulses of rows act
        none = np.zeros((0, 0))
        self._compliance = rigid.compliance(self.near, self.time) if rigid else none
        self._all = self._columns(range(len(self.near)))
        heaviest = max((float(bodies.mass[b]) for b in self.near), default=0.0)
        mass = float(body.model.mass.max())
        stiffness = RESTING_STIFFNESS if self._resting.count else BODY_STIFFNESS
        body.kappa = max(NODE_STIFFNESS * mass + stiffness * heaviest, 1e-12)
        self.free -= multiply(self._compliance, self._resting.known(self._all, len(self.free)))
        self.motion = self.free.copy()
        self.impulse = np.zeros(6 * len(self.near))  # on the bodies
        self._pressing = np.zeros_like(self.impulse)  # of it what rigid bodies give each other
        self.force = np.zeros_like(self.impulse)  # the same as the last round found it
        self.rounds = 0

    def run(self) -> None:
        """Leaves the soft body at the end of the step, impulses in rows and in `impulse`."""
        body, h = self.body, self.h
        soft_rows.warm_start(body.rows)
        body.rows = self._resting.append(body.rows, body.kappa)
        rows = body.rows
        count = int(rows.count[0])
        self._spare_joints(rows, count)
        self._push_out(rows, count - self._resting.count)
        changing = rows.error, rows.memory, rows.state, rows.stick
        self._begun = [(array, array[:count].copy()) for array in changing]
        stick, holds = self._first_solve(), body.begin_correction(h)
        while (body.unsolved or (body.conserves and self._missed())) and body.linearise_anew(h):
            self.rounds = 0
            stick = self._first_solve()
            holds = body.correct(h)
        for _ in range(0 if body.heavy else MISSED_ROUNDS):
            if not holds or body.conserves or not self._missed():
                break
            soft_rows.update_active_set(rows, body.v, body.kappa, h, False)
            stick = self._solve_rounds(max(1, self._most - self.rounds))
            holds = body.correct(h)
        self._evaluate_impulses()
        if holds and self._is_refused():
            holds, stick = self._gently(stick)
        if holds and not body.ran_away(self._gain(), self._moves()):
            body.move(h)
        else:
            stick = self._guard()
            self._speeds(self.motion)
            soft_rows.evaluate(rows, body.v, body.kappa, h)  # rows that still change exaggerate
        rows.stick[: len(stick)] = stick  # what the next step starts from
        if not np.isfinite(self.impulse).all():  # nothing was found: nobody shall feel it
            self.impulse[:], self.motion = 0.0, self.free.copy()
            rows.impulse[: rows.count[0]] = 0.0
        if self.rigid is not None:
            self.rigid.push(self.near, self.motion)
            self.rigid.decided.update(self.near if self._resting.count else ())
        self._find_pressing()
        self.impulse -= self._pressing
        self._resting.take_out(body.rows)

    def _find_pressing(self) -> None:
        """What rigid bodies give each other, by the impulses of the rows as they are."""
        rows = self.body.rows
        self._pressing[:] = 0.0
        first = int(rows.count[0]) - self._resting.count
        soft_rows.body_impulses(rows, first, self._all, self._pressing)

    def _missed(self) -> bool:
        """Whether corrections ran into contacts that do not act."""
        body, rows = self.body, self.body.rows
        self._follow_corrections()
        used = rows.state[: rows.count[0]].copy()
        changed = soft_rows.update_active_set(rows, body.v, body.kappa, self.h, False)
        rows.state[: rows.count[0]] = used
        return int(changed) > 0

    def _follow_corrections(self) -> None:
        """Bodies have moved with the corrections of the soft body."""
        self.motion[self._places] = self.body.met.motion
        self._speeds(self.motion)

    def _evaluate_impulses(self) -> None:
        """What the bodies get: the impulses of the rows at the velocities found."""
        self._follow_corrections()
        soft_rows.evaluate(self.body.rows, self.body.v, self.body.kappa, self.h)
        self.impulse[:] = 0.0
        soft_rows.body_impulses(self.body.rows, 0, self._all, self.impulse)
        self.motion = self.free + multiply(self._compliance, self.impulse)

    def _spare_joints(self, rows: Rows, count: int) -> None:
        """Nothing pushes out what has joints, it just comes no deeper: a limb caught within a cloth
        would be pushed both ways, and its joints worked against without end. Written: rows.gap.
        """
        if self.body.watched and self.rigid is not None:
            spared = self.rigid.on_joints()[rows.body[:count]]
            rows.gap[:count][spared] = np.maximum(rows.gap[:count][spared], 0.0)

    def _push_out(self, rows: Rows, count: int) -> None:
        """Contacts push out as fast as was paid for in the last steps. Written: rows.gap."""
        firm = self.body.firm
        share = 0.0 if firm.wait > 0 else firm.push
        if share < 1.0:
            gap = rows.gap[:count]
            gap[...] = np.where(gap < 0.0, share * gap, gap)

    def _is_refused(self) -> bool:
        """Whether the step makes energy; where it pushes out even a little of what moves."""
        gain, moves, rows = self._gain(), self._moves(), self.body.rows
        pushes = bool((rows.gap[rows.held[0] : rows.count[0]] < 0.0).any())
        return self.body.refuses(gain, moves) or (pushes and gain > PUSHED_SHARE * moves)

    def _gently(self, stick: Floats) -> tuple[bool, Floats]:
        """The step again, without pushing out what lies within another, and, if that is not enough,
        without closing links: against threads that do not stretch both lift what nobody paid for.
        Whether it holds, and secants.
        """
        body, rows, holds = self.body, self.body.rows, True
        gap = rows.gap[rows.held[0] : rows.count[0]]
        if (gap < 0.0).any():
            body.firm.refuse_push()
            np.maximum(gap, 0.0, out=gap)
            body.v[...] = body.work.start_v
            for array, copy in self._base:
                array[...] = copy
            holds, stick = self._again()
        if holds and body.refuses(self._gain(), self._moves()) and body.stay_loose(self.h):
            holds, stick = self._again()
        return holds, stick

    def _again(self) -> tuple[bool, Floats]:
        """Solves the step that is assembled from its start; whether it holds, and secants."""
        body = self.body
        for values, begun in self._begun:
            values[: len(begun)] = begun
        self.rounds = 0
        stick = self._first_solve()
        holds = body.begin_correction(self.h)
        self._evaluate_impulses()
        return holds, stick

    def _moves(self) -> float:
        """½ m v² of all that gives way, and what falling for h gives it, J."""
        body, bodies, moved = self.body, self.bodies, self.motion.reshape(-1, 2, 3)
        rigid = sum(kinetic_of(bodies, b, *moved[k]) for k, b in enumerate(self.near))
        return body.moves(self.h) + rigid + falls_in(self.h, bodies, self.near, body.gravity)

    def _gain(self) -> float:
        """Energy that soft and rigid bodies together have more than before."""
        bodies, rows = self.bodies, self.body.rows
        touched = rows.body[: rows.count[0]]
        if (bodies.kind[touched] == KEYFRAMED).any():
            return 0.0  # they may do any work
        before = np.array([bodies.velocity[2 * b : 2 * b + 2] for b in self.near]).reshape(-1)
        if self._resting.count:  # which take energy, and give none
            self._find_pressing()
        given = self.impulse - self._pressing
        return self.body.gain(self.h, float(dot(given, before + self.motion)) / 2.0)

    def _first_solve(self) -> Floats:
        """Velocities by the linear step, in work.delta; returns the secants it calls for."""
        body, h, rows, kappa = self.body, self.h, self.body.rows, self.body.kappa
        w, state = body.work, body.state
        self._base = [(array, array.copy()) for array in (w.diagonal, w.off, w.rhs)]
        guess = np.where(state.pinned[:, None], state.pin_velocity, body.v + h * body.gravity)
        self._speeds(self.free)
        pressed = rows.state == soft_rows.ACTIVE  # in the last step: what rests does not fall
        soft_rows.update_active_set(rows, guess, kappa, h, False)
        if not body.conserves:
            rows.state[pressed] = soft_rows.ACTIVE
        return self._solve_rounds(self._most)

    def _solve_rounds(self, most: int) -> Floats:
        """At most so many solves until the contacts that act are those that press."""
        body, h, rows, kappa = self.body, self.h, self.body.rows, self.body.kappa
        w, still, count = body.work, np.zeros_like(body.v), int(rows.count[0])
        last = self.rounds + most
        while True:
            for array, copy in self._base:
                array[...] = copy
            self.motion[:] = 0.0
            self._newton_iteration(still, body.state.pin_velocity)
            used = rows.state[:count].copy(), rows.stick[:count].copy()
            changed = soft_rows.update_active_set(rows, w.delta, kappa, h, True)
            changed += self._resting.slides_otherwise(rows, used[1])
            if changed == 0 or self.rounds >= last:
                break
            balance_links(body.model, h, body.options.weights(h)[0], w.delta, 1.0, w)
            if body.loose_stretch(h, body.x, w.delta) > BEYOND_CORRECTION:
                break  # the guard finds out about the contacts as well
        stick = rows.stick[:count].copy()
        rows.state[:count], rows.stick[:count] = used
        return stick

    def _guard(self) -> Floats:
        """The step again as backward Euler by Newton, bodies and contacts included."""
        body, h, rows, kappa = self.body, self.h, self.body.rows, self.body.kappa
        still, count, change = np.zeros_like(body.v), int(rows.count[0]), np.inf
        changed = 0
        np.maximum(rows.gap[:count], 0.0, out=rows.gap[:count])
        self._begin_guard()
        stick = rows.stick[:count].copy()
        while not (body.guard_done(h, change, changed == 0) and self._guard_may_end(change)):
            body.assemble_guard(h)
            force = self.force.copy()
            self._newton_iteration(body.v, still)
            change = body.advance_guard(h, self._along(force))
            self._update_bodies(force, body.v)
            body.guarded += 1
            used = rows.state[:count].copy(), rows.stick[:count].copy()
            changed = soft_rows.update_active_set(rows, body.v, kappa, h, body.guarded < SLIDING)
            stick = rows.stick[:count].copy()
            if changed:
                change = max(change, 2.0 * body.limit)
        rows.state[:count], rows.stick[:count] = used
        self.impulse[:] = self.force
        body.met.motion[...] = self.motion[self._places]
        body.end_guard(h, self._gain_after_guard, self._moves)
        self._take_corrections()
        return stick

    def _guard_may_end(self, change: float) -> bool:
        """Whether Newton has come to its end, or made no energy where it stops on the way."""
        body = self.body
        if change <= body.limit or body.guarded >= body.guard_iterations:
            return True
        self.impulse[:] = self.force
        return not body.refuses(self._gain(), self._moves())

    def _take_corrections(self) -> None:
        """The guard closed links and seams: bodies have moved with them."""
        self.impulse[self._places] = self.force[self._places] + self.body.met.force
        self.motion = self.free + multiply(self._compliance, self.impulse)

    def _gain_after_guard(self) -> float:
        self._take_corrections()
        return self._gain()

    def _begin_guard(self) -> None:
        """From where the linear step ended, or from rest, where the bodies feel nothing yet."""
        body, still = self.body, np.zeros_like(self.body.v)
        nothing, forces = np.zeros_like(self.impulse), [np.zeros_like(self.impulse), self.impulse]
        kept = body.begin_guard(lambda v: self._potential(v, still, 0.0, forces.pop()))
        self.force = self.impulse.copy() if kept else nothing
        self.motion = self.free + multiply(self._compliance, self.force)

    def _along(self, force: Floats) -> Callable[[float], float]:
        """The potential along a Newton step, on which the force changes from `force`."""
        start, way, change = self.body.v.copy(), self.body.work.delta.copy(), self.force - force
        return lambda share: self._potential(start, way, share, force + share * change)

    def _potential(self, v: Floats, way: Floats, share: float, force: Floats) -> float:
        """The incremental potential of soft body, rows and rigid bodies at v + share·way.

        Rigid bodies: ½ fᵀ C f. A pressed row: load₊²/2κ.
        """
        body = self.body
        moved = multiply(self._compliance, force)
        self._speeds(self.free + moved)
        pressed = float(soft_rows.potential(body.rows, v, way, share, body.kappa, self.h))
        whole = body.incremental_potential(self.h, v, way, share)
        return whole + pressed + 0.5 * float(dot(force, moved))

    def _update_bodies(self, force: Floats, v: Floats) -> None:
        """Motion and force of the bodies for the share of the step that was taken."""
        way = self.body.work.delta
        at = np.unravel_index(int(np.abs(way).argmax()), way.shape)
        share = (v[at] - self._before[at]) / way[at] if way[at] != 0.0 else 1.0
        self.force = force + share * (self.force - force)
        self.motion = self.free + multiply(self._compliance, self.force)
        self._speeds(self.motion)

    def _speeds(self, motion: Floats) -> None:
        soft_rows.body_speeds(self.body.rows, self._all, motion, self.bodies.velocity)

    def _columns(self, chosen: list[int] | range) -> NDArray[np.int64]:
        """First column of every body slot among the chosen of the near ones, -1 for the rest."""
        column = np.full(len(self.bodies.kind), -1, np.int64)
        for at, k in enumerate(chosen):
            column[self.near[k]] = 6 * at
        return column

    def _newton_iteration(self, v: Floats, pins: Floats) -> None:
        """One solve from (v, motion) with the rows' present states.

        Leaves the change of v in work.delta (pinned nodes: `pins`) and the new motion.
        """
        body, h, rows, kappa = self.body, self.h, self.body.rows, self.body.kappa
        w = body.work
        self._before = v.copy()
        self.rounds += 1
        acting = rows.state[: rows.count[0]] != soft_rows.OPEN
        pushed = {int(b) for b in rows.body[: rows.count[0]][acting]}
        if self._resting.count:
            pushed |= {int(b) for b in rows.other[: rows.count[0]][acting]}
        active = [k for k, b in enumerate(self.near) if b in pushed]
        size = 6 * len(active)
        self._speeds(self.motion)
        soft_rows.evaluate(rows, v, kappa, h)
        soft_rows.add_to_system(rows, kappa, w.diagonal, w.off, w.rhs)
        y = body.solve_free(pins)
        force = np.zeros(size)
        places = np.array([6 * k + d for k in active for d in range(6)], np.int64)
        column = self._columns(active)
        T = X = np.zeros((*y.shape, 0))
        gain = np.zeros((size, size))
        if size:
            T, S = np.zeros((*y.shape, size)), np.zeros((size, size))
            soft_rows.body_columns(rows, column, kappa, T, S)
            soft_rows.body_impulses(rows, 0, column, force)
            X = body.response(T)
            condense(T, X, y, S, force)
            C = self._compliance[np.ix_(places, places)]
            change = self.free[places] - self.motion[places] + multiply(C, force)
            matrix = np.empty_like(S)
            coupling(C, S, matrix)
            gain[...] = C
            solve(matrix.copy(), change)
            divide(matrix, gain)
            force -= multiply(S, change)
            unfold(X, change, y)
        self.force[:] = 0.0
        self.force[places] = force
        self.motion = self.free + multiply(self._compliance, self.force)
        self._speeds(self.motion)
        passed = np.eye(size) - (matmul(S, gain) if size else 0.0)
        self._places = places
        body.met = Met(
            column, T, X, gain, passed, self.motion[places], np.zeros(size), self.bodies.velocity
        )
