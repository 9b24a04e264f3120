"""A new joint kind appears in levels, schema and reference with no other change."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from levels import LevelError, load
from levels.level_schema import json_schema
from levels.reference_page import reference
from physics import JOINTS, Parameter

_LEVEL = """\
format = 1
[bodies.ball]
shape = "sphere"
radius = 1
mass = 1
[joints.new]
kind = "magnet"
bodies = ["ball"]
at = [0, 0, 0]
strength = {strength}
"""


@pytest.fixture
def magnet() -> Iterator[None]:
    parameters = dict(JOINTS["ball"].parameters)
    parameters["strength"] = Parameter(
        "strength", "It pulls this hard, in T.", "T", minimum=0.0, maximum=2.0
    )
    JOINTS["magnet"] = replace(
        JOINTS["ball"], name="magnet", doc="Pulls without touching.", parameters=parameters
    )
    yield
    del JOINTS["magnet"]


@pytest.mark.usefixtures("magnet")
def test_new_kind_in_a_level(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    path.write_text(_LEVEL.format(strength=1.5), encoding="utf-8")
    joint = load(path).default.plan.joints["new"]
    assert (joint.kind, joint.parameters) == ("magnet", {"strength": 1.5})


@pytest.mark.usefixtures("magnet")
def test_new_kind_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    path.write_text(_LEVEL.format(strength=9), encoding="utf-8")
    with pytest.raises(LevelError, match=r'level.toml:10:12: error: "strength" must be at most 2'):
        load(path)


@pytest.mark.usefixtures("magnet")
def test_new_kind_in_schema_and_reference() -> None:
    definition = json_schema()["$defs"]["Joint_magnet"]
    assert definition["properties"]["kind"]["const"] == "magnet"
    assert "strength" in definition["required"]
    assert '### kind = "magnet"' in reference()
    assert "| `strength` | required | It pulls this hard, in T. |" in reference()


def test_unknown_again_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    path.write_text(_LEVEL.format(strength=1.5), encoding="utf-8")
    with pytest.raises(LevelError, match='unknown joint kind "magnet"'):
        load(path)
