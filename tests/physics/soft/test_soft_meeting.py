"""Soft bodies that meet: cloth on cloth, cloth on a solid, edges across edges, rods between nodes.

Nothing passes through anything, impulses between two bodies are equal and opposite, and what a
saved world does after restoring is what it did.
"""

import numpy as np
import pytest

from physics import Box, Capsule, Plane, World

FLAT = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # a cloth's own xy plane lies horizontally
RADIUS = 0.01


def heights_above(points, nodes, triangles):
    """Height of points above a surface that hangs below them: nan where it does not."""
    a, b, c = (nodes[triangles[:, k]][:, [0, 2]] for k in range(3))
    found = np.full(len(points), np.nan)

    def across(p, q):
        return p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]

    for i, p in enumerate(points):
        q = p[[0, 2]]
        area = across(b - a, c - a)
        u, v = across(q - a, c - a) / area, across(b - a, q - a) / area
        inside = np.flatnonzero((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0))
        for t in inside[:1]:
            y = nodes[triangles[t], 1] @ (1.0 - u[t] - v[t], u[t], v[t])
            found[i] = p[1] - y
    return found


def cloth_on_cloth(**upper):
    world = World()
    n = 12
    low = world.add_cloth(
        "low", size=(1.0, 1.0), rows=n, columns=n, orientation=FLAT, radius=RADIUS,
        pins=[0, n - 1, n * n - n, n * n - 1],
    )  # fmt: skip
    given = {"rows": 8, "columns": 8, "mass": 0.3, "size": (0.5, 0.5), "radius": RADIUS}
    high = world.add_cloth(
        "high", position=(0.02, 0.15, 0.01), orientation=FLAT, **{**given, **upper}
    )
    return world, low, high


def test_a_cloth_comes_to_lie_on_another():
    world, low, high = cloth_on_cloth()
    touching = 0
    for _ in range(150):
        world.step()
        touching = max(touching, world.stats.soft["touching"])
        above = heights_above(
            world.node_positions(high), world.node_positions(low), world.triangles(low)
        )
        assert np.nanmin(above) > RADIUS
    print(f"up to {touching} contacts, lowest node {np.nanmin(above):.4f} m above, of 2 x {RADIUS}")
    assert touching >= 20
    assert np.isfinite(above).all()  # all of it is over the lower one
    assert np.nanmin(above) < 6 * RADIUS
    assert np.abs(world.node_velocities(high)).max() < 1.0


def test_the_lower_one_carries_the_weight_of_both():
    """At rest the pins hold (1 + 0.3) kg; without the upper cloth 1 kg."""
    loads = []
    for mask in (0xFFFF, 0):
        world, low, _ = cloth_on_cloth(mask=mask)
        world.set_wind(low, (0, 0, 0), normal_drag=40.0)
        world.step(60)
        force = []
        body = world.soft_body(low).body
        for _ in range(120):
            world.step()
            pull = -body.state.lam[:, None] * (
                body.x[body.model.link_nodes[:, 0]] - body.x[body.model.link_nodes[:, 1]]
            )
            pull /= np.linalg.norm(
                body.x[body.model.link_nodes[:, 0]] - body.x[body.model.link_nodes[:, 1]], axis=1
            )[:, None]
            on = np.zeros_like(body.x)
            np.add.at(on, body.model.link_nodes[:, 0], pull)
            np.subtract.at(on, body.model.link_nodes[:, 1], pull)
            pins = body.state.pinned
            force.append(on[pins, 1].sum() + 9.81 * body.model.mass[pins].sum())
        loads.append(np.mean(force) / 9.81)
    print(f"carried {loads[0]:.3f} kg with, {loads[1]:.3f} kg without the upper cloth")
    assert loads[1] == pytest.approx(1.0, rel=0.03)
    assert loads[0] == pytest.approx(1.3, rel=0.03)


def test_masks_keep_cloths_apart():
    world, low, high = cloth_on_cloth(mask=0)
    world.step(60)
    assert world.stats.soft["touching"] == 0
    assert world.node_positions(high)[:, 1].max() < world.node_positions(low)[:, 1].min()


@pytest.mark.parametrize("ratio", [1.0, 100.0])
def test_momentum_and_energy_when_two_cloths_collide(ratio):
    """Without gravity: momentum to round-off of the solve, and no energy is made."""
    world = World(gravity=(0, 0, 0))
    for name, y, speed, mass in (("a", 0.0, 0.0, 1.0), ("b", 0.1, -2.0, ratio)):
        world.add_cloth(
            name, rows=8, columns=8, position=(0.03 * (name == "b"), y, 0.0), orientation=FLAT,
            velocity=(0, speed, 0), mass=mass, radius=RADIUS,
        )  # fmt: skip
    before, energy, met = -2.0 * ratio, 2.0 * ratio, 0
    for _ in range(60):
        world.step()
        met = max(met, world.stats.soft["touching"])
        bodies = [world.soft_body(name).body for name in ("a", "b")]
        momentum = sum((body.model.mass[:, None] * body.v).sum(axis=0) for body in bodies)
        assert momentum == pytest.approx([0.0, before, 0.0], abs=1e-6 * ratio)
        assert sum(body.kinetic_energy() for body in bodies) <= energy * (1 + 1e-6)
    assert met > 10
    assert (bodies[1].x[:, 1].mean() - bodies[0].x[:, 1].mean()) > 0.0


