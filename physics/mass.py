"""Mass, centre and inertia of a body from its shape and a mass or a density."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.checks import number
from physics.portable import symmetric_eigenvalues
from physics.state import Floats


@dataclass(frozen=True)
class BodyMass:
    """Mass properties about the centre of mass, in body axes."""

    mass: float  # kg
    inertia: Floats  # (3, 3) kg m²
    center: Floats  # (3,) m, in the shape's own coordinates
    largest: float  # kg m², principal value of the inertia
    spherical: bool  # whether the inertia is a multiple of the identity, to rounding


def _measured(mass: float, inertia: Floats, center: Floats) -> BodyMass:
    mean = np.trace(inertia) / 3.0
    spherical = bool(np.abs(inertia - mean * np.eye(3)).max() <= 1e-12 * mean)
    return BodyMass(mass, inertia, center, float(symmetric_eigenvalues(inertia)[-1]), spherical)


UNMOVED = _measured(0.0, np.zeros((3, 3)), np.zeros(3))


def body_mass(name: str, shape: Any, mass: float | None, density: float | None) -> BodyMass:
    """Mass properties of a moving body; ValueError when they are not determined."""
    if (mass is None) == (density is None):
        given = "neither" if mass is None else "both"
        raise ValueError(
            f'body "{name}" needs a mass or a density, and was given {given}; '
            "give one of them, or fixed=True"
        )
    if density is not None:
        properties = shape.mass_properties(
            number(f'density of body "{name}"', density, "kg/m³", positive=True)
        )
        return _measured(properties.mass, properties.inertia, properties.center)
    total = number(f'mass of body "{name}"', mass, "kg", positive=True)
    properties = shape.mass_properties(1.0)
    return _measured(total, properties.inertia * (total / properties.mass), properties.center)


def particle_mass(name: str, mass: float) -> BodyMass:
    total = number(f'mass of particle "{name}"', mass, "kg", positive=True)
    return BodyMass(total, POINT_INERTIA, _POINT_CENTER, 1.0, True)


# A particle never turns; a unit inertia keeps its unused block regular.
POINT_INERTIA, _POINT_CENTER = np.eye(3), np.zeros(3)
