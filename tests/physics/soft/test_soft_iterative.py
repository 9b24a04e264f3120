"""The iterative solver on large bodies: what its preconditioner is worth.

It is the factor of an earlier step. The comparison is conjugate gradients with the inverse diagonal
blocks (block Jacobi), on the same matrix, from the same start, to the same error: no velocity off
by more than 1e-6 m/s from that of the direct solve.
"""

import numpy as np
import pytest
import scipy.sparse as sparse

from physics import World
from physics.jit.threads import new_board
from physics.soft.solve import local_rotation
from physics.soft.solve.linear_system import ITERATIVE_TOLERANCE
from physics.solver.spd.conjugate_gradients import conjugate_gradients
from physics.solver.spd.matrix import multiply
from tests.physics.soft.soft_scenes import (
    STEP,
    clamped_beam,
    hung_cloth,
    hung_curtain,
    tumbling_beam,
)

LYING = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # a cloth in the xz plane


BODIES = {
    "sheet of 100 x 100": lambda: hung_curtain(100, 1e4, 0.1),
    "7680 tetrahedra": lambda: clamped_beam((20, 8, 8), "corotational"),
}


def block_jacobi(body, start, most):
    """Iterations of the comparison on the matrix in body.work, for the solution in work.delta."""
    work, edges = body.work, body.model.edges
    n, exact = len(body.x), body.work.delta
    i, j = edges.T
    nodes = np.arange(n)
    rows, columns = np.concatenate([nodes, i, j]), np.concatenate([nodes, j, i])
    blocks = np.concatenate([work.diagonal, work.off, work.off.transpose(0, 2, 1)])
    order = np.argsort(rows, kind="stable")
    begin = np.searchsorted(rows[order], np.arange(n + 1))
    A = sparse.bsr_matrix((blocks[order], columns[order], begin), shape=(3 * n, 3 * n)).tocsr()
    inverse = np.linalg.inv(work.diagonal)
    x, b = start.ravel().copy(), work.rhs.ravel()
    residual = b - A @ x
    ahead, old = np.zeros_like(x), 1.0
    for iteration in range(most):
        if np.abs(x - exact.ravel()).max() <= ITERATIVE_TOLERANCE:
            return iteration
        z = (inverse @ residual.reshape(n, 3, 1)).ravel()
        new = residual @ z
        ahead = z + (new / old if iteration else 0.0) * ahead
        product = A @ ahead
        length = new / (ahead @ product)
        x += length * ahead
        residual -= length * product
        old = new
    return most


@pytest.mark.parametrize(
    "name", [pytest.param("sheet of 100 x 100", marks=pytest.mark.slow), "7680 tetrahedra"]
)
def test_an_older_factor_is_worth_many_iterations(name):
    """Most of thirty steps live on older factors, a twentieth of the iterations of block Jacobi.

    A new one is made when iterating would cost as much.
    """
    body = BODIES[name]()
    body.options.integrator = "euler"
    assert body.iterative  # by its size
    body.step(STEP)
    made, used, worst = body.factorisations, [], 0.0
    for _ in range(30):
        before = body.iterations
        body.step(STEP)
        used.append(body.iterations - before)
    assert body.factorisations - made <= 15
    direct = BODIES[name]()
    direct.options.solver, direct.options.integrator = "direct", "euler"
    direct.x[...], direct.v[...] = body.x, body.v
    for name in ("lam", "link_mean", "elastic"):
        getattr(direct.state, name)[...] = getattr(body.state, name)
    direct.fresh = direct.starts = False
    start = body.v.copy()
    exact = direct.begin(STEP).copy()
    found = body.begin(STEP)
    worst = float(np.abs(found - exact).max())
    other = block_jacobi(direct, start, 2000)
    print(f"{name}: {np.mean(used):.1f} iterations a step (at most {max(used)}) with an older"
          f" factor, {other} with block Jacobi; velocities within {worst:.1e} m/s")  # fmt: skip
    assert max(used) <= 2 * body.budget
    assert other > 20 * np.mean(used)
    assert worst < 10 * ITERATIVE_TOLERANCE  # the tolerance is on the preconditioned residual


@pytest.mark.parametrize(
    ("young", "material"),
    [
        (1e6, "corotational"),
        pytest.param(1e8, "corotational", marks=pytest.mark.slow),
        pytest.param(1e9, "stvk", marks=pytest.mark.slow),
    ],
)
def test_a_turning_body_keeps_its_factor(young, material):
    """The preconditioner turns with the body: after ten steps, 36°, the same factor without the
    turn needs many times the iterations. Stiff bodies take several solves a step: the guard."""
    body = tumbling_beam((20, 10, 10), young, material)  # 12,000 tetrahedra
    body.options.integrator = "euler"
    assert body.iterative  # by its size
    body.step(STEP, 2)
    solves, solve = [], body.solve_free

    def counted(*pins):
        before = body.iterations, body.factorisations
        found = solve(*pins)
        solves.append((body.iterations - before[0], body.factorisations - before[1]))
        return found

    body.solve_free = counted
    body.step(STEP, 15)
    iterations, new = np.array(solves).T
    assert new.sum() <= len(solves) / 3
    assert iterations.mean() <= 5.0
    with_turn, without = iterations_after(body, 10)
    print(f"Y = {young:g} Pa, {material}: {len(solves)} solves, {iterations.mean():.1f} iterations"
          f" each (at most {iterations.max()}), {new.sum()} new factors; a factor ten steps old:"
          f" {with_turn} iterations, {without} without the turn")  # fmt: skip
    assert with_turn <= 10
    assert without > 3 * with_turn


