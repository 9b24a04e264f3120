"""The levels of the game: complete, correct, and as good as they say."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from levels import Level, Session, load, shipped
from levels.appearance import COLORS, PALETTES, PATTERNS
from levels.document import LIBRARY
from levels.headless import run
from levels.level_schema import json_schema
from physics import World
from tests.counting import calls

_EXAMPLE = Path(__file__).with_name("example.toml")


@pytest.mark.parametrize("name", shipped())
def test_level_is_complete(name: str) -> None:
    level = load(name)
    assert level.title
    assert level.hint
    if name != "empty":  # a place to build, with nothing to win
        assert level.goal.win is not None
        assert level.parameters
    assert level.default.rules.expectations
    if name != "twist":  # has the paper's mesh, one cell thick, and is told so
        assert not level.warnings


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped())
def test_level_passes_its_expectations(name: str) -> None:
    level = load(name)
    result = run(Session(level, scripted=True), level.seconds())
    failed = [f"{o.name}: {o.values}" for o in result.outcomes if o.state != "passed"]
    assert not failed
    assert result.exit_code == 0


def test_example_of_the_format_loads_as_written() -> None:
    level = load(_EXAMPLE)
    assert level.title == "Set the truck down"
    plan = level.default.plan
    assert plan.find("truck") == "truck.frame"
    assert len(plan.groups["cable"].members) == 30
    assert sum(plan.bodies[name].weight() for name in plan.groups["truck"].members) == (
        pytest.approx(15_000)
    )
    assert {drive.name for drive in plan.drives} == {"slew", "cable"}


def test_example_of_the_format_runs() -> None:
    session = load(_EXAMPLE).session()
    session.step(120)
    assert session.is_finite()
    assert session.stretch("cable") < 0.01
    assert not session.is_broken("cable")


def _toml(path: Path) -> Any:
    import tomllib

    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def _validator() -> jsonschema.Draft202012Validator:
    """Of the schema, which is a schema: asking that takes a second."""
    schema = json.loads(json.dumps(json_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(
    "path", [*sorted(LIBRARY.glob("**/*.toml")), _EXAMPLE], ids=lambda path: path.stem
)
def test_schema_accepts_what_the_loader_accepts(path: Path) -> None:
    _validator().validate(_toml(path))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ({"format": 1, "bodies": {"b": {"shape": "bax"}}}, "bodies"),
        ({"format": 1, "bodies": {"b": {"shape": "sphere", "radius": "big"}}}, "bodies"),
        ({"format": 2}, "format"),
        ({"format": 1, "simulation": {"rate": "fast"}}, "simulation"),
        ({"format": 1, "nonsense": 1}, ""),
    ],
)
def test_schema_refuses(text: Any, path: str) -> None:
    errors = list(jsonschema.Draft202012Validator(json_schema()).iter_errors(text))
    assert errors
    assert path in {str(error.path[0]) if error.path else "" for error in errors}


def test_names_of_looks_are_those_of_the_renderer() -> None:
    from sandbox.render.look import LOOKS, linear
    from sandbox.render.scene import PATTERNS as DRAWN

    assert all(0 <= part <= 1 for name in COLORS for part in linear(name))
    assert set(PALETTES) <= set(LOOKS)
    assert set(PATTERNS) <= set(DRAWN)


def _large(bodies: int, particles: int) -> str:
    lines = ["format = 1"]
    for i in range(bodies):
        lines += [
            f"[bodies.b{i}]", 'shape = "box"', "size = [1, 1, 1]",
            f"position = [{2 * i}, 1, 0]", "mass = 1",
        ]  # fmt: skip
    for i in range(particles):
        lines += [f"[particles.p{i}]", "mass = 0.1", f"position = [{i}, 5, 0]"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("bodies", "particles"), [(250, 0), (0, 1000)])
def test_the_work_of_loading_grows_with_the_level(
    bodies: int, particles: int, tmp_path: Path
) -> None:
    """Twice the things are twice the calls from the file to a world that can step."""
    path = tmp_path / "large.toml"
    worlds: list[World] = []
    path.write_text(_large(1, 1), encoding="utf-8")
    load(path).build()  # what is made on first use only
    work = []
    for factor in (1, 2):
        path.write_text(_large(factor * bodies, factor * particles), encoding="utf-8")
        work.append(calls(lambda: worlds.append(load(path).build())))
        assert len(worlds[-1].handles()) == factor * (bodies + particles)
    assert work[1] < 2.2 * work[0]


def test_levels_can_be_built_many_times() -> None:
    level: Level = load("million")
    first, second = level.build(weight=1e6), level.build()
    assert first.mass("weight") == 1e6
    assert second.mass("weight") == 1e4
    assert level.build(rate=30).rate == 30
