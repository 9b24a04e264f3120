"""Soft bodies in a world: contact and seams both ways, saving, and what a world can be asked."""

import subprocess
import sys

import numpy as np
import pytest

from physics import Box, Capsule, HeightField, Hull, Plane, Sphere, Spring, TriangleMesh, World

LYING = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # a cloth in the xz plane


def hung_mat(world, n=10, size=2.0, height=1.0, **options):
    """A square mat held by its corners."""
    corners = [0, n - 1, n * n - n, n * n - 1]
    given = {"rows": n, "columns": n, "size": (size, size), "pins": corners, **options}
    return world.add_cloth("mat", position=(0, height, 0), orientation=LYING, **given)


def test_soft_package_is_loaded_by_the_first_soft_body_only():
    """Compiling it takes a minute; whoever has no cloth must not wait for it."""
    code = (
        "import sys; from physics import World; World();"
        "assert not {'physics.soft.solve.soft_step', 'physics.solver.spd'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "floor",
    [
        Plane(),
        Box((4.0, 1.0, 4.0)),
        HeightField(heights=np.zeros((5, 5)), spacing=1.0),
        TriangleMesh(
            vertices=[[-3, 0, -3], [-3, 0, 3], [3, 0, 3], [3, 0, -3]],
            triangles=[[0, 1, 2], [0, 2, 3]],
        ),
    ],
    ids=["plane", "box", "height_field", "mesh"],
)
def test_free_cloth_comes_to_rest_on_every_floor(floor):
    world = World()
    top = 0.5 if isinstance(floor, Box) else 0.0
    world.add_body("floor", floor, fixed=True)
    cloth = world.add_cloth(
        "cloth", size=(1, 1), rows=8, columns=8, position=(0.1, top + 0.3, 0.1), orientation=LYING
    )
    world.step(120)
    nodes = world.node_positions(cloth)
    # 0.01 is the distance it keeps; what is missing is pushed out at 20 % a step
    assert nodes[:, 1].min() > top + 0.009
    assert nodes[:, 1].max() < top + 0.012
    assert np.abs(world.node_velocities(cloth)).max() < 1e-3


OCTAHEDRON = Hull(0.25 * np.concatenate([np.eye(3), -np.eye(3)]))


@pytest.mark.parametrize(
    "shape", [Sphere(0.2), Box((0.3, 0.3, 0.3)), Capsule(0.15, 0.3), OCTAHEDRON]
)
@pytest.mark.parametrize("mass", [0.05, 20.0, 500.0])
def test_mat_catches_what_falls_on_it(shape, mass):
    """Light and heavy, both ways: 1 kg of cloth under 0.05 kg and under 500 kg."""
    world = World()
    mat = hung_mat(world)
    thing = world.add_body("thing", shape, mass=mass, position=(0.05, 1.35, 0.03))
    energy = [world.energy().total]
    for _ in range(120):
        world.step()
        energy.append(world.energy().total)
        # the mat is 2 m wide and does not stretch: it cannot hang below 1 m under its corners
        assert world.position(thing)[1] > 0.2
    # Above what there was: what soft and rigid checks allow each, 0.3 % of weight times size and of
    # the motion. From step to step reported energies wobble by half a step of the force between
    # them.
    assert max(energy) - energy[0] < 2 * 0.003 * (
        (mass + 1.0) * 9.81 * 2.0 + (mass + 1.0) * 9.81 * 0.35
    )
    assert energy[-1] < energy[0]
    assert world.strain(mat) < 0.02


def test_mat_carries_the_weight_of_what_rests_on_it():
    """Momentum: what the pins hold is the weight of both."""
    world = World()
    hung_mat(world, 9, shear=0.01)
    world.set_wind("mat", (0, 0, 0), normal_drag=20.0)  # to come to rest
    ball = world.add_body("ball", Sphere(0.25), mass=10.0, position=(0, 1.2, 0))
    world.step(900)
    assert abs(world.velocity(ball)[1]) < 0.01
    rows = world.soft_body("mat").body.rows
    lift = -rows.impulse[: rows.count[0], 1].sum() / world.h
    assert lift == pytest.approx(10.0 * 9.81, rel=0.02)


