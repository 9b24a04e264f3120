"""Soft bodies that are near each other, solved as one.

Their models are put one after the other into a joined body, whose surface is the union of theirs:
what one does to another is a contact of the joined surface with itself
(physics/soft/contact/self_contact.py), an ordinary row on four nodes. So two cloths push each other
in the same solve that holds their links and everything they lie on. Each body assembles its own
part of the matrix; the joined one adds the contacts, solves, and gives back what it found.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.schema import grown
from physics.snapshot import Saved
from physics.soft.contact.node_triangle import SELF
from physics.soft.contact.self_contact import SelfContact
from physics.soft.contact.shape_contact import NEVER
from physics.soft.contact.soft_rows import ACTIVE, keep_impulses
from physics.soft.coupling.coupled_solve import CoupledSolve
from physics.soft.coupling.rigid_side import RigidSide
from physics.soft.meshes.surface import MARGIN, Surface
from physics.soft.soft_builder import Builder
from physics.soft.soft_item import SoftItem
from physics.soft.solve.linear_system import Options
from physics.soft.solve.soft_arrays import Model, Rows, State
from physics.soft.solve.soft_body import SoftBody
from physics.soft.solve.soft_ledger import joined, know_stored
from physics.state import Bodies

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SHIFT = 55  # bits: the number of the member in front of the key of a contact with a shape
APART = 1e6  # m between the rest shapes of members: nothing of one is near another at rest
ROUNDS = 6  # factorisations in a step at most: layers that meet must not change sides
THINNEST = 0.01  # of the spacing: what is kept between two surfaces at least
NODAL = (
    "diagonal", "rhs", "carried", "elastic", "start_x", "start_v", "drag", "push", "guess",
    "average", "own_diagonal",
)  # fmt: skip
LINK_STATE = ("lam", "link_mean")
LINKED = ("start_lam", "link_u", "link_phi", "link_lam", "link_added")
CELLS = (
    "tet_way", "tet_side", "tet_stress", "hex_way", "hex_side", "hex_stress", "hex_tau", "tri_side",
    "tri_stress", "quad_side", "quad_stress",
)  # fmt: skip
ROW_FIELDS = (
    "kind", "body", "weight", "normal", "arm", "gap", "error", "start", "friction",
    "state", "stick", "memory",
)  # fmt: skip
FOUND = ("state", "stick", "memory", "impulse")  # of a row, given back
WARM_START = ("old_key", "old_load", "old_stick")


class _JoinedBuilder(Builder):
    """Makes the joined model."""

    def __init__(self, models: list[Model], states: list[State], own: list[int]) -> None:
        super().__init__(np.concatenate([state.x for state in states]))
        self._models, self._states, self._own = models, states, own

    def build(self) -> tuple[Model, State]:
        nodes = np.cumsum([0] + [len(model.mass) for model in self._models])
        edges = np.cumsum([0, *self._own])
        fields = []
        for name in Model._fields:
            parts = []
            for m, model in enumerate(self._models):
                values = getattr(model, name)
                if name == "edges":
                    values = values[: self._own[m]]
                if name == "edges" or name.endswith("_nodes"):
                    values = values + nodes[m]
                elif name == "link_slot":  # what a member has taken in, the joined body may too
                    inside = (values >= 0) & (values < self._own[m])
                    values = np.where(inside, values + edges[m], -1)
                elif name.endswith("_slot"):
                    values = values + edges[m]
                parts.append(values)
            fields.append(np.ascontiguousarray(np.concatenate(parts)))
        state = State._make(np.concatenate(parts) for parts in zip(*self._states, strict=True))
        return Model._make(fields), state


def _surface(items: list[SoftItem], nodes: Ints) -> Surface:
    """The union of the members' surfaces. One that does not touch itself has no extent at rest."""
    rest = np.zeros((int(nodes[-1]), 3))
    for m, item in enumerate(items):
        if item.surface.rest is not None:
            rest[nodes[m] : nodes[m] + len(item.surface.rest)] = item.surface.rest
        rest[nodes[m] : nodes[m + 1], 0] += APART * m
    radius = float(np.mean([item.surface.radius for item in items]))
    radius = min([radius] + [i.surface.radius for i in items if i.surface.rest is not None])
    friction = float(np.prod([item.surface.friction for item in items]) ** (1.0 / len(items)))
    triangles = np.concatenate([item.surface.triangles + nodes[m] for m, item in enumerate(items)])
    thinnest = THINNEST * min(item.spacing for item in items)
    return Surface(triangles, max(radius, thinnest), friction, rest=rest)


