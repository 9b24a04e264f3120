"""The linear system of a soft body: options, workspaces, and the solver for its size.

Direct: factorise what is assembled. Iterative: conjugate gradients from the last velocity, with the
factor of an earlier step, turned with the body, as preconditioner, until no velocity is off by more
than a micrometre a second; when a new factor is cheaper than going on, the matrix is factorised
anew. Large matrices are factorised and solved by two threads (physics/jit/threads.py).
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.jit.threads import WORKERS, Board, helped
from physics.schema import allocate
from physics.soft.solve import soft_step, weak_links
from physics.soft.solve.element_assembly import apply_pins
from physics.soft.solve.krylov import KRYLOV_TOLERANCE, MOST_KRYLOV, block_cg, minres
from physics.soft.solve.matrix_pattern import Pattern, coupled, make_pattern
from physics.soft.solve.soft_arrays import Model, Work
from physics.solver.spd.analysis import Symbolic, modelled_time
from physics.solver.spd.assist import assist
from physics.solver.spd.simd import LANES
from physics.solver.spd.triangular import solve_many

if TYPE_CHECKING:
    from physics.soft.soft_builder import Builder

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOTHING: Floats = np.zeros(0)
NO_PAIRS: Ints = np.zeros((0, 2), np.int64)
INTEGRATORS = ("conserving", "euler", "servin", "spook")
SOLVERS = ("auto", "direct", "iterative", "cg", "minres")
KRYLOV = ("cg", "minres")  # no factor, no corrections: physics/soft/solve/krylov.py
DIRECT_NODES, DIRECT_TETRAHEDRA = 3600, 2000  # beyond, "auto" is iterative
ITERATIVE_TOLERANCE = 1e-6  # m/s, of every velocity
SHORTEST_PAUSE, LONGEST_PAUSE = 7, 63  # solves between two attempts that fail
FEWEST, MOST = 1, 60  # iterations with an old factor before a new one is made, see `budget`
FORCED = 24  # the same where the solver is not chosen but forced
HEAVY = 8e6  # ns of a factorisation: beyond, a step makes as few as it can, see `heavy` ...
HEAVY_TOLERANCE = 10.0  # ... and is content with so many tolerances: 1e-5 of a link
READING = 7.0  # bytes of a factor per ns in a solve: 10 from the cache, 5 from beyond
PRODUCT, TURNING = 10.0, 400.0  # ns per edge of a product, per node of finding its turn


@dataclass
class Options:
    """How a body is stepped; see the tables in `physics/soft/solve/soft_step.py`."""

    stabilization: str = "adaptive"
    solver: str = "auto"  # one of SOLVERS
    integrator: str = "conserving"
    relaxation: float = 0.0  # τ of servin and spook, s
    damping: float = 0.0  # stiffness-proportional, s
    corrections: int = 12  # most triangular solves spent on lengths of links and on seams
    tolerance: float = 1e-6  # of the shortest link's length: good enough
    limit: float = 1e-2  # of the shortest link's length: beyond it the guard takes the step

    @property
    def conserving(self) -> bool:
        return self.integrator == "conserving"

    @property
    def plain(self) -> bool:
        """Whether links are constraints whose lengths are corrected."""
        return self.integrator in ("conserving", "euler")

    def weights(self, h: float) -> tuple[float, float]:
        """(a, b) of the integrator; of "conserving" those of its links."""
        if self.integrator not in INTEGRATORS:
            raise ValueError(f"unknown integrator {self.integrator!r}, one of {INTEGRATORS}")
        if self.plain:
            return 1.0, 0.0
        if self.integrator == "servin":
            return 0.5 + self.relaxation / h, 0.0
        return 0.25 + self.relaxation / h, 0.25


def _make_work(model: Model, symbolic: Symbolic) -> Work:
    """Workspace for one topology."""
    return allocate(
        Work, n=len(model.mass), e=len(model.edges), l=len(model.link_nodes),
        t=len(model.tet_nodes), c=len(model.hex_nodes), s=len(model.tri_nodes),
        q=len(model.quad_nodes),
        f=int(symbolic.panel[-1]) + 2 * LANES, w=int(symbolic.workspace[0]), v=symbolic.vector_size,
    )  # fmt: skip


class SoftSystem:
    """Model, state and matrix of one soft body."""

    def __init__(self, builder: "Builder", options: Options | None = None) -> None:
        self.model, self.state = builder.build()
        self.options = options or Options()
        self.has_elements = bool(soft_step.has_elements(self.model))  # anything but links
        self.pattern = self._plain = make_pattern(self.model.edges, builder.position)
        self._weak = np.flatnonzero(self.model.link_slot < 0)
        self._inside: Ints | None = self._weak[:0]  # those taken in; None: look again
        nodes, stiffness = self.model.link_nodes[self._weak], self.model.link_stiffness[self._weak]
        self._frequency = weak_links.squared_frequency(self.model.mass, nodes, stiffness)
        self.work = _make_work(self.model, self.symbolic)
        self.pivot = np.inf  # smallest of the last factorisation
        self._still = self._pins = np.zeros_like(self.state.x)
        self._columns = np.zeros(0), np.zeros(0), np.zeros(0)  # workspaces of `response`
        self._space = np.zeros_like(self.state.x), np.zeros_like(self.state.x)
        self.factored = self._stale = False
        self.link_scale = 0.0  # s²: what multiplies the stiffness of links in the matrix
        self.pause = self.waits = 0  # solves until an old factor is tried again, and last time
        self.age = self.spent = 0  # solves that the factor has served, iterations they took
        self.worn = False  # a new factor is cheaper from now on
        self.factorisations = self.iterations = 0  # so far

    @property
    def x(self) -> Floats:
        return self.state.x

    @property
    def v(self) -> Floats:
        return self.state.v

    @property
    def cells(self) -> int:
        """Tetrahedra, or six for every hexahedron."""
        return len(self.model.tet_nodes) + 6 * len(self.model.hex_nodes)

    @property
    def iterative(self) -> bool:
        """Whether steps are solved by conjugate gradients, with an older factor to help."""
        if self.options.solver == "auto":
            if self.options.conserving and self.has_elements:
                return False  # corrections of elements need the factor of their own step
            return len(self.x) > DIRECT_NODES or self.cells > DIRECT_TETRAHEDRA
        return self.options.solver == "iterative"

    @property
    def budget(self) -> int:
        """Iterations that cost as much as a new factor: more are not worth making.

        An iteration reads the factor twice and makes a product, and the turns are found before the
        first. The factor of a sheet costs no more than three solves, of a solid ten. Who forces
        iterations gets them.
        """
        if self.options.solver == "iterative":
            return FORCED
        new = self._factor_time - TURNING * len(self.x)
        one = 2.0 * self.work.factor.nbytes / READING + PRODUCT * len(self.model.edges)
        return int(np.clip(new / one, FEWEST, MOST))

    @property
    def heavy(self) -> bool:
        """Whether a factor costs so much that what contacts and corrections leave over had better
        go on in the next step."""
        return self._factor_time > HEAVY

    @property
    def link_corrections(self) -> tuple[int, int, float]:
        """Of links and seams in a step: most, most but in need, and tolerance (of a length)."""
        most, tolerance = self.options.corrections, self.options.tolerance
        if not self.options.plain or self.krylov:
            return 0, 0, tolerance
        if self.heavy:
            return most, min(self.budget, most), HEAVY_TOLERANCE * tolerance
        return most, most, tolerance

    @property
    def _factor_time(self) -> float:
        """ns, by the model of physics/solver/spd/elimination_tree.py: the same on every machine."""
        return float(modelled_time(self.symbolic.first, self.symbolic.row_start))

    @property
    def krylov(self) -> bool:
        """Whether a step is one linear solve by a Krylov method, as in the papers."""
        return self.options.solver in KRYLOV

    @property
    def chosen_solver(self) -> str:
        """One of SOLVERS, but for "auto"."""
        if self.krylov:
            return self.options.solver
        return "iterative" if self.iterative else "direct"

    def _solve_by_krylov(self, pins: Floats) -> bool:
        """The velocity in w.delta; False if the iterations were too many."""
        w, model, state = self.work, self.model, self.state
        apply_pins(model.edges, state.pinned, pins, w.diagonal, w.off, w.rhs)
        used = self._krylov(w.rhs, state.v if pins is state.pin_velocity else self._still, w.delta)
        w.residual[...] = 0.0
        return used

    def _krylov(self, rhs: Floats, start: Floats, answer: Floats) -> bool:
        """answer = A⁻¹rhs; whether it was found."""
        w, model = self.work, self.model
        matrix = model.edges, w.diagonal, w.off
        if self.options.solver == "cg":
            answer[...] = start
            used = block_cg(*matrix, rhs, KRYLOV_TOLERANCE, MOST_KRYLOV, answer)
        else:
            stiff = np.where(model.link_slot >= 0, self.link_scale * model.link_stiffness, 0.0)
            used = minres(
                *matrix, model.link_nodes, w.link_u, stiff, self.state.pinned, rhs,
                KRYLOV_TOLERANCE, MOST_KRYLOV, answer,
            )  # fmt: skip
        self.iterations += used if used >= 0 else -1 - used
        return bool(used >= 0)

    def _iterate(self, pins: Floats) -> bool:
        """Solve with the factor of an earlier step; False if it is too old for that."""
        w = self.work
        w.delta[...] = self.state.v if pins is self.state.pin_velocity else 0.0
        with self._helped() as board:
            used = soft_step.solve_iteratively(
                board, self.model, self.symbolic, self.state, pins, ITERATIVE_TOLERANCE,
                self.budget, *self._space, w,
            )  # fmt: skip
        self.iterations += used if used >= 0 else -1 - used
        if used < 0:
            return False
        # The best moment for a new factor: iterations cost more than solves did on the average,
        # the factor, which is worth `budget` of them, included.
        self.age, self.spent = self.age + 1, self.spent + used
        self.worn = used * self.age > self.budget + self.spent
        return True

    def solve_free(self, pin_velocity: Floats | None = None) -> Floats:
        """Factorise what is assembled; the velocity (or change of it) that follows."""
        pins = self.state.pin_velocity if pin_velocity is None else pin_velocity
        self._pins, self._stale = pins, False
        if self.krylov and self._solve_by_krylov(pins):
            self._stale = True
            return self.work.delta
        if self.iterative and self.factored and not self.worn:
            if self.pause > 0:
                self.pause -= 1
            elif self._iterate(pins):
                self._stale, self.waits = True, 0
                return self.work.delta
            elif self.age == 0:  # stiff and fast: not even the last step's factor helps
                self.waits = min(max(2 * self.waits + 1, SHORTEST_PAUSE), LONGEST_PAUSE)
                self.pause = self.waits  # try less and less often
        # what round-off leaves over is made good with the links, where they are corrected
        self._factorise(pins, pins is not self.state.pin_velocity or not self._corrects)
        return self.work.delta

    def _factorise(self, pins: Floats, refined: bool) -> None:
        self.factored, self.worn, self.age, self.spent = True, False, 0, 0
        self.factorisations += 1
        self._stale = False
        with self._helped() as board:
            self.pivot = soft_step.solve_free(
                board, self.model, self.symbolic, self.state, pins, refined, self.work
            )

    @property
    def _corrects(self) -> bool:
        """Whether a step corrects the lengths of links."""
        wanted = self.options.corrections > 0 and self.options.plain and not self.krylov
        return wanted and len(self.model.link_nodes) > 0

    def _helped(
        self, lanes: int = 0, Z: Floats = NOTHING, F: Floats = NOTHING
    ) -> AbstractContextManager[Board]:
        """A second thread for the solver, if the matrix is worth it."""
        w = self.work
        return helped(
            assist if self.symbolic.parts else None, self.symbolic, w.diagonal, w.off, w.factor,
            w.fronts, w.vector, lanes, Z, F,
        )  # fmt: skip

    def response(self, B: Floats) -> Floats:
        """A⁻¹B with the present matrix, B (n, 3, R): velocities per impulse."""
        count = B.shape[2]
        if self._stale and self.krylov:
            answer = np.zeros_like(B)
            still = self.state.pinned[:, None]
            for column in range(count):
                rhs, found = np.where(still, 0.0, B[:, :, column]), np.zeros_like(self.x)
                self._krylov(rhs, self._still, found)
                answer[:, :, column] = found
            return answer
        if self._stale and count > self.budget:
            self._factorise(self._pins, True)  # cheaper than an iteration for every column
        if self._stale:
            return self._response_by_iteration(B)
        lanes = -(-count // LANES) * LANES
        if len(self._columns[0]) < len(B) * 3 * lanes:
            first, second = np.zeros((2, len(B) * 3 * lanes))
            self._columns = first, second, np.zeros(WORKERS * len(first))
        flat, Z, F = self._columns
        padded = flat[: len(B) * 3 * lanes].reshape(len(B), 3, lanes)
        padded[:, :, :count] = B
        padded[:, :, count:] = 0.0
        padded[self.state.pinned] = 0.0
        with self._helped(lanes, Z, F) as board:
            solve_many(board, self.symbolic, self.work.factor, padded, Z, F, padded)
        return padded[:, :, :count].copy()

    def _response_by_iteration(self, B: Floats) -> Floats:
        """The same, column by column; the factor is of an earlier matrix."""
        answer, w = np.zeros_like(B), self.work
        kept, rhs = w.delta.copy(), w.rhs.copy()
        for column in range(B.shape[2]):
            w.rhs[...] = B[:, :, column]
            w.rhs[self.state.pinned] = 0.0
            scale = float(np.abs(w.rhs).max())
            if scale == 0.0:
                continue
            w.rhs[...] /= scale
            w.delta[...] = 0.0
            with self._helped() as board:
                soft_step.solve_iteratively(
                    board, self.model, self.symbolic, self.state, self._still, ITERATIVE_TOLERANCE,
                    4 * MOST, *self._space, w,
                )  # fmt: skip
            answer[:, :, column] = scale * w.delta
        w.delta[...], w.rhs[...] = kept, rhs
        return answer

    @property
    def symbolic(self) -> Symbolic:
        return self.pattern.symbolic

    def fit_matrix(self, h: float) -> None:
        """Take in links that are not weak in a step of h, or where nothing corrects their force."""
        needed = np.ones(len(self._weak), bool)
        if self._corrects and self.options.damping == 0.0:
            needed = ~weak_links.is_weak(self._frequency, h)
        wanted, known = self._weak[needed], self._inside
        if known is not None and np.array_equal(wanted, known):
            return
        if known is not None:
            self.use_pattern(self._plain)
        self._inside = wanted
        self.model.link_slot[self._weak] = -1
        if len(wanted):
            self.couple(NO_PAIRS)

    def couple(self, pairs: Ints) -> Ints:
        """Edges of the matrix for pairs of nodes (m, 2) that touch; what is missing is made."""
        known = self._inside
        inside = self._weak[:0] if known is None else known
        pairs = np.concatenate([self.model.link_nodes[inside], pairs])
        pattern, slots = coupled(self.pattern, pairs, self.x)
        self.use_pattern(pattern)
        self.model.link_slot[inside] = slots[: len(inside)]
        self._inside = known
        return slots[len(inside) :]

    def use_pattern(self, pattern: Pattern) -> None:
        """Take up another pattern of the same nodes."""
        if pattern is self.pattern:
            return
        self._inside = None
        self.pattern, self.model = pattern, self.model._replace(edges=pattern.edges)
        fresh = _make_work(self.model, pattern.symbolic)
        self.work = self.work._replace(
            off=fresh.off,
            own_off=fresh.own_off,
            factor=fresh.factor,
            fronts=fresh.fronts,
            vector=fresh.vector,
        )
        self.factored = False