def test_a_stack_on_the_mat_passes_its_load_on():
    """The upper box reaches the mat through a rigid contact only."""
    world = World()
    hung_mat(world, 12, size=1.4, shear=0.01)
    world.set_wind("mat", (0, 0, 0), normal_drag=20.0)
    world.add_body("lower", Box((0.6, 0.2, 0.6)), mass=5.0, position=(0, 1.12, 0), friction=0.9)
    upper = world.add_body(
        "upper", Box((0.4, 0.2, 0.4)), mass=20.0, position=(0, 1.33, 0), friction=0.9
    )
    world.step(600)
    apart = world.position(upper) - world.position("lower")
    assert np.linalg.norm(apart) == pytest.approx(0.2, abs=0.02)
    assert world.position(upper)[1] > 0.5


def test_cloth_drapes_over_a_sphere_without_passing_through():
    world = World()
    world.add_body("ball", Sphere(0.4), fixed=True, position=(0, 0, 0), friction=0.8)
    n = 20
    cloth = world.add_cloth(
        "cloth", size=(1.6, 1.6), rows=n, columns=n, position=(0.03, 0.5, 0.02), orientation=LYING,
        mass=0.5, friction=0.8, radius=0.02,
    )  # fmt: skip
    deepest, worst = 1.0, 0.0
    for _ in range(120):
        world.step()
        deepest = min(deepest, np.linalg.norm(world.node_positions(cloth), axis=1).min())
        worst = max(worst, world.strain(cloth))
    assert deepest > 0.4  # the surface of the ball; the cloth keeps 2 cm more at rest
    assert worst < 0.02
    nodes = world.node_positions(cloth)
    assert nodes[:, 1].min() < 0.0  # it hangs down on all sides
    assert nodes[:, 1].max() > 0.4


def test_moving_capsule_pushes_a_curtain_aside():
    world = World()
    rod = world.add_body("rod", Capsule(0.15, 1.0), keyframed=True, position=(0, -0.6, -0.8))
    n = 16
    cloth = world.add_cloth(
        "cloth", size=(1.2, 1.2), rows=n, columns=n, pins=range(n), mass=0.4, radius=0.02
    )  # top row at y = 0.6
    world.set_velocity(rod, (0.0, 0.0, 1.0))
    middle = n * n // 2 + n // 2
    for _ in range(90):
        world.step()
        apart = world.node_positions(cloth) - world.position(rod)
        apart[:, 1] -= np.clip(apart[:, 1], -0.5, 0.5)
        assert np.linalg.norm(apart, axis=1).min() > 0.15
    assert world.position(rod)[2] > 0.6
    assert world.node_positions(cloth)[middle, 2] > 0.1


def test_small_heavy_ball_does_not_slip_between_the_nodes():
    """Smaller than a mesh of the grid: only the triangles can stop it."""
    world = World()
    mat = hung_mat(world, 6, radius=0.005)
    ball = world.add_body("ball", Sphere(0.05), mass=5.0, position=(0.2, 1.3, 0.2))
    world.step(120)
    nodes = world.node_positions(mat)
    assert world.position(ball)[1] > nodes[:, 1].min() - 0.06


def test_elastic_ball_bounces_and_rests_without_gaining_energy():
    world = World()
    world.add_body("ground", Plane(), fixed=True)
    world.add_solid(
        "jelly", ball=0.3, cells=(4, 4, 4), young=3e4, poisson=0.4, position=(0, 0.8, 0)
    )
    energy = []
    low = 1.0
    for _ in range(240):
        world.step()
        energy.append(world.energy().total)
        low = min(low, world.node_positions("jelly")[:, 1].min())
    assert max(energy) < 1.003 * energy[0]
    assert low > -0.005
    assert world.node_positions("jelly")[:, 1].max() > 0.4