class Cluster:
    """Some soft bodies of a world, as long as they are near each other."""

    def __init__(self, items: list[SoftItem]) -> None:
        self.items = items
        own = [item.body.pattern.own for item in items]
        self._nodes = np.cumsum([0] + [len(item.body.x) for item in items])
        self._edges = np.cumsum([0, *own])
        self._links = np.cumsum([0] + [len(item.body.state.lam) for item in items])
        union = _JoinedBuilder([i.body.model for i in items], [i.body.state for i in items], own)
        options = [item.body.options for item in items]
        alike = len({(one.integrator, one.damping) for one in options}) == 1
        self.body = SoftBody(union, Options(
            solver="direct", damping=options[0].damping if alike else 0.0,
            integrator=options[0].integrator if alike else "euler",
        ))  # fmt: skip
        self.body.fresh = self.body.alone = self.body.starts = False
        self.surface = _surface(items, self._nodes)
        self._self_contact = SelfContact(self.surface, len(self.body.x))
        self._self_contact.never = np.flatnonzero(
            np.concatenate([item.skin.attached for item in items]) == NEVER
        )
        self._spacing = max(item.spacing for item in items)
        self._old: dict[str, NDArray[Any]] = {
            name: getattr(self.body.rows, name)[:0].copy() for name in WARM_START
        }
        self.contacts = 0  # between members (and of members with themselves) that press
        self._triangles = [item.surface.triangles for item in items]

    def is_of(self, items: list[SoftItem]) -> bool:
        """Whether these are its members, and none has been cut since it was made."""
        return self.items == items and all(
            item.surface.triangles is known
            for item, known in zip(items, self._triangles, strict=True)
        )

    def find(self, h: float) -> bool:
        """Contacts of the members with each other; whether there are any."""
        self._gather_state()
        self._gather_rows()
        before = int(self.body.rows.count[0])
        self._self_contact.find(self.body, self._spacing, h)
        self.contacts = 0
        found = int(self.body.rows.count[0]) > before
        if not found:
            self._old = {name: values[:0] for name, values in self._old.items()}
        return found

    @property
    def loads(self) -> Floats:
        """Impulses between members in the last step, N s."""
        return self._old["old_load"]

    def solve(self, bodies: Bodies, rigid: RigidSide | None, h: float) -> None:
        """The step of all members; what they give to rigid bodies goes into bodies.soft_force."""
        body, done = self.body, self.body.factorisations
        self._gather_matrix(h)
        solve = CoupledSolve(body, bodies, rigid, h, ROUNDS)
        solve.run()
        keep_impulses(body.rows)
        for k, b in enumerate(solve.near):
            push = solve.impulse[6 * k : 6 * k + 6] / solve.time
            bodies.soft_force[2 * b] += push[:3]
            bodies.soft_force[2 * b + 1] += push[3:]
        self._scatter()
        for item in self.items:
            item.pushed = solve.near
            item.rounds = item.iterations = item.body.guarded = 0
            item.body.violation = body.violation
        self.items[0].rounds = body.factorisations - done
        self.items[0].body.guarded = body.guarded

    # --- from the members and back --------------------------------------------------------------

    def _gather_state(self) -> None:
        body = self.body
        for m, item in enumerate(self.items):
            own, nodes = item.body, slice(self._nodes[m], self._nodes[m + 1])
            links = slice(self._links[m], self._links[m + 1])
            for name, array in body.state._asdict().items():
                array[links if name in LINK_STATE else nodes] = getattr(own.state, name)
            body.model.link_stiffness[links] = own.model.link_stiffness
            body.model.link_count[nodes] = own.model.link_count
        for name in ("tet_gradient", "hex_gradient"):
            parts = [getattr(item.body.model, name) for item in self.items]
            getattr(body.model, name)[...] = np.concatenate(parts)
        firm = [item.body.firm for item in self.items]
        body.firm = replace(min(firm, key=lambda one: one.now), credit=sum(f.credit for f in firm))
        body.gravity = self.items[0].body.gravity
        body.options.stabilization = self.items[0].body.options.stabilization

    def _gather_matrix(self, h: float) -> None:
        work = self.body.work
        work.off[...] = 0.0
        work.own_off[...] = 0.0
        for m, item in enumerate(self.items):
            own, nodes = item.body.work, slice(self._nodes[m], self._nodes[m + 1])
            links = slice(self._links[m], self._links[m + 1])
            edges = slice(self._edges[m], self._edges[m + 1])
            work.off[edges] = own.off[: item.body.pattern.own]
            work.own_off[edges] = own.own_off[: item.body.pattern.own]
            self.body.model.link_memory[links] = item.body.model.link_memory
            self.body.model.link_length[links] = item.body.model.link_length
            slot = item.body.model.link_slot
            taken = slot >= item.body.pattern.own
            work.off[self.body.model.link_slot[links][taken]] = own.off[slot[taken]]
            for name in NODAL:
                getattr(work, name)[nodes] = getattr(own, name)
            for name in LINKED:
                getattr(work, name)[links] = getattr(own, name)
        for item in self.items:
            if item.body.watched:
                know_stored(item.body, h)
        self.body.ledger = joined([item.body.ledger for item in self.items])
        for name in CELLS:
            getattr(work, name)[...] = np.concatenate(
                [getattr(item.body.work, name) for item in self.items]
            )

    def _gather_rows(self) -> None:
        """Attachments of all members, then their contacts with shapes, keys ascending."""
        counts = [int(item.body.rows.count[0]) for item in self.items]
        held = [int(item.body.rows.held[0]) for item in self.items]
        old = sum(int(item.body.rows.old_count[0]) for item in self.items) + len(
            self._old["old_key"]
        )
        if len(self.body.rows.gap) < max(sum(counts), old) + 1:
            self.body.rows = grown(self.body.rows, r=2 * max(sum(counts), old) + 64)
        rows, at = self.body.rows, 0
        self._place: list[tuple[int, slice, slice]] = []  # member, its rows, where they are
        for parts in (zip([0] * len(held), held, strict=True), zip(held, counts, strict=True)):
            for m, (begin, end) in enumerate(parts):
                self._place.append((m, slice(begin, end), slice(at, at + end - begin)))
                at += end - begin
        for m, source, target in self._place:
            self._gather_block(rows, m, source, target)
        rows.held[0], rows.count[0] = sum(held), at
        self._gather_warm_start(rows)

    def _gather_block(self, rows: Rows, m: int, source: slice, target: slice) -> None:
        own = self.items[m].body.rows
        for name in ROW_FIELDS:
            getattr(rows, name)[target] = getattr(own, name)[source]
        rows.node[target] = own.node[source] + self._nodes[m]
        rows.slot[target] = own.slot[source] + self._edges[m]
        rows.key[target] = own.key[source] + (m << SHIFT)

    def _gather_warm_start(self, rows: Rows) -> None:
        """Loads of the last step: of members with shapes, then of members with each other."""
        at = 0
        for m, item in enumerate(self.items):
            own, count = item.body.rows, int(item.body.rows.old_count[0])
            known = own.old_key[:count] < SELF << 32
            end = at + int(known.sum())
            for name in WARM_START:
                getattr(rows, name)[at:end] = getattr(own, name)[:count][known]
            rows.old_key[at:end] += m << SHIFT
            at = end
        end = at + len(self._old["old_key"])
        for name in WARM_START:
            getattr(rows, name)[at:end] = self._old[name]
        rows.old_count[0] = end

    def _scatter(self) -> None:
        body, rows = self.body, self.body.rows
        for m, item in enumerate(self.items):
            own, nodes = item.body, slice(self._nodes[m], self._nodes[m + 1])
            links = slice(self._links[m], self._links[m + 1])
            for name in ("x", "v", "elastic", "ahead"):
                getattr(own.state, name)[...] = getattr(body.state, name)[nodes]
            for name in LINK_STATE:
                getattr(own.state, name)[...] = getattr(body.state, name)[links]
            share = item.mass() / sum(one.mass() for one in self.items)
            credit, paid = share * body.firm.credit, share * body.firm.paid
            own.firm = replace(body.firm, credit=credit, paid=paid)
            own.tighten()
            own.starts, own.changed = False, self.body.options.integrator != own.options.integrator
            own.work.link_added[...] = body.work.link_added[links]
            own.work.link_lam[...] = body.work.link_lam[links]
        for m, source, target in self._place:
            for name in FOUND:
                getattr(self.items[m].body.rows, name)[source] = getattr(rows, name)[target]
        self._scatter_warm_start(rows)
        own_rows = slice(int(rows.held[0]), int(rows.count[0]))
        between = rows.key[own_rows] >= SELF << 32
        self.contacts = int((between & (rows.state[own_rows] == ACTIVE)).sum())

    def _scatter_warm_start(self, rows: Rows) -> None:
        count = int(rows.old_count[0])
        key = rows.old_key[:count]
        between = key >= SELF << 32
        self._old = {name: getattr(rows, name)[:count][between].copy() for name in WARM_START}
        for m, item in enumerate(self.items):
            mine = ~between & (key >> SHIFT == m)
            own, size = item.body.rows, int(mine.sum())
            if len(own.old_key) < size:
                own = item.body.rows = grown(own, r=2 * size)
            for name in WARM_START:
                getattr(own, name)[:size] = getattr(rows, name)[:count][mine]
            own.old_key[:size] -= m << SHIFT
            own.old_count[0] = size

    # --- saving ---------------------------------------------------------------------------------

    def save(self) -> Saved:
        """What of it the members do not hold."""
        return {"pattern": self.body.pattern, "old": dict(self._old)}

    def restore(self, saved: Saved) -> None:
        """Back to a saved moment."""
        self.body.use_pattern(saved["pattern"])
        self._old = dict(saved["old"])


