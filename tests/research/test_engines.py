"""Engines beside ours do the same mechanics: each follows the exact motion at a small step."""

import math
import os

import numpy as np
import pytest
from scipy.special import ellipk

from sandbox.engines import boxes, exact, planar, turns
from sandbox.engines.engine import ENGINES, energy, gap
from sandbox.engines.quiet import quietly
from sandbox.reproduce import nets

ADAPTIVE = "adaptive"


def test_the_exact_solution_of_a_pendulum_has_the_known_period() -> None:
    """A bar of 1 m about its end: I/(m g l) = (1/3 + w²/12)/(g/2)."""
    scene = planar.Mechanism(
        "bar", [planar.Bar(1.0, 1.0, 0.1, 0.5, 0.0)], [planar.Pin(0, -1, 0, 0)]
    )
    arm = (1.0 / 12 + 0.01 / 12 + 0.25) / (planar.G * 0.5)
    quarter = math.sqrt(arm) * float(ellipk(0.5))
    scene.seconds = quarter
    x, y, _ = exact.solve(scene)[-1][0]
    assert x == pytest.approx(0.0, abs=1e-9)
    assert y == pytest.approx(-0.5, abs=1e-9)


@pytest.mark.parametrize("scene", [planar.chain(10.0, links=3), planar.four_bars(2)], ids=str)
def test_the_exact_solution_keeps_its_pins_closed(scene: planar.Mechanism) -> None:
    class Still:
        def step(self, n: int) -> None: ...
        def places(self) -> np.ndarray:
            return exact.solve(scene, np.array([0.3]))[-1]

        def speeds(self) -> np.ndarray:
            return np.zeros((len(scene.bars), 3))

    assert gap(scene, Still()) < 1e-10


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    "scene", [planar.double_pendulum(0.3), planar.four_bars(1, 0.3)], ids=["tree", "loop"]
)
def test_every_engine_follows_the_exact_motion(name: str, scene: planar.Mechanism) -> None:
    """0.3 s at 0.5 ms: first-order engines are off by about h t g/2 = 0.7 mm."""
    engine = ENGINES[name]
    if not engine.installed:
        pytest.skip(f"{engine.title} is not installed")
    setting = "undamped" if "undamped" in engine.settings else engine.shipped
    running = engine.build(scene, 5e-4, setting)
    start = energy(scene, running)
    running.step(600)
    apart = running.places()[scene.watched, :2] - exact.solve(scene)[-1][scene.watched, :2]
    assert float(np.hypot(*apart)) < 3e-3
    assert gap(scene, running) < 1e-3
    assert abs(energy(scene, running) - start) < 0.01 * scene.releasable()


def test_a_mechanism_knows_its_tree_and_its_loops() -> None:
    holding, closing = planar.four_bars(2).tree()
    assert holding == [0, 1, 2, 3, 5]
    assert [(pin.a, pin.b) for pin in closing] == [(3, 1), (4, 2)]


@pytest.mark.parametrize(
    "stepper",
    [nets.leapfrog, nets.linearly_implicit, nets.backward_euler, nets.projective, nets.xpbd,
     nets.regularised],
)  # fmt: skip
def test_integrators_for_teaching_swing_a_pendulum(stepper: nets.Stepper) -> None:
    """A spring of 1e4 N/m as a rod, h = 2 ms: a quarter of its period is 0.59 s."""
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    net = nets.Net(x, np.array([[1, 0]]), np.array([1e4]), np.ones(2), [0])
    places, _ = nets.run(net, stepper, 2e-3, 0.7)
    crossed = next(k for k, place in enumerate(places) if place[1, 0] <= 0.0)
    assert 2e-3 * crossed == pytest.approx(math.sqrt(1 / 9.81) * float(ellipk(0.5)), rel=0.02)
    assert max(abs(float(np.linalg.norm(place[1])) - 1.0) for place in places) < 0.02


# --- walls and times --------------------------------------------------------------------------


def test_a_wall_stands_in_rows_and_ours_neither_drifts_nor_sinks() -> None:
    rows = boxes.layers(10)
    assert [row for row, _, _ in rows] == [0] * 4 + [1] * 3 + [2] * 2 + [3]
    assert rows[0][2] == pytest.approx(0.26)
    found = {(one.engine, one.setting): one for one in boxes.stood(10, 2.0)}
    ours = found["Taut", "shipped"]
    assert ours.boxes == 10
    assert ours.stands
    assert ours.drift < 1e-5
    assert ours.lost == pytest.approx(1.0, abs=0.05)


def test_turns_alternate_and_the_best_is_the_least() -> None:
    order: list[str] = []

    def prepare(name: str) -> turns.Turn:
        return turns.Turn(lambda: lambda: order.append(name), parts=4)

    times = turns.in_turn({"a": prepare("a"), "b": prepare("b")}, 3)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert [len(values) for values in times.values()] == [3, 3]
    assert turns.best({"a": [3.0, 1.0, 2.0], "b": []}) == {"a": 1.0, "b": math.inf}


def test_what_an_engine_prints_below_python_is_kept_out(capfd: pytest.CaptureFixture[str]) -> None:
    with quietly():
        os.write(1, b"argv[0]=")
    os.write(1, b"told")
    assert capfd.readouterr().out == "told"
