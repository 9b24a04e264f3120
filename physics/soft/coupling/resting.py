"""Contacts of rigid bodies with each other, as rows of the solve that pushes these bodies.

A lid between a soft cube and the ground is no free body: were it one for the solve, the cube would
be given the work of pushing it into the ground, and the ground would push back a whole step later.
So whatever touches a body that a soft one pushes stands in the same solve, and gives way or holds
there as it will in the rigid step. That finds these impulses anew; the bodies are given only what
comes from the soft body.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.params import CONTACT_SLOP
from physics.schema import grown
from physics.soft.contact import soft_rows
from physics.soft.solve.soft_arrays import Rows
from physics.state import DYNAMIC, ContactRows, Floats

if TYPE_CHECKING:
    from physics.soft.coupling.rigid_side import RigidSide

Ints = NDArray[np.int64]
SECANT_CHANGE = 0.1  # share by which a secant of friction may still change
MOST = 12  # bodies in one solve; those beyond them stay on the way that was predicted for them


def contact_impulses(contacts: ContactRows, count: int) -> Floats:
    """(count, 3) impulse on the first body of every contact as it is known, N s."""
    mu = contacts.mu[:count]
    total: Floats = mu[:, :1] * contacts.normal[:count]
    return total + mu[:, 1:2] * contacts.tangent1[:count] + mu[:, 2:] * contacts.tangent2[:count]


class Resting:
    """The contacts that matter to one solve, and the bodies they join to it."""

    def __init__(self, rigid: "RigidSide | None", near: list[int], share: float) -> None:
        self._rigid, self.near = rigid, near
        self._share = share  # of a step for which impulses of rows act
        self._chosen: Ints = np.zeros(0, np.int64)
        if rigid is not None and near and len(rigid.given):
            self._choose(rigid, near)
        self.count = len(self._chosen)

    def _choose(self, rigid: "RigidSide", near: list[int]) -> None:
        contacts, count = rigid.touching, len(rigid.given)
        pairs = np.stack([contacts.body_a[:count], contacts.body_b[:count]], 1).astype(np.int64)
        moves = (rigid.bodies.kind[pairs] >= DYNAMIC) & rigid.bodies.solved[2 * pairs].astype(bool)
        component = rigid.stepper.system.component
        known, before = set(near), -1
        while before != len(known) and len(known) < MOST:
            before = len(known)
            joined = moves & np.isin(component[pairs], component[sorted(known)])
            touched = joined.any(axis=1)
            more = set(pairs[touched][moves[touched]].tolist()) - known
            known |= set(sorted(more)[: MOST - len(known)])
        self.near = near + sorted(known - set(near))
        self._chosen = np.flatnonzero((moves & np.isin(pairs, self.near)).any(axis=1))
        first = moves[:, 0] & np.isin(pairs[:, 0], self.near)
        self._first = first[self._chosen]  # whether the row's body is the first of the contact

    def known(self, column: Ints, size: int) -> Floats:
        """Impulses of these contacts on the bodies that their prediction has in it."""
        total = np.zeros(size)
        if self.count == 0 or self._rigid is None:
            return total
        contacts, given = self._rigid.touching, self._share * self._rigid.given
        for c in self._chosen:
            for b, arm, sign in (
                (contacts.body_a[c], contacts.anchor_a[c], 1.0),
                (contacts.body_b[c], contacts.anchor_b[c], -1.0),
            ):
                k = column[b]
                if k >= 0:
                    total[k : k + 3] += sign * given[c]
                    total[k + 3 : k + 6] += sign * np.cross(arm, given[c])
        return total

    def append(self, rows: Rows, kappa: float) -> Rows:
        """These contacts behind the rows of the soft body; returns the rows, which may be new."""
        if self.count == 0 or self._rigid is None:
            return rows
        start, stop = int(rows.count[0]), int(rows.count[0]) + self.count
        if stop > len(rows.gap):
            rows = grown(rows, r=2 * stop)
        contacts, given, c = self._rigid.touching, self._share * self._rigid.given, self._chosen
        at, first = slice(start, stop), self._first
        sign = np.where(first, 1.0, -1.0)[:, None]
        rows.kind[at], rows.node[at], rows.weight[at] = soft_rows.PRESSED, 0, 0.0
        rows.body[at] = np.where(first, contacts.body_a[c], contacts.body_b[c])
        rows.other[at] = np.where(first, contacts.body_b[c], contacts.body_a[c])
        own, beyond = contacts.anchor_a[c], contacts.anchor_b[c]
        rows.arm[at] = np.where(first[:, None], own, beyond)
        rows.other_arm[at] = np.where(first[:, None], beyond, own)
        rows.normal[at] = -sign * contacts.normal[c]
        gap = contacts.gap[c]
        rows.gap[at] = np.where(gap > -CONTACT_SLOP, np.maximum(gap - CONTACT_SLOP, 0.0), gap)
        rows.friction[at] = np.where(contacts.belt[c].any(axis=1), 0.0, contacts.friction[c])
        load = np.maximum(np.sum(given[c] * contacts.normal[c], axis=1), 0.0)
        rows.memory[at] = load[:, None] * rows.normal[at]
        rows.state[at] = np.where(load > 0.0, soft_rows.ACTIVE, soft_rows.OPEN)
        rows.stick[at] = np.where((load > 0.0) & (rows.friction[at] > 0.0), kappa, 0.0)
        rows.count[0] = stop
        return rows

    def slides_otherwise(self, rows: Rows, stick: Floats) -> int:
        """How many of these contacts rub far otherwise than by `stick`, of all rows before."""
        if self.count == 0:
            return 0
        at = slice(int(rows.count[0]) - self.count, int(rows.count[0]))
        now, before = rows.stick[at], stick[at]
        return int((np.abs(now - before) > SECANT_CHANGE * np.maximum(now, before)).sum())

    def take_out(self, rows: Rows) -> None:
        """The solve is over; the next soft body meets what these contacts give now."""
        if self.count == 0 or self._rigid is None:
            return
        stop = int(rows.count[0])
        at = slice(stop - self.count, stop)
        acting = (rows.state[at] != soft_rows.OPEN)[:, None]
        sign = np.where(self._first, -1.0, 1.0)[:, None]
        given = sign * rows.impulse[at] / self._share
        self._rigid.given[self._chosen] = np.where(acting, given, 0.0)
        rows.other[at] = 0
        rows.count[0] = stop - self.count
