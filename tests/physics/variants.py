"""Every joint kind with every one of its parameters used once, read from the registry."""

from typing import Any

import numpy as np

from physics import JOINTS, Box, JointKind, Parameter, World
from physics.portable import norm
from physics.state import Elements

AXIS = np.array([0.48, 0.6, 0.64])


def sample(spec: Parameter) -> Any:
    """A value that differs from the default and makes the parameter act."""
    if spec.kind == "table":
        return {part.name: sample(part) for part in spec.fields}
    if spec.kind == "pair":
        return (-0.4, 0.9)
    if spec.kind == "flag":
        return not spec.default
    if spec.kind == "point":
        return (0.3, 2.1, -0.6) if spec.required else (-0.8, 1.7, 0.4)
    if spec.kind == "direction":
        return (0.0, 0.6, -0.8)
    return min(max(0.7, spec.minimum or 0.0), spec.maximum or np.inf)


def _required(kind: JointKind) -> dict[str, Any]:
    return {name: sample(spec) for name, spec in kind.parameters.items() if spec.required}


def variants() -> list[tuple[str, dict[str, Any]]]:
    """(kind, parameters): the defaults, then each optional parameter in turn."""
    found = []
    for name, kind in JOINTS.items():
        base = _required(kind)
        found.append((name, base))
        found += [
            (name, {**base, spec.name: sample(spec)})
            for spec in kind.parameters.values()
            if not spec.required
        ]
    return found


def label(variant: tuple[str, dict[str, Any]]) -> str:
    return " ".join([variant[0], *variant[1]])


def random_quaternion(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    return q / norm(q)


def two_bodies(kind: str, parameters: dict[str, Any], rng: np.random.Generator) -> World:
    """Two bodies at random poses and the joint between them, its anchors off their centres."""
    world = World()
    for name in "ab":
        world.add_body(
            name,
            Box((0.3, 0.5, 0.7)),
            mass=2.0,
            position=rng.normal(size=3),
            orientation=random_quaternion(rng),
            mask=0,
        )
    if JOINTS[kind].anchors == "separate":
        where = {"at_a": rng.normal(size=3), "at_b": rng.normal(size=3)}
    else:
        where = {"at": rng.normal(size=3)}
    world.add_joint(kind, "a", "b", axis=AXIS, **where, **parameters)
    return world


def live_elements(elements: Elements) -> np.ndarray:
    return np.flatnonzero(elements.role)
