"""The state at the start of a step, and going back to it."""

from physics.integrate import refresh_rotations
from physics.jit import kernel
from physics.linalg import copy_rows


@kernel
def save_start(bodies, elements):
    """Keeps the state at the start of the step; writes bodies.start_* and elements.start_value."""
    copy_rows(bodies.position, bodies.start_position)
    copy_rows(bodies.orientation, bodies.start_orientation)
    copy_rows(bodies.velocity, bodies.start_velocity)
    copy_rows(bodies.mean_velocity, bodies.start_mean)
    copy_rows(elements.value, elements.start_value)
    copy_rows(elements.turn, elements.start_turn)


@kernel
def roll_back(bodies, elements):
    """Undoes a step; angles are unwrapped against their value, so that goes back too."""
    copy_rows(bodies.start_position, bodies.position)
    copy_rows(bodies.start_orientation, bodies.orientation)
    copy_rows(bodies.start_velocity, bodies.velocity)
    copy_rows(bodies.start_mean, bodies.mean_velocity)
    copy_rows(elements.start_value, elements.value)
    copy_rows(elements.start_turn, elements.turn)
    refresh_rotations(bodies)
