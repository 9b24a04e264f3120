"""A soft body in a world: what it touches, what it is sewn to, the air around it."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from physics.collision.store import ShapeStore
from physics.params import GRAB_ACCELERATION, GRAB_FREQUENCY
from physics.portable import dot, exp, norm, transform, weighted_sum
from physics.schema import allocate, copied, grown
from physics.snapshot import Saved
from physics.soft.comparators.comparator import ITERATIONS, Comparator
from physics.soft.comparators.comparator_table import COMPARATORS
from physics.soft.comparators.exchange import compare
from physics.soft.contact.bouncing import bounce
from physics.soft.contact.node_triangle import SELF
from physics.soft.contact.self_contact import SelfContact
from physics.soft.contact.shape_contact import NEVER, NOBODY, SAMPLES, find_contacts
from physics.soft.contact.soft_rows import ACTIVE, HELD, keep_impulses
from physics.soft.coupling.coupled_solve import CoupledSolve
from physics.soft.coupling.rigid_side import RigidSide
from physics.soft.elements.air_drag import add_air
from physics.soft.elements.plastic import flow
from physics.soft.meshes.cutting import Blade, Holes, cells_of, sheets_of, surface_left
from physics.soft.meshes.surface import MARGIN, Surface
from physics.soft.models import SPLITS_BRICKS
from physics.soft.soft_builder import pair_slots
from physics.soft.solve.soft_arrays import Rows, Skin
from physics.soft.solve.soft_body import SoftBody
from physics.state import DYNAMIC, Bodies, Floats

Ints = NDArray[np.int64]


@dataclass
class Air:
    """What blows on the surface."""

    wind: Floats = field(default_factory=lambda: np.zeros(3))  # m/s
    density: float = 1.2  # kg/m³
    normal_drag: float = 0.0  # drag coefficients across and along the surface
    tangent_drag: float = 0.0


@dataclass(frozen=True)
class Plastic:
    """How a solid flows."""

    yield_strain: float  # length of the deviator of the logarithmic strain
    rate: float = 60.0  # share of the excess per second; 1/h and above: at once
    most: float = np.inf  # plastic strain after which it is elastic again


@dataclass(eq=False)  # one node may be sewn twice at the same place; a seam equals itself only
class Seam:
    """A material point Σ w_a x_a of up to four nodes, held to a point of a rigid body.

    One node is sewn itself; a point inside an element moves with the blend of its corners.
    """

    nodes: tuple[int, ...]
    body: int  # slot
    point: Floats  # body axes, m
    breaks_at: float = np.inf  # N
    weights: tuple[float, ...] = (1.0,)


PATCH = 2.0  # spacings of nodes that a blow reaches


class SoftItem:
    """One cloth or solid of a world."""

    def __init__(self, kind: str, body: SoftBody, surface: Surface) -> None:
        self.kind, self.body, self.surface = kind, body, surface
        self.air = Air()
        self.comparator: Comparator | None = None  # takes the steps instead of us
        self.seams: list[Seam] = []
        self.stepping = body.options.integrator, ITERATIONS
        self.exploded = False  # a comparator could not go on
        self.rounds = self.iterations = 0  # factorisations and iterations of the last step
        self.pushed: list[int] = []  # movable rigid bodies that had a part in its last step
        self.torn = False
        self.breaks_at = np.inf  # N, of a link
        self.plastic: Plastic | None = None
        self.hands: dict[int, tuple[int, Floats]] = {}  # node, and where it is drawn to
        self.hardening = np.zeros(len(cells_of(body.model)[1]))  # plastic strain so far
        self.nodes = len(body.x)  # without the anchors of springs, which come last
        self.holes: Holes | None = None  # elements that were cut out
        self._whole = surface.triangles
        self._start = body.x.copy()
        self._applied_cuts = self._cuts()
        self._set_surface(surface.triangles, np.full(len(body.x), NEVER, np.int64))
        self.body.rows = allocate(Rows, r=max(64, len(body.x) // 4))
        self.spacing = float(self._rest.mean()) if len(surface.triangles) else 0.1

    def _set_surface(self, triangles: Ints, attached: Ints) -> None:
        """Touch with these triangles from now on; `attached` as in Skin."""
        n, t = len(self.body.x), triangles
        self.surface.triangles = t
        slots = pair_slots(t, self.body.pattern.own_edges, n)
        given = {"triangles": t, "slot": slots, "attached": attached}
        self.skin = allocate(Skin, given, s=len(t), p=SAMPLES)
        model = self.body.model
        touching, shown = np.zeros(n, bool), np.zeros(n, bool)
        touching[t] = shown[t] = True
        touching[model.link_nodes[model.link_stiffness > 0.0]] = True  # strands that are left
        attached[shown & (attached == NEVER)] = NOBODY
        attached[~touching] = NEVER  # crumbs, and the inside of a solid
        self._rest = norm(self._start[t] - self._start[np.roll(t, 1, axis=1)])
        self._self_contact = None if self.surface.rest is None else SelfContact(self.surface, n)

    def set_stepping(self, what: str, stepping: str, iterations: int = ITERATIONS) -> None:
        """How steps are taken from now on, from the velocities of now."""
        body, model = self.body, self.body.model
        made = COMPARATORS.get(stepping)
        if stepping in SPLITS_BRICKS and len(model.hex_nodes):
            raise ValueError(f'the stepping "{stepping}" {what} needs tetrahedra, not hexahedra')
        rows = len(model.area_nodes) + len(model.volume_nodes) + len(model.quad_nodes)
        if stepping in SPLITS_BRICKS and rows:
            raise ValueError(f'the stepping "{stepping}" {what} knows no areas, volumes and quads')
        if stepping == "projective" and model.hinge_stiffness.any():
            raise ValueError(f'rigidity {what} means nothing to the stepping "{stepping}"')
        if made is not None and body.options.damping > 0.0:
            raise ValueError(f'damping {what} means nothing to the stepping "{stepping}"')
        self.comparator = made(iterations) if made is not None else None
        self.stepping, self.exploded = (stepping, iterations), False
        body.options.integrator = "euler" if made is not None else stepping
        body.as_springs(made is not None and made.springs)
        body.restart()
        body.fresh = True
        body.rows.old_count[0] = 0

    def take(self, point: Floats) -> int:
        """A hand takes hold of the node nearest to a point; returns its number."""
        free = np.flatnonzero(~self.body.state.pinned[: self.nodes])
        if len(free) == 0:
            raise ValueError("every node is pinned; there is nothing to take hold of")
        apart = norm(self.body.x[free] - point)
        hand = max(self.hands, default=-1) + 1
        self.hands[hand] = int(free[apart.argmin()]), point.copy()
        return hand

    def near(self, point: Floats) -> Floats:
        """How much of a blow at a point each node takes: 1 there, little beyond PATCH spacings."""
        away = norm(self.body.x[: self.nodes] - point) / (PATCH * self.spacing)
        share = exp(-(away**2))
        share[self.body.state.pinned[: self.nodes]] = 0.0
        return share

    def push(self, impulse: Floats, point: Floats) -> None:
        """An impulse (N s) into the nodes around a point, all of it momentum of theirs."""
        share = self.near(point)
        mass = float(dot(share, self.body.model.mass[: self.nodes]))
        if mass > 0.0:
            self.body.v[: self.nodes] += np.outer(share, impulse / mass)
            self.body.fresh = True

    def _pull_hands(self, h: float) -> None:
        """Hands draw their nodes by the spring that draws rigid bodies: ω on the mass of the whole
        body, critically damped, implicit, bounded: h m (ω²(gap - h v) - 2ω v)."""
        w, mass = self.body.work, self.mass()
        stiffness = GRAB_FREQUENCY**2
        for node, target in self.hands.values():
            gap = target - self.body.x[node]
            gap *= min(1.0, GRAB_ACCELERATION / max(stiffness * float(norm(gap)), 1e-12))
            w.drag[node] += mass * h * (2.0 * GRAB_FREQUENCY + h * stiffness) * np.eye(3)
            w.push[node] += mass * h * stiffness * gap

    def sew(self, seam: Seam) -> None:
        """Hold a node to a body from now on."""
        self.seams.append(seam)
        self.skin.attached[list(seam.nodes)] = seam.body
        self._seams_changed()

    def unpick(self, seams: list[Seam]) -> None:
        """Let sewn nodes go."""
        for seam in seams:
            self.skin.attached[list(seam.nodes)] = NOBODY
        self.seams = [seam for seam in self.seams if seam not in seams]
        self._seams_changed()

    def _seams_changed(self) -> None:
        rows = self.body.rows
        if len(self.seams) >= len(rows.gap):
            rows = self.body.rows = grown(rows, r=2 * len(self.seams))
        rows.held[0] = rows.count[0] = len(self.seams)
        rows.memory[: len(self.seams)] = 0.0
        for r, seam in enumerate(self.seams):
            rows.kind[r], rows.state[r], rows.body[r] = HELD, ACTIVE, seam.body
            used = len(seam.nodes)
            rows.node[r], rows.weight[r] = seam.nodes[0], 0.0
            rows.node[r, :used], rows.weight[r, :used] = seam.nodes, seam.weights
            if used > 1:
                pairs = pair_slots(
                    rows.node[r : r + 1], self.body.pattern.own_edges, len(self.body.x)
                )
                rows.slot[r] = pairs[0]  # of nodes that do not take part: never read
            rows.normal[r] = 0.0

    # --- one step -------------------------------------------------------------------------------

    def assemble(self, h: float) -> None:
        """Everything of the step that does not concern others."""
        body, air = self.body, self.air
        body.work.drag[...] = 0.0
        body.work.push[...] = 0.0
        self._pull_hands(h)
        if air.density * (air.normal_drag + air.tangent_drag) > 0.0:
            add_air(
                body.x, body.v, self.surface.triangles, air.wind, air.density, air.normal_drag,
                air.tangent_drag, h, body.work.drag, body.work.push,
            )  # fmt: skip
        if self.comparator is None:
            body.assemble(h)

    def find_rows(self, shapes: ShapeStore, bodies: Bodies, h: float) -> None:
        """Attachments and contacts with shapes, which must be where the bodies are."""
        body, surface = self.body, self.surface
        rows = body.rows
        for r, seam in enumerate(self.seams):
            rows.arm[r] = transform(bodies.rotation[seam.body], seam.point)
            held = weighted_sum(seam.weights, body.x[list(seam.nodes)])
            rows.error[r] = rows.start[r] = held - bodies.position[seam.body] - rows.arm[r]
        gained = 2.0 * h * float(np.abs(body.state.ahead).max())  # by speeding up in a step
        margin = MARGIN * self.spacing + min(gained, self.spacing)
        while True:
            needed = find_contacts(
                body.x, body.v, body.state.pinned, surface.radius, margin,
                self.spacing, surface.solid, surface.group, surface.mask, surface.friction, h,
                shapes.pool, shapes.shapes,
                int(shapes.space.span[0]), bodies.position, self.skin, body.rows,
            )  # fmt: skip
            if needed <= len(body.rows.gap):
                break
            body.rows = grown(body.rows, r=2 * needed)
        if surface.restitution > 0.0:
            bounce(body, bodies, surface.restitution, h)

    def bear_load(self, bodies: Bodies, h: float) -> None:
        """Threads that do not stretch are to carry the bodies that rows push."""
        self.body.bear(float(bodies.mass[self.meets(bodies)].sum()), h)

    def find_self_contacts(self, h: float) -> None:
        """Contacts of the body with itself, after those with shapes."""
        if self._self_contact is not None:
            self._self_contact.find(self.body, self.spacing, h)

    @property
    def self_contacts(self) -> int:
        """Pairs of the last step in which the cloth touches itself."""
        rows = self.body.rows
        contacts = slice(int(rows.held[0]), int(rows.count[0]))
        own = rows.key[contacts] >= SELF << 32
        return int((own & (rows.state[contacts] == ACTIVE)).sum())

    def meets(self, bodies: Bodies) -> Ints:
        """Slots of the bodies that can give way, and on which a row of the coming step acts."""
        met: Ints = np.unique(self.body.rows.body[: self.body.rows.count[0]])
        return met[bodies.kind[met] >= DYNAMIC]

    def solve(self, bodies: Bodies, rigid: RigidSide | None, h: float) -> None:
        """The step of this body; what it gives to rigid ones goes into bodies.soft_force."""
        done, self.pushed = (self.body.factorisations, self.body.iterations), []
        self._solve(bodies, rigid, h)
        self.rounds = self.body.factorisations - done[0]
        self.iterations = self.body.iterations - done[1]

    def _solve(self, bodies: Bodies, rigid: RigidSide | None, h: float) -> None:
        if self.comparator is not None:
            self.exploded = compare(self.comparator, self.body, bodies, h, self.exploded)
            return
        if self.body.rows.count[0] == 0:
            self.body.rows.old_count[0] = 0
            self.body.solve_free()
            self.body.end(h)
            return
        solve = CoupledSolve(self.body, bodies, rigid, h)
        solve.run()
        self.pushed = solve.near
        keep_impulses(self.body.rows)
        for k, b in enumerate(solve.near):
            push = solve.impulse[6 * k : 6 * k + 6] / solve.time
            bodies.soft_force[2 * b] += push[:3]
            bodies.soft_force[2 * b + 1] += push[3:]

    def finish(self, h: float) -> None:
        """What breaks, breaks; what yields, flows."""
        force = norm(self.body.rows.impulse[: len(self.seams)]) / h
        loose = [s for s, size in zip(self.seams, force, strict=True) if size > s.breaks_at]
        if loose:
            self.unpick(loose)
        if self.breaks_at < np.inf:
            self.cut_links(np.flatnonzero(-self.body.state.lam > self.breaks_at))
        if self.plastic is not None:
            kind, cells = cells_of(self.body.model)
            flow(
                cells,
                self.body.x,
                self.plastic.yield_strain,
                min(1.0, self.plastic.rate * h),
                self.plastic.most,
                getattr(self.body.model, f"{kind}_gradient"),
                self.hardening,
            )

    def cut_links(self, links: Ints) -> None:
        """Sever links; the next step no longer knows them."""
        whole = links[self.body.model.link_stiffness[links] > 0.0]
        if len(whole):
            self.body.cut(whole)
            self.torn = True
            self._apply_cuts()

    def cut(self, blade: Blade) -> int:
        """Sever every link and take out every element that a cut crosses; how many were whole."""
        model, x = self.body.model, self.body.x
        links = np.flatnonzero(blade.crosses(x, model.link_nodes) & (model.link_stiffness > 0.0))
        triangles, tetrahedra = self.cut_out()
        more = (
            blade.crosses(x, sheets_of(model)) & ~triangles,
            blade.crosses(x, cells_of(model)[1]) & ~tetrahedra,
        )
        self.cut_links(links)
        if more[0].any() or more[1].any():
            self.take_out(triangles | more[0], tetrahedra | more[1])
        return len(links) + int(more[0].sum() + more[1].sum())

    def cut_out(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which triangles and tetrahedra are gone."""
        if self.holes is not None:
            return self.holes.triangles.copy(), self.holes.tetrahedra.copy()
        model = self.body.model
        cells = cells_of(model)[1]
        return np.zeros(len(sheets_of(model)), bool), np.zeros(len(cells), bool)

    def take_out(self, triangles: NDArray[np.bool_], tetrahedra: NDArray[np.bool_]) -> None:
        """Exactly these elements are gone from now on."""
        if self.holes is None:
            self.holes = Holes(self.body.model)
        self.holes.set(triangles, tetrahedra)
        self.torn |= bool(triangles.any() or tetrahedra.any())
        self.body.fresh = True
        self.body.restart()
        self._apply_cuts()

    def _cuts(self) -> tuple[bytes, ...]:
        """All that is cut, to be compared."""
        links = self.body.model.link_stiffness == 0.0
        return (links.tobytes(), *(gone.tobytes() for gone in self.cut_out()))

    def _apply_cuts(self) -> None:
        """Show and touch with what is left, unless that is done already."""
        cuts = self._cuts()
        if cuts != self._applied_cuts:
            self._applied_cuts = cuts
            left = surface_left(self.body.model, self._whole, self.holes)
            self.body.drop_rows()
            self._set_surface(left, self.skin.attached)
            self.body.rows.old_count[0] = 0  # contacts are remembered by numbers of triangles

    def mass(self) -> float:
        """kg"""
        return float(self.body.model.mass[: self.nodes].sum())

    def strain(self) -> float:
        """Largest |l - L|/L of the stiffest links that are whole, else of the surface's edges."""
        model = self.body.model
        if len(model.link_nodes):
            stiff = model.link_stiffness >= 0.999 * model.link_stiffness.max()
            pulled = np.maximum(self.body.strain()[stiff], 0.0)
            return float(pulled.max(initial=0.0))
        stretch = self._edge_lengths() / self._rest - 1.0
        return float(np.abs(stretch).max(initial=0.0))

    def _edge_lengths(self) -> Floats:
        t, x = self.surface.triangles, self.body.x
        return norm(x[t] - x[np.roll(t, 1, axis=1)])

    # --- saving ---------------------------------------------------------------------------------

    def save(self) -> Saved:
        """A copy of all that changes."""
        body = self.body
        return {
            "state": copied(body.state),
            "stiffness": body.model.link_stiffness.copy(),
            "links": body.model.link_count.copy(),
            "added": body.work.link_added.copy(),
            "gradient": (body.model.tet_gradient.copy(), body.model.hex_gradient.copy()),
            "hardening": self.hardening.copy(),
            "rows": copied(body.rows),
            "seams": list(self.seams),
            "hands": dict(self.hands),
            "stepping": self.stepping,
            "exploded": self.exploded,
            "attached": self.skin.attached.copy(),
            "air": Air(self.air.wind.copy(), *list(vars(self.air).values())[1:]),
            "fresh": (body.fresh, body.starts, body.changed),
            "firmness": (replace(body.firm), body.stiffening, body.ledger.copy()),
            # an older factor steers the iterations, to the last bit
            "factor": (body.work.factor.copy(), body.work.factor_x.copy())
            if body.iterative
            else None,
            "pattern": body.pattern,
            "factored": (
                body.factored,
                body.pause,
                body.waits,
                body.age,
                body.spent,
                body.worn,
            ),
            "torn": self.torn,
            "holes": None if self.holes is None else self.cut_out(),
        }

    def restore(self, saved: Saved) -> None:
        """Back to a saved moment."""
        body = self.body
        if self.stepping != saved["stepping"]:
            self.set_stepping("of a restored body", *saved["stepping"])
        for array, copy in zip(body.state, saved["state"], strict=True):
            array[...] = copy
        body.model.link_stiffness[:] = saved["stiffness"]
        body.model.link_count[:] = saved["links"]
        body.work.link_added[:] = saved["added"]
        body.model.tet_gradient[:], body.model.hex_gradient[:] = saved["gradient"]
        self.hardening[:] = saved["hardening"]
        if saved["holes"] is not None:
            self.take_out(*saved["holes"])
        elif self.holes is not None:
            self.take_out(*(np.zeros_like(gone) for gone in self.cut_out()))
        self._apply_cuts()
        body.rows = copied(saved["rows"])
        self.seams, self.hands = list(saved["seams"]), dict(saved["hands"])
        self.skin.attached[:] = saved["attached"]
        self.air = Air(saved["air"].wind.copy(), *list(vars(saved["air"]).values())[1:])
        body.state.v[...], body.state.ahead[...] = saved["state"].v, saved["state"].ahead
        body.fresh, body.starts, body.changed = saved["fresh"]
        firm, body.stiffening, ledger = saved["firmness"]
        body.firm, body.ledger = replace(firm), ledger.copy()
        self.torn, self.exploded = saved["torn"], saved["exploded"]
        body.use_pattern(saved["pattern"])
        body.factored, body.pause, body.waits, body.age, body.spent, body.worn = saved["factored"]
        if saved["factor"] is not None:
            body.work.factor[:], body.work.factor_x[:] = saved["factor"]
