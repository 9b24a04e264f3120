"""Keys of level files that physics has under the same names.

One that is added here is known to level files, schema, reference and props, and reaches the world;
nothing else needs to change. A test holds them to the signatures of `physics.World`.
"""

from typing import Annotated

from pydantic import Field

from levels.values import Axis, Fraction, Inertia, Locked, NotNegative, Table, Vector, one_of
from physics import SOLVERS, STABILIZATIONS
from physics.stabilization import DEFAULT as DEFAULT_STABILIZATION


class WorldOptions(Table):
    """Keys that `physics.World` has under the same names."""

    rate: Annotated[float, Field(ge=1, le=10_000)] = Field(
        default=60, description="Steps per second."
    )
    stabilization: Annotated[str, one_of("stabilization", tuple(STABILIZATIONS))] = Field(
        default=DEFAULT_STABILIZATION,
        description="What keeps stiff chains from exploding. "
        + " ".join(f"`{name}`: {kind.sentence}" for name, kind in STABILIZATIONS.items()),
        json_schema_extra={"enum": list(STABILIZATIONS)},
    )
    solver: Annotated[str, one_of("solver", SOLVERS)] = Field(
        default="direct",
        description="How joints are solved.",
        json_schema_extra={"enum": list(SOLVERS)},
    )
    alpha: NotNegative = Field(
        default=1.0,
        description="How far `inertial` and `constraint` leave stiffness alone before they "
        "damp it; larger damps less.",
    )
    gravity: Vector = Field(default=[0.0, -9.81, 0.0], description="m/s².")
    sleeping: bool = Field(
        default=True,
        description="Leave out of the step what has come to rest, until something disturbs it.",
    )


class Surface(Table):
    """What touching something is like. A body takes from its material what it does not say."""

    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient.")
    restitution: Fraction = Field(default=0.0, description="Share of the speed kept in a bounce.")
    rolling_friction: NotNegative = Field(
        default=0.0,
        description="m; torque per load that brakes rolling and spinning: about the radius of the "
        "patch it rests on.",
    )


class BodyOptions(Surface):
    """Keys that `World.add_body` has under the same names."""

    fixed: bool = Field(default=False, description="Never moves.")
    keyframed: bool = Field(default=False, description="Moves as told and is not pushed.")
    surface_velocity: Vector = Field(
        default=[0.0, 0.0, 0.0],
        description="m/s, body axes: how fast its surface runs, like that of a conveyor belt.",
    )
    one_way: Axis | None = Field(
        default=None,
        description="Direction, body axes: only what comes from there touches it, as a platform "
        "that can be jumped through from below, [0, 1, 0].",
    )
    center_of_mass: Vector | None = Field(
        default=None,
        description="m, in its shape's own coordinates; default: of its shape.",
    )
    inertia: Inertia | None = Field(
        default=None,
        description="kg m², about x, y and z through its centre of mass; default: of its shape.",
    )
    locked: Locked = Field(
        default="", description='Axes that cannot move: any of "x y z rx ry rz".'
    )


class ParticleOptions(Table):
    """The same for `World.add_particles`."""

    radius: NotNegative = Field(default=0.0, description="Contact radius, m.")
    fixed: bool = Field(default=False, description="Never moves.")
    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient.")