def test_seam_holds_a_heavy_weight():
    world = World()
    n = 10
    cloth = world.add_cloth("flag", size=(1, 1), rows=n, columns=n, pins=[0, n - 1], mass=0.2)
    weight = world.add_body("weight", Box((1.0, 0.1, 0.1)), mass=100.0, position=(0, -0.55, 0))
    world.attach(cloth, range(n * n - n, n * n), weight)
    for _ in range(180):
        world.step()
        assert world.constraint_error() < 1e-3
    assert world.strain(cloth) < 0.01
    assert world.position(weight)[1] == pytest.approx(-0.55, abs=0.02)
    world.detach(cloth, weight)
    world.step(30)
    assert world.position(weight)[1] < -1.0


def test_seam_breaks_at_its_load():
    world = World()
    cloth = world.add_cloth("flag", size=(1, 1), rows=4, columns=4, pins=[0, 3], mass=0.2)
    weight = world.add_body("weight", Box((0.1, 0.1, 0.1)), mass=10.0, position=(-0.5, -0.55, 0))
    world.attach(cloth, [12], weight, breaks_at=50.0)
    world.step(60)
    assert not world.soft_body(cloth).seams
    assert world.position(weight)[1] < -2.0


def test_body_hung_on_joints_answers_through_them():
    """A paddle on a hinge is hit by cloth: its hinge holds, and it swings."""
    world = World()
    world.add_body("post", Box((0.1, 0.1, 0.1)), fixed=True, position=(0, 2, 0))
    paddle = world.add_body("paddle", Box((0.8, 1.0, 0.05)), mass=2.0, position=(0, 1.45, 0))
    world.add_joint("hinge", "post", "paddle", at=(0, 1.95, 0), axis=(1, 0, 0))
    world.add_cloth(
        "cloth", size=(0.6, 0.6), rows=8, columns=8, mass=1.0, position=(0, 1.4, 0.3),
        velocity=(0, 0, -4),
    )  # fmt: skip
    world.step(20)
    assert world.constraint_error() < 1e-6
    assert world.velocity(paddle)[2] < -0.3


def test_momentum_of_a_free_collision_is_kept():
    world = World(gravity=(0, 0, 0))
    cloth = world.add_cloth("cloth", size=(1, 1), rows=9, columns=9, mass=1.0, friction=0.0)
    ball = world.add_body("ball", Sphere(0.2), mass=3.0, position=(0, 0, 0.5), friction=0.0)
    world.set_velocity(ball, (0, 0, -3))
    world.step(60)
    total = 3.0 * world.velocity(ball)
    total += world.node_velocities(cloth).mean(axis=0)
    # the adaptive stabilization gives up momentum of tension only pairwise: none in total
    assert total == pytest.approx([0, 0, -9], abs=0.02)
    assert world.node_velocities(cloth)[:, 2].mean() < -1.0


def test_springs_hold_a_mat_to_the_world():
    world = World()
    n = 5
    springs = [
        Spring(node, to, 500.0)
        for node, to in zip((0, n - 1, n * n - n, n * n - 1),
                        ((-1, 0, -1), (1, 0, -1), (-1, 0, 1), (1, 0, 1)), strict=True)
    ]  # fmt: skip
    mat = world.add_cloth(
        "mat", size=(1, 1), rows=n, columns=n, orientation=LYING, springs=springs, mass=2.0
    )
    assert len(world.springs(mat)) == 4
    world.set_wind(mat, (0, 0, 0), normal_drag=50.0)
    world.step(600)
    item = world.soft_body(mat)
    forces = -item.body.state.lam[-4:]
    ends = np.array([to - item.body.x[node] for node, to in world.springs(mat)])
    lift = (forces[:, None] * ends / np.linalg.norm(ends, axis=1, keepdims=True))[:, 1].sum()
    assert lift == pytest.approx(2.0 * 9.81, rel=0.01)