def _bounds(item: SoftItem, h: float) -> tuple[Floats, Floats]:
    """Where the body may touch something in the coming step."""
    x, v = item.body.x[: item.nodes], item.body.v[: item.nodes]
    reach = item.surface.radius + MARGIN * item.spacing
    ahead = x + h * v
    return np.minimum(x, ahead).min(axis=0) - reach, np.maximum(x, ahead).max(axis=0) + reach


def groups_of(items: dict[int, SoftItem], h: float) -> list[tuple[int, ...]]:
    """Slots of the soft bodies that are to be solved together; most are alone."""
    slots = list(items)
    if len(slots) < 2:
        return [(slot,) for slot in slots]
    bounds = [_bounds(items[slot], h) for slot in slots]
    group = list(range(len(slots)))
    for a in range(len(slots)):
        for b in range(a + 1, len(slots)):
            first, second = items[slots[a]].surface, items[slots[b]].surface
            if not (first.group & second.mask and second.group & first.mask):
                continue
            if (bounds[a][0] <= bounds[b][1]).all() and (bounds[b][0] <= bounds[a][1]).all():
                old, new = group[b], group[a]
                group = [new if g == old else g for g in group]
    return [
        tuple(slot for slot, g in zip(slots, group, strict=True) if g == number)
        for number in sorted(set(group))
    ]
