"""Entry points of soft bodies that take long to compile, with the types they are called with.

What is not named here is small; the scene of the task "soft" calls it.
"""

from typing import Any

from numba import types

from physics.collision.arrays import SHAPE, Pool
from physics.schema import Field, array_type, named_tuple_type
from physics.soft.contact.edge_edge import near_edges
from physics.soft.contact.node_triangle import near_pairs
from physics.soft.contact.shape_contact import find_contacts
from physics.soft.solve.corrections import correct_all, correct_guard, correct_links
from physics.soft.solve.guard_step import advance_guard, assemble_guard, end_guard
from physics.soft.solve.link_step import balance_links
from physics.soft.solve.momenta import keep_momenta
from physics.soft.solve.potentials import incremental_potential
from physics.soft.solve.prediction import predict
from physics.soft.solve.soft_arrays import Met, Model, Rows, Skin, State, Work
from physics.soft.solve.soft_step import (
    assemble,
    linearise,
    load_elements,
    move,
    solve_free,
    start_averages,
)
from physics.solver.spd.analysis import Symbolic, analyse_order
from physics.solver.spd.nested_dissection import nested_dissection
from physics.solver.spd.triangular import solve_many

Entry = tuple[Any, tuple[Any, ...]]  # a kernel and the types of its arguments

_FLOAT, _INT, _FLAG = types.float64, types.int64, types.boolean
_MODEL, _STATE, _WORK = map(named_tuple_type, (Model, State, Work))
_ROWS, _MET, _SKIN = map(named_tuple_type, (Rows, Met, Skin))


def _floats(dimensions: int) -> Any:
    return types.Array(_FLOAT, dimensions, "C")


def _ints(dimensions: int) -> Any:
    return types.Array(_INT, dimensions, "C")


_FLAGS = types.Array(_FLAG, 1, "C")
_SYMBOLIC = types.NamedUniTuple(_ints(1), len(Symbolic._fields), Symbolic)


def elements() -> list[Entry]:
    """Forces and stiffness of cloth and solids."""
    points = _floats(2)
    return [
        (load_elements, (_MODEL, points, points, _FLOAT, _FLOAT, _FLOAT, _WORK)),
        (
            assemble,
            (_MODEL, _STATE, _FLOAT, _floats(1), _INT, _FLOAT, _FLOAT, _FLOAT, _FLOAT, _WORK),
        ),
        (linearise, (_MODEL, _STATE, _FLOAT, _WORK)),
        (start_averages, (_MODEL, _STATE, _WORK)),
        (assemble_guard, (_MODEL, _STATE, _FLOAT, _floats(1), _WORK)),
        (advance_guard, (_MODEL, _STATE, _FLOAT, _FLOAT, _WORK)),
        (end_guard, (_MODEL, _STATE, _FLOAT, _WORK)),
    ]


def solve() -> list[Entry]:
    """The matrix: its order, its factor, what follows from it."""
    board, vector, matrix = _ints(1), _floats(1), _floats(3)
    return [
        (analyse_order, (_INT, _ints(2), _ints(1), _INT)),
        (nested_dissection, (_ints(1), _ints(1), _floats(2), _INT)),
        (solve_free, (board, _MODEL, _SYMBOLIC, _STATE, _floats(2), _FLAG, _WORK)),
        (solve_many, (board, _SYMBOLIC, vector, matrix, vector, vector, matrix)),
    ]


def corrections() -> list[Entry]:
    """Lengths of threads, seams and elements to the end."""
    first = (_ints(1), _MODEL, _SYMBOLIC, _STATE, _FLOAT)
    last = (_ROWS, _MET, _FLOAT, _WORK)
    return [
        (correct_links, (*first, _FLOAT, _INT, _INT, _FLOAT, *last)),
        (correct_guard, (*first, _INT, _INT, _FLOAT, *last)),
        (correct_all, (*first, _FLOAT, _INT, _INT, _FLOAT, _FLOAT, *last)),
        (balance_links, (_MODEL, _FLOAT, _FLOAT, _floats(2), _FLOAT, _WORK)),
    ]


def motion() -> list[Entry]:
    """The beginning and the end of a step, and what is kept in it."""
    points = _floats(2)
    return [
        (predict, (_MODEL, _STATE, _FLOAT, _FLAG, points)),
        (move, (_MODEL, _STATE, _FLOAT, _FLAG, _FLOAT, _ROWS, _WORK)),
        (keep_momenta, (_MODEL, _STATE, _FLOAT, _floats(1), _FLOAT, _WORK)),
        (
            incremental_potential,
            (
                *(_MODEL, _FLAGS, points, _floats(1), _FLOAT, _floats(3)),
                *(points, points, points, points, points, _FLOAT, points),
            ),
        ),
    ]


def touching() -> list[Entry]:
    """What a soft body is near to: shapes, its own triangles and edges."""
    points, numbers = _floats(2), _ints(1)
    shapes = array_type(Field(SHAPE, ("S",), False))
    return [
        (
            find_contacts,
            (
                *(points, points, _FLAGS, _FLOAT, _FLOAT, _FLOAT, _FLAG, _INT, _INT),
                *(_FLOAT, _FLOAT, named_tuple_type(Pool), shapes, _INT, points, _SKIN, _ROWS),
            ),
        ),
        (
            near_pairs,
            (
                *(points, points, points, _ints(2), _INT, *[_FLOAT] * 5, _floats(1), _FLOAT),
                *(numbers, numbers, numbers, numbers, _ints(2), points, _floats(3)),
            ),
        ),
        (
            near_edges,
            (
                *(points, points, points, _ints(2), numbers, *[_FLOAT] * 6, _floats(1), _FLOAT),
                *(numbers, numbers, numbers, _ints(2), points, numbers, _floats(1)),
            ),
        ),
    ]