def iterations_after(body, steps):
    """With the factor of so many steps ago, turned with the body and not."""
    body.options.solver = "direct"
    body.begin(STEP)
    factor, factor_x = body.work.factor.copy(), body.work.factor_x.copy()
    body.end(STEP)
    body.step(STEP, steps - 1)
    body.assemble(STEP)
    w, found = body.work, []
    turn = np.tile(np.eye(3), (len(body.x), 1, 1))
    for turned in (True, False):
        if turned:
            local_rotation.find(body.model.edges, factor_x, body.x, turn)
        else:
            local_rotation.reset(turn)
        space = [np.zeros_like(body.x) for _ in range(3)]
        used = conjugate_gradients(
            new_board(), body.symbolic, body.model.edges, w.diagonal, w.off, factor, turn, w.rhs,
            ITERATIVE_TOLERANCE, 400, w.vector, *space, body.v.copy(),
        )  # fmt: skip
        found.append(used if used >= 0 else -1 - used)
    return found


def test_where_an_old_factor_does_not_help_little_is_lost():
    """Inextensible cloth that swings: links turn by more than 1/√(h²k/m) in a step, and no old
    factor is near. The trial is broken off after a few iterations and made less and less often."""
    body = hung_cloth(40, False)
    body.options.solver = "iterative"
    body.step(STEP, 40)
    assert body.factorisations >= 40
    assert body.iterations <= 60  # six trials, each broken off by the tenth iteration
    strain = np.abs(body.strain()[body.model.link_stiffness == 1e7]).max()
    assert strain < 0.02


def test_trials_that_fail_cost_a_tenth_at_most():
    """The same where the size has chosen: a trial costs as much as a new factor, which is two
    thirds of a step, and trials are rare."""
    body = hung_cloth(64, False)
    assert body.iterative
    assert body.budget <= 3  # the factor of a sheet costs no more than three solves,
    assert tumbling_beam((20, 10, 10), 1e6, "stvk").budget >= 5  # that of a solid many
    body.step(STEP, 40)
    assert body.factorisations >= 40
    assert body.iterations <= 0.15 * body.budget * body.factorisations


def test_many_columns_are_worth_a_new_factor():
    """What rigid bodies on a large cloth ask for: six columns each."""
    body = hung_curtain(64, 1e4, 0.01)
    body.step(STEP, 3)
    made = body.factorisations
    free = body.begin(STEP).copy()
    assert body.factorisations == made
    B = np.zeros((*body.x.shape, 6))
    B[2000:2006, 1, range(6)] = 1.0
    X = body.response(B)
    assert body.factorisations == made + 1
    np.testing.assert_allclose(body.work.delta, free, atol=10 * ITERATIVE_TOLERANCE)
    w, product = body.work, np.zeros_like(body.x)
    for k in range(6):
        multiply(body.model.edges, w.diagonal, w.off, np.ascontiguousarray(X[:, :, k]), product)
        np.testing.assert_allclose(product, B[:, :, k], atol=1e-9)


def test_the_choice_is_automatic_visible_and_can_be_forced():
    world = World()
    small = world.add_cloth("small", rows=10, columns=10)
    large = world.add_cloth("large", rows=70, columns=70, position=(5, 0, 0))
    slots = world.stats.soft["solver"]
    assert list(slots.values()) == ["direct", "iterative"]
    world.set_soft_solver(small, "iterative")
    world.set_soft_solver(large, "direct")
    assert list(world.stats.soft["solver"].values()) == ["iterative", "direct"]
    with pytest.raises(ValueError, match="soft solver"):
        world.set_soft_solver(small, "guess")


def test_iterative_solver_agrees_with_the_direct_one():
    """Forced on a small mat; the tolerance of 1e-6 m/s adds up to micrometres in a second."""
    found = []
    for solver in ("direct", "iterative"):
        world = World()
        mat = world.add_cloth(
            "mat", size=(1, 1), rows=10, columns=10, orientation=LYING, model="membrane",
            young=1e5, pins=[0, 9], mass=0.5, stepping="euler",
        )  # fmt: skip
        world.set_soft_solver(mat, solver)
        factorisations = 0
        for _ in range(60):
            world.step()
            factorisations += world.stats.soft["factorisations"]
        assert world.stats.soft["solver"] == {0: solver}
        found.append(world.node_positions(mat))
    assert factorisations <= 40  # the other steps lived on an older factor
    assert np.abs(found[1] - found[0]).max() < 1e-3
