"""Saving a world and coming back to it, bit by bit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from physics.schema import allocate, fields, scratch_fields

if TYPE_CHECKING:
    from physics.world_base import WorldBase


def _copied(arrays: Any) -> dict[str, Any]:
    scratch = scratch_fields(type(arrays))
    return {n: array.copy() for n, array in arrays._asdict().items() if n not in scratch}


def take(world: "WorldBase") -> Mapping[str, Any]:
    """Copies of everything that is not recomputed within a step."""
    return {
        "bodies": _copied(world._bodies.arrays),
        "elements": _copied(world._joints.arrays),
        "contacts": world._contacts.save(),
        "rest": world._rest.save(),
        "stepper": world._stepper,
        "shapes": list(world._bodies.shapes),
        "body_generation": list(world._bodies.generation),
        "joints": world._joints.save(),
        "names": dict(world._names),
        "labels": dict(world._labels),
        "broken": set(world._broken),
        "counters": world._counters.copy(),
        "measures": world._measures.copy(),
        "time": (world._epoch, world._ticks),
        "softs": None if world._softs is None else world._softs.save(),
        "settings": (world.rate, world.gravity.copy(), world.stabilization, world.solver),
    }


def put_back(world: "WorldBase", saved: Mapping[str, Any]) -> None:
    """Writes a saved state into the world it came from."""
    world.rate, gravity, world.stabilization, solver = saved["settings"]
    if world.solver != solver:
        world.solver = solver
    world._gravity = gravity.copy()
    same = world._stepper is not None and world._stepper is saved["stepper"]
    world._bodies.replace(
        _refill(world._bodies.arrays, saved["bodies"]),
        list(saved["shapes"]),
        list(saved["body_generation"]),
    )
    world._joints.replace(_refill(world._joints.arrays, saved["elements"]), saved["joints"])
    world._names = dict(saved["names"])
    world._labels = dict(saved["labels"])
    world._broken = set(saved["broken"])
    world._contacts.restore(saved["contacts"])
    world._rest.restore(saved["rest"])
    world._counters[:] = saved["counters"]
    world._measures[:] = saved["measures"]
    world._epoch, world._ticks = saved["time"]
    if world._softs is not None and saved["softs"] is not None:
        world._softs.restore(saved["softs"])
    elif world._softs is not None:
        world._softs.items.clear()
    if not same:
        world._stepper = None
        _clear_scratch(world._joints.arrays)
    elif world._stepper is not None:
        world._stepper.context.refresh_contacts()


def _clear_scratch(elements: Any) -> None:
    """Blocks that a row does not write are zero; what another joint left there must not stay."""
    for name in scratch_fields(type(elements)):
        getattr(elements, name)[...] = 0


def _refill(arrays: Any, saved: Mapping[str, Any]) -> Any:
    """`arrays` with the saved contents; made anew where the sizes differ."""
    if all(len(getattr(arrays, name)) == len(value) for name, value in saved.items()):
        for name, value in saved.items():
            getattr(arrays, name)[...] = value
        return arrays
    group: Any = type(arrays)
    name, first = next(iter(saved.items()))
    (letter,) = fields(group)[name].shape  # the first field of a store has one entry a slot
    fresh = allocate(group, **{letter: len(first)})
    for name, value in saved.items():
        getattr(fresh, name)[...] = value
    return fresh
