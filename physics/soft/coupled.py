"""One soft body and the rigid bodies it meets, solved together.

Active rows are blocks on the nodes of the soft matrix A, and couple to the motion q of the touched
rigid bodies by T = Σ B P (six columns a body, however many rows). With y = A⁻¹b and X = A⁻¹T

    S = Σ PᵀBP - TᵀX,   f = r + Tᵀy - S q        the impulse on the bodies, r = -Σ Pᵀμ(0)
    q = q₀ + C f         ⇒        (1 + C S) q = q₀ + C (r + Tᵀy),      v = y + X q

q₀ and C come from the exact system of the joints (physics/soft/rigid.py). Which contacts act and
how they slide is found by repeating this (semi-smooth Newton), starting from the last step's answer.
"""

import numpy as np
from numpy.typing import NDArray

from physics.soft import rows as row
from physics.soft.body import SoftBody
from physics.soft.rigid import RigidSide
from physics.state import DYNAMIC, Bodies, Floats

ROUNDS = 6  # factorisations in a step at most; an answer that still changes is good enough to go on
NODE_STIFFNESS = 1e3  # κ in node masses: a node alone gives way by a thousandth of its fall
BODY_STIFFNESS = 30.0  # κ in masses of the heaviest rigid body near; each row may carry all of it


class CoupledSolve:
    """Solves the step of `body` whose rows are loaded and whose matrix is assembled."""

    def __init__(self, body: SoftBody, bodies: Bodies, rigid: RigidSide | None, h: float) -> None:
        self.body, self.bodies, self.rigid, self.h = body, bodies, rigid, h
        rows = body.rows
        near = sorted({int(b) for b in rows.body[: rows.count[0]]})
        self.near = [b for b in near if bodies.kind[b] >= DYNAMIC] if rigid else []
        self.motion = rigid.motion(self.near) if rigid else np.zeros(0)
        self._compliance = rigid.compliance(self.near) if rigid and self.near else None
        heaviest = max((float(bodies.mass[b]) for b in self.near), default=0.0)
        mass = float(body.model.mass.max())
        body.kappa = max(NODE_STIFFNESS * mass + BODY_STIFFNESS * heaviest, 1e-12)
        self.impulse = np.zeros(6 * len(self.near))  # on the bodies
        self.rounds = 0

    def run(self) -> None:
        """Leaves the velocity in work.delta, impulses in rows and in `impulse`."""
        body, h, rows, kappa = self.body, self.h, self.body.rows, self.body.kappa
        w, state = body.work, body.state
        base = [(array, array.copy()) for array in (w.diagonal, w.off, w.rhs)]
        guess = np.where(state.pinned[:, None], state.pin_velocity, state.v + h * body.gravity)
        self._speeds(self.motion)
        row.match(rows)
        row.review(rows, guess, kappa, h, False)
        count = int(rows.count[0])
        while True:
            self.rounds += 1
            for array, copy in base:
                array[...] = copy
            motion = self._solve()
            self._speeds(motion)
            used = rows.state[:count].copy(), rows.stick[:count].copy()
            changed = row.review(rows, w.delta, kappa, h, True)
            if changed == 0 or self.rounds == ROUNDS:
                break
        stick = rows.stick[:count].copy()
        rows.state[:count], rows.stick[:count] = used
        row.evaluate(rows, w.delta, kappa, h)
        rows.stick[:count] = stick
        if self.rigid is not None:
            self.rigid.push(self.near, motion)

    def _speeds(self, motion: Floats) -> None:
        row.body_speeds(self.body.rows, self._columns(self.near), motion, self.bodies.velocity)

    def _columns(self, slots: list[int]) -> NDArray[np.int64]:
        column = np.full(len(self.bodies.kind), -1, np.int64)
        column[slots] = 6 * np.arange(len(slots))
        return column

    def _solve(self) -> Floats:
        """One round with the rows' present states; returns the motion of the near bodies."""
        body, h, rows, kappa = self.body, self.h, self.body.rows, self.body.kappa
        w = body.work
        acting = rows.state[: rows.count[0]] != row.OPEN
        pushed = {int(b) for b in rows.body[: rows.count[0]][acting]}
        active = [k for k, b in enumerate(self.near) if b in pushed]
        slots = [self.near[k] for k in active]
        column = self._columns(slots)
        size = 6 * len(slots)
        row.body_speeds(rows, column, np.zeros(size), self.bodies.velocity)
        row.evaluate(rows, np.zeros_like(w.delta), kappa, h)
        row.press(rows, kappa, w.diagonal, w.off, w.rhs)
        y = body.solve_free()
        motion = self.motion.copy()
        self.impulse[:] = 0.0
        if size == 0 or self._compliance is None:
            return motion
        T, S, r = np.zeros((*y.shape, size)), np.zeros((size, size)), np.zeros(size)
        row.body_columns(rows, column, kappa, T, S)
        row.body_impulses(rows, column, r)
        X = body.response(T)
        flat = T.reshape(-1, size)
        S -= flat.T @ X.reshape(-1, size)
        r += flat.T @ y.reshape(-1)
        places = np.concatenate([np.arange(6 * k, 6 * k + 6) for k in active])
        C = self._compliance[np.ix_(places, places)]
        q = np.linalg.solve(np.eye(size) + C @ S, motion[places] + C @ r)
        self.impulse[places] = r - S @ q
        motion += self._compliance[:, places] @ self.impulse[places]
        w.delta[...] += (X @ q).reshape(y.shape)
        return motion