def ribbon(world, name, turn, height, pins=()):
    """Two nodes wide, 2 cm, and 0.2 m between rows: no node of one is near a triangle of another
    that crosses it in the middle of a row."""
    along = (np.cos(turn / 2), 0.0, np.sin(turn / 2), 0.0)
    w, x, y, z = along
    a, b, c, d = FLAT
    both = (
        w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a,
    )  # fmt: skip
    return world.add_cloth(
        name, size=(0.02, 1.0), rows=6, columns=2, position=(0.0, height, 0.0), orientation=both,
        mass=0.1, radius=RADIUS, pins=pins,
    )  # fmt: skip


def test_ribbons_cross_between_their_nodes():
    """The upper one is caught by the lower one's edges, and hangs over it."""
    world = World()
    ribbon(world, "low", 0.0, 0.0, pins=[0, 1, 10, 11])
    high = ribbon(world, "high", np.pi / 2, 0.1)
    ends = []
    for _ in range(90):
        world.step()
        middle = world.node_positions(high)[4:8].mean(axis=0)
        assert middle[1] > world.node_positions("low")[4:8, 1].mean()
        ends.append(world.node_positions(high)[:, 1].min())
    assert middle[1] > -0.3
    assert min(ends[30:]) < middle[1] - 0.2  # its ends hang down, and swing


def test_a_thin_rod_does_not_slip_between_nodes():
    """A rod of 1 cm, 40 times longer than thick, across a cloth with 0.1 m between nodes."""
    world = World()
    n = 11
    cloth = world.add_cloth(
        "cloth", size=(1.0, 1.0), rows=n, columns=n, orientation=FLAT, radius=0.005,
        pins=[*range(n), *range(n * n - n, n * n)],
    )  # fmt: skip
    lying = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    rod = world.add_body(
        "rod", Capsule(0.005, 0.4), mass=0.5, position=(0.05, 0.1, 0.05), orientation=lying
    )
    for _ in range(120):
        world.step()
        gap = world.position(rod)[1] - world.node_positions(cloth)[:, 1].min()
        assert gap > -0.05
    assert world.position(rod)[1] > -0.6
    assert np.linalg.norm(world.velocity(rod)) < 1.0


def test_a_board_on_its_edge_does_not_slip_between_nodes():
    world = World()
    n = 11
    world.add_cloth(
        "cloth", size=(1.0, 1.0), rows=n, columns=n, orientation=FLAT, radius=0.005,
        pins=[*range(n), *range(n * n - n, n * n)],
    )  # fmt: skip
    board = world.add_body(
        "board", Box((0.6, 0.2, 0.01)), mass=0.5, position=(0.05, 0.2, 0.05)
    )  # 1 cm thick, between two rows of nodes
    for _ in range(120):
        world.step()
    assert world.position(board)[1] > -0.6


def test_a_cloth_drapes_over_an_elastic_cube():
    world = World()
    world.add_body("ground", Plane(), fixed=True)
    cube = world.add_solid(
        "cube", size=(0.4, 0.4, 0.4), cells=(3, 3, 3), position=(0, 0.2, 0), young=2e4
    )
    cloth = world.add_cloth(
        "cloth", size=(0.8, 0.8), rows=13, columns=13, position=(0.01, 0.45, 0.01),
        orientation=FLAT, mass=0.3, radius=RADIUS,
    )  # fmt: skip
    world.step(90)
    top = world.node_positions(cube)[:, 1].max()
    middle = world.node_positions(cloth)[6 * 13 + 6]
    print(f"cube's top at {top:.3f} m, middle of the cloth at {middle[1]:.3f} m")
    assert 0.3 < top < 0.42
    assert middle[1] > top - 0.01
    assert world.node_positions(cloth)[0, 1] < 0.3  # its corners hang down
    assert world.stats.soft["touching"] > 0


def test_a_restored_world_goes_on_the_same():
    world, low, high = cloth_on_cloth()
    world.step(40)
    saved = world.snapshot()
    runs = []
    for _ in range(2):
        world.restore(saved)
        world.step(30)
        runs.append((world.node_positions(low), world.node_positions(high)))
    assert world.stats.soft["touching"] > 0
    assert np.array_equal(runs[0][0], runs[1][0])
    assert np.array_equal(runs[0][1], runs[1][1])


def test_removing_one_of_two_lets_the_other_go_on():
    world, low, high = cloth_on_cloth()
    world.step(40)
    assert world.stats.soft["touching"] > 0
    world.remove(low)
    world.step(30)
    assert world.stats.soft["touching"] == 0
    assert world.node_velocities(high)[:, 1].mean() < -3.0
