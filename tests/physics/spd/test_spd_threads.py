"""Two threads over parts of the elimination tree give what one gives, bit for bit."""

import threading

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.sparse.linalg import spsolve

from physics.jit import threads
from physics.solver.spd.analysis import modelled_time
from tests.physics.spd.matrices import matrix, sheet, solid
from tests.physics.spd.spd_solver import SpdSolver

CASES = {"cloth": sheet(40, bend=False), "bend": sheet(32), "solid": solid(9, 6, 6)}


@pytest.fixture(autouse=True)
def _restore():
    before = threads._helper.wanted
    yield
    threads._helper.wanted = before


def results(case, count, rounds=1):
    """Factor and solutions of one right-hand side and of five, by so many threads."""
    threads.use_threads(count)
    edges, position = CASES[case]
    n = len(position)
    solver = SpdSolver(n, edges, position)
    diagonal, off = matrix(n, edges)
    rng = np.random.default_rng(4)
    b, B = rng.normal(size=(n, 3)), rng.normal(size=(n, 3, 5))
    found = []
    for _ in range(rounds):
        pivot = solver.factorise(diagonal, off)
        found.append((pivot, solver.factor.copy(), solver.solve(b), solver.solve_many(B)))
    return solver, found


@pytest.mark.parametrize("case", CASES)
def test_two_threads_give_the_same_bits(case):
    solver, (alone,) = results(case, 1)
    assert solver.symbolic.parts >= 2
    _, many = results(case, 2, rounds=10)
    for together in many:
        for a, b in zip(alone, together, strict=True):
            assert np.array_equal(a, b)


def sparse_matrix(n, edges, diagonal, off):
    i, j = edges.T
    nodes = np.arange(n)
    rows = np.concatenate([nodes, i, j])
    columns = np.concatenate([nodes, j, i])
    blocks = np.concatenate([diagonal, off, off.transpose(0, 2, 1)])
    order = np.argsort(rows, kind="stable")
    start = np.searchsorted(rows[order], np.arange(n + 1))
    return sparse.bsr_matrix((blocks[order], columns[order], start), shape=(3 * n, 3 * n)).tocsc()


@pytest.mark.parametrize("case", CASES)
def test_divided_matrices_are_solved_right(case):
    """Against a library, to cond(A) ε ≈ 1e5 · 1e-16 with two orders to spare."""
    _, ((_, _, x, X),) = results(case, 2)
    edges, position = CASES[case]
    n = len(position)
    A = sparse_matrix(n, edges, *matrix(n, edges))
    rng = np.random.default_rng(4)
    exact = spsolve(A, rng.normal(size=(n, 3)).ravel())
    assert np.abs(x.ravel() - exact).max() < 1e-9 * np.abs(exact).max()
    many = rng.normal(size=(n, 3, 5)).reshape(3 * n, 5)
    for column in (0, 4):
        exact = spsolve(A, many[:, column])
        assert np.abs(X[:, :, column].ravel() - exact).max() < 1e-9 * np.abs(exact).max()


@pytest.mark.parametrize("case", CASES)
def test_the_parts_and_the_top_are_the_whole_tree(case):
    """Every supernode once; parts are subtrees; what two threads do takes less than 2/3."""
    edges, position = CASES[case]
    s = SpdSolver(len(position), edges, position).symbolic
    assert sorted(s.sequence) == list(range(len(s.first) - 1))
    owner = np.empty(len(s.sequence), np.int64)
    for part in range(s.parts + 1):
        owner[s.sequence[s.part_start[part] : s.part_start[part + 1]]] = part
    for parent in range(len(owner)):
        child = s.child[parent]
        while child != -1:
            assert owner[child] == owner[parent] or owner[parent] == s.parts
            child = s.sibling[child]
    top = s.sequence[s.part_start[-2] :]
    alone = modelled_time(s.first, s.row_start)
    share = sum(modelled_time(s.first[k : k + 2], s.row_start[k : k + 2]) for k in top) / alone
    assert share < 1 / 3


def test_small_matrices_are_not_divided():
    edges, position = sheet(12)
    assert SpdSolver(len(position), edges, position).symbolic.parts == 0


def test_separate_pieces_are_divided_without_a_top():
    edges, position = CASES["bend"]
    n = len(position)
    both = np.concatenate([edges, edges + n])
    where = np.concatenate([position, position + np.array([100.0, 0.0, 0.0])])
    solver = SpdSolver(2 * n, both, where)
    diagonal, off = matrix(n, edges)
    twice = np.concatenate([diagonal, diagonal]), np.concatenate([off, off])
    b = np.random.default_rng(0).normal(size=(n, 3))
    assert solver.symbolic.parts >= 2
    threads.use_threads(2)
    assert solver.factorise(*twice) > 0.0
    y = solver.solve(np.concatenate([b, -b]))
    assert np.abs(y[:n] + y[n:]).max() < 1e-10 * np.abs(y).max()


def test_an_indefinite_part_is_reported():
    edges, position = CASES["cloth"]
    n = len(position)
    diagonal, off = matrix(n, edges)
    solver = SpdSolver(n, edges, position)
    threads.use_threads(2)
    for node in (0, n // 2, n - 1):
        wrong = diagonal.copy()
        wrong[node] = -np.eye(3)
        assert solver.factorise(wrong, off) <= 0.0


def test_two_solvers_in_two_python_threads():
    """One helper for both: each gets its own answer."""
    expected = {case: results(case, 1)[1][0] for case in CASES}
    wrong = []

    def work(case):
        for found in results(case, 2, rounds=5)[1]:
            same = all(np.array_equal(a, b) for a, b in zip(expected[case], found, strict=True))
            if not same:
                wrong.append(case)

    callers = [threading.Thread(target=work, args=(case,)) for case in CASES]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong
