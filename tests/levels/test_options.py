"""Keys of bodies, particles and simulations are those of physics, declared in one model each."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from levels import load
from levels.physics_options import BodyOptions, ParticleOptions, WorldOptions
from levels.values import Table
from physics import World

# What the level says in other words: places, weights and groups.
_PLACED = {"self", "name", "shape", "mass", "density", "group", "mask"}
_PLACED |= {"position", "origin", "orientation", "velocity", "angular_velocity", "parts"}

_BALL = '[bodies.ball]\nshape = "sphere"\nradius = 1\nmass = 1\n'


@pytest.mark.parametrize(
    ("options", "call", "otherwise"),
    [
        (BodyOptions, World.add_body, _PLACED),
        (ParticleOptions, World.add_particle, _PLACED),
        (WorldOptions, World.__init__, {"self", "dimension"}),
    ],
)
def test_levels_can_say_all_that_physics_takes(
    options: type[Table], call: Callable[..., Any], otherwise: set[str]
) -> None:
    taken = {
        name: parameter.default
        for name, parameter in inspect.signature(call).parameters.items()
        if name not in otherwise
    }
    said = {name: field.default for name, field in options.model_fields.items()}
    assert {name: _plain(value) for name, value in said.items()} == {
        name: _plain(value) for name, value in taken.items()
    }


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _load(folder: Path, text: str) -> Any:
    path = folder / "level.toml"
    path.write_text("format = 1\n" + text, encoding="utf-8")
    return load(path)


def test_sleeping_can_be_switched_off(tmp_path: Path) -> None:
    assert _load(tmp_path, _BALL).build().sleeping
    assert not _load(tmp_path, "[simulation]\nsleeping = false\n" + _BALL).build().sleeping


def test_a_body_takes_from_its_material_what_it_does_not_say(tmp_path: Path) -> None:
    text = _BALL + 'material = "rubber"\nfriction = 0.5\nlocked = "rz"\n'
    options = _load(tmp_path, text).default.plan.bodies["ball"].options
    assert (options.friction, options.restitution, options.locked) == (0.5, 0.7, "rz")


def test_a_part_of_a_prop_with_an_unknown_option_is_refused(tmp_path: Path) -> None:
    from levels.plan import Plan
    from levels.problems import Place
    from levels.props import Site
    from levels.source import Source
    from physics import Sphere

    site = Site("it", Plan(), Place(Source(tmp_path / "level.toml", "")))
    site.body("good", Sphere(1.0), (0, 0, 0), mass=1.0, fixed=True)
    assert site.plan.is_fixed("it.good")
    with pytest.raises(ValueError, match="slippery"):
        site.body("bad", Sphere(1.0), (0, 0, 0), mass=1.0, slippery=True)
