"""Models, materials and parameters stand in one list, and everybody follows it."""

import inspect

import numpy as np
import pytest

from levels.props import PROPS
from physics import World
from physics.soft.make import ADD_ELEMENTS
from physics.soft.models import (
    CLOTH_MODELS,
    CLOTH_PARAMETERS,
    SOFT_MATERIALS,
    SOLID_MATERIALS,
    SOLID_PARAMETERS,
)


@pytest.mark.parametrize(
    ("add", "parameters"),
    [(World.add_cloth, CLOTH_PARAMETERS), (World.add_solid, SOLID_PARAMETERS)],
)
def test_the_world_takes_every_parameter_with_the_listed_default(add, parameters) -> None:
    taken = inspect.signature(add).parameters
    assert {name: taken[name].default for name in parameters} == {
        name: one.default for name, one in parameters.items()
    }


@pytest.mark.parametrize(
    ("kind", "parameters"), [("cloth", CLOTH_PARAMETERS), ("solid", SOLID_PARAMETERS)]
)
def test_levels_describe_parameters_as_listed(kind, parameters) -> None:
    fields = PROPS[kind].model.model_fields
    assert {name: fields[name].description for name in parameters} == {
        name: parameter.doc for name, parameter in parameters.items()
    }


@pytest.mark.parametrize("model", CLOTH_MODELS)
def test_every_model_is_a_cloth_that_falls(model) -> None:
    assert list(ADD_ELEMENTS) == list(CLOTH_MODELS)
    world = World()
    cloth = world.add_cloth("cloth", rows=4, columns=4, model=model)
    world.step(10)
    assert (world.node_velocities(cloth)[:, 1] < -1.0).all()
    assert model in PROPS["cloth"].model.model_fields["model"].description


@pytest.mark.parametrize("material", SOFT_MATERIALS)
def test_every_material_is_a_solid_that_falls(material) -> None:
    world = World()
    solid = world.add_solid("solid", cells=(1, 1, 1), material=material)
    world.step(10)
    assert np.allclose(world.node_velocities(solid)[:, 1], -9.81 / 6, rtol=1e-6)
    assert material in PROPS["solid"].model.model_fields["material"].description


def test_codes_of_materials_differ() -> None:
    assert len({material.code for material in SOLID_MATERIALS.values()}) == len(SOLID_MATERIALS)


@pytest.mark.parametrize(
    ("model", "wrong"),
    [
        ("links", {"damping": 0.1}),
        ("links", {"rigidity": 1e-3}),
        ("links", {"weft": 1e5}),
        ("membrane", {"bend": 0.1}),
        ("membrane", {"stretch": 0.1}),
    ],
)
def test_a_parameter_of_another_model_is_refused(model, wrong) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f'{name} .*cloth "cloth".*model "{model}"'):
        World().add_cloth("cloth", model=model, **wrong)


@pytest.mark.parametrize(
    ("add", "wrong", "message"),
    [
        (World.add_cloth, {"shear": -0.1}, "shear .* -0.1 m/N; it must be at least 0"),
        (World.add_cloth, {"model": "membrane", "thickness": 0}, "thickness .* above zero"),
        (World.add_solid, {"density": -1}, "density .* above zero"),
        (World.add_solid, {"damping": -1}, "damping .* -1 s; it must be at least 0"),
        (World.add_cloth, {"poisson": 0.5}, "poisson .* between -1 and 0.5"),
        (World.add_solid, {"young": None}, "young .* must be a number"),
        (World.add_solid, {"material": "jelly"}, "material"),
    ],
)
def test_bad_numbers_are_answered_with_name_and_unit(add, wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        add(World(), "thing", **wrong)
