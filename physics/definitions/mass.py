"""Mass, centre and inertia of a body: of its shape and a mass or a density, or as given."""

from dataclasses import dataclass

import numpy as np

from physics.checks import number, shown, vector
from physics.portable import symmetric_eigenvalues
from physics.shapes import has_mass
from physics.shapes.base import Shape
from physics.state import Floats, VectorLike


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


def body_mass(
    name: str,
    shape: Shape,
    mass: float | None,
    density: float | None,
    inertia: object = None,
    center: VectorLike | None = None,
) -> BodyMass:
    """Mass properties of a moving body; ValueError when they are not determined.

    `inertia` (3 principal values or 3x3) about the centre of mass and `center`, in the shape's own
    axes, are taken as given; a given centre alone keeps the shape's inertia about its own centre.
    """
    found = _of_shape(name, shape, mass, density)
    middle = found.center if center is None else vector(f'center_of_mass of body "{name}"', center)
    moments = found.inertia if inertia is None else _given_inertia(name, inertia)
    if inertia is None and center is None:
        return found
    return _measured(found.mass, moments, middle)


def shape_center(shape: Shape) -> Floats:
    """Centre of mass of a shape in its own coordinates; its origin if it has no mass."""
    return shape.mass_properties(1.0).center if has_mass(shape) else np.zeros(3)


def _given_inertia(name: str, value: object) -> Floats:
    """A symmetric 3x3 matrix that some distribution of mass can have."""
    what = f'inertia of body "{name}"'
    try:
        given = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.shape not in ((3,), (3, 3)) or not np.isfinite(given).all():
        raise ValueError(f"{what} must be 3 or 3x3 finite numbers [kg m²], not {shown(value)}")
    inertia = np.diag(given) if given.shape == (3,) else given
    if given.shape == (3, 3):
        if np.abs(inertia - inertia.T).max() > 1e-9 * np.abs(inertia).max():
            raise ValueError(f"{what} must be a symmetric matrix")
        inertia = 0.5 * (inertia + inertia.T)
    low, middle, high = symmetric_eigenvalues(inertia).tolist()
    if not low > 0.0:
        raise ValueError(f"{what} must have principal values above zero; the least is {low:g}")
    if high > (low + middle) * (1.0 + 1e-9):
        raise ValueError(
            f"{what} belongs to no body: its principal value {high:g} kg m² exceeds the sum of "
            f"the other two, {low:g} and {middle:g}"
        )
    return inertia


def _of_shape(name: str, shape: Shape, mass: float | None, density: float | None) -> BodyMass:
    if getattr(shape, "weighs", False) and density is None:
        properties = shape.mass_properties(1.0)  # its parts have densities
        if mass is None:
            return _measured(properties.mass, properties.inertia, properties.center)
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
