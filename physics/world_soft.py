"""Cloths and elastic solids in a world. The package behind it is loaded with the first of them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from physics.body_store import rotation_matrix
from physics.checks import choice, direction, number, quaternion, vector
from physics.portable import dot, norm, weighted_sum
from physics.records import Handle
from physics.soft.models import SOFT_MATERIALS as SOFT_MATERIALS
from physics.soft.models import Spring as Spring
from physics.state import Floats
from physics.world_base import WorldBase

if TYPE_CHECKING:
    from physics.soft.item import SoftItem

SOFT = ("cloth", "solid")


class SoftAccess(WorldBase):
    """Adding, asking and changing soft bodies."""

    def add_cloth(
        self,
        name: str,
        *,
        size: Sequence[float] = (1.0, 1.0),
        rows: int = 20,
        columns: int = 20,
        mesh: Any = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = (1.0, 0.0, 0.0, 0.0),
        velocity: Any = (0.0, 0.0, 0.0),
        mass: float = 1.0,
        model: str = "links",
        stretch: float = 0.0,
        shear: float | None = 0.1,
        bend: float | None = None,
        young: float = 1e6,
        weft: float | None = None,
        poisson: float = 0.3,
        thickness: float = 1e-3,
        rigidity: float = 0.0,
        pins: Iterable[int] = (),
        springs: Iterable[Spring] = (),
        start: Any = None,
        breaks_at: float | None = None,
        damping: float = 0.0,
        radius: float = 0.01,
        friction: float = 0.5,
        group: int = 1,
        mask: int = 0xFFFF,
        self_collision: bool = False,
    ) -> Handle:
        """A cloth: a grid of rows x columns nodes in its own xy plane, or `mesh` = (nodes, cells).

        model "links": distance links, their compliance `stretch` (0: inextensible), `shear`,
        `bend` in m/N. model "membrane": triangle elements of `young`, `poisson` (`weft`: a second
        modulus across), `thickness`, and bending `rigidity` in N m. `pins` are nodes held in
        place, `springs` hold others to points of the world. `start` (n, 3) is where the nodes are
        at first, if not in their rest shape. A thread or element tears at `breaks_at` N. `damping`
        of membranes is proportional to stiffness, s. `radius` is kept from other surfaces, m, and
        twice that from itself with `self_collision`.
        """
        from physics.soft.make import make_cloth

        return self._add_soft("cloth", make_cloth, name, position, orientation, velocity, locals())

    def add_solid(
        self,
        name: str,
        *,
        size: Sequence[float] = (1.0, 1.0, 1.0),
        cells: Sequence[int] = (4, 4, 4),
        ball: float | None = None,
        mesh: Any = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = (1.0, 0.0, 0.0, 0.0),
        velocity: Any = (0.0, 0.0, 0.0),
        density: float = 1000.0,
        young: float = 1e5,
        poisson: float = 0.3,
        material: str = "auto",
        yield_strain: float | None = None,
        creep: float = 60.0,
        pins: Iterable[int] = (),
        damping: float = 0.0,
        radius: float = 0.0,
        friction: float = 0.5,
        group: int = 1,
        mask: int = 0xFFFF,
    ) -> Handle:
        """An elastic solid: a box of `size` cut into `cells`, a `ball` of that radius, or `mesh`.

        `mesh` = (nodes, tetrahedra). `material`: "stvk" has Green strain as compliant rows
        [Servin06], for stiff bodies whose strain stays small; "corotational" and "neo_hookean" are
        in stiffness form and bear any deformation. "auto" chooses by stiffness: stvk from 0.1 GPa
        on, else corotational. Strain beyond `yield_strain` stays, a share `creep` (1/s) of the
        excess at a time.
        """
        from physics.soft.make import make_solid

        return self._add_soft("solid", make_solid, name, position, orientation, velocity, locals())

    def _add_soft(
        self,
        kind: str,
        make: Any,
        name: str,
        position: Any,
        orientation: Any,
        velocity: Any,
        given: dict[str, Any],
    ) -> Handle:
        from physics.soft.make import Placing
        from physics.soft.soft_store import SoftStore

        self._check_name(name)
        if self.dimension == 2:
            instead = {
                "cloth": "a rope of particles and distance joints, which is a cloth from its edge",
                "solid": "a grid of particles and compliant distance joints",
            }
            raise ValueError(
                f'{kind} "{name}" needs a world of 3 dimensions; in 2 use {instead[kind]}'
            )
        what = f'of {kind} "{name}"'
        turn = rotation_matrix(quaternion(f"orientation {what}", orientation))
        placing = Placing(
            vector(f"position {what}", position), turn, vector(f"velocity {what}", velocity)
        )
        item = make(what, placing, given)
        if self._softs is None:
            self._softs = SoftStore()
        return self._register(name, Handle(kind, self._softs.add(item), 0))

    def soft_body(self, handle: Handle | str) -> "SoftItem":
        """The cloth or solid behind a handle."""
        target = self._resolve(handle)
        if target.kind not in SOFT or self._softs is None:
            raise ValueError(f"{self._describe(handle)} is a {target.kind}, not a cloth or solid")
        return self._softs.items[target.slot]

    # --- asking ---------------------------------------------------------------------------------

    def node_positions(self, handle: Handle | str) -> Floats:
        """(n, 3) of a cloth or solid, m."""
        item = self.soft_body(handle)
        return item.body.x[: item.nodes].copy()

    def node_velocities(self, handle: Handle | str) -> Floats:
        """(n, 3) of a cloth or solid, m/s."""
        item = self.soft_body(handle)
        return item.body.v[: item.nodes].copy()

    def triangles(self, handle: Handle | str) -> NDArray[np.int64]:
        """(t, 3) surface of a cloth or solid as far as it is whole; row = node of
        `node_positions`. Another array after every cut."""
        return self.soft_body(handle).surface.triangles

    def strain(self, handle: Handle | str) -> float:
        """Largest stretch (l - L)/L of the threads of a cloth, or of the edges of a solid."""
        return self.soft_body(handle).strain()

    def springs(self, handle: Handle | str) -> list[tuple[int, Floats]]:
        """Node and fixed end of every spring that holds a cloth to the world."""
        item = self.soft_body(handle)
        ends = item.body.model.link_nodes
        held = ends[ends.max(axis=1, initial=0) >= item.nodes] if len(ends) else ends
        return [(int(pair.min()), item.body.x[pair.max()].copy()) for pair in held]

    def thread_force(self, handle: Handle | str) -> float:
        """Largest tension in a link of a cloth, N."""
        return float(-self.soft_body(handle).body.state.lam.min(initial=0.0))

    def is_torn(self, handle: Handle | str) -> bool:
        """Whether anything of a cloth or solid has torn or been cut."""
        return self.soft_body(handle).torn

    def threads(self, handle: Handle | str) -> NDArray[np.int64]:
        """(n, 2) nodes that the links of a cloth join, without those that are torn or cut."""
        model = self.soft_body(handle).body.model
        return model.link_nodes[model.link_stiffness > 0.0]

    def cut_threads(self, handle: Handle | str) -> NDArray[np.int64]:
        """(n, 2) nodes that links joined before they were torn or cut."""
        model = self.soft_body(handle).body.model
        return model.link_nodes[model.link_stiffness == 0.0]

    def pinned_nodes(self, handle: Handle | str) -> NDArray[np.int64]:
        """Nodes that are held in place."""
        item = self.soft_body(handle)
        return np.flatnonzero(item.body.state.pinned[: item.nodes])

    def mass_near(self, handle: Handle | str, point: Any) -> float:
        """What an impulse at a point of a cloth or solid meets, kg."""
        item = self.soft_body(handle)
        return float(dot(item.near(vector("point", point)), item.body.model.mass[: item.nodes]))

    # --- changing -------------------------------------------------------------------------------

    def pin_nodes(
        self, handle: Handle | str, nodes: Iterable[int], velocity: Any = (0, 0, 0)
    ) -> None:
        """Hold nodes where they are, or move them at a velocity from now on."""
        item = self.soft_body(handle)
        item.body.pin(_nodes(item, nodes), tuple(vector("velocity", velocity)))

    def set_nodes(self, handle: Handle | str, positions: Any, velocities: Any) -> None:
        """Put all nodes somewhere and set them in motion."""
        item = self.soft_body(handle)
        shape = (item.nodes, 3)
        for what, value, target in (
            ("positions", positions, item.body.x),
            ("velocities", velocities, item.body.v),
        ):
            array = np.asarray(value, dtype=float)
            if array.shape != shape or not np.isfinite(array).all():
                raise ValueError(f"{what} must be finite and of shape {shape}, not {array.shape}")
            target[: item.nodes] = array
        item.body.state.mean[:] = item.body.v
        item.body.fresh = True

    def pin_near(self, handle: Handle | str, point: Any) -> bool:
        """Hold the node nearest to a point where it is, or let it go; whether it is held now."""
        item = self.soft_body(handle)
        apart = norm(item.body.x[: item.nodes] - vector("point", point))
        node, pinned = int(apart.argmin()), item.body.state.pinned
        (item.body.unpin if pinned[node] else item.body.pin)(node)
        return bool(pinned[node])

    def free_nodes(self, handle: Handle | str, nodes: Iterable[int]) -> None:
        """Let pinned nodes go."""
        item = self.soft_body(handle)
        item.body.unpin(_nodes(item, nodes))

    def cut(self, handle: Handle | str, a: Any, b: Any, normal: Any) -> int:
        """Cut a cloth or solid along the segment a to b, in the plane that holds `normal` too.

        Every link that crosses this rectangle (unbounded along `normal`) is severed, every triangle
        and tetrahedron taken out; returns how many. It takes effect in the next step.
        """
        from physics.soft.meshes.cutting import blade

        item = self.soft_body(handle)
        edge = blade(vector("a", a), vector("b", b), direction("normal", normal))
        if edge is None:
            raise ValueError(f"the cut from {a!r} to {b!r} has no length across {normal!r}")
        return item.cut(edge)

    def cut_elements(self, handle: Handle | str) -> NDArray[np.int64]:
        """Numbers of the triangles of a membrane or tetrahedra of a solid that were cut out."""
        triangles, tetrahedra = self.soft_body(handle).cut_out()
        return np.flatnonzero(triangles if len(triangles) else tetrahedra)

    def remove_elements(self, handle: Handle | str, numbers: Iterable[int]) -> None:
        """Cut elements out, as `cut_elements` lists them."""
        item = self.soft_body(handle)
        triangles, tetrahedra = item.cut_out()
        gone = triangles if len(triangles) else tetrahedra
        chosen = np.asarray(list(numbers), np.int64)
        if len(chosen) and not len(gone):
            raise ValueError(f"{self._describe(handle)} has no elements: its threads are cut")
        if len(chosen) and (chosen.min() < 0 or chosen.max() >= len(gone)):
            raise ValueError(f"elements must lie in 0 … {len(gone) - 1}, not {chosen.tolist()}")
        if len(chosen):
            gone[chosen] = True
            item.take_out(triangles, tetrahedra)

    def sever(self, handle: Handle | str, pairs: Any) -> None:
        """Cut the links between pairs of nodes (n, 2), as `cut_threads` lists them."""
        item = self.soft_body(handle)
        wanted = {(int(a), int(b)) for a, b in pairs}
        links = item.body.model.link_nodes.tolist()
        item.cut_links(np.array([i for i, (a, b) in enumerate(links) if (a, b) in wanted], int))

    def attach(
        self,
        handle: Handle | str,
        nodes: Iterable[int],
        body: Handle | str,
        breaks_at: float = np.inf,
    ) -> None:
        """Sew nodes to a rigid body where they are; `breaks_at` is the force of one node, N."""
        from physics.soft.item import Seam

        item, slot = self.soft_body(handle), self._body_slot(body)
        if breaks_at != np.inf:
            number("breaks_at", breaks_at, "N", positive=True)
        for node in _nodes(item, nodes):
            point = self._bodies.to_local(slot, item.body.x[node])
            item.sew(Seam((int(node),), slot, point, breaks_at))

    def attach_points(
        self,
        handle: Handle | str,
        points: Any,
        body: Handle | str,
        breaks_at: float = np.inf,
    ) -> None:
        """Hold points inside a solid (or on a cloth) to a rigid body, wherever the nodes are.

        A point moves with the blend of the corners of the element it lies in, with its barycentric
        coordinates as weights; one that lies outside is moved onto the surface near it. `breaks_at`
        is the force of one point, N.
        """
        from physics.soft.item import Seam
        from physics.soft.meshes.embedding import embed

        item, slot = self.soft_body(handle), self._body_slot(body)
        if breaks_at != np.inf:
            number("breaks_at", breaks_at, "N", positive=True)
        for given in points:
            nodes, weights = embed(item, vector("point", given))
            place = weighted_sum(weights, item.body.x[list(nodes)])
            item.sew(Seam(nodes, slot, self._bodies.to_local(slot, place), breaks_at, weights))

    def seams(self, handle: Handle | str, body: Handle | str) -> Floats:
        """(n, 3) m: where a soft body is held to a rigid one."""
        item, slot = self.soft_body(handle), self._body_slot(body)
        held = [seam for seam in item.seams if seam.body == slot]
        places = [weighted_sum(seam.weights, item.body.x[list(seam.nodes)]) for seam in held]
        return np.array(places).reshape(-1, 3)

    def detach(self, handle: Handle | str, body: Handle | str) -> None:
        """Unpick everything that holds the soft body to a rigid one."""
        item, slot = self.soft_body(handle), self._body_slot(body)
        item.unpick([seam for seam in item.seams if seam.body == slot])

    def set_soft_solver(self, handle: Handle | str, solver: str) -> None:
        """direct, iterative, or auto: direct up to 60 x 60 nodes or 2,000 tetrahedra."""
        from physics.soft.solve.linear_system import SOLVERS

        self.soft_body(handle).body.options.solver = choice("soft solver", solver, SOLVERS)

    def set_wind(
        self,
        handle: Handle | str,
        wind: Any,
        *,
        density: float = 1.2,
        normal_drag: float = 1.2,
        tangent_drag: float = 0.05,
    ) -> None:
        """Air that moves with `wind` (m/s) around a cloth or solid; drag acts on its surface."""
        from physics.soft.item import Air

        self.soft_body(handle).air = Air(
            vector("wind", wind),
            number("density", density),
            number("normal_drag", normal_drag),
            number("tangent_drag", tangent_drag),
        )


def _nodes(item: "SoftItem", nodes: Iterable[int]) -> NDArray[np.int64]:
    chosen = np.asarray(list(nodes), np.int64)
    if len(chosen) and (chosen.min() < 0 or chosen.max() >= item.nodes):
        raise ValueError(f"nodes must lie in 0 … {item.nodes - 1}, not {chosen.tolist()}")
    return chosen
