"""Building the arrays of a step when the topology has changed."""

from typing import Any

import numpy as np

from physics.contact.solver.gauss_seidel import solve_group
from physics.islands.lists import build_islands, enter_whole
from physics.jit.address import address_of
from physics.portable import norm, transform
from physics.schema import allocate
from physics.schemes.adaptive import solve_substep
from physics.schemes.implicit import implicit_step
from physics.schemes.piles import step_pile_island
from physics.schemes.velocity_solve import find_forces, solve_impulses
from physics.solver.symbolic import analyse
from physics.state import (
    ADDRESSES,
    FIND_FORCES,
    IMPLICIT_STEP,
    LISTS,
    PRIMITIVES,
    SOLVE_GROUP,
    SOLVE_IMPULSES,
    SOLVE_SUBSTEP,
    STEP_PILE,
    Bodies,
    Elements,
    Floats,
    Ints,
    Islands,
    Scene,
    Settings,
    System,
    Unilateral,
)
from physics.structs import (
    StepArrays,
    bodies_ref,
    elements_ref,
    islands_ref,
    scene_ref,
    system_ref,
    unilateral_ref,
)

SMALLEST_REACH = 0.1  # m; a lone body's size for the energy scale of step acceptance


def make_scene(
    bodies: Bodies,
    elements: Elements,
    planar: bool,
    dense: bool,
    contacts: Any,
    counters: Ints,
    measures: Floats,
    clock: Ints,
) -> StepArrays:
    """Analyses the topology and allocates what a step needs."""
    system = analyse(bodies, elements, planar)
    size = 3 * len(bodies.velocity) if dense else 0
    bodies_group, system_group = bodies_ref(bodies), system_ref(system)
    addresses = np.zeros(ADDRESSES, np.int64)
    islands = _make_islands(bodies, elements, system)
    parts = Scene(
        bodies=bodies_group,
        elements=elements_ref(elements),
        system=system_group,
        unilateral=unilateral_ref(_make_unilateral(elements, system)),
        contacts=contacts,
        islands=islands_ref(islands),
        reach=_reach(bodies, elements, system),
        label=np.zeros((2, len(bodies.kind)), np.int64),
        addresses=addresses,
        dense=np.zeros((size + 4 if size else 0, size)),
        counters=counters,
        measures=measures,
        clock=clock,
    )
    scene = scene_ref(tuple(parts))
    settings = Settings(0.0, np.zeros(3), 0, 0, 0, 0.0)
    addresses[SOLVE_GROUP] = address_of(solve_group, scene, 0, 0, 0)
    addresses[SOLVE_IMPULSES] = address_of(solve_impulses, scene, 0.0)
    addresses[SOLVE_SUBSTEP] = address_of(solve_substep, scene, settings, 0.0)
    addresses[FIND_FORCES] = address_of(find_forces, scene, settings, 0.0)
    addresses[IMPLICIT_STEP] = address_of(implicit_step, scene, settings, 0.0)
    addresses[STEP_PILE] = address_of(step_pile_island, scene, settings, 0)
    build_islands(scene)
    enter_whole(scene)
    return StepArrays(scene, bodies_group, system_group, system, islands)


def _make_islands(bodies: Bodies, elements: Elements, system: System) -> Islands:
    """Lists of everything; those by island are made in the first step."""
    n, m = len(bodies.kind), len(elements.role)
    islands = allocate(Islands, n=n, m=m, l=LISTS, p=PRIMITIVES)
    islands.known[:] = -2
    lists = (
        system.bilateral,
        system.unilateral,
        system.stiffness,
        system.masked,
        system.driven,
        system.breakable,
        system.coupled,
        system.ropes,
    )
    for kind, listed in enumerate(lists):
        islands.all_lists[kind, : len(listed)] = listed
        islands.all_start[kind, 1] = len(listed)
    islands.whole_start[:] = system.list_start
    islands.whole_rows[: len(system.list_rows)] = system.list_rows
    return islands


def _make_unilateral(elements: Elements, system: System) -> Unilateral:
    pairs = elements.body[system.unilateral]
    lengths = system.span[pairs, 1] - system.span[pairs, 0]
    rows = 3 * len(system.unilateral)
    return allocate(Unilateral, u=rows, r=3 * int(lengths.sum()))


def _reach(bodies: Bodies, elements: Elements, system: System) -> Floats:
    """Diagonal of the box around each body's component and the anchors that hold it, m."""
    n = len(bodies.kind)
    low, high = np.full((n, 3), np.inf), np.full((n, 3), -np.inf)
    moving = np.flatnonzero(system.component >= 0)
    np.minimum.at(low, system.component[moving], bodies.position[moving])
    np.maximum.at(high, system.component[moving], bodies.position[moving])
    for side in range(2):
        held = elements.body[system.bilateral, side]
        owner = system.component[held]
        offset = transform(bodies.rotation[held], elements.anchor[system.bilateral, side])
        points = bodies.position[held] + offset
        inside = owner >= 0
        np.minimum.at(low, owner[inside], points[inside])
        np.maximum.at(high, owner[inside], points[inside])
    reach = np.full(n, SMALLEST_REACH)
    own = system.component[moving]
    size = norm(high[own] - low[own])
    reach[moving] = np.maximum(size, SMALLEST_REACH)
    return reach
