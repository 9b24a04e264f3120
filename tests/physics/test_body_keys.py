"""Keys of bodies are declared once: checks, help, level files and editors follow."""

import inspect
import math
from pathlib import Path

import numpy as np
import pytest

from levels import load
from levels.draft.fields import HEADINGS
from levels.level_tables import Body
from physics import Box, Sphere, World
from physics.collision.store import ShapeStore
from physics.definitions.body_keys import BODY_KEYS, checked_keys
from physics.state import Bodies

NUMBERS = [name for name, key in BODY_KEYS.items() if key.kind == "number"]


@pytest.mark.parametrize("name", BODY_KEYS)
def test_a_key_is_known_wherever_bodies_are_described(name: str) -> None:
    key = BODY_KEYS[name]
    taken = inspect.signature(World.add_body).parameters[name]
    assert taken.default == key.default
    assert taken.kind is inspect.Parameter.KEYWORD_ONLY
    assert f"{name}: {key.doc}" in (World.add_body.__doc__ or "")
    if key.in_files:
        assert Body.model_fields[name].description == key.doc
        assert name in HEADINGS[key.heading]
    column = key.column or name
    assert (column in Bodies._fields) != (column in inspect.signature(ShapeStore.add).parameters)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_beyond_its_bounds_is_refused_and_the_world_stays_as_it_was(name: str) -> None:
    key, world = BODY_KEYS[name], World()
    beyond = [math.nan, "much"] + [key.least - 1.0] * math.isfinite(key.least)
    beyond += [key.most + 1.0] * math.isfinite(key.most)
    for value in beyond:
        with pytest.raises(ValueError, match=f'{name} of body "ball"'):
            world.add_body("ball", Sphere(0.1), mass=1.0, **{name: value})
    assert not world.handles()


def test_an_unknown_key_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(TypeError, match='did you mean "friction"'):
        checked_keys('of body "ball"', {"frction": 0.1})


@pytest.mark.parametrize("scale", [0.0, 0.5, -1.0, 3.0])
def test_gravity_scale_is_the_share_of_gravity_that_acts(scale: float) -> None:
    world = World(rate=60)
    plain = world.add_body("plain", Sphere(0.1), mass=1.0)
    scaled = world.add_body(
        "scaled", Sphere(0.1), mass=5.0, position=(9, 0, 0), gravity_scale=scale
    )
    start = world.energy().total
    world.step(60)
    assert world.position(scaled)[1] == pytest.approx(scale * world.position(plain)[1], abs=1e-12)
    assert world.energy().total == pytest.approx(start, abs=1e-9)


def test_a_balloon_on_a_string_swings_as_a_pendulum_upside_down() -> None:
    world = World(rate=60)
    for name, side in (("bob", 1.0), ("balloon", -1.0)):
        height = -0.8 * side
        bob = world.add_body(
            name, Box((0.1, 0.2, 0.1)), mass=1.0, position=(0.6, height, 0), gravity_scale=side
        )
        world.add_joint("ball", bob, at=(0, 0, 0))
    world.ignore_contacts("bob", "balloon")
    for _ in range(120):
        world.step()
        below, above = world.position("bob"), world.position("balloon")
        # the same arithmetic with another sign, solved to the tolerance of the joints
        np.testing.assert_allclose(above * (1, -1, 1), below, atol=1e-9)


def test_a_body_of_no_weight_rests_on_nothing_and_is_not_pressed_down() -> None:
    world = World(rate=60)
    world.add_body("floor", Box((4, 1, 4)), fixed=True, position=(0, -0.5, 0))
    world.add_body("float", Box((0.2, 0.2, 0.2)), mass=1.0, position=(0, 0.1, 0), gravity_scale=0.0)
    world.step(60)
    assert np.abs(world.contact_force("float")).max() < 1e-6  # N, of 9.81 otherwise


def test_level_files_have_it(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    path.write_text(
        'format = 1\n[bodies.ball]\nshape = "sphere"\nradius = 1\nmass = 1\ngravity_scale = 0\n',
        encoding="utf-8",
    )
    world = load(path).build()
    world.step(30)
    assert np.array_equal(world.velocity("ball"), np.zeros(3))
