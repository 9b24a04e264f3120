"""Islands of free bodies, stepped by `step_pile`: rest, friction, impacts, free flight."""

import math

import numpy as np
import pytest

from physics import Box, Plane, Sphere, World
from tests.physics.contact.pile_harness import Piles

G = 9.81


def _ground(world, friction=0.5, restitution=0.0, normal=(0, 1, 0)):
    world.add_body(
        "ground", Plane(normal, 0), fixed=True, friction=friction, restitution=restitution
    )


def _wall(count, gap=0.01, sleeping=False):
    """Rows of boxes, one more in each lower row, that begin with gaps."""
    world = World(rate=60, sleeping=sleeping)
    _ground(world)
    base, slots = 1, []
    while base * (base + 1) // 2 < count:
        base += 1
    for row in range(base):
        for k in range(base - row):
            at = ((k - (base - row - 1) / 2) * 0.52, 0.25 + gap + row * (0.5 + gap), 0)
            body = world.add_body(
                f"b{len(slots)}", Box((0.5, 0.5, 0.5)), mass=1.0, position=at, friction=0.5
            )
            slots.append(body.slot)
    return world, np.array(slots)


def _energy(pile, slots):
    """Of the synchronised velocities: stored ones lag by `lag` of free fall."""
    bodies = pile.bodies
    v = bodies.velocity.reshape(-1, 6)[slots].copy()
    v[:, 1] -= G * bodies.lag[slots]
    turning = np.einsum("bi,bij,bj->b", v[:, 3:], bodies.inertia[slots], v[:, 3:])
    kinetic = 0.5 * (bodies.mass[slots] * (v[:, :3] ** 2).sum(1) + turning).sum()
    return kinetic + (bodies.mass[slots] * G * bodies.position[slots, 1]).sum()


@pytest.mark.parametrize("count", [3, 10, 55])
def test_wall_begun_with_gaps_comes_to_rest(count):
    world, slots = _wall(count)
    pile = Piles(world)
    start = pile.bodies.position[slots].copy()
    pile.step(120)
    speed = np.abs(pile.bodies.velocity.reshape(-1, 6)[slots]).max()
    assert speed < 1e-3
    assert pile.overlap() < 5e-4
    sideways = np.abs(pile.bodies.position[slots] - start)[:, [0, 2]].max()
    assert sideways < 2e-3
    there = pile.bodies.position[slots].copy()
    pile.step(60)
    # 0.1 mm a minute is 1.7e-6 m a second
    assert np.abs(pile.bodies.position[slots] - there).max() < 1.7e-6


def test_wall_never_gains_energy():
    world, slots = _wall(28)
    pile = Piles(world)
    last = _energy(pile, slots)
    most = last
    for _ in range(90):
        pile.step()
        now = _energy(pile, slots)
        # half a substep of free fall is what a pressed body's velocity does not have: m g lag each
        assert now < last + 1e-3 * len(slots)
        last = now
    assert last < most


def test_free_fall_is_exact_and_momentum_kept():
    world = World(rate=60, sleeping=False)
    body = world.add_body(
        "a", Box((0.2, 0.5, 1.0)), mass=2.0, position=(0, 10, 0), velocity=(1, 2, 0),
        angular_velocity=(3.0, 0.1, 0.2),
    )  # fmt: skip
    pile = Piles(world)
    b = body.slot
    world_inertia = pile.bodies.rotation[b] @ pile.bodies.inertia[b] @ pile.bodies.rotation[b].T
    before = world_inertia @ pile.bodies.velocity[2 * b + 1]
    pile.step(60)
    assert pile.bodies.position[b] == pytest.approx([1.0, 10.0 + 2.0 - 0.5 * G, 0.0], abs=1e-12)
    w = pile.bodies.velocity[2 * b + 1]
    turn = -pile.bodies.lag[b] * w  # back to where the angular velocity belongs
    now = pile.bodies.rotation[b] @ pile.bodies.inertia[b] @ pile.bodies.rotation[b].T @ w
    angle = np.linalg.norm(turn)
    axis = turn / angle
    now = (
        now * math.cos(angle)
        + np.cross(axis, now) * math.sin(angle)
        + axis * (axis @ now) * (1 - math.cos(angle))
    )
    assert now == pytest.approx(before, abs=1e-6 * np.linalg.norm(before))


