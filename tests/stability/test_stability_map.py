"""The stability map: R = 1 … 1e6, h = 0.001 … 0.1 s, 10 s, and its variants.

Asked for with "adaptive": every cell finite, gap < 1e-4 m, energy gain < 2 % of what the scene can
release, and for R ≥ 100 at least 95 % of the energy left after 4 s, up to h = 1/30 s. The whole
tables are printed by `python -m tests.stability.table`.
"""

import pytest

from tests.physics.scenes import chain, open_gap
from tests.stability.runs import Outcome, run
from tests.stability.table import RATIOS, STEPS, VARIANTS, cell, text

GAP = 1e-4  # m
GAIN = 0.02
LEFT = 0.95
KEEPING = ("plane", "spinning", "hinges", "50 links", "0.2 kg links")  # no impact in these
SPOT = ((1e2, 1 / 60), (1e4, 1 / 60), (1e6, 1 / 30), (1e6, 0.1), (1.0, 0.01))


def check(variant: str, ratio: float, h: float) -> Outcome:
    outcome = cell(variant, ratio, h, "adaptive")
    print(f"{variant} R={ratio:g} h={h:.4g}: {text(outcome)}")
    assert outcome.finite
    assert outcome.gap < GAP
    assert outcome.gain < GAIN
    if variant in KEEPING and ratio >= 100 and h <= 1 / 30 + 1e-9:
        assert outcome.left >= LEFT
    return outcome


@pytest.mark.parametrize(("ratio", "h"), SPOT)
def test_spot_cells_of_the_map(ratio: float, h: float) -> None:
    check("plane", ratio, h)


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "plane"])
def test_every_variant_at_a_million_to_one(variant: str) -> None:
    check(variant, 1e6, 1 / 60)


@pytest.mark.slow
@pytest.mark.parametrize("h", STEPS, ids="{:.4g}".format)
@pytest.mark.parametrize("ratio", RATIOS, ids="{:g}".format)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_whole_map(variant: str, ratio: float, h: float) -> None:
    check(variant, ratio, h)


# --- contrast: what the other stabilizations really do --------------------------------------------


def other(stabilization: str, ratio: float, h: float, seconds: float = 5.0) -> Outcome:
    outcome = run(chain(ratio, h, stabilization=stabilization), seconds)
    print(f"{stabilization} R={ratio:g} h={h:.4g}: {text(outcome)}")
    return outcome


@pytest.mark.parametrize("ratio", [1e2, 1e4, 1e6])
def test_without_stabilization_a_heavy_load_explodes(ratio: float) -> None:
    assert other("none", ratio, 1 / 60).exploded


def test_without_stabilization_small_steps_hold_a_light_load() -> None:
    outcome = other("none", 1.0, 0.001, 2.0)
    assert not outcome.exploded


@pytest.mark.parametrize("ratio", [1e2, 1e4, 1e5])
def test_geometric_stiffness_is_stable_but_drags(ratio: float) -> None:
    outcome = other("geometric", ratio, 1 / 60)
    assert not outcome.exploded
    assert 0.3 < outcome.left < 0.95


def test_geometric_stiffness_needs_shorter_steps_at_a_million_to_one() -> None:
    """Steering back by -φ/h turns a gap of 0.3 mm into false forces at 1/60 s, not at 0.01 s."""
    assert not other("geometric", 1e6, 0.01).exploded
    assert other("geometric", 1e6, 1 / 60).exploded


def test_inertial_damping_holds_a_hundred_to_one_and_not_ten_thousand() -> None:
    """[Andrews17, Eq. 11] sits on the boundary of stability."""
    assert not other("inertial", 1e2, 1 / 60).exploded
    assert other("inertial", 1e4, 1 / 30).exploded


def test_the_gap_is_what_the_poses_say() -> None:
    """constraint_error() against anchors recomputed from the poses."""
    scene = chain(1e4, 1 / 60, spin=0.2)
    scene.world.step(60)
    assert open_gap(scene) == pytest.approx(scene.world.constraint_error(), abs=2e-9)
    assert open_gap(scene) < 1e-8
