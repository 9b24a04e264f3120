"""What a sweep varies: ranges, lists, grids, Latin hypercubes."""

import math
from itertools import pairwise

import pytest

from levels.sweep import Axis, grid, latin_hypercube, parse_axis
from levels.sweep.axes import axis


def test_a_logarithmic_range_has_its_ends_and_round_values() -> None:
    values = parse_axis("load", "1e2:1e6:log9").values
    assert values[0] == 1e2
    assert values[2] == 1e3
    assert values[-1] == 1e6
    ratios = [b / a for a, b in pairwise(values)]
    assert ratios == pytest.approx([10**0.5] * 8, rel=1e-11)


@pytest.mark.parametrize("text", ["0:1:lin5", "0:1:5"])
def test_a_linear_range(text: str) -> None:
    assert parse_axis("x", text).values == (0.0, 0.25, 0.5, 0.75, 1.0)


def test_lists_of_numbers_and_words() -> None:
    assert parse_axis("rate", "10,30, 60").values == (10.0, 30.0, 60.0)
    assert parse_axis("stabilization", "none,adaptive").values == ("none", "adaptive")
    assert axis("rate", [10, 20]).values == (10.0, 20.0)
    assert axis("rate", 10).values == (10.0,)


@pytest.mark.parametrize(
    "text", ["", ",", "1:2:3:4", "2:1:lin5", "0:1:log5", "a:2", "1:2:lin1", "1:2:exp4", "1:inf:3"]
)
def test_nonsense_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(ValueError, match="load"):
        parse_axis("load", text)


def test_a_grid_has_every_combination_the_last_axis_fastest() -> None:
    points = grid([Axis("a", (1.0, 2.0)), Axis("b", ("x", "y", "z"))])
    assert [tuple(point.values()) for point in points] == [
        (1.0, "x"), (1.0, "y"), (1.0, "z"), (2.0, "x"), (2.0, "y"), (2.0, "z"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="twice"):
        grid([Axis("a", (1.0,)), Axis("a", (2.0,))])
    with pytest.raises(ValueError, match="how many"):
        grid([parse_axis("a", "1:2")])


@pytest.mark.parametrize("count", [1, 7, 100])
def test_a_latin_hypercube_has_one_point_in_every_stratum(count: int) -> None:
    axes = [parse_axis("a", "0:1"), parse_axis("b", "1:1e6:log"), Axis("c", ("x", "y"))]
    points = latin_hypercube(axes, count, seed=3)
    linear = sorted(int(float(point["a"]) * count) for point in points)
    logarithmic = sorted(int(math.log10(float(point["b"])) / 6 * count) for point in points)
    assert linear == logarithmic == list(range(count))
    words = [point["c"] for point in points]
    assert abs(words.count("x") - words.count("y")) <= 1
    assert points == latin_hypercube(axes, count, seed=3)
    assert count == 1 or points != latin_hypercube(axes, count, seed=4)