@pytest.mark.parametrize("excess", [-1e-3, 1e-3])
def test_friction_angle(excess):
    """A box on a slope stays 1 mrad below the angle of friction and slides 1 mrad above."""
    angle = math.atan(0.5) + excess
    world = World(rate=60, sleeping=False)
    normal = (math.sin(angle), math.cos(angle), 0)
    _ground(world, normal=normal)
    at = 0.1 * np.array(normal)
    turn = (math.cos(-angle / 2), 0, 0, math.sin(-angle / 2))
    body = world.add_body(
        "a", Box((0.6, 0.2, 0.4)), mass=1.0, position=at, orientation=turn, friction=0.5
    )
    pile = Piles(world)
    places = []
    for _ in range(3):
        pile.step(60)
        places.append(pile.bodies.position[body.slot].copy())
    if excess < 0:
        assert np.linalg.norm(places[2] - places[1]) < 1e-6
    else:
        gained = np.linalg.norm(places[2] - 2 * places[1] + places[0])  # a t²
        expected = G * (math.sin(angle) - 0.5 * math.cos(angle))
        assert gained == pytest.approx(expected, rel=0.02)


def test_sliding_block_stops_where_friction_says():
    world = World(rate=60, sleeping=False)
    _ground(world)
    body = world.add_body(
        "a", Box((0.5, 0.2, 0.5)), mass=3.0, position=(0, 0.1, 0), velocity=(2, 0, 0), friction=0.5
    )
    pile = Piles(world)
    pile.step(90)
    assert pile.bodies.position[body.slot, 0] == pytest.approx(4.0 / (2 * 0.5 * G), rel=2e-3)


def test_spinning_block_stops_where_friction_says():
    """A thin ring of pressure at the corners: α = μ g r m / I with r to the corners."""
    world = World(rate=240, sleeping=False)
    _ground(world)
    body = world.add_body(
        "a", Box((0.4, 0.1, 0.4)), mass=1.0, position=(0, 0.05, 0), angular_velocity=(0, 6, 0),
        friction=0.3,
    )  # fmt: skip
    pile = Piles(world)
    inertia = pile.bodies.inertia[body.slot, 1, 1]
    pile.step(1)
    rows, _ = pile.rows
    friction = float(rows.friction[0])
    slowing = friction * G * math.hypot(0.2, 0.2) / inertia
    pile.step(23)
    spin = pile.bodies.velocity[2 * body.slot + 1, 1]
    assert spin == pytest.approx(6 - slowing * (24 / 240 - pile.bodies.lag[body.slot]), rel=1e-3)


@pytest.mark.parametrize("rate", [60, 100])
def test_elastic_ball_keeps_its_height(rate):
    world = World(rate=rate, sleeping=False)
    _ground(world, restitution=1.0, friction=0.0)
    body = world.add_body(
        "a", Sphere(0.1), mass=1.0, position=(0, 1.1, 0), friction=0.0, restitution=1.0
    )
    pile = Piles(world)
    apex = 0.0
    for _ in range(60):  # the last of a minute
        pile.step(rate)
    for _ in range(2 * rate):
        pile.step()
        apex = max(apex, pile.bodies.position[body.slot, 1])
    assert apex == pytest.approx(1.1, abs=5e-4)


def test_elastic_ball_keeps_its_height_for_ten_minutes():
    world = World(rate=60, sleeping=False)
    _ground(world, restitution=1.0, friction=0.0)
    world.add_body("a", Sphere(0.1), mass=1.0, position=(0, 1.1, 0), friction=0.0, restitution=1.0)
    world.step(10 * 60 * 60)
    apex = 0.0
    for _ in range(120):
        world.step()
        apex = max(apex, world.position("a")[1])
    assert apex == pytest.approx(1.1, rel=5e-3)


def test_a_wall_of_210_falls_asleep_within_two_seconds():
    world, slots = _wall(210, sleeping=True)
    world.step(120)
    assert world.stats.asleep == len(slots)


def test_no_creep_in_a_minute_awake():
    world, slots = _wall(55)
    pile = Piles(world)
    pile.step(180)
    there = pile.bodies.position[slots].copy()
    pile.step(3600)
    assert np.abs(pile.bodies.position[slots] - there).max() < 1e-4
    assert world.stats.regimes["piles"] == 1


def test_what_hangs_on_a_joint_is_no_pile():
    world, _ = _wall(3)
    world.add_body("load", Sphere(0.1), mass=1.0, position=(5, 1, 0))
    world.add_joint("distance", "load", at_b=(5, 2, 0))
    world.add_body("light", Box((0.5, 0.1, 0.5)), mass=0.1, position=(9, 0.05, 0))
    world.add_body("heavy", Box((0.4, 0.4, 0.4)), mass=100.0, position=(9, 0.3, 0))
    world.step()
    counts = world.stats.regimes
    assert (counts["jointed"], counts["heavy_on_light"]) == (1, 1)
    assert counts["piles"] >= 1