def test_wind_blows_a_flag_and_drag_ends_it():
    world = World(gravity=(0, 0, 0))
    n = 10
    flag = world.add_cloth("flag", size=(1, 1), rows=n, columns=n, pins=range(n), mass=0.2)
    world.set_wind(flag, (0, 0, 8.0))
    world.step(60)
    assert world.node_positions(flag)[:, 2].max() > 0.5
    free = world.add_cloth("free", size=(1, 1), rows=4, columns=4, mass=0.1, position=(5, 0, 0))
    world.set_wind(free, (0, 0, 8.0))
    world.step(300)
    speed = world.node_velocities(free)[:, 2].mean()
    assert 6.0 < speed < 8.0 + 1e-9  # carried along, never faster than the wind


def test_cut_takes_effect_in_the_next_step_and_gives_no_energy():
    world = World()
    n = 12
    cloth = world.add_cloth("sheet", size=(1, 1), rows=n, columns=n, pins=range(n), mass=0.5)
    world.step(60)
    before = world.energy().total
    assert world.cut(cloth, (-1, 0.01, 0), (1, 0.01, 0), (0, 0, 1)) > 2 * (n - 1)
    assert world.energy().total <= before
    assert world.is_torn(cloth)
    low = world.node_velocities(cloth)[-n:, 1].mean()
    world.step()
    assert world.node_velocities(cloth)[-n:, 1].mean() < low - 0.1  # nearly g h = 0.16 m/s
    assert world.energy().total <= before * (1 + 1e-9) + 1e-9


def test_overloaded_cloth_tears():
    world = World()
    n = 8
    cloth = world.add_cloth(
        "sheet", size=(1, 1), rows=n, columns=n, pins=range(n), mass=0.5, breaks_at=60.0
    )
    weight = world.add_body("weight", Box((0.1, 0.1, 0.1)), mass=50.0, position=(-0.5, -0.55, 0))
    world.attach(cloth, [n * n - n], weight)
    energy = [world.energy().total]
    for _ in range(60):
        world.step()
        energy.append(world.energy().total)
    assert world.is_torn(cloth)
    assert world.position(weight)[1] < -2.0
    assert max(energy) - energy[0] < 0.003 * 50.0 * 9.81


def test_snapshot_and_hash_return_to_the_bit():
    def build():
        world = World()
        hung_mat(world, 8)
        world.add_body("ball", Sphere(0.2), mass=5.0, position=(0.05, 1.3, 0))
        return world

    world = build()
    world.step(40)
    saved = world.snapshot()
    world.step(40)
    once = world.hash()
    world.restore(saved)
    world.step(40)
    assert world.hash() == once
    other = build()
    other.step(80)
    assert other.hash() == once


def test_removing_soft_and_rigid_bodies():
    world = World()
    mat = hung_mat(world, 6)
    ball = world.add_body("ball", Sphere(0.2), mass=5.0, position=(0, 1.3, 0))
    world.attach(mat, [14], ball)
    world.step(10)
    world.remove(ball)
    world.step(10)
    assert not world.soft_body(mat).seams
    world.remove(mat)
    world.step(10)
    assert world.handles("cloth") == []
    assert world.stats.soft["bodies"] == 0


def test_stats_name_the_solver_and_its_time():
    world = World()
    hung_mat(world, 6)
    world.step(5)
    soft = world.stats.soft
    assert soft["solver"] == {0: "direct"}
    assert soft["nodes"] == 36
    assert soft["factorisations"] >= 1
    assert world.stats.times["soft"] > 0.0


