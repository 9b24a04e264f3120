"""Krylov methods of the papers: the same step as the direct solve, with iterations counted.

`python -m tests.physics.soft.test_soft_krylov` prints the table.
"""

import numpy as np
import pytest

from physics import World

LYING = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)


def cloth(nodes, solver, steps=30, corrections=12, **given):
    """A hanging cloth after so many steps, and the iterations of each."""
    world = World()
    threads = {} if "model" in given else {"shear": 1e-3, "stretch": 1e-6}
    given = {"pins": [0, nodes - 1], "mass": 1.0} | threads | given
    world.add_cloth("cloth", size=(1, 1), rows=nodes, columns=nodes, orientation=LYING, **given)
    world.set_soft_solver("cloth", solver)
    world.soft_body("cloth").body.options.corrections = corrections
    counts = []
    for _ in range(steps):
        world.step()
        counts.append(world.stats.soft["iterations"])
    return world, counts


@pytest.mark.parametrize("solver", ["cg", "minres"])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"stretch": 0.0},
        {"model": "membrane", "young": 1e5, "stepping": "euler"},
        {"model": "quads", "young": 1e5, "stepping": "euler"},
    ],
)
def test_a_linear_solve_is_that_of_the_factor(solver, given):
    """One step from the same state, with neither method corrected afterwards."""
    found = {}
    for way in ("direct", solver):
        world, _ = cloth(8, "direct", 10, corrections=0, **given)
        world.set_soft_solver("cloth", way)
        body = world.soft_body("cloth").body
        found[way] = body.begin(1.0 / 60.0).copy()
    scale = np.abs(found["direct"]).max()
    # residuals shrink by 1e-9; h²k/m of threads without compliance is 1e6, and errors are larger
    share = 1e-4 if given.get("stretch") == 0.0 else 1e-5
    np.testing.assert_allclose(found[solver], found["direct"], atol=share * scale)


@pytest.mark.parametrize("solver", ["cg", "minres"])
def test_iterations_are_counted_and_the_cloth_hangs(solver):
    world, counts = cloth(8, solver, 20)
    assert world.stats.soft["solver"] == {0: solver}
    assert min(counts[1:]) > 3  # it falls freely in the first step
    assert world.stats.soft["factorisations"] == 0
    direct, none = cloth(8, "direct", 20, corrections=0)
    assert set(none) == {0}
    apart = np.abs(world.node_positions("cloth") - direct.node_positions("cloth")).max()
    assert apart < 1e-3  # neither corrects lengths


@pytest.mark.parametrize("solver", ["cg", "minres"])
def test_what_lies_on_a_ball_is_held_too(solver):
    from physics import Sphere

    world = World()
    world.add_body("ball", Sphere(0.3), fixed=True, position=(0, -0.35, 0))
    world.add_cloth("cloth", size=(1, 1), rows=8, columns=8, orientation=LYING, stretch=1e-5)
    world.set_soft_solver("cloth", solver)
    world.step(40)
    x = world.node_positions("cloth")
    assert np.linalg.norm(x - [0, -0.35, 0], axis=1).min() > 0.29


def main() -> None:
    print("iterations a step, 30 steps of a hanging cloth       median   most")
    for nodes in (10, 20):
        for name, given in (
            ("links, 1e-6 m/N", {}),
            ("links, no compliance", {"stretch": 0.0}),
            ("membrane, 0.1 MPa", {"model": "membrane", "young": 1e5, "stepping": "euler"}),
            ("quads, 0.1 MPa", {"model": "quads", "young": 1e5, "stepping": "euler"}),
        ):
            for solver in ("cg", "minres"):
                _, counts = cloth(nodes, solver, **given)
                row = f"{nodes} x {nodes}, {name}, {solver}"
                print(f"{row:52} {np.median(counts):7.0f} {max(counts):6}", flush=True)


if __name__ == "__main__":
    main()
