"""A cloth or elastic solid of a world: asking it and changing it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.body_store import BodyStore
from physics.checks import choice, direction, indices, number, rows_of_three, shown, vector, whole
from physics.names import SOFT, NameTable
from physics.portable import dot, norm, weighted_sum
from physics.records import Handle
from physics.softs import Softs
from physics.state import Floats, Ints, RowsLike, VectorLike

if TYPE_CHECKING:
    from physics.soft.soft_item import Seam, SoftItem


class Deformable:
    """A cloth or solid, as `world.soft(handle)` gives it.

    Asking      positions, velocities, triangles, elements, strain, stress, springs, thread_force,
                is_torn, threads, cut_threads, cut_elements, pinned, mass, mass_near, seams
    Holding     pin, pin_near, free, attach, attach_points, detach
    Cutting     cut, sever, remove_elements
    Setting     set_nodes, set_solver, set_stepping, set_wind
    """

    __slots__ = ("_bodies", "_names", "_softs", "handle")

    def __init__(
        self, handle: Handle | str, names: NameTable, bodies: BodyStore, softs: Softs
    ) -> None:
        self._names, self._bodies, self._softs = names, bodies, softs
        names.slot(handle, SOFT)
        self.handle = names.resolve(handle)

    def __repr__(self) -> str:
        return repr(self.handle)

    @property
    def item(self) -> "SoftItem":
        """The parts behind it, for tools that draw or test; no promise is made about them."""
        return self._softs.items[self._names.slot(self.handle, SOFT)]

    # --- asking ---------------------------------------------------------------------------------

    def positions(self) -> Floats:
        """(n, 3) of the nodes, m."""
        item = self.item
        return item.body.x[: item.nodes].copy()

    def velocities(self) -> Floats:
        """(n, 3) of the nodes, m/s."""
        item = self.item
        return item.body.velocity[: item.nodes].copy()

    def triangles(self) -> NDArray[np.int64]:
        """(t, 3) surface as far as it is whole; row = node of `positions`. Another array after
        every cut."""
        return self.item.surface.triangles

    def strain(self) -> float:
        """Largest stretch (l - L)/L of the threads of a cloth, or of the edges of a solid."""
        return self.item.strain()

    def stress(self) -> Floats:
        """Equivalent stress (von Mises) of every cell of a solid, Pa, or of every triangle or
        quad of a sheet, N/m; in the order of `elements`. Empty for a cloth of threads."""
        from physics.soft.elements.stress import von_mises

        return von_mises(self.item.body.model, self.item.body.x)

    def elements(self) -> NDArray[np.int64]:
        """(m, k) nodes of the cells of a solid, or of the triangles or quads of a sheet."""
        from physics.soft.elements.quads import POINTS
        from physics.soft.meshes.cutting import cells_of

        model = self.item.body.model
        cells = cells_of(model)[1]
        if len(model.quad_nodes):
            return model.quad_nodes[::POINTS].copy()
        return (cells if len(cells) else model.tri_nodes).copy()

    def springs(self) -> list[tuple[int, Floats]]:
        """Node and fixed end of every spring that holds a cloth to the world."""
        item = self.item
        ends = item.body.model.link_nodes
        held = ends[ends.max(axis=1, initial=0) >= item.nodes] if len(ends) else ends
        return [(int(pair.min()), item.body.x[pair.max()].copy()) for pair in held]

    def thread_force(self) -> float:
        """Largest tension in a link of a cloth, N."""
        return float(-self.item.body.state.lam.min(initial=0.0))

    def is_torn(self) -> bool:
        """Whether anything of it has torn or been cut."""
        return self.item.torn

    def threads(self) -> NDArray[np.int64]:
        """(n, 2) nodes that the links of a cloth join, without those that are torn or cut."""
        model = self.item.body.model
        return model.link_nodes[model.link_stiffness > 0.0]

    def cut_threads(self) -> NDArray[np.int64]:
        """(n, 2) nodes that links joined before they were torn or cut."""
        model = self.item.body.model
        return model.link_nodes[model.link_stiffness == 0.0]

    def cut_elements(self) -> NDArray[np.int64]:
        """Numbers of the triangles of a membrane or tetrahedra of a solid that were cut out."""
        triangles, tetrahedra = self.item.cut_out()
        return np.flatnonzero(triangles if len(triangles) else tetrahedra)

    def pinned(self) -> NDArray[np.int64]:
        """Nodes that are held in place."""
        item = self.item
        return np.flatnonzero(item.body.state.pinned[: item.nodes])

    def mass(self) -> float:
        """kg"""
        return self.item.mass()

    def mass_near(self, point: VectorLike) -> float:
        """What an impulse at a point meets, kg."""
        item = self.item
        return float(dot(item.near(vector("point", point)), item.body.model.mass[: item.nodes]))

    def seams(self, body: Handle | str) -> Floats:
        """(n, 3) m: where it is held to a rigid body."""
        item = self.item
        held = self._seams_to(self._names.body(body))
        places = [weighted_sum(seam.weights, item.body.x[list(seam.nodes)]) for seam in held]
        return np.array(places).reshape(-1, 3)

    def _seams_to(self, slot: int) -> "list[Seam]":
        return [seam for seam in self.item.seams if seam.body == slot]

    # --- holding --------------------------------------------------------------------------------

    def pin(self, nodes: Iterable[int], velocity: VectorLike = (0, 0, 0)) -> None:
        """Hold nodes where they are, or move them at a velocity from now on."""
        item, speed = self.item, vector("velocity", velocity)
        item.body.pin(indices("nodes", nodes, item.nodes), tuple(speed))

    def pin_near(self, point: VectorLike) -> bool:
        """Hold the node nearest to a point where it is, or let it go; whether it is held now."""
        item = self.item
        apart = norm(item.body.x[: item.nodes] - vector("point", point))
        node, pinned = int(apart.argmin()), item.body.state.pinned
        (item.body.unpin if pinned[node] else item.body.pin)(node)
        return bool(pinned[node])

    def free(self, nodes: Iterable[int]) -> None:
        """Let pinned nodes go."""
        item = self.item
        item.body.unpin(indices("nodes", nodes, item.nodes))

    def attach(self, nodes: Iterable[int], body: Handle | str, breaks_at: float = np.inf) -> None:
        """Sew nodes to a rigid body where they are; `breaks_at` is the force of one node, N."""
        from physics.soft.soft_item import Seam

        item, slot, most = self.item, self._names.body(body), _breaking_force(breaks_at)
        for node in indices("nodes", nodes, item.nodes).tolist():
            item.sew(Seam((node,), slot, self._bodies.to_local(slot, item.body.x[node]), most))

    def attach_points(
        self, points: RowsLike, body: Handle | str, breaks_at: float = np.inf
    ) -> None:
        """Hold points inside a solid (or on a cloth) to a rigid body, wherever the nodes are.

        A point moves with the blend of the corners of the element it lies in, with its barycentric
        coordinates as weights; one that lies outside is moved onto the surface near it. `breaks_at`
        is the force of one point, N.
        """
        from physics.soft.meshes.embedding import embed
        from physics.soft.soft_item import Seam

        item, slot, most = self.item, self._names.body(body), _breaking_force(breaks_at)
        if not len(item.surface.triangles):
            raise ValueError(f'nothing is left of "{self.handle.name}" that could be held')
        seams = []
        for point in rows_of_three("points", points):
            nodes, weights = embed(item, point)
            place = weighted_sum(weights, item.body.x[list(nodes)])
            seams.append(Seam(nodes, slot, self._bodies.to_local(slot, place), most, weights))
        for seam in seams:
            item.sew(seam)

    def detach(self, body: Handle | str) -> None:
        """Unpick everything that holds it to a rigid body."""
        self.item.unpick(self._seams_to(self._names.body(body)))

    # --- cutting --------------------------------------------------------------------------------

    def cut(self, a: VectorLike, b: VectorLike, normal: VectorLike) -> int:
        """Cut along the segment a to b, in the plane that holds `normal` too.

        Every link that crosses this rectangle (unbounded along `normal`) is severed, every triangle
        and tetrahedron taken out; returns how many. It takes effect in the next step.
        """
        from physics.soft.meshes.cutting import blade

        item = self.item
        edge = blade(vector("a", a), vector("b", b), direction("normal", normal))
        if edge is None:
            raise ValueError(f"the cut from {a!r} to {b!r} has no length across {normal!r}")
        return item.cut(edge)

    def remove_elements(self, numbers: Iterable[int]) -> None:
        """Cut elements out, as `cut_elements` lists them."""
        item = self.item
        triangles, tetrahedra = item.cut_out()
        gone = triangles if len(triangles) else tetrahedra
        listed = list(numbers) if isinstance(numbers, Iterable) else numbers
        if listed and not len(gone):
            raise ValueError(f'"{self.handle.name}" has no elements: its threads are cut')
        chosen = indices("elements", listed, len(gone))
        if len(chosen):
            gone[chosen] = True
            item.take_out(triangles, tetrahedra)

    def sever(self, pairs: RowsLike) -> None:
        """Cut the links between pairs of nodes (n, 2), as `cut_threads` lists them."""
        item = self.item
        wanted = {tuple(pair) for pair in _pairs(pairs, len(item.body.x)).tolist()}
        links = item.body.model.link_nodes.tolist()
        item.cut_links(np.array([i for i, (a, b) in enumerate(links) if (a, b) in wanted], int))

    # --- setting --------------------------------------------------------------------------------

    def set_nodes(self, positions: RowsLike, velocities: RowsLike) -> None:
        """Put all nodes somewhere and set them in motion."""
        item = self.item
        place = _of_shape("positions", positions, item.nodes)
        speed = _of_shape("velocities", velocities, item.nodes)
        item.body.x[: item.nodes], item.body.v[: item.nodes] = place, speed
        item.body.state.ahead[:] = 0.0
        item.body.fresh = item.body.starts = True

    def set_solver(self, solver: str) -> None:
        """direct, iterative, or auto: direct up to 60 x 60 nodes or 2,000 tetrahedra.

        "cg" and "minres" are the Krylov methods of the papers, to compare with: one linear solve a
        step and no corrections; `stats.soft["iterations"]` counts.
        """
        from physics.soft.solve.linear_system import SOLVERS

        self.item.body.options.solver = choice("soft solver", solver, SOLVERS)

    def set_stepping(self, stepping: str, iterations: int = 20) -> None:
        """How steps are taken from now on: conserving, euler, servin, spook, or to compare with
        explicit, symplectic, implicit, pbd, xpbd, projective; the last three make `iterations`."""
        from physics.soft.models import STEPPINGS

        name = choice("stepping", stepping, tuple(STEPPINGS))
        count = whole("iterations", iterations, 1, 100_000)
        self.item.set_stepping(f'of "{self.handle.name}"', name, count)

    def set_wind(
        self,
        wind: VectorLike,
        *,
        density: float = 1.2,
        normal_drag: float = 1.2,
        tangent_drag: float = 0.05,
    ) -> None:
        """Air that moves with `wind` (m/s) around it; drag acts on its surface."""
        from physics.soft.soft_item import Air

        self.item.air = Air(
            vector("wind", wind),
            number("density", density, "kg/m³", least=0.0),
            number("normal_drag", normal_drag, least=0.0),
            number("tangent_drag", tangent_drag, least=0.0),
        )


def _breaking_force(value: object) -> float:
    if isinstance(value, float) and value == np.inf:
        return value
    return number("breaks_at", value, "N", positive=True)


def _of_shape(what: str, value: object, nodes: int) -> Floats:
    array = rows_of_three(what, value)
    if len(array) != nodes:
        raise ValueError(f"{what} must be finite and of shape ({nodes}, 3), not {array.shape}")
    return array


def _pairs(value: RowsLike, nodes: int) -> Ints:
    """(n, 2) numbers of nodes."""
    try:
        pairs = [list(pair) for pair in value]
    except TypeError:
        raise ValueError(f"pairs must be a list of pairs of nodes, not {shown(value)}") from None
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("pairs must be a list of pairs of nodes; one of them is not two numbers")
    return indices("pairs", [node for pair in pairs for node in pair], nodes).reshape(-1, 2)