def test_world_of_soft_bodies_alone():
    world = World()
    cloth = world.add_cloth("cloth", size=(1, 1), rows=5, columns=5)
    world.step(60)
    fallen = world.node_positions(cloth)[:, 1].mean()
    assert fallen == pytest.approx(-0.5 * 9.81, rel=0.02)  # implicit Euler falls h g t/2 farther


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rows": 1}, "rows"),
        ({"mass": -1.0}, "mass"),
        ({"model": "paper"}, "model"),
        ({"pins": [999]}, "pins"),
        ({"stretch": -1.0}, "stretch"),
        ({"start": [[0, 0, 0]]}, "start"),
        ({"mesh": ([[0, 0, 0]], [[0, 1, 2]])}, "mesh"),
        ({"damping": 0.1}, "damping"),
    ],
)
def test_bad_cloth_is_answered_kindly(wrong, message):
    world = World()
    with pytest.raises(ValueError, match=message):
        world.add_cloth("cloth", **wrong)
    assert world.handles() == []


def test_a_joint_cannot_hold_a_cloth():
    world = World()
    cloth = world.add_cloth("cloth")
    with pytest.raises(ValueError, match="not a body"):
        world.add_joint("ball", cloth)


def test_hand_draws_a_cloth_along():
    world = World()
    n = 8
    cloth = world.add_cloth("cloth", size=(1, 1), rows=n, columns=n, pins=range(n), mass=0.5)
    hand = world.grab(cloth, (0.5, -0.5, 0.0))
    world.move_grab(hand, (0.5, -0.3, 0.4))
    world.step(90)
    corner = world.node_positions(cloth)[-1]
    assert np.linalg.norm(corner - (0.5, -0.3, 0.4)) < 0.1
    world.release_grab(hand)
    world.step(120)
    assert world.node_positions(cloth)[-1, 2] < 0.3
    with pytest.raises(ValueError, match="not in this world"):
        world.move_grab(hand, (0, 0, 0))


def test_plastic_solid_keeps_a_dent_that_an_elastic_one_forgets():
    """Crushed by a fall, then left alone without gravity."""
    left = {}
    for name, strain in (("elastic", None), ("plastic", 0.05)):
        world = World()
        world.add_body("ground", Plane(), fixed=True)
        solid = world.add_solid(
            "clay", size=(0.4, 0.4, 0.4), cells=(3, 3, 3), young=2e4, poisson=0.3,
            position=(0, 0.4, 0), velocity=(0, -3, 0), yield_strain=strain, elements="tetrahedra",
        )  # fmt: skip
        rest = world.soft_body(solid).strain()
        energy = []
        for _ in range(60):
            world.step()
            energy.append(world.energy().total)
        assert max(energy) < 1.003 * energy[0] + 1e-9
        world.gravity = (0, 0, 0)
        world.set_nodes(solid, world.node_positions(solid) + np.array((0, 1, 0)), np.zeros((64, 3)))
        for _ in range(600):  # damped to rest
            world.step()
            (item := world.soft_body(solid)).body.v[:] *= 0.9
        left[name] = world.soft_body(solid).strain() - rest
        edges = np.diff(item.body.x[item.body.model.tet_nodes], axis=1)  # all of one orientation
        volume = abs(np.linalg.det(edges).sum()) / 6.0
        assert abs(volume / 0.4**3 - 1.0) < 0.01  # flow keeps the volume
    assert left["elastic"] < 1e-3
    assert left["plastic"] > 0.02


@pytest.mark.parametrize(
    ("solver", "stabilization"),
    [
        ("direct", "geometric"),
        ("direct", "inertial"),
        ("direct", "constraint"),
        ("pgs", "adaptive"),
    ],
)
def test_mat_works_beside_every_way_of_stepping_rigid_bodies(solver, stabilization):
    world = World(solver=solver, stabilization=stabilization)
    mat = hung_mat(world, 8)
    ball = world.add_body("ball", Sphere(0.25), mass=10.0, position=(0.05, 1.3, 0))
    world.step(60)
    assert 0.3 < world.position(ball)[1] < 1.3
    assert world.strain(mat) < 0.05