def test_bounce_with_friction_and_spin_gains_nothing():
    rng = np.random.default_rng(3)
    for _ in range(12):
        world = World(rate=60, sleeping=False)
        _ground(world, friction=0.8, restitution=1.0)
        spin, speed = rng.uniform(-20, 20, 3), rng.uniform(-4, 4, 3)
        turn = rng.normal(size=4)
        body = world.add_body(
            "a", Box((0.3, 0.2, 0.5)), mass=1.0, position=(0, 0.8, 0),
            orientation=turn / np.linalg.norm(turn), velocity=speed, angular_velocity=spin,
            friction=0.8, restitution=1.0,
        )  # fmt: skip
        pile = Piles(world)
        slots = np.array([body.slot])
        pile.step()
        start = _energy(pile, slots)
        for _ in range(120):
            pile.step()
        assert _energy(pile, slots) < start * 1.02


def test_cradle_of_ten():
    world = World(rate=240, gravity=(0, 0, 0), sleeping=False)
    slots = []
    for k in range(10):
        x = 0.2 * k if k else -0.5
        body = world.add_body(
            f"b{k}", Sphere(0.1), mass=1.0, position=(x, 0, 0),
            velocity=(2.0 if k == 0 else 0.0, 0, 0), friction=0.0, restitution=1.0,
        )  # fmt: skip
        slots.append(body.slot)
    pile = Piles(world)
    pile.step(120)
    v = pile.bodies.velocity.reshape(-1, 6)[slots, 0]
    assert v[-1] == pytest.approx(2.0, rel=0.01)
    assert np.abs(v[:-1]).max() < 0.01 * 2.0


def test_billiard_break_is_symmetric():
    world = World(rate=240, gravity=(0, 0, 0), sleeping=False)
    slots, radius = [], 0.03
    for row in range(5):
        for k in range(row + 1):
            at = (row * math.sqrt(3) * radius, 0, (2 * k - row) * radius)
            body = world.add_body(
                f"b{row} {k}", Sphere(radius), mass=0.2, position=at, friction=0.0, restitution=0.95
            )
            slots.append(body.slot)
    cue = world.add_body(
        "cue", Sphere(radius), mass=0.2, position=(-0.3, 0, 0), velocity=(8, 0, 0), friction=0.0,
        restitution=0.95,
    )  # fmt: skip
    pile = Piles(world)
    pile.step(60)
    v = pile.bodies.velocity.reshape(-1, 6)
    at = 0
    for row in range(5):
        group = slots[at : at + row + 1]
        at += row + 1
        for k in range(row + 1):
            mirrored = v[group[row - k], :3] * [1, 1, -1]
            assert v[group[k], :3] == pytest.approx(mirrored, abs=0.01 * 8)
    assert abs(v[cue.slot, 2]) < 0.01 * 8
    momentum = 0.2 * v[[*slots, cue.slot], :3].sum(0)
    assert momentum == pytest.approx([1.6, 0, 0], abs=1e-9)


def test_keyframed_platform_carries():
    world = World(rate=60, sleeping=False)
    world.add_body(
        "platform", Box((4, 0.2, 2)), position=(0, -0.1, 0), velocity=(0.5, 0, 0), keyframed=True,
        friction=0.6,
    )  # fmt: skip
    body = world.add_body(
        "a", Box((0.4, 0.4, 0.4)), mass=2.0, position=(0, 0.2, 0), velocity=(0.5, 0, 0),
        friction=0.6,
    )  # fmt: skip
    pile = Piles(world)
    pile.step(120)
    assert pile.bodies.position[body.slot, 0] == pytest.approx(1.0, abs=1e-3)


def test_two_dimensions_stay_flat():
    world = World(rate=60, dimension=2, sleeping=False)
    _ground(world)
    slots = [
        world.add_body(
            f"b{k}", Box((0.4, 0.4, 0.4)), mass=1.0, position=(0.05 * k, 0.22 + 0.42 * k, 0),
            friction=0.5,
        ).slot
        for k in range(4)
    ]  # fmt: skip
    pile = Piles(world)
    pile.step(180)
    v = pile.bodies.velocity.reshape(-1, 6)[slots]
    assert np.abs(v).max() < 1e-3
    assert np.array_equal(v[:, [2, 3, 4]], np.zeros((4, 3)))


def test_impulses_that_are_not_finite_are_forgotten():
    world, slots = _wall(6)
    pile = Piles(world)
    pile.step(30)
    rows, n = pile.rows
    rows.mu[: n // 2] = np.nan
    rows.mu[n // 2, 0] = np.inf
    pile.step(30)
    rows, n = pile.rows
    assert n > 0
    assert np.isfinite(rows.mu[:n]).all()
    assert np.isfinite(pile.bodies.position[slots]).all()
